/* GPL-3.0-or-later. A probe that polls: what it hears on UART0 it says again, without any interrupt. */
#include "probe.h"

int main(void)
{
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = 3;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    for (;;) {
        if (UCSR0A & _BV(RXC0)) {
            UDR0 = UDR0;
        }
    }
}
