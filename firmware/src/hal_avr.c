/* hal.h on an ATmega2560 at 16 MHz. hal_pins.h says which pin does what.
 *
 * Owns every register and every interrupt of the chip. Must not know sensors' levels, messages or settings. What runs
 * in an interrupt is short: at 500000 baud a byte arrives every 320 cycles, and the chip keeps two and a half.
 *
 *   ADC          every 13 to 15 clocks of the converter: the next conversion is started first, then the last one stored
 *   TIMER2_COMPA every millisecond: the clock
 *   USART0_RX    a byte into the ring
 *   USART0_UDRE  a byte out of the ring
 */
#include "hal.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stddef.h>
#include <util/atomic.h>
#include <util/delay_basic.h>

#include "../protocol/messages.h"
#include "hal_pins.h"

#if F_CPU != 16000000UL
#error "the dividers below are for 16 MHz"
#endif

/* Set by an interrupt that brings something for the program; a register, so that it is one instruction. */
#define NEWS GPIOR0
#define NEWS_MASK 0x01u

/* ---- before main ---------------------------------------------------------------------------------------------- */

#define STACK_PAINT 0xC5u

extern uint8_t _end; /* the first byte of RAM that no variable has */

static uint8_t reset_flags __attribute__((section(".noinit")));
static uint16_t ram_noise __attribute__((section(".noinit")));

/* After a reset by the watchdog it keeps running with 16 ms: it is switched off before anything takes time. What the
 * free RAM held (after power-on: noise) is summed up, then painted, so that the depth of the stack can be seen. */
static void __attribute__((naked, used, section(".init3"))) begin(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
    uint16_t sum = 0;
    for (uint8_t *at = &_end; at <= (uint8_t *)RAMEND; at++) {
        sum = (uint16_t)((sum << 1 | sum >> 15) + *at);
        *at = STACK_PAINT;
    }
    ram_noise = sum;
}

/* No function leaves so much of its frame unwritten (the build refuses a larger frame): what lies below is free. */
#define STACK_GAP_MAX 64u

/* Only what lies right below the deepest place known is looked at: all of the free RAM takes more than a millisecond. */
uint16_t hal_stack_free(void)
{
    static uint8_t *deepest = (uint8_t *)RAMEND;
    uint8_t painted = 0;
    for (uint8_t *at = deepest; at > &_end && painted < STACK_GAP_MAX;) {
        if (*--at == STACK_PAINT) {
            painted++;
        } else {
            painted = 0;
            deepest = at;
        }
    }
    return (uint16_t)(deepest - &_end);
}

uint8_t hal_reset_cause(void)
{
    /* Coming of the supply can set the others too. */
    return (reset_flags & _BV(PORF))    ? TW_RESET_CAUSE_POWER_ON
           : (reset_flags & _BV(BORF))  ? TW_RESET_CAUSE_BROWN_OUT
           : (reset_flags & _BV(WDRF))  ? TW_RESET_CAUSE_WATCHDOG
           : (reset_flags & _BV(EXTRF)) ? TW_RESET_CAUSE_EXTERNAL
                                        : TW_RESET_CAUSE_UNKNOWN; /* a boot loader took them */
}

void hal_watchdog_reset(void)
{
    wdt_reset();
}

/* ---- the clock ------------------------------------------------------------------------------------------------ */

static volatile uint32_t clock_ms;
static volatile uint8_t quiet_ms;

ISR(TIMER2_COMPA_vect)
{
    clock_ms++;
    uint8_t quiet = quiet_ms;
    if (quiet < UINT8_MAX) {
        quiet_ms = (uint8_t)(quiet + 1);
    }
    NEWS |= NEWS_MASK;
}

static void start_clock(void)
{
    OCR2A = 250 - 1; /* 16 MHz / 64 / 250 = 1 kHz */
    TCCR2A = _BV(WGM21);
    TCCR2B = _BV(CS22);
    TIMSK2 = _BV(OCIE2A);
}

uint32_t hal_ms(void)
{
    uint32_t ms;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        ms = clock_ms;
    }
    return ms;
}

/* ---- the scan ------------------------------------------------------------------------------------------------- */

