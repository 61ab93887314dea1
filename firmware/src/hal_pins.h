/* Which pin of the ATmega2560 does what: the one place that says so, read by hal_avr*.c and by the twin.
 *
 * Owns letters and bits, no code. The pin numbers of an Arduino Mega stand beside them for who solders.
 *
 *   what                     port bits    Arduino Mega     chip's name
 * on both boards
 *   player LEDs 0-3          PC0 - PC3    D37 - D34        A8 - A11       lit when high
 *   verdict LED, green       PC4          D33              A12            lit when high
 *   verdict LED, red         PC5          D32              A13            lit when high
 *   piezo                    PE3          D5               OC3A           timer 3 toggles it by itself
 *   line to the host         PE0, PE1     D0, D1           RXD0, TXD0     the Mega's USB bridge
 *   left open, for noise     PK7          A15              ADC15          connect nothing
 * on a board with Hall sensors
 *   multiplexer select S0-S3 PA0 - PA3    D22 - D25        AD0 - AD3      alone on their port: one write moves them
 *   multiplexer outputs 0-7  PF0 - PF7    A0 - A7          ADC0 - ADC7
 *   multiplexer outputs 8-12 PK0 - PK4    A8 - A12         ADC8 - ADC12
 * on a board with tag readers
 *   decoder's address A0-A3  PA0 - PA3    D22 - D25        AD0 - AD3      output k of the 74HC154 selects reader k
 *   decoder's enable         PB0          D53              SS             no reader is selected while it is high
 *   readers' SCK and MOSI    PB1, PB2     D52, D51         SCK MOSI       to all readers
 *   readers' MISO            PB3          D50              MISO           of the selected reader, through its buffer
 *   readers' reset           PA4          D26              AD4            to all readers; low holds them in reset
 *   stop buttons 0-3         PL0 - PL3    D49 - D46        PL0 - PL3      pulled up inside the chip; low when pressed
 */
#ifndef TW_HAL_PINS_H
#define TW_HAL_PINS_H

/* A register of a port by the port's letter: PINS_REGISTER(PORT, PINS_SELECT) is PORTA. */
#define PINS_JOINED(kind, letter) kind##letter
#define PINS_REGISTER(kind, letter) PINS_JOINED(kind, letter)

#define PINS_SELECT A
#define PINS_SELECT_MASK 0x0Fu

/* A decoder and its one free enable input: the address may move only while that is high. SS is an output, as the
 * SPI's master needs. */
#define PINS_DECODER A
#define PINS_DECODER_MASK 0x0Fu
#define PINS_ENABLE B
#define PINS_ENABLE_MASK 0x01u
#define PINS_SPI B
#define PINS_SCK_MASK 0x02u
#define PINS_MOSI_MASK 0x04u
#define PINS_MISO_MASK 0x08u
#define PINS_RESET A
#define PINS_RESET_MASK 0x10u

#define PINS_BUTTONS L
#define PINS_BUTTONS_MASK 0x0Fu

#define PINS_LEDS C
#define PINS_PLAYERS_MASK 0x0Fu
#define PINS_GREEN_MASK 0x10u
#define PINS_RED_MASK 0x20u
#define PINS_LEDS_MASK (PINS_PLAYERS_MASK | PINS_GREEN_MASK | PINS_RED_MASK)

#define PINS_PIEZO E
#define PINS_PIEZO_MASK 0x08u

#define PINS_NOISE_ADC 15 /* the converter's input that is left open */

#endif
