/* Readers and buttons of hal.h on an ATmega2560: SPI, decoder, reset, an alarm, the supply.
 *
 * Owns the SPI, timer 0 and the converter, of which only the supply is measured. Must not know what is exchanged with a
 * reader.
 *
 *   TIMER0_COMPA when the alarm goes off
 *
 * The SPI runs at 16 MHz / 4 = 4 MHz of the 10 MHz a reader takes: between a clock's edge and the reader's answer lie
 * two level shifters, the reader's 25 ns and a buffer, some 90 ns; half a clock is 125 ns at 4 MHz, and 62 ns at 8 MHz.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>

#include "hal.h"
#include "hal_avr.h"
#include "hal_pins.h"

#define SPI_ON (_BV(SPE) | _BV(MSTR)) /* mode 0, the highest bit first, by 4 */

/* ---- readers -------------------------------------------------------------------------------------------------- */

void hal_readers_hold(bool held)
{
    if (held) {
        PINS_REGISTER(PORT, PINS_RESET) &= (uint8_t)~PINS_RESET_MASK;
    } else {
        PINS_REGISTER(PORT, PINS_RESET) |= PINS_RESET_MASK;
    }
}

void hal_reader_select(uint8_t reader)
{
    uint8_t others = PINS_REGISTER(PORT, PINS_DECODER) & (uint8_t)~PINS_DECODER_MASK;
    PINS_REGISTER(PORT, PINS_DECODER) = (uint8_t)(others | (reader & PINS_DECODER_MASK));
    PINS_REGISTER(PORT, PINS_ENABLE) &= (uint8_t)~PINS_ENABLE_MASK;
}

void hal_reader_release(void)
{
    PINS_REGISTER(PORT, PINS_ENABLE) |= PINS_ENABLE_MASK;
}

uint8_t hal_reader_exchange(uint8_t byte)
{
    SPDR = byte;
    while (!(SPSR & _BV(SPIF))) { /* 32 cycles */
    }
    return SPDR;
}

static void start_readers(void)
{
    hal_reader_release();
    hal_readers_hold(true);
    PINS_REGISTER(DDR, PINS_ENABLE) |= PINS_ENABLE_MASK; /* before the SPI is on: as an input it would end the master */
    PINS_REGISTER(DDR, PINS_DECODER) |= PINS_DECODER_MASK;
    PINS_REGISTER(DDR, PINS_RESET) |= PINS_RESET_MASK;
    PINS_REGISTER(DDR, PINS_SPI) |= PINS_SCK_MASK | PINS_MOSI_MASK;
    SPSR = 0;
    SPCR = SPI_ON;
}

/* ---- the alarm ------------------------------------------------------------------------------------------------ */

#define ALARM_US_PER_TICK 4u /* 16 MHz / 64 */
#define ALARM_MAX_US (UINT8_MAX * ALARM_US_PER_TICK)

ISR(TIMER0_COMPA_vect)
{
    TIMSK0 = 0;
    NEWS |= NEWS_MASK;
}

void hal_alarm(uint16_t us)
{
    TIMSK0 = 0;
    TCNT0 = 0;
    OCR0A = (uint8_t)((us < ALARM_MAX_US ? us : ALARM_MAX_US) / ALARM_US_PER_TICK);
    TIFR0 = _BV(OCF0A);
    TIMSK0 = _BV(OCIE0A);
}

bool hal_alarm_over(void)
{
    return TIMSK0 == 0;
}

/* ---- buttons -------------------------------------------------------------------------------------------------- */

uint8_t hal_buttons(void)
{
    return (uint8_t)~PINS_REGISTER(PIN, PINS_BUTTONS) & PINS_BUTTONS_MASK;
}

/* ---- the supply ----------------------------------------------------------------------------------------------- */

#define ADC_BANDGAP (ADC_REFERENCE | 0x1Eu)
#define BANDGAP_MV 1100UL

/* Nothing else is converted: one conversion is always under way, and the bandgap has settled long ago. */
uint16_t hal_supply_mv(void)
{
    static uint16_t counts;
    if (!(ADCSRA & _BV(ADSC))) {
        counts = ADC;
        ADCSRA = ADC_ON | _BV(ADSC);
    }
    return counts ? (uint16_t)((BANDGAP_MV * 1024u + counts / 2u) / counts) : 0;
}

/* ---- start ---------------------------------------------------------------------------------------------------- */

void hal_avr_start_sensing(void)
{
    start_readers();
    PINS_REGISTER(PORT, PINS_BUTTONS) |= PINS_BUTTONS_MASK;
    TCCR0A = 0;
    TCCR0B = _BV(CS01) | _BV(CS00);
    DIDR0 = 0xFF;
    DIDR2 = 0xFF;
    ADMUX = ADC_BANDGAP;
    ADCSRB = 0;
    ADCSRA = ADC_ON | _BV(ADSC);
}
