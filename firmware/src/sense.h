/* From rows of the scan to changes.
 *
 * Owns every sensor's class and debounce. Must not know what the classes mean, the host or the wire; what
 * is believed goes to changes.c.
 *
 * Nearly every reading says what the one before said. For those the class so far is a window of counts that is worked
 * out once, and a reading inside it costs one comparison.
 */
#ifndef TW_SENSE_H
#define TW_SENSE_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"

#define SENSE_NO_SENSOR 255u

void sense_start(void);

/* Takes a row of the scan. */
void sense_row(const hal_row_t *row);

/* Whether every sensor has been read, so that the board knows what lies there. */
bool sense_ready(void);

/* The believed class of a sensor. */
uint8_t sense_class(uint8_t sensor);

/* Levels or hysteresis have changed: from now on they are looked up anew, a few sensors in each step. */
void sense_levels_changed(void);
void sense_step(void);

/* Full scans since the start; wraps. */
uint16_t sense_scans(void);

/* Raw changes that the debounce did not let through (wraps), and the last sensor that did so or SENSE_NO_SENSOR. */
uint16_t sense_flicker_count(void);
uint8_t sense_flicker_sensor(void);

#endif
