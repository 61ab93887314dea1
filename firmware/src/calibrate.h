/* Measuring the levels of sensors, one step at the time.
 *
 * Owns a measurement under way: its readings and what they make of a sensor's levels. Must not know commands, tokens,
 * storage or the wire.
 */
#ifndef TW_CALIBRATE_H
#define TW_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"

#define CALIBRATE_ALL 255u         /* instead of a sensor */
#define CALIBRATE_SCAN_COUNT 16u   /* a tenth of a second: noise averages out, and hands hold still */
#define CALIBRATE_LEAST_COUNTS 44u /* half of what a weak magnet shows: less is noise, or a magnet far away */

/* How a measurement ended: TW_RESULT_CODE_OK or _FAILED, the level in counts and its noise peak to peak. A measurement of
 * all sensors tells neither. */
typedef struct {
    uint8_t code;
    uint16_t level;
    uint8_t noise;
} calibrated_t;

/* Begins to measure `sensor` or CALIBRATE_ALL; `step` is one of TW_CALIBRATE_STEP_ZERO to _S_STRONG. */
void calibrate_begin(uint8_t step, uint8_t sensor);

/* Gives up what is under way. */
void calibrate_abandon(void);

/* Takes a row of the scan. */
void calibrate_row(const hal_row_t *row);

/* Works on what was read; true once, when the measurement has ended. */
bool calibrate_step(calibrated_t *result);

/* Drops the levels of `sensor` or CALIBRATE_ALL. */
void calibrate_forget(uint8_t sensor);

#endif
