/* GPL-3.0-or-later. Owns UART0 as the data sheet (chapter 22) has it; simavr's handlers are replaced.
 *
 * simavr 1.6 counts 11 bits a byte, computes the rate when UBRR0L is written only, keeps 64 received bytes where the
 * chip has two and a shift register, and sleeps when a program polls. Not modelled: nine data bits, parity errors,
 * synchronous and multi-processor modes, a change of rate in the middle of a character.
 */
#include "uart.h"

#include <stdlib.h>

#include "atmega2560.h"
#include "chip.h"
#include "events.h"
#include "line.h"

enum { FIFO_COUNT = 2 };

static line_t to_board, to_host;
static uint64_t host_bit; /* fine; 0 follows the board */
static const format_t host_format = {8, false, false, 1};

static struct {
    uint8_t a; /* U2X and MPCM of UCSR0A; the other bits are conditions */
    bool transmit_complete, overrun;
} status;

static heard_t fifo[FIFO_COUNT];
static uint8_t fifo_count;
static heard_t waiting; /* in the shift register, because the FIFO is full */
static bool is_waiting;

static struct {
    bool busy, started; /* started: its start bit has been seen; before that, an edge is only foreseen */
    uint64_t edge;
} board_ear, host_ear;

static bool sending, buffered; /* the shift register, the buffer before it */
static uint8_t buffer;

static said_t *said;
static uint32_t said_count, said_room;

static avr_int_vector_t *transmit_vector;

/* ---- rates and formats ---------------------------------------------------------------------------------------- */

static uint8_t reg(uint16_t address)
{
    return chip_avr->data[address];
}

static uint64_t board_bit(void)
{
    uint32_t divider = ((uint32_t)(reg(UBRR0H) & 0x0F) << 8 | reg(UBRR0L)) + 1u;
    return (uint64_t)FINE * divider * ((status.a & U2X) ? 8u : 16u);
}

static format_t board_format(void)
{
    uint8_t c = reg(UCSR0C);
    return (format_t){
        .data_bits = (uint8_t)(5 + ((c & UCSZ) >> UCSZ_SHIFT)),
        .parity = (c & UPM) >= 0x20,
        .odd = (c & UPM) == 0x30,
        .stop_bits = (c & USBS) ? 2 : 1,
    };
}

static uint64_t bit_of_host(void)
{
    return host_bit ? host_bit : board_bit();
}

static uint64_t fine_now(void)
{
    return chip_now() * FINE;
}

static uint64_t cycle_of(uint64_t fine)
{
    return (fine + FINE - 1) / FINE;
}

uint32_t uart_baud(void)
{
    if (!(reg(UCSR0B) & (RXEN | TXEN))) {
        return 0;
    }
    uint64_t bit = board_bit();
    return (uint32_t)(((uint64_t)F_CPU_HZ * FINE + bit / 2) / bit);
}

void uart_host_baud(uint32_t baud)
{
    host_bit = baud ? ((uint64_t)F_CPU_HZ * FINE + baud / 2) / baud : 0;
}

uint64_t uart_character_cycles(void)
{
    format_t format = board_format();
    return (1u + format.data_bits + format.parity + format.stop_bits) * board_bit() / FINE;
}

/* ---- what the registers show ---------------------------------------------------------------------------------- */

static void show(void)
{
    uint8_t b = reg(UCSR0B);
    uint8_t a = status.a;
    a |= fifo_count ? RXC : 0;
    a |= fifo_count && fifo[0].framing_error ? FE : 0;
    a |= status.overrun ? DOR : 0;
    a |= buffered ? 0 : UDRE;
    a |= status.transmit_complete ? TXC : 0;
    chip_avr->data[UCSR0A] = a;
    chip_level(LEVEL_RX, fifo_count && (b & RXCIE));
    chip_level(LEVEL_UDRE, !buffered && (b & UDRIE));
}

/* ---- board to host -------------------------------------------------------------------------------------------- */

static void host_listen(uint64_t from)
{
    host_ear.edge = line_fall(&to_host, from);
    host_ear.busy = host_ear.edge != UINT64_MAX;
    if (host_ear.busy) {
        events_at(EVENT_HOST_HEARS, cycle_of(line_stop_sample(host_format, host_ear.edge, bit_of_host())));
    }
}

static void host_hears(uint64_t when)
{
    heard_t heard = line_hear(&to_host, host_format, host_ear.edge, bit_of_host());
    if (said_count == said_room) {
        said_room = said_room ? 2 * said_room : 4096;
        said = realloc(said, said_room * sizeof *said);
        if (!said) {
            abort();
        }
    }
    said[said_count++] = (said_t){when, heard.byte};
    chip_figures.bytes_garbled += heard.framing_error;
    host_listen(line_stop_sample(host_format, host_ear.edge, bit_of_host()));
}

uint32_t uart_said(const said_t **out)
{
    uint32_t count = said_count;
    *out = said;
    said_count = 0;
    return count;
}

static void shift_out(uint8_t byte)
{
    sending = true;
    uint64_t start = line_send(&to_host, byte, board_format(), board_bit(), fine_now());
    events_at(EVENT_BYTE_SENT, cycle_of(start) + uart_character_cycles());
    if (!host_ear.busy) {
        host_listen(start);
    }
}

static void byte_sent(uint64_t when)
{
    (void)when;
    chip_figures.bytes_sent++;
    sending = false;
    if (buffered) {
        buffered = false;
        shift_out(buffer);
    } else {
        status.transmit_complete = true;
        chip_raise(transmit_vector);
    }
    show();
}

