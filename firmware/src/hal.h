/* The only access to the chip: what the firmware asks of it.
 *
 * Owns nothing but the contract. hal_avr*.c keep it on an ATmega2560, tests/hal_native.c on a computer. No other
 * file may include a header of the chip. Everything here returns at once; nothing waits for the line, the converter
 * or the EEPROM.
 */
#ifndef TW_HAL_H
#define TW_HAL_H

#include <stdbool.h>
#include <stdint.h>

#include "wiring.h"

/* ---- start and time ------------------------------------------------------------------------------------------- */

/* Sets up pins, clock, converter, UART (off until hal_link_start) and watchdog. Called once, first. The EEPROM is ready
 * afterwards. */
void hal_start(void);

/* Milliseconds since boot; wraps after 49 days. */
uint32_t hal_ms(void);

/* Why the chip started: TW_RESET_CAUSE_*. */
uint8_t hal_reset_cause(void);

/* Bits that differ from boot to boot as far as the chip can tell: noise of the converter and the clock. */
uint32_t hal_entropy(void);

/* Tells the watchdog that the program lives; without it the chip resets after half a second. */
void hal_watchdog_reset(void);

/* Sleeps until the next interrupt, unless something has come since the last call of any hal function. */
void hal_idle(void);

/* ---- the scan: only on a board with Hall sensors -------------------------------------------------------------- */

/* One step of the select lines: what every multiplexer showed on one channel. */
typedef struct {
    uint32_t ms;                       /* when the row was complete */
    uint16_t counts[WIRING_MUX_COUNT]; /* ADC counts by multiplexer; those without a sensor are not set */
    uint8_t channel;                   /* 0 to WIRING_CHANNEL_COUNT - 1, in this order */
} hal_row_t;

/* The oldest row not taken yet; NULL when there is none. It stays valid until hal_row_done. */
const hal_row_t *hal_row(void);
void hal_row_done(void);

/* Rows lost because nobody took them in time; wraps. */
uint16_t hal_row_overruns(void);

/* ---- readers and buttons: only on a board with tag readers ---------------------------------------------------- */

#define HAL_READER_COUNT 16u
#define HAL_BUTTON_COUNT 4u

/* Holds all readers in reset, or lets them go. hal_start holds them. */
void hal_readers_hold(bool held);

/* One reader hears what is exchanged from now on; after hal_reader_release none does. */
void hal_reader_select(uint8_t reader);
void hal_reader_release(void);

/* A byte to the selected reader, and the one that came meanwhile; 2 us. */
uint8_t hal_reader_exchange(uint8_t byte);

/* Wakes the program after so many microseconds, at most 1000: hal_idle then returns. A new alarm replaces the last. */
void hal_alarm(uint16_t us);

/* Whether the alarm has gone off. */
bool hal_alarm_over(void);

/* Bit k: button k is down. */
uint8_t hal_buttons(void);

/* ---- the supply ----------------------------------------------------------------------------------------------- */

/* Supply voltage in millivolts, measured against the chip's own reference; 0 before the first measurement. */
uint16_t hal_supply_mv(void);

/* ---- the line ------------------------------------------------------------------------------------------------- */

/* Opens the UART, at 500000 baud unless the firmware was built for another speed. */
void hal_link_start(void);

/* Takes up to `size` received bytes; how many. */
uint8_t hal_link_read(uint8_t *bytes, uint8_t size);

/* Hands over all of `count` bytes to be sent, or none of them when there is no room; whether it did. */
bool hal_link_write(const uint8_t *bytes, uint8_t count);

/* Bytes the UART lost because nobody took them in time; wraps. */
uint16_t hal_link_overruns(void);

/* Milliseconds since the last byte came in, at most 255. */
uint8_t hal_link_quiet_ms(void);

/* ---- the EEPROM ----------------------------------------------------------------------------------------------- */

#define HAL_EEPROM_BYTES 4096u

/* Whether a write may begin and a read gives the truth; a write takes 3.4 ms. */
bool hal_eeprom_ready(void);
uint8_t hal_eeprom_read(uint16_t address);      /* only when ready */
void hal_eeprom_write(uint16_t address, uint8_t byte); /* only when ready; begins, and returns at once */

/* ---- lights and sound ----------------------------------------------------------------------------------------- */

/* `players`: bit k lights the LED of player k. `green` and `red`: the two halves of the verdict LED. */
void hal_leds(uint8_t players, bool green, bool red);

/* Drives the piezo at this frequency; 0 is silence. */
void hal_tone(uint16_t hz);

/* ---- health --------------------------------------------------------------------------------------------------- */

/* Bytes between the heap and the deepest the stack has ever been. */
uint16_t hal_stack_free(void);

#endif
