/* The line of hal.h on an ATmega2560: UART0 and a ring for each direction.
 *
 * Owns UART0 and its two interrupts. Must not know frames.
 *
 *   USART0_RX    a byte into the ring
 *   USART0_UDRE  a byte out of the ring
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "hal.h"
#include "hal_avr.h"

/* The line's speed; `make firmware BAUD=57600` sets another. */
#ifndef BAUD
#define BAUD 500000
#endif
#define STEPS_HZ (F_CPU / 8u)
#define DIVIDER ((STEPS_HZ + BAUD / 2u) / BAUD)
#define BAUD_ERROR (STEPS_HZ > BAUD * DIVIDER ? STEPS_HZ - BAUD * DIVIDER : BAUD * DIVIDER - STEPS_HZ)
/* Both ends may be off, and what is sampled in the middle of the tenth bit must still be that bit. */
_Static_assert(DIVIDER >= 1u && DIVIDER <= 4096u && BAUD_ERROR * 100u <= BAUD * DIVIDER,
               "the chip cannot keep this BAUD to 1 %; it can 500000, 250000, 57600, 38400, 19200 and 9600");

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
    hal_avr_quiet_ms = 0;
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
    UBRR0 = DIVIDER - 1u; /* at 500000: 16 MHz / 8 / (3 + 1) */
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
    return hal_avr_quiet_ms;
}
