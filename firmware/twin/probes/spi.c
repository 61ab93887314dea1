/* GPL-3.0-or-later. A probe of the SPI: cycles a byte takes at each divider, and what answers when no device is there.
 *
 *   0 divider 4   1 divider 16   2 divider 64   3 divider 128   4 divider 2   5 the answer
 */
#include "probe.h"

static uint16_t exchange(void)
{
    uint16_t begun = TCNT1;
    SPDR = 0xA5;
    while (!(SPSR & _BV(SPIF))) {
    }
    uint16_t cycles = cycles_since(begun);
    results[5] = SPDR;
    return cycles;
}

int main(void)
{
    clock_start();
    DDRB = _BV(PB0) | _BV(PB1) | _BV(PB2);
    for (uint8_t rate = 0; rate < 4; rate++) {
        SPCR = _BV(SPE) | _BV(MSTR) | rate;
        results[rate] = exchange();
    }
    SPCR = _BV(SPE) | _BV(MSTR);
    SPSR = _BV(SPI2X);
    results[4] = exchange();
    finish();
}
