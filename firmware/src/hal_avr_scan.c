/* The scan of hal.h on an ATmega2560: converter, select lines, supply.
 *
 * Owns the converter once it scans, and its interrupt. Must not know what a reading means.
 *
 *   ADC          every 14 clocks of the converter, seldom more: the next conversion is started first, then the last one
 *                stored; with the last conversion of a row the select lines move
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>
#include <util/atomic.h>
#include <util/delay_basic.h>

#include "hal.h"
#include "hal_avr.h"
#include "hal_pins.h"

#define ADC_GO (ADC_ON | _BV(ADSC) | _BV(ADIE))
#define ADC_BANDGAP (ADC_REFERENCE | 0x1Eu)
#define BANDGAP_MV 1100UL

/* One scan is 16 rows; the program may be late by a whole one while the next is being filled. */
#define ROW_COUNT (WIRING_CHANNEL_COUNT + 2u)

/* The bandgap is right 70 us after it was selected: the last of so many conversions (26 us each) is believed. */
#define SUPPLY_CONVERSIONS 5u
/* Scans between two measurements of the supply: the cost is 5 conversions in 256 * 201. */
#define SUPPLY_SCANS 0u /* counts down through 255 */

#define HOLD_LOOPS 4u /* of 3 cycles */

static hal_row_t rows[ROW_COUNT];
static volatile uint8_t row_filling; /* written by the interrupt only */
static volatile uint8_t row_taken;   /* the oldest; written by the program only */
static volatile uint16_t row_overruns;
static volatile uint16_t bandgap_counts;

static uint8_t row_lengths[WIRING_CHANNEL_COUNT];

/* What the interrupt remembers of where it is. Three conversions are in its hands: the one that has ended, the one it
 * starts with the input chosen beforehand, and the next, for which it chooses the input. */
typedef enum { LAST_BEGUN, ROW_ENDED, SUPPLY_ENDED } edge_t;

static struct {
    hal_row_t *row; /* the one being filled */
    uint8_t last;   /* the last input of this row */
    uint8_t channel;
    edge_t edge;    /* what the next interrupt finds that is not in the middle of a row */
    uint8_t supply_left;
    uint8_t scans_left;
} scan;

/* What the interrupt needs in the middle of a row, some of it in registers that it reaches in one cycle. */
#define CHOSEN_ADMUX GPIOR2
#define UNTIL_EDGE GPIOR1 /* interrupts, this one included */
static volatile uint8_t chosen_adcsrb;
static uint16_t *volatile store; /* where the conversion that ends next goes */

static inline void choose(uint8_t mux)
{
    CHOSEN_ADMUX = (uint8_t)(ADC_REFERENCE | (mux & 7u));
    chosen_adcsrb = mux & 8u; /* MUX5 happens to be the bit that 8 is */
}

static inline void choose_bandgap(void)
{
    CHOSEN_ADMUX = ADC_BANDGAP;
    chosen_adcsrb = 0;
}

/* The first conversion of a row has begun. */
static inline void row_begun(void)
{
    choose(1);
    scan.edge = LAST_BEGUN;
    UNTIL_EDGE = scan.last;
}

/* The next conversion starts before anything else: what it waits is lost to the scan. In the middle of a row little is
 * left to do, 36000 times a second, and done here with the registers it takes; the rest is at the edge. */
ISR(ADC_vect, ISR_NAKED)
{
    __asm__ __volatile__("push r24\n\t"
                         "in r24, %[chosen_admux]\n\t"
                         "sts %[admux], r24\n\t"
                         "lds r24, %[chosen_adcsrb]\n\t"
                         "sts %[adcsrb], r24\n\t"
                         "ldi r24, %[go]\n\t"
                         "sts %[adcsra], r24\n\t"
                         "in r24, __SREG__\n\t"
                         "push r24\n\t"
                         "in r24, %[until_edge]\n\t"
                         "dec r24\n\t"
                         "out %[until_edge], r24\n\t"
                         "breq 2f\n\t"

                         "push r30\n\t" /* the result into the row */
                         "push r31\n\t"
                         "lds r30, %[store]\n\t"
                         "lds r31, %[store]+1\n\t"
                         "lds r24, %[adcl]\n\t"
                         "st Z+, r24\n\t"
                         "lds r24, %[adch]\n\t"
                         "st Z+, r24\n\t"
                         "sts %[store], r30\n\t"
                         "sts %[store]+1, r31\n\t"
                         "pop r31\n\t"
                         "pop r30\n\t"

                         "in r24, %[chosen_admux]\n\t" /* the input after the chosen one; from 7 on to MUX5 */
                         "inc r24\n\t"
                         "sbrs r24, 3\n\t"
                         "rjmp 1f\n\t"
                         "ldi r24, 8\n\t"
                         "sts %[chosen_adcsrb], r24\n\t"
                         "ldi r24, %[input_8]\n"
                         "1:\n\t"
                         "out %[chosen_admux], r24\n\t"
                         "pop r24\n\t"
                         "out __SREG__, r24\n\t"
                         "pop r24\n\t"
                         "reti\n"

                         "2:\n\t"
                         "pop r24\n\t"
                         "out __SREG__, r24\n\t"
                         "pop r24\n\t"
                         "jmp __vector_at_edge\n\t" ::[chosen_admux] "I"(_SFR_IO_ADDR(CHOSEN_ADMUX)),
                         [until_edge] "I"(_SFR_IO_ADDR(UNTIL_EDGE)), [chosen_adcsrb] "m"(chosen_adcsrb),
                         [store] "m"(store), [admux] "n"(_SFR_MEM_ADDR(ADMUX)), [adcsrb] "n"(_SFR_MEM_ADDR(ADCSRB)),
                         [adcsra] "n"(_SFR_MEM_ADDR(ADCSRA)), [adcl] "n"(_SFR_MEM_ADDR(ADCL)),
                         [adch] "n"(_SFR_MEM_ADDR(ADCH)), [go] "M"(ADC_GO), [input_8] "M"(ADC_REFERENCE));
}

