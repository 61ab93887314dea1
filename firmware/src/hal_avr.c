/* hal.h on an ATmega2560 at 16 MHz, but for sensing (hal_avr_scan.c, hal_avr_readers.c) and the line (hal_avr_link.c).
 *
 * Owns start, clock, sleep, watchdog, EEPROM, lights and sound. Must not know sensors' levels, messages or settings.
 * hal_pins.h says which pin does what. What runs in an interrupt is short: at 500000 baud a byte arrives every 320
 * cycles, and the chip keeps two and a half.
 *
 *   TIMER2_COMPA every millisecond: the clock
 */
#include "hal.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "../protocol/messages.h"
#include "hal_avr.h"
#include "hal_pins.h"

/* ---- before main ---------------------------------------------------------------------------------------------- */

#define STACK_PAINT 0xC5u

extern uint8_t _end; /* the first byte of RAM that no variable has */

static uint8_t reset_flags __attribute__((section(".noinit")));
static uint16_t ram_noise __attribute__((section(".noinit")));

/* After a reset by the watchdog it keeps running with 16 ms: it is switched off before anything takes time. What the
 * free RAM held (after power-on: noise) is summed up, then painted, so that the depth of the stack can be seen. */
static void __attribute__((naked, used, section(".init3"))) begin(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
    uint16_t sum = 0;
    for (uint8_t *at = &_end; at <= (uint8_t *)RAMEND; at++) {
        sum = (uint16_t)((sum << 1 | sum >> 15) + *at);
        *at = STACK_PAINT;
    }
    ram_noise = sum;
}

/* No function leaves so much of its frame unwritten (the build refuses a larger frame): what lies below is free. */
#define STACK_GAP_MAX 64u

/* Only what lies right below the deepest place known is looked at: all of the free RAM takes over a millisecond. */
uint16_t hal_stack_free(void)
{
    static uint8_t *deepest = (uint8_t *)RAMEND;
    uint8_t painted = 0;
    for (uint8_t *at = deepest; at > &_end && painted < STACK_GAP_MAX;) {
        if (*--at == STACK_PAINT) {
            painted++;
        } else {
            painted = 0;
            deepest = at;
        }
    }
    return (uint16_t)(deepest - &_end);
}

uint8_t hal_reset_cause(void)
{
    /* Coming of the supply can set the others too. */
    return (reset_flags & _BV(PORF))    ? TW_RESET_CAUSE_POWER_ON
           : (reset_flags & _BV(BORF))  ? TW_RESET_CAUSE_BROWN_OUT
           : (reset_flags & _BV(WDRF))  ? TW_RESET_CAUSE_WATCHDOG
           : (reset_flags & _BV(EXTRF)) ? TW_RESET_CAUSE_EXTERNAL
                                        : TW_RESET_CAUSE_UNKNOWN; /* a boot loader took them */
}

void hal_watchdog_reset(void)
{
    wdt_reset();
}

/* ---- the clock ------------------------------------------------------------------------------------------------ */

volatile uint32_t hal_avr_ms;
volatile uint8_t hal_avr_quiet_ms;

ISR(TIMER2_COMPA_vect)
{
    hal_avr_ms++;
    uint8_t quiet = hal_avr_quiet_ms;
    if (quiet < UINT8_MAX) {
        hal_avr_quiet_ms = (uint8_t)(quiet + 1);
    }
    NEWS |= NEWS_MASK;
}

static void start_clock(void)
{
    OCR2A = 250 - 1; /* 16 MHz / 64 / 250 = 1 kHz */
    TCCR2A = _BV(WGM21);
    TCCR2B = _BV(CS22);
    TIMSK2 = _BV(OCIE2A);
}

uint32_t hal_ms(void)
{
    uint32_t ms;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        ms = hal_avr_ms;
    }
    return ms;
}

/* ---- chance --------------------------------------------------------------------------------------------------- */

