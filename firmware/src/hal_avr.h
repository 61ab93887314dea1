/* What the files that keep hal.h on an ATmega2560 share: hal_avr.c, hal_avr_link.c, and hal_avr_scan.c or
 * hal_avr_readers.c, whichever the board's kind needs.
 *
 * Owns the sign that an interrupt has brought something, and the clock as interrupts read it. Nobody else includes it.
 */
#ifndef TW_HAL_AVR_H
#define TW_HAL_AVR_H

#include <avr/io.h>
#include <stdint.h>

#if F_CPU != 16000000UL
#error "the dividers of these files are for 16 MHz"
#endif

/* Set by an interrupt that brings something for the program; a register, so that it is one instruction. */
#define NEWS GPIOR0
#define NEWS_MASK 0x01u

/* Clock of the converter 16 MHz / 32 = 500 kHz: ten bits are good to about 1 count, and a scan takes 6 ms. */
#define ADC_ON (_BV(ADEN) | _BV(ADPS2) | _BV(ADPS0))
#define ADC_REFERENCE _BV(REFS0) /* AVCC, as the sensors: their output follows it */

/* Milliseconds since boot; only within an interrupt, where it stands still. */
extern volatile uint32_t hal_avr_ms;

/* Milliseconds since a byte came in; the clock counts it up, the line sets it to 0. */
extern volatile uint8_t hal_avr_quiet_ms;

/* Starts what the board senses with; interrupts are off. */
void hal_avr_start_sensing(void);

#endif
