#include "params.h"

#include <string.h>

#include "store.h"

typedef struct {
    uint16_t least;
    uint16_t most;
    uint16_t value;
} range_t;

/* By key. Sources of the defaults: a piece set down by hand bounces for less than 20 ms; a heartbeat a second; the
 * band is four times the noise of a sensor with its amplifier. */
static const range_t ranges[PARAMS_KEY_COUNT] = {
    [TW_PARAM_KEY_DEBOUNCE_MS - 1] = {5, 200, 20},
    [TW_PARAM_KEY_STATUS_PERIOD_MS - 1] = {100, 2000, 1000},
    [TW_PARAM_KEY_HYSTERESIS_COUNTS - 1] = {2, 64, 16},
};

/* The record that is stored: a change of its layout needs another STORE_VERSION. */
static struct __attribute__((packed)) {
    uint16_t values[PARAMS_KEY_COUNT];
    tw_calibration_row_t levels[WIRING_SENSOR_COUNT];
} params;
_Static_assert(sizeof params == 6 + 7 * WIRING_SENSOR_COUNT, "params: layout");

static uint8_t settings;
static bool unsaved;

static bool in_range(uint8_t key, uint32_t value)
{
    return value >= ranges[key - 1u].least && value <= ranges[key - 1u].most;
}

void params_start(void)
{
    memset(&params, 0, sizeof params);
    settings = store_start((uint8_t *)&params, sizeof params);
    for (uint8_t key = 1; key <= PARAMS_KEY_COUNT; key++) {
        if (!in_range(key, params.values[key - 1u])) {
            params.values[key - 1u] = ranges[key - 1u].value;
        }
    }
    unsaved = settings != TW_SETTINGS_STORED;
}

uint8_t params_settings(void)
{
    if (!unsaved && store_unwritten_bytes() == 0) {
        settings = TW_SETTINGS_STORED; /* what is in use is what a restart would find */
    }
    return settings;
}

bool params_known(uint8_t key)
{
    return key >= 1 && key <= PARAMS_KEY_COUNT;
}

uint16_t params_get(uint8_t key)
{
    return params.values[key - 1u];
}

bool params_set(uint8_t key, uint32_t value)
{
    if (!in_range(key, value)) {
        return false;
    }
    if (params.values[key - 1u] != value) {
        params.values[key - 1u] = (uint16_t)value;
        unsaved = true;
        params_save();
    }
    return true;
}

const tw_calibration_row_t *params_levels(uint8_t sensor)
{
    return &params.levels[sensor];
}

void params_set_levels(uint8_t sensor, const tw_calibration_row_t *levels)
{
    params.levels[sensor] = *levels;
    unsaved = true;
    if (store_unwritten_bytes() > 0) {
        params_save(); /* the record under way would hold half of the old and half of the new */
    }
}

uint16_t params_save(void)
{
    if (unsaved) {
        unsaved = false;
        store_begin();
    }
    return store_unwritten_bytes();
}
