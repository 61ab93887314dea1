#include "levels.h"

#include "wiring.h"

#define STORE_VERSION 1u /* of the record's layout; a new one for every change of it, below those with readers */

/* Sources of the defaults: a piece set down by hand bounces for less than 20 ms; a heartbeat a second; the band is
 * four times the noise of a sensor with its amplifier. */
static const params_range_t ranges[] = {
    {TW_PARAM_KEY_DEBOUNCE_MS, false, 5, 200, 20},
    {TW_PARAM_KEY_STATUS_PERIOD_MS, false, 100, 2000, 1000},
    {TW_PARAM_KEY_HYSTERESIS_COUNTS, false, 2, 64, 16},
};
#define PARAMS_COUNT (sizeof ranges / sizeof *ranges)

static struct __attribute__((packed, aligned(2))) {
    uint16_t values[PARAMS_COUNT];
    tw_calibration_row_t levels[WIRING_SENSOR_COUNT];
} stored;
_Static_assert(__builtin_offsetof(__typeof__(stored), levels) == 6, "levels: layout");
#define STORED_BYTES (6u + 7u * WIRING_SENSOR_COUNT) /* the alignment may add a byte */

const params_kind_t levels_params = {
    .ranges = ranges,
    .record = (uint16_t *)(void *)&stored,
    .record_bytes = STORED_BYTES,
    .count = PARAMS_COUNT,
    .version = STORE_VERSION,
};

const tw_calibration_row_t *levels_of(uint8_t sensor)
{
    return &stored.levels[sensor];
}

void levels_set(uint8_t sensor, const tw_calibration_row_t *levels)
{
    stored.levels[sensor] = *levels;
    params_changed();
}
