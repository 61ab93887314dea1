/* Readings of some sensors over some scans.
 *
 * Owns the one measurement under way: mean and noise of each sensor. Must not know levels, classes, commands or
 * the wire.
 */
#ifndef TW_MEASURE_H
#define TW_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"

#define MEASURE_SCANS_MAX 16u

/* What a sensor read, in ADC counts. */
typedef struct {
    uint16_t mean;
    uint8_t noise; /* peak to peak, at most 255 */
} measured_t;

/* Begins to measure `count` sensors from `first` on, over the next `scans` scans (at most MEASURE_SCANS_MAX). What was
 * under way is given up. */
void measure_begin(uint8_t first, uint8_t count, uint8_t scans);

/* Gives up what is under way. */
void measure_abandon(void);

/* Takes a row of the scan. */
void measure_row(const hal_row_t *row);

/* Whether a measurement has been begun and every sensor has had its scans. */
bool measure_done(void);

/* What the sensor `index` places after the first one read. */
measured_t measure_result(uint8_t index);

#endif