/* The lowest bit of an open input is noise; so many of them are more than the 32 bits asked for. */
#define NOISE_CONVERSIONS 40u

/* The prime beside 2^32 / golden ratio: every bit that goes in moves most that come out. */
#define MIXER 0x9E3779B1UL

static uint32_t noise;

static uint32_t stir(uint32_t sum, uint16_t in)
{
    return (sum ^ in) * MIXER + (sum >> 15);
}

/* Before the scan starts, by polling: a millisecond, once. */
static void gather_noise(void)
{
    noise = ram_noise;
    ADMUX = (uint8_t)(ADC_REFERENCE | (PINS_NOISE_ADC & 7u));
    ADCSRB = PINS_NOISE_ADC & 8u;
    for (uint8_t count = 0; count < NOISE_CONVERSIONS; count++) {
        ADCSRA = ADC_ON | _BV(ADSC);
        while (ADCSRA & _BV(ADSC)) {
        }
        noise = stir(noise, ADC);
    }
    ADCSRA = ADC_ON | _BV(ADIF);
}

uint32_t hal_entropy(void)
{
    noise = stir(noise, (uint16_t)(hal_ms() << 8 | TCNT2));
    return noise;
}

/* ---- the EEPROM ----------------------------------------------------------------------------------------------- */

bool hal_eeprom_ready(void)
{
    return eeprom_is_ready();
}

uint8_t hal_eeprom_read(uint16_t address)
{
    EEAR = address;
    EECR |= _BV(EERE);
    return EEDR;
}

void hal_eeprom_write(uint16_t address, uint8_t byte)
{
    EEAR = address;
    EEDR = byte;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) /* the second bit within four cycles of the first */
    {
        EECR = _BV(EEMPE);
        EECR |= _BV(EEPE);
    }
}

/* ---- lights and sound ----------------------------------------------------------------------------------------- */

void hal_leds(uint8_t players, bool green, bool red)
{
    uint8_t lit = (uint8_t)((players & PINS_PLAYERS_MASK) | (green ? PINS_GREEN_MASK : 0) | (red ? PINS_RED_MASK : 0));
    uint8_t others = PINS_REGISTER(PORT, PINS_LEDS) & (uint8_t)~PINS_LEDS_MASK;
    PINS_REGISTER(PORT, PINS_LEDS) = others | lit;
}

/* Timer 3 counts at 2 MHz and toggles the pin at its top: a whole period is two tops. */
#define TONE_CLOCK_HZ 1000000UL
#define TONE_MIN_HZ 16u /* below it the top does not fit into 16 bits */

void hal_tone(uint16_t hz)
{
    TCCR3B = 0;
    if (hz < TONE_MIN_HZ) {
        TCCR3A = 0; /* the pin falls back to its port bit, low */
        return;
    }
    OCR3A = (uint16_t)(TONE_CLOCK_HZ / hz - 1u);
    TCNT3 = 0;
    TCCR3A = _BV(COM3A0);
    TCCR3B = _BV(WGM32) | _BV(CS31);
}

/* ---- start and sleep ------------------------------------------------------------------------------------------ */

void hal_start(void)
{
    PINS_REGISTER(DDR, PINS_LEDS) |= PINS_LEDS_MASK;
    PINS_REGISTER(DDR, PINS_PIEZO) |= PINS_PIEZO_MASK;
    ACSR = _BV(ACD); /* the comparator is not used */
    SMCR = 0; /* idle: only the processor rests, so that converter, timers and UART go on */
    gather_noise();
    eeprom_busy_wait(); /* a reset does not end a write that was under way */
    start_clock();
    hal_avr_start_sensing();
    wdt_enable(WDTO_500MS);
    sei();
}

/* SLEEP directly after SEI: no interrupt can come between, so none that the check has missed. */
void hal_idle(void)
{
    cli();
    while (!(NEWS & NEWS_MASK)) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
        cli();
    }
    NEWS &= (uint8_t)~NEWS_MASK;
    sei();
}
