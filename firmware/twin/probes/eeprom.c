/* GPL-3.0-or-later. A probe of the EEPROM.
 *
 *   0  whether EEPE shows while the write goes on      1  units of 64 cycles that it took
 *   2  the byte read back                              3  a byte written without EEMPE: unchanged
 *   4  a byte whose EEPE came ten cycles late: unchanged
 *   5  entries of EE_READY, which switches itself off at the fifth
 *   6  entries of EE_READY while a write goes on       7  the byte at 9, as it was found
 */
#include <util/delay.h>

#include "probe.h"

static volatile uint8_t entries;

ISR(EE_READY_vect)
{
    if (++entries == 5) {
        EECR &= ~_BV(EERIE);
    }
}

static uint8_t read_byte(uint16_t address)
{
    EEAR = address;
    EECR |= _BV(EERE);
    return EEDR;
}

static void begin_write(uint16_t address, uint8_t byte)
{
    EEAR = address;
    EEDR = byte;
    EECR |= _BV(EEMPE);
    EECR |= _BV(EEPE);
}

int main(void)
{
    TCCR1B = _BV(CS11) | _BV(CS10);
    results[7] = read_byte(9);
    begin_write(9, 0x5A);
    uint16_t begun = TCNT1;
    results[0] = EECR & _BV(EEPE) ? 1 : 0;
    while (EECR & _BV(EEPE)) {
    }
    results[1] = TCNT1 - begun;
    results[2] = read_byte(9);

    EEDR = 1;
    EECR |= _BV(EEPE);
    _delay_ms(5);
    results[3] = read_byte(9);

    EEDR = 2;
    EECR |= _BV(EEMPE);
    __builtin_avr_delay_cycles(10);
    EECR |= _BV(EEPE);
    _delay_ms(5);
    results[4] = read_byte(9);

    sei();
    EECR |= _BV(EERIE);
    _delay_us(100);
    results[5] = entries;
    entries = 0;
    begin_write(10, 7);
    EECR |= _BV(EERIE);
    _delay_us(3000);
    results[6] = entries;
    finish();
}
