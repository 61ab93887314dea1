/* GPL-3.0-or-later. A probe of the readers' wires: every reader's version through the decoder, what is there when none is
 * selected or all are held in reset, the buttons, and what a wrong SPI mode makes of a version.
 *
 *   0-15 versions   16 none selected   17 held in reset   18 buttons   19 mode 1   20 lowest bit first   21 mode 3
 */
#include "../../src/hal_pins.h"
#include "probe.h"

enum { VERSION = 0x37 << 1 | 0x80 };

static uint8_t exchange(uint8_t byte)
{
    SPDR = byte;
    while (!(SPSR & _BV(SPIF))) {
    }
    return SPDR;
}

static uint8_t version_of(uint8_t reader)
{
    PINS_REGISTER(PORT, PINS_DECODER) = (uint8_t)(PINS_RESET_MASK | reader);
    PINS_REGISTER(PORT, PINS_ENABLE) &= (uint8_t)~PINS_ENABLE_MASK;
    exchange(VERSION);
    uint8_t version = exchange(0);
    PINS_REGISTER(PORT, PINS_ENABLE) |= PINS_ENABLE_MASK;
    return version;
}

static void pause_ms(uint8_t ms)
{
    for (uint8_t count = 0; count < ms; count++) {
        for (uint16_t begun = TCNT1; cycles_since(begun) < 16000;) {
        }
    }
}

int main(void)
{
    clock_start();
    PINS_REGISTER(PORT, PINS_BUTTONS) = PINS_BUTTONS_MASK;
    PINS_REGISTER(PORT, PINS_ENABLE) = PINS_ENABLE_MASK;
    PINS_REGISTER(DDR, PINS_ENABLE) = PINS_ENABLE_MASK | PINS_SCK_MASK | PINS_MOSI_MASK;
    PINS_REGISTER(PORT, PINS_DECODER) = PINS_RESET_MASK;
    PINS_REGISTER(DDR, PINS_DECODER) = PINS_DECODER_MASK | PINS_RESET_MASK;
    SPCR = _BV(SPE) | _BV(MSTR);
    pause_ms(2);
    for (uint8_t reader = 0; reader < 16; reader++) {
        results[reader] = version_of(reader);
    }
    exchange(VERSION);
    results[16] = exchange(0);
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(CPHA);
    results[19] = version_of(3);
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(DORD);
    results[20] = version_of(3);
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(CPHA) | _BV(CPOL);
    results[21] = version_of(3);
    SPCR = _BV(SPE) | _BV(MSTR);
    PINS_REGISTER(PORT, PINS_DECODER) &= (uint8_t)~PINS_RESET_MASK;
    PINS_REGISTER(PORT, PINS_ENABLE) &= (uint8_t)~PINS_ENABLE_MASK;
    exchange(VERSION);
    results[17] = exchange(0);
    results[18] = PINS_REGISTER(PIN, PINS_BUTTONS) & PINS_BUTTONS_MASK;
    finish();
}
