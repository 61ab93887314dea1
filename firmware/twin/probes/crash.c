/* GPL-3.0-or-later. A probe that goes wrong as it is told by one byte of the line: `n` jumps to nowhere, `i` meets an
 * instruction that does not exist, `m` writes beyond the RAM, `s` sleeps with interrupts off. */
#include <avr/sleep.h>

#include "probe.h"

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 3;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    while (!(UCSR0A & _BV(RXC0))) {
    }
    switch (UDR0) {
    case 'n':
        __asm__ __volatile__("jmp 0x20000");
        break;
    case 'i':
        __asm__ __volatile__(".word 0x9404");
        break;
    case 'm':
        *(volatile uint8_t *)0x3000 = 1;
        break;
    case 's':
        cli();
        sleep_mode();
        break;
    }
    finish();
}