/* Clock of the converter 16 MHz / 32 = 500 kHz: ten bits are good to about 1 count, and a scan takes 6 ms. */
#define ADC_ON (_BV(ADEN) | _BV(ADPS2) | _BV(ADPS0))
#define ADC_GO (ADC_ON | _BV(ADSC) | _BV(ADIE))
#define ADC_REFERENCE _BV(REFS0) /* AVCC, as the sensors: their output follows it */
#define ADC_BANDGAP (ADC_REFERENCE | 0x1Eu)
#define BANDGAP_MV 1100UL

/* One scan is 16 rows; the program may be late by a whole one while the next is being filled. */
#define ROW_COUNT (WIRING_CHANNEL_COUNT + 2u)

/* The bandgap is right 70 us after it was selected: the last of so many conversions (26 us each) is believed. */
#define SUPPLY_CONVERSIONS 5u
/* Scans between two measurements of the supply: the cost is 5 conversions in 256 * 201. */
#define SUPPLY_SCANS 0u /* counts down through 255 */

#define HOLD_LOOPS 4u /* of 3 cycles */

static hal_row_t rows[ROW_COUNT];
static volatile uint8_t row_filling; /* written by the interrupt only */
static volatile uint8_t row_taken;   /* the oldest; written by the program only */
static volatile uint16_t row_overruns;
static volatile uint16_t bandgap_counts;

static uint8_t row_lengths[WIRING_CHANNEL_COUNT];

/* What the interrupt remembers of where it is. Three conversions are in its hands: the one that has ended, the one it
 * starts with the input chosen beforehand, and the next, for which it chooses the input. */
typedef enum { LAST_BEGUN, ROW_ENDED, SUPPLY_ENDED } edge_t;

static struct {
    hal_row_t *row; /* the one being filled */
    uint8_t last;   /* the last input of this row */
    uint8_t channel;
    edge_t edge;    /* what the next interrupt finds that is not in the middle of a row */
    uint8_t supply_left;
    uint8_t scans_left;
} scan;

/* What the interrupt needs in the middle of a row, some of it in registers that it reaches in one cycle. */
#define CHOSEN_ADMUX GPIOR2
#define UNTIL_EDGE GPIOR1 /* interrupts, this one included */
static volatile uint8_t chosen_adcsrb;
static uint16_t *volatile store; /* where the conversion that ends next goes */

static inline void choose(uint8_t mux)
{
    CHOSEN_ADMUX = (uint8_t)(ADC_REFERENCE | (mux & 7u));
    chosen_adcsrb = mux & 8u; /* MUX5 happens to be the bit that 8 is */
}

static inline void choose_bandgap(void)
{
    CHOSEN_ADMUX = ADC_BANDGAP;
    chosen_adcsrb = 0;
}

/* The first conversion of a row has begun. */
static inline void row_begun(void)
{
    choose(1);
    scan.edge = LAST_BEGUN;
    UNTIL_EDGE = scan.last;
}

/* The next conversion starts before anything else: what it waits is lost to the scan. In the middle of a row little is
 * left to do, 36000 times a second, and done here with the registers it takes; the rest is at the edge. */
