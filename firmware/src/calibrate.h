/* The steps of calibration: what lies on a sensor now is this.
 *
 * Owns what a measurement makes of a sensor's levels. Must not know how it is measured, commands, tokens, storage or
 * the wire.
 */
#ifndef TW_CALIBRATE_H
#define TW_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#define CALIBRATE_ALL 255u         /* instead of a sensor */
#define CALIBRATE_SCANS 16u        /* a tenth of a second: noise averages out, and hands hold still */
#define CALIBRATE_LEAST_COUNTS 44u /* half of what a weak magnet shows: less is noise, or a magnet far away */

/* How a step ended: TW_RESULT_CODE_OK or _FAILED, the level in counts and its noise peak to peak. A step for all
 * sensors tells neither. */
typedef struct {
    uint8_t code;
    uint16_t level;
    uint8_t noise;
} calibrated_t;

/* Begins to measure `sensor` or CALIBRATE_ALL; `step` is one of TW_CALIBRATE_STEP_ZERO to _S_STRONG. */
void calibrate_begin(uint8_t step, uint8_t sensor);

/* Works on what was measured; true when the step has ended. Not to be called again after that. */
bool calibrate_step(calibrated_t *result);

/* Drops the levels of `sensor` or CALIBRATE_ALL. */
void calibrate_forget(uint8_t sensor);

#endif
