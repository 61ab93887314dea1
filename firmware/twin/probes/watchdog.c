/* GPL-3.0-or-later. A probe of resets: it counts its boots in RAM that no start clears, keeps MCUSR, and says both on
 * the line.
 *
 * What it does after that it is told by one byte: `h` hangs with the watchdog at 16 ms, `t` lets the watchdog tick
 * as an interrupt, `u` hangs and does not switch the watchdog off early when it starts again.
 */
#include <avr/wdt.h>
#include <util/delay.h>

#include "probe.h"

uint8_t cause __attribute__((section(".noinit")));
uint8_t careless __attribute__((section(".noinit")));
uint8_t boots __attribute__((section(".noinit")));
volatile uint8_t ticks;

ISR(WDT_vect)
{
    ticks++;
}

static void __attribute__((naked, used, section(".init3"))) begin(void)
{
    cause = MCUSR;
    if (cause & (_BV(PORF) | _BV(BORF))) {
        careless = 0;
        boots = 0;
    }
    boots++;
    if (!careless) {
        MCUSR = 0;
        wdt_disable();
    }
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    UDR0 = cause;
    _delay_ms(50); /* longer than the watchdog that was left running */
    for (;;) {
        while (!(UCSR0A & _BV(RXC0))) {
        }
        switch (UDR0) {
        case 'u':
            careless = 1;
            /* fall through */
        case 'h':
            wdt_enable(WDTO_15MS);
            for (;;) {
            }
        case 't':
            WDTCSR = _BV(WDCE) | _BV(WDE);
            WDTCSR = _BV(WDIE);
            sei();
            break;
        }
    }
}