ISR(ADC_vect, ISR_NAKED)
{
    __asm__ __volatile__("push r24\n\t"
                         "in r24, %[chosen_admux]\n\t"
                         "sts %[admux], r24\n\t"
                         "lds r24, %[chosen_adcsrb]\n\t"
                         "sts %[adcsrb], r24\n\t"
                         "ldi r24, %[go]\n\t"
                         "sts %[adcsra], r24\n\t"
                         "in r24, __SREG__\n\t"
                         "push r24\n\t"
                         "in r24, %[until_edge]\n\t"
                         "dec r24\n\t"
                         "out %[until_edge], r24\n\t"
                         "breq 2f\n\t"

                         "push r30\n\t" /* the result into the row */
                         "push r31\n\t"
                         "lds r30, %[store]\n\t"
                         "lds r31, %[store]+1\n\t"
                         "lds r24, %[adcl]\n\t"
                         "st Z+, r24\n\t"
                         "lds r24, %[adch]\n\t"
                         "st Z+, r24\n\t"
                         "sts %[store], r30\n\t"
                         "sts %[store]+1, r31\n\t"
                         "pop r31\n\t"
                         "pop r30\n\t"

                         "in r24, %[chosen_admux]\n\t" /* the input after the chosen one; from 7 on to MUX5 */
                         "inc r24\n\t"
                         "sbrs r24, 3\n\t"
                         "rjmp 1f\n\t"
                         "ldi r24, 8\n\t"
                         "sts %[chosen_adcsrb], r24\n\t"
                         "ldi r24, %[input_8]\n"
                         "1:\n\t"
                         "out %[chosen_admux], r24\n\t"
                         "pop r24\n\t"
                         "out __SREG__, r24\n\t"
                         "pop r24\n\t"
                         "reti\n"

                         "2:\n\t"
                         "pop r24\n\t"
                         "out __SREG__, r24\n\t"
                         "pop r24\n\t"
                         "jmp __vector_at_edge\n\t" ::[chosen_admux] "I"(_SFR_IO_ADDR(CHOSEN_ADMUX)),
                         [until_edge] "I"(_SFR_IO_ADDR(UNTIL_EDGE)), [chosen_adcsrb] "m"(chosen_adcsrb),
                         [store] "m"(store), [admux] "n"(_SFR_MEM_ADDR(ADMUX)), [adcsrb] "n"(_SFR_MEM_ADDR(ADCSRB)),
                         [adcsra] "n"(_SFR_MEM_ADDR(ADCSRA)), [adcl] "n"(_SFR_MEM_ADDR(ADCL)),
                         [adch] "n"(_SFR_MEM_ADDR(ADCH)), [go] "M"(ADC_GO), [input_8] "M"(ADC_REFERENCE));
}

/* The row whose last conversion has just been stored is complete. */
static inline void finish_row(void)
{
    hal_row_t *row = scan.row;
    uint8_t channel = scan.channel;
    row->ms = clock_ms;
    row->channel = channel;
    uint8_t next = (uint8_t)(row_filling + 1u);
    hal_row_t *next_row = row + 1;
    if (next == ROW_COUNT) {
        next = 0;
        next_row = rows;
    }
    if (next == row_taken) {
        row_overruns++;
        next_row = row; /* the newest is given up: the order of those that wait stays */
    } else {
        row_filling = next;
        scan.row = next_row;
    }
    store = next_row->counts;
    channel = (uint8_t)((channel + 1u) % WIRING_CHANNEL_COUNT);
    scan.channel = channel;
    scan.last = (uint8_t)(row_lengths[channel] - 1u);
    NEWS |= NEWS_MASK;
}

void __vector_at_edge(void) __attribute__((signal, used));
void __vector_at_edge(void)
{
    UNTIL_EDGE = 1;
    uint16_t counts = ADC;
    switch (scan.edge) {
    case LAST_BEGUN:
        *store = counts;
        store++;
        /* The select lines move as soon as the row's last voltage is held: a clock of the converter at most until the
         * conversion begins, one and a half until the hold, 80 cycles in all since its start above, of which half have
         * passed. The multiplexers then settle while the rest of it goes on, for more than 20 us. */
        _delay_loop_1(HOLD_LOOPS);
        PINS_REGISTER(PORT, PINS_SELECT) = (uint8_t)((scan.channel + 1u) % WIRING_CHANNEL_COUNT);
        if (scan.channel == WIRING_CHANNEL_COUNT - 1u && scan.scans_left-- == 0) {
            choose_bandgap();
            scan.supply_left = SUPPLY_CONVERSIONS;
        } else {
            choose(0);
        }
        scan.edge = ROW_ENDED;
        break;
    case ROW_ENDED:
        *store = counts;
        finish_row();
        if (scan.supply_left) {
            scan.edge = SUPPLY_ENDED;
        } else {
            row_begun();
        }
        break;
    case SUPPLY_ENDED:
        scan.supply_left--;
        if (scan.supply_left == 1) {
            choose(0);
        } else if (scan.supply_left == 0) {
            bandgap_counts = counts;
            row_begun();
        }
        break;
    }
}

