/* Which magnet a reading shows: counts of the converter, levels of the sensor and the class so far -> class.
 *
 * Owns thresholds and hysteresis. Must not know scans, time, storage or the wire.
 *
 * N is above zero. For each pole, a magnet is near from half the weak level on, and strong from the middle between the
 * weak and the strong level on. Around each threshold lies a band in which the class so far stays. What was never
 * measured is taken to be typical.
 */
#ifndef TW_CLASSIFY_H
#define TW_CLASSIFY_H

#include <stdint.h>

#include "messages.h"

/* Levels of a sensor of the kind we build with, in ADC counts (from zero on, for the magnets). */
#define CLASSIFY_ZERO_COUNTS 512u
#define CLASSIFY_WEAK_COUNTS 88u
#define CLASSIFY_STRONG_COUNTS 248u

/* Levels are kept in units of this many counts: the field of a strong magnet does not fit into a byte otherwise. */
#define CLASSIFY_LEVEL_UNIT_COUNTS 2u

/* Between these readings, both included, the class so far stays; at none when `low` is above `high`. */
typedef struct {
    uint16_t low;
    uint16_t high;
} classify_window_t;

/* A sensor's zero in counts: as measured, or typical. */
uint16_t classify_zero(const tw_calibration_row_t *levels);

/* The class that `counts` shows. `hysteresis_counts` is the width of the band, half of it on each side. */
uint8_t classify(uint16_t counts, const tw_calibration_row_t *levels, uint8_t hysteresis_counts, uint8_t so_far);

/* The readings for which classify() answers `so_far`. */
classify_window_t classify_window(const tw_calibration_row_t *levels, uint8_t hysteresis_counts, uint8_t so_far);

#endif
