/* What can be set: parameters, and the levels of every sensor.
 *
 * Owns their defaults, their ranges, and when they are stored. Must not know slots of the EEPROM, what a level
 * decides, the host or the wire.
 */
#ifndef TW_PARAMS_H
#define TW_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"
#include "wiring.h"

#define PARAMS_KEY_COUNT 3u /* keys count from 1 */

/* Loads what is stored; what is not sound or not there is the default. */
void params_start(void);

/* What was found stored at the start, or that all that is in use is stored by now: TW_SETTINGS_*. */
uint8_t params_settings(void);

/* Whether there is such a parameter. */
bool params_known(uint8_t key);

/* A parameter's value; the key must be known. */
uint16_t params_get(uint8_t key);

/* Sets a parameter at once and stores it in the background; false when the value is out of range. */
bool params_set(uint8_t key, uint32_t value);

/* What was measured of a sensor; 0 is not measured. */
const tw_calibration_row_t *params_levels(uint8_t sensor);

/* Replaces it. It counts at once, and is stored by the next params_save. */
void params_set_levels(uint8_t sensor, const tw_calibration_row_t *levels);

/* Begins to store what is not stored; how many bytes are still to be written. */
uint16_t params_save(void);

#endif
