/* The levels of every Hall sensor, and the parameters of a board that has them.
 *
 * Owns what such a board stores. Must not know how it is stored, what a level decides, the host or the wire.
 */
#ifndef TW_LEVELS_H
#define TW_LEVELS_H

#include <stdint.h>

#include "messages.h"
#include "params.h"

extern const params_kind_t levels_params;

/* What was measured of a sensor; 0 is not measured. */
const tw_calibration_row_t *levels_of(uint8_t sensor);

/* Replaces it. It counts at once, and is stored by the next params_save. */
void levels_set(uint8_t sensor, const tw_calibration_row_t *levels);

#endif