/* The row whose last conversion has just been stored is complete. */
static inline void finish_row(void)
{
    hal_row_t *row = scan.row;
    uint8_t channel = scan.channel;
    row->ms = hal_avr_ms;
    row->channel = channel;
    uint8_t next = (uint8_t)(row_filling + 1u);
    hal_row_t *next_row = row + 1;
    if (next == ROW_COUNT) {
        next = 0;
        next_row = rows;
    }
    if (next == row_taken) {
        row_overruns++;
        next_row = row; /* the newest is given up: the order of those that wait stays */
    } else {
        row_filling = next;
        scan.row = next_row;
    }
    store = next_row->counts;
    channel = (uint8_t)((channel + 1u) % WIRING_CHANNEL_COUNT);
    scan.channel = channel;
    scan.last = (uint8_t)(row_lengths[channel] - 1u);
    NEWS |= NEWS_MASK;
}

void __vector_at_edge(void) __attribute__((signal, used));
void __vector_at_edge(void)
{
    UNTIL_EDGE = 1;
    uint16_t counts = ADC;
    switch (scan.edge) {
    case LAST_BEGUN:
        *store = counts;
        store++;
        /* The select lines move as soon as the row's last voltage is held: a clock of the converter at most until the
         * conversion begins, one and a half until the hold, 80 cycles in all since its start above, of which half have
         * passed. The multiplexers then settle while the rest of it goes on, for more than 20 us. */
        _delay_loop_1(HOLD_LOOPS);
        PINS_REGISTER(PORT, PINS_SELECT) = (uint8_t)((scan.channel + 1u) % WIRING_CHANNEL_COUNT);
        if (scan.channel == WIRING_CHANNEL_COUNT - 1u && scan.scans_left-- == 0) {
            choose_bandgap();
            scan.supply_left = SUPPLY_CONVERSIONS;
        } else {
            choose(0);
        }
        scan.edge = ROW_ENDED;
        break;
    case ROW_ENDED:
        *store = counts;
        finish_row();
        if (scan.supply_left) {
            scan.edge = SUPPLY_ENDED;
        } else {
            row_begun();
        }
        break;
    case SUPPLY_ENDED:
        scan.supply_left--;
        if (scan.supply_left == 1) {
            choose(0);
        } else if (scan.supply_left == 0) {
            bandgap_counts = counts;
            row_begun();
        }
        break;
    }
}

static void measure_rows(void)
{
    for (uint8_t channel = 0; channel < WIRING_CHANNEL_COUNT; channel++) {
        uint8_t length = WIRING_MUX_COUNT;
        /* At least two: the select lines move during the last, which the one before it starts. */
        while (length > 2 && wiring_sensor(channel, (uint8_t)(length - 1u)) == WIRING_NONE) {
            length--;
        }
        row_lengths[channel] = length;
    }
}

void hal_avr_start_sensing(void)
{
    PINS_REGISTER(DDR, PINS_SELECT) |= PINS_SELECT_MASK;
    PINS_REGISTER(PORT, PINS_SELECT) = 0;
    /* No digital input hangs on the analog pins. */
    DIDR0 = 0xFF;
    DIDR2 = 0xFF;
    measure_rows();
    scan.row = rows;
    store = rows[0].counts;
    scan.last = (uint8_t)(row_lengths[0] - 1u);
    scan.scans_left = SUPPLY_SCANS;
    ADMUX = ADC_REFERENCE;
    ADCSRB = 0;
    row_begun();
    ADCSRA = ADC_GO;
}

const hal_row_t *hal_row(void)
{
    uint8_t taken = row_taken;
    return taken == row_filling ? NULL : &rows[taken];
}

void hal_row_done(void)
{
    uint8_t taken = row_taken;
    row_taken = (uint8_t)(taken + 1u == ROW_COUNT ? 0 : taken + 1u);
}

uint16_t hal_row_overruns(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = row_overruns;
    }
    return count;
}

uint16_t hal_supply_mv(void)
{
    uint16_t counts;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        counts = bandgap_counts;
    }
    return counts ? (uint16_t)((BANDGAP_MV * 1024u + counts / 2u) / counts) : 0;
}
