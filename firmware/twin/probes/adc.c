/* GPL-3.0-or-later. A probe of the converter at prescaler 32, in free air: every input, the time a conversion takes,
 * and when the channel and the voltage are taken.
 *
 *   0-12   inputs 0 to 12 on channel 0
 *   13     cycles of the first conversion after the converter was switched on
 *   14     cycles of another one
 *   15     the bandgap, although ground was selected while the conversion went on
 *   16     input 0 on channel 0, although the select lines moved on 6 us after its start
 *   17     input 0 on channel 1, selected 1 us before the conversion was asked for
 *   18     input 0 on channel 1, long after it was selected
 *   19     the supply's measure: the bandgap, long after it was selected
 *   20     the bandgap at once after it was selected
 */
#include <util/delay.h>

#include "probe.h"

#define ON (_BV(ADEN) | _BV(ADPS2) | _BV(ADPS0))
#define BANDGAP 0x1E
#define GROUND 0x1F

static void select_input(uint8_t input)
{
    ADMUX = _BV(REFS0) | (input & 0x1F);
    ADCSRB = input & 0x20 ? _BV(MUX5) : 0;
}

static uint16_t convert(void)
{
    ADCSRA = ON | _BV(ADSC);
    while (ADCSRA & _BV(ADSC)) {
    }
    return ADC;
}

int main(void)
{
    uint16_t begun;
    clock_start();
    DDRA = 0x0F;
    PORTA = 0;
    select_input(0);
    ADCSRA = ON;
    begun = TCNT1;
    convert();
    results[13] = cycles_since(begun);
    begun = TCNT1;
    convert();
    results[14] = cycles_since(begun);
    for (uint8_t input = 0; input < 13; input++) {
        select_input(input < 8 ? input : 0x20 + input - 8);
        results[input] = convert();
    }

    select_input(BANDGAP);
    results[20] = convert();
    _delay_us(100);
    results[19] = convert();
    ADCSRA = ON | _BV(ADSC);
    _delay_us(8);
    select_input(GROUND);
    while (ADCSRA & _BV(ADSC)) {
    }
    results[15] = ADC;

    select_input(0);
    convert();
    ADCSRA = ON | _BV(ADSC);
    _delay_us(6);
    PORTA = 1;
    while (ADCSRA & _BV(ADSC)) {
    }
    results[16] = ADC;
    PORTA = 0;
    _delay_us(500);
    PORTA = 1;
    _delay_us(1);
    results[17] = convert();
    _delay_us(500);
    results[18] = convert();
    finish();
}