/* ---- host to board -------------------------------------------------------------------------------------------- */

static void board_listen(uint64_t from)
{
    board_ear.edge = line_fall(&to_board, from);
    board_ear.started = false;
    board_ear.busy = board_ear.edge != UINT64_MAX && (reg(UCSR0B) & RXEN);
    if (board_ear.busy) {
        events_at(EVENT_BOARD_HEARS, cycle_of(board_ear.edge));
    }
}

/* A start bit while the FIFO is full and a character waits: the waiting one is lost. */
static void start_bit(void)
{
    if (is_waiting) {
        is_waiting = false;
        status.overrun = true;
        chip_figures.overruns++;
    }
    board_ear.started = true;
    events_at(EVENT_BOARD_HEARS, cycle_of(line_stop_sample(board_format(), board_ear.edge, board_bit())));
}

static void board_hears(uint64_t when)
{
    (void)when;
    if (!board_ear.started) {
        start_bit();
    } else {
        heard_t heard = line_hear(&to_board, board_format(), board_ear.edge, board_bit());
        chip_figures.bytes_heard++;
        chip_figures.bytes_garbled += heard.framing_error;
        if (fifo_count < FIFO_COUNT) {
            fifo[fifo_count++] = heard;
        } else {
            waiting = heard;
            is_waiting = true;
        }
        board_listen(line_stop_sample(board_format(), board_ear.edge, board_bit()));
    }
    show();
}

bool uart_receive(const uint8_t *bytes, uint32_t count)
{
    if (line_room(&to_board) < count) {
        return false;
    }
    uint64_t first = UINT64_MAX;
    for (uint32_t index = 0; index < count; index++) {
        uint64_t start = line_send(&to_board, bytes[index], host_format, bit_of_host(), fine_now());
        first = first == UINT64_MAX ? start : first;
    }
    if (!(reg(UCSR0B) & RXEN)) {
        line_fall(&to_board, fine_now()); /* nobody listens: what has passed by is gone */
    } else if (!board_ear.busy && count) {
        board_listen(first);
    }
    return true;
}

/* ---- registers ------------------------------------------------------------------------------------------------ */

static uint8_t read_data(avr_t *avr, avr_io_addr_t address, void *param)
{
    (void)avr, (void)address, (void)param;
    uint8_t byte = fifo[0].byte;
    if (fifo_count) {
        fifo[0] = fifo[1];
        fifo_count--;
    }
    if (is_waiting) {
        fifo[fifo_count++] = waiting;
        is_waiting = false;
    }
    status.overrun = false;
    show();
    return byte;
}

static void write_data(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)avr, (void)address, (void)param;
    if (!(reg(UCSR0B) & TXEN) || buffered) {
        return; /* data sheet: ignored */
    }
    if (sending) {
        buffer = value;
        buffered = true;
    } else {
        shift_out(value);
    }
    show();
}

static void write_a(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)avr, (void)address, (void)param;
    status.a = value & (U2X | MPCM);
    if (value & TXC) {
        status.transmit_complete = false;
        transmit_vector->pending = 0;
    }
    show();
}

static void write_b(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    bool was_on = avr->data[UCSR0B] & RXEN;
    avr->data[address] = value;
    if (!(value & RXEN)) {
        fifo_count = 0;
        is_waiting = status.overrun = board_ear.busy = false;
        events_cancel(EVENT_BOARD_HEARS);
    } else if (!was_on) {
        board_listen(fine_now());
    }
    if (status.transmit_complete && (value & TXCIE)) {
        chip_raise(transmit_vector);
    }
    show();
}

static void write_plain(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    avr->data[address] = value;
}

/* In the place of simavr's, which sleeps for a program that polls. */
static uint8_t read_a(avr_t *avr, avr_io_addr_t address, void *param)
{
    (void)param;
    return avr->data[address];
}

/* Running its handler clears TXC. */
static void transmit_vector_entered(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (value) {
        status.transmit_complete = false;
        show();
    }
}

void uart_build(void)
{
    line_build(&to_board);
    line_build(&to_host);
    transmit_vector = chip_vector(VECTOR_TX);
    avr_irq_register_notify(transmit_vector->irq + AVR_INT_IRQ_RUNNING, transmit_vector_entered, NULL);
    events_call(EVENT_BOARD_HEARS, board_hears);
    events_call(EVENT_HOST_HEARS, host_hears);
    events_call(EVENT_BYTE_SENT, byte_sent);
    chip_on_read(UDR0, read_data);
    chip_on_write(UDR0, write_data);
    chip_on_read(UCSR0A, read_a);
    chip_on_write(UCSR0A, write_a);
    chip_on_write(UCSR0B, write_b);
    chip_on_write(UCSR0C, write_plain);
    chip_on_write(UBRR0L, write_plain);
    chip_on_write(UBRR0H, write_plain);
}

void uart_reset(bool host_gone)
{
    chip_avr->data[UCSR0B] = 0; /* simavr leaves the transmitter on */
    chip_avr->data[UCSR0C] = UCSZ;
    status.a = 0;
    status.transmit_complete = status.overrun = false;
    fifo_count = 0;
    is_waiting = sending = buffered = false;
    board_ear.busy = false;
    events_cancel(EVENT_BOARD_HEARS);
    events_cancel(EVENT_BYTE_SENT);
    to_host.free_at = 0; /* the pin is let go in the middle of a character */
    if (host_gone) {
        line_clear(&to_board);
    }
    show();
}