static void measure_rows(void)
{
    for (uint8_t channel = 0; channel < WIRING_CHANNEL_COUNT; channel++) {
        uint8_t length = WIRING_MUX_COUNT;
        /* At least two: the select lines move during the last, which the one before it starts. */
        while (length > 2 && wiring_sensor(channel, (uint8_t)(length - 1u)) == WIRING_NONE) {
            length--;
        }
        row_lengths[channel] = length;
    }
}

static void start_scan(void)
{
    PINS_REGISTER(DDR, PINS_SELECT) |= PINS_SELECT_MASK;
    PINS_REGISTER(PORT, PINS_SELECT) = 0;
    /* No digital input hangs on the analog pins. */
    DIDR0 = 0xFF;
    DIDR2 = 0xFF;
    measure_rows();
    scan.row = rows;
    store = rows[0].counts;
    scan.last = (uint8_t)(row_lengths[0] - 1u);
    scan.scans_left = SUPPLY_SCANS;
    ADMUX = ADC_REFERENCE;
    ADCSRB = 0;
    row_begun();
    ADCSRA = ADC_GO;
}

const hal_row_t *hal_row(void)
{
    uint8_t taken = row_taken;
    return taken == row_filling ? NULL : &rows[taken];
}

void hal_row_done(void)
{
    uint8_t taken = row_taken;
    row_taken = (uint8_t)(taken + 1u == ROW_COUNT ? 0 : taken + 1u);
}

uint16_t hal_row_overruns(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = row_overruns;
    }
    return count;
}

uint16_t hal_supply_mv(void)
{
    uint16_t counts;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        counts = bandgap_counts;
    }
    return counts ? (uint16_t)((BANDGAP_MV * 1024u + counts / 2u) / counts) : 0;
}

/* ---- chance --------------------------------------------------------------------------------------------------- */

/* The lowest bit of an open input is noise; so many of them are more than the 32 bits asked for. */
#define NOISE_CONVERSIONS 40u

static uint32_t noise;

static uint32_t stir(uint32_t sum, uint16_t in)
{
    return (sum ^ in) * 0x9E3779B1UL + (sum >> 15);
}

/* Before the scan starts, by polling: a millisecond, once. */
static void gather_noise(void)
{
    noise = ram_noise;
    ADMUX = (uint8_t)(ADC_REFERENCE | (PINS_NOISE_ADC & 7u));
    ADCSRB = PINS_NOISE_ADC & 8u;
    for (uint8_t count = 0; count < NOISE_CONVERSIONS; count++) {
        ADCSRA = ADC_ON | _BV(ADSC);
        while (ADCSRA & _BV(ADSC)) {
        }
        noise = stir(noise, ADC);
    }
    ADCSRA = ADC_ON | _BV(ADIF);
}

uint32_t hal_entropy(void)
{
    noise = stir(noise, (uint16_t)(hal_ms() << 8 | TCNT2));
    return noise;
}

/* ---- the line ------------------------------------------------------------------------------------------------- */

#define RING_LENGTH 256u /* so that an index of eight bits wraps by itself */
#define LINK_ON (_BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0))

/* A place in a ring is read or written while it is the program's: the compiler may not move that past the index. */
#define IN_THIS_ORDER() __asm__ __volatile__("" ::: "memory")

static uint8_t received[RING_LENGTH], to_send[RING_LENGTH];
static volatile uint8_t received_head, received_tail;
static volatile uint8_t send_head, send_tail;
static volatile uint16_t link_overruns;

ISR(USART0_RX_vect)
{
    bool lost = UCSR0A & _BV(DOR0); /* before UDR0 is read: that clears it */
    uint8_t head = received_head;
    received[head++] = UDR0;
    if (head == received_tail) {
        lost = true;
    } else {
        received_head = head;
    }
    if (lost) {
        link_overruns++;
    }
    quiet_ms = 0;
    NEWS |= NEWS_MASK;
}

ISR(USART0_UDRE_vect)
{
    uint8_t tail = send_tail;
    if (tail == send_head) {
        UCSR0B = LINK_ON;
    } else {
        UDR0 = to_send[tail];
        send_tail = (uint8_t)(tail + 1u);
    }
}

