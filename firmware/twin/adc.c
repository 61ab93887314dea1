/* GPL-3.0-or-later. Owns the converter as the data sheet (chapter 26) has it; simavr's handlers are replaced.
 *
 * simavr 1.6 knows no input above ADC7, and takes the channel when ADCL is read. Here it is taken when the conversion
 * starts, at the next edge of the converter's clock, and the voltage 1.5 of those clocks later. Not modelled: the
 * differential inputs (they read 0), triggers other than free running, references other than AVCC.
 */
#include "adc.h"

#include <stdbool.h>

#include "atmega2560.h"
#include "chip.h"
#include "events.h"
#include "random.h"
#include "table.h"

enum { MUX_BANDGAP = 0x1E, BANDGAP_MV = 1100, FULL_SCALE = 1024, LAST_INPUT = 15 };

/* In half clocks of the converter: data sheet, table "ADC Conversion Time". */
typedef struct {
    uint8_t hold, done;
} timing_t;
static const timing_t first_conversion = {27, 50}, normal_conversion = {3, 26}, triggered_conversion = {4, 26};

/* The bandgap buffer, once selected, is right after this long (data sheet: at most 70 us). */
static const uint64_t bandgap_cycles = 70u * (F_CPU_HZ / 1000000u);

static avr_int_vector_t *vector;
static uint32_t supply_mv = 5000;
static uint64_t clock_start;    /* the converter's clock runs from here */
static uint64_t bandgap_since;
static bool first;              /* the next conversion is the first since the converter was switched on */
static uint8_t latched;         /* channel of the conversion under way */
static uint64_t started;
static timing_t timing;
static uint16_t sampled, result;
static bool locked;             /* ADCL was read and ADCH was not: the result stays */

static uint32_t prescaler(void)
{
    uint8_t bits = chip_avr->data[ADCSRA] & ADPS;
    return bits ? 1u << bits : 2u;
}

static uint8_t selected(void)
{
    return (uint8_t)((chip_avr->data[ADMUX] & MUX4_0) | ((chip_avr->data[ADCSRB] & MUX5) ? 0x20 : 0));
}

void adc_supply_mv(uint32_t mv)
{
    supply_mv = mv;
}

/* ---- a conversion --------------------------------------------------------------------------------------------- */

static void start(uint64_t when, timing_t of)
{
    uint64_t clock = prescaler();
    /* The channel is taken at the edge; that it stays as it is until then is up to the program, as on the chip. */
    started = clock_start + (when - clock_start + clock - 1) / clock * clock;
    timing = of;
    latched = selected();
    chip_avr->data[ADCSRA] |= ADSC;
    events_at(EVENT_ADC_SAMPLE, started + of.hold * clock / 2);
    events_at(EVENT_ADC_DONE, started + of.done * clock / 2);
}

static uint16_t reading(uint64_t when)
{
    if (latched == MUX_BANDGAP) {
        uint32_t counts = BANDGAP_MV * FULL_SCALE / supply_mv;
        return (uint16_t)(when - bandgap_since >= bandgap_cycles ? counts : counts / 2);
    }
    int input = latched <= 7 ? latched : (latched >= 0x20 && latched <= 0x27) ? latched - 0x20 + 8 : -1;
    if (input < 0) {
        return 0;
    }
    if (input < TABLE_INPUT_COUNT) {
        return table_counts((uint8_t)input, when);
    }
    return (uint16_t)(random_bits() % FULL_SCALE); /* an open pin */
}

static void sample(uint64_t when)
{
    sampled = reading(when);
}

static void done(uint64_t when)
{
    avr_t *avr = chip_avr;
    chip_figures.conversions++;
    if (!locked) {
        result = sampled;
    }
    if ((avr->data[ADCSRA] & ADATE) && (avr->data[ADCSRB] & ADTS) == 0) {
        start(when, triggered_conversion);
    } else {
        avr->data[ADCSRA] &= (uint8_t)~ADSC;
    }
    chip_raise(vector);
}

/* ---- registers ------------------------------------------------------------------------------------------------ */

static void write_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    uint8_t before = avr->data[address];
    bool flag = before & ADIF;
    if (flag && (value & ADIF)) {
        avr_clear_interrupt(avr, vector);
        flag = false;
    }
    avr->data[address] = (uint8_t)((value & ~(ADSC | ADIF)) | (before & ADSC) | (flag ? ADIF : 0));
    if (!(value & ADEN)) {
        events_cancel(EVENT_ADC_SAMPLE);
        events_cancel(EVENT_ADC_DONE);
        avr->data[address] &= (uint8_t)~ADSC;
        return;
    }
    if (!(before & ADEN)) {
        clock_start = chip_now();
        first = true;
    }
    if (flag && (value & ADIE) && !vector->pending) {
        chip_raise(vector);
    }
    if ((value & ADSC) && !(before & ADSC)) {
        start(chip_now(), first ? first_conversion : normal_conversion);
        first = false;
    }
}

static void write_selection(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    bool was_bandgap = selected() == MUX_BANDGAP;
    avr->data[address] = value;
    uint64_t now = chip_now();
    if (!was_bandgap && selected() == MUX_BANDGAP) {
        bandgap_since = now;
    }
    /* Between the request and the clock's edge that starts it, a conversion still follows the selection. */
    if ((avr->data[ADCSRA] & ADSC) && now < started) {
        latched = selected();
    }
}

static uint8_t read_low(avr_t *avr, avr_io_addr_t address, void *param)
{
    (void)address, (void)param;
    locked = true;
    uint16_t shown = (uint16_t)((avr->data[ADMUX] & ADLAR) ? result << 6 : result);
    return (uint8_t)shown;
}

static uint8_t read_high(avr_t *avr, avr_io_addr_t address, void *param)
{
    (void)address, (void)param;
    locked = false;
    uint16_t shown = (uint16_t)((avr->data[ADMUX] & ADLAR) ? result << 6 : result);
    return (uint8_t)(shown >> 8);
}

void adc_build(void)
{
    vector = chip_vector(VECTOR_ADC);
    events_call(EVENT_ADC_SAMPLE, sample);
    events_call(EVENT_ADC_DONE, done);
    chip_on_write(ADCSRA, write_control);
    chip_on_write(ADCSRB, write_selection);
    chip_on_write(ADMUX, write_selection);
    chip_on_read(ADCL, read_low);
    chip_on_read(ADCH, read_high);
}

void adc_reset(void)
{
    events_cancel(EVENT_ADC_SAMPLE);
    events_cancel(EVENT_ADC_DONE);
    first = true;
    locked = false;
    result = 0;
}
