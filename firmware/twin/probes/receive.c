/* GPL-3.0-or-later. A probe of the receiver: deaf for 2 ms, then everything that is still there is read.
 *
 *   0  bytes found       1 to 8  the bytes, DOR in bit 15 and FE in bit 14
 */
#include <util/delay.h>

#include "probe.h"

int main(void)
{
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = 3;
    UCSR0B = _BV(RXEN0);
    _delay_ms(2);
    while ((UCSR0A & _BV(RXC0)) && results[0] < 8) {
        uint16_t flags = UCSR0A;
        results[0]++;
        results[results[0]] = UDR0 | (flags & _BV(DOR0) ? 0x8000u : 0) | (flags & _BV(FE0) ? 0x4000u : 0);
    }
    finish();
}