void hal_link_start(void)
{
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = 3; /* 16 MHz / 8 / (3 + 1) = 500000 */
    UCSR0B = LINK_ON;
}

uint8_t hal_link_read(uint8_t *bytes, uint8_t size)
{
    uint8_t count = 0;
    uint8_t tail = received_tail;
    uint8_t head = received_head;
    IN_THIS_ORDER();
    while (count < size && tail != head) {
        bytes[count++] = received[tail++];
    }
    IN_THIS_ORDER();
    received_tail = tail;
    return count;
}

bool hal_link_write(const uint8_t *bytes, uint8_t count)
{
    uint8_t head = send_head;
    uint8_t used = (uint8_t)(head - send_tail);
    if (count > RING_LENGTH - 1u - used) {
        return false;
    }
    for (uint8_t index = 0; index < count; index++) {
        to_send[head++] = bytes[index];
    }
    IN_THIS_ORDER();
    send_head = head;
    UCSR0B = LINK_ON | _BV(UDRIE0); /* one store: the handler that clears the bit cannot come between */
    return true;
}

uint16_t hal_link_overruns(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = link_overruns;
    }
    return count;
}

uint8_t hal_link_quiet_ms(void)
{
    return quiet_ms;
}

/* ---- the EEPROM ----------------------------------------------------------------------------------------------- */

bool hal_eeprom_ready(void)
{
    return eeprom_is_ready();
}

uint8_t hal_eeprom_read(uint16_t address)
{
    EEAR = address;
    EECR |= _BV(EERE);
    return EEDR;
}

void hal_eeprom_write(uint16_t address, uint8_t byte)
{
    EEAR = address;
    EEDR = byte;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) /* the second bit within four cycles of the first */
    {
        EECR = _BV(EEMPE);
        EECR |= _BV(EEPE);
    }
}

/* ---- lights and sound ----------------------------------------------------------------------------------------- */

void hal_leds(uint8_t players, bool green, bool red)
{
    uint8_t lit = (uint8_t)((players & PINS_PLAYERS_MASK) | (green ? PINS_GREEN_MASK : 0) | (red ? PINS_RED_MASK : 0));
    uint8_t others = PINS_REGISTER(PORT, PINS_LEDS) & (uint8_t)~PINS_LEDS_MASK;
    PINS_REGISTER(PORT, PINS_LEDS) = others | lit;
}

/* Timer 3 counts at 2 MHz and toggles the pin at its top: a whole period is two tops. */
#define TONE_CLOCK_HZ 1000000UL
#define TONE_MIN_HZ 16u /* below it the top does not fit into 16 bits */

void hal_tone(uint16_t hz)
{
    TCCR3B = 0;
    if (hz < TONE_MIN_HZ) {
        TCCR3A = 0; /* the pin falls back to its port bit, low */
        return;
    }
    OCR3A = (uint16_t)(TONE_CLOCK_HZ / hz - 1u);
    TCNT3 = 0;
    TCCR3A = _BV(COM3A0);
    TCCR3B = _BV(WGM32) | _BV(CS31);
}

/* ---- start and sleep ------------------------------------------------------------------------------------------ */

void hal_start(void)
{
    PINS_REGISTER(DDR, PINS_LEDS) |= PINS_LEDS_MASK;
    PINS_REGISTER(DDR, PINS_PIEZO) |= PINS_PIEZO_MASK;
    ACSR = _BV(ACD); /* the comparator is not used */
    SMCR = 0; /* idle: only the processor rests, so that converter, timers and UART go on */
    gather_noise();
    eeprom_busy_wait(); /* a reset does not end a write that was under way */
    start_clock();
    start_scan();
    wdt_enable(WDTO_500MS);
    sei();
}

/* SLEEP directly after SEI: no interrupt can come between, so none that the check has missed. */
void hal_idle(void)
{
    cli();
    while (!(NEWS & NEWS_MASK)) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
        cli();
    }
    NEWS &= (uint8_t)~NEWS_MASK;
    sei();
}
