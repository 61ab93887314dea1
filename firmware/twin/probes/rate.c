/* GPL-3.0-or-later. A probe of the transmitter: cycles from the start of a character to the end of its last stop bit.
 *
 *   0  8N1, UBRR 3, U2X set after UBRR was written      320
 *   1  the same without U2X                             640
 *   2  8N1, UBRR 16, U2X: 117647 baud                  1360
 *   3  8N2                                              352
 *   4  7E1                                              320
 *   5  5N1                                              224
 *   6  whether UDRE stayed set after the first byte, in bit 0, and fell after the second, in bit 1
 *   7  cycles that two bytes take together              640
 */
#include "probe.h"

static uint16_t send(uint8_t count)
{
    UCSR0A |= _BV(TXC0); /* writing it clears it */
    uint16_t begun = TCNT1;
    for (uint8_t index = 0; index < count; index++) {
        UDR0 = 0x55;
    }
    while (!(UCSR0A & _BV(TXC0))) {
    }
    return cycles_since(begun);
}

int main(void)
{
    clock_start();
    UCSR0B = _BV(TXEN0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = 3;
    UCSR0A = _BV(U2X0);
    results[0] = send(1);
    results[7] = send(2);
    UCSR0A |= _BV(TXC0);
    UDR0 = 1;
    results[6] = UCSR0A & _BV(UDRE0) ? 1 : 0;
    UDR0 = 2;
    results[6] |= UCSR0A & _BV(UDRE0) ? 0 : 2;
    while (!(UCSR0A & _BV(TXC0))) {
    }
    UCSR0A = 0;
    results[1] = send(1);
    UCSR0A = _BV(U2X0);
    UBRR0 = 16;
    results[2] = send(1);
    UBRR0 = 3;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00) | _BV(USBS0);
    results[3] = send(1);
    UCSR0C = _BV(UCSZ01) | _BV(UPM01);
    results[4] = send(1);
    UCSR0C = 0;
    results[5] = send(1);
    finish();
}
