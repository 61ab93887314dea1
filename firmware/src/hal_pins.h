/* Which pin of the ATmega2560 does what: the one place that says so, read by hal_avr*.c and by the twin.
 *
 * Owns letters and bits, no code. The pin numbers of an Arduino Mega stand beside them for who solders.
 *
 *   what                     port bits    Arduino Mega     chip's name
 *   multiplexer select S0-S3 PA0 - PA3    D22 - D25        AD0 - AD3      alone on their port: one write moves them
 *   multiplexer outputs 0-7  PF0 - PF7    A0 - A7          ADC0 - ADC7
 *   multiplexer outputs 8-12 PK0 - PK4    A8 - A12         ADC8 - ADC12
 *   left open, for noise     PK7          A15              ADC15          connect nothing
 *   player LEDs 0-3          PC0 - PC3    D37 - D34        A8 - A11       lit when high
 *   verdict LED, green       PC4          D33              A12            lit when high
 *   verdict LED, red         PC5          D32              A13            lit when high
 *   piezo                    PE3          D5               OC3A           timer 3 toggles it by itself
 *   line to the host         PE0, PE1     D0, D1           RXD0, TXD0     the Mega's USB bridge
 *   kept free for readers    PB0 - PB3    D53 - D50        SS SCK MOSI MISO
 */
#ifndef TW_HAL_PINS_H
#define TW_HAL_PINS_H

/* A register of a port by the port's letter: PINS_REGISTER(PORT, PINS_SELECT) is PORTA. */
#define PINS_JOINED(kind, letter) kind##letter
#define PINS_REGISTER(kind, letter) PINS_JOINED(kind, letter)

#define PINS_SELECT A
#define PINS_SELECT_MASK 0x0Fu

#define PINS_LEDS C
#define PINS_PLAYERS_MASK 0x0Fu
#define PINS_GREEN_MASK 0x10u
#define PINS_RED_MASK 0x20u
#define PINS_LEDS_MASK (PINS_PLAYERS_MASK | PINS_GREEN_MASK | PINS_RED_MASK)

#define PINS_PIEZO E
#define PINS_PIEZO_MASK 0x08u

#define PINS_NOISE_ADC 15 /* the converter's input that is left open */

#endif
