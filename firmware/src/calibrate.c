#include "calibrate.h"

#include "classify.h"
#include "levels.h"
#include "measure.h"
#include "messages.h"
#include "sense.h"
#include "wiring.h"

/* So many sensors' readings become levels in one step. */
#define WORKED_OUT_COUNT 8u
#define LEVEL_MAX 255u

static struct {
    uint8_t step;
    uint8_t first;
    uint8_t count;
    uint8_t next; /* to work out, from first on */
} run;

void calibrate_begin(uint8_t step, uint8_t sensor)
{
    run.step = step;
    run.first = sensor == CALIBRATE_ALL ? 0 : sensor;
    run.count = sensor == CALIBRATE_ALL ? WIRING_SENSOR_COUNT : 1;
    run.next = 0;
    measure_begin(run.first, run.count, CALIBRATE_SCANS);
}

/* Where in its row a magnet's level stands. */
static uint8_t *level_of(tw_calibration_row_t *row, uint8_t step)
{
    switch (step) {
    case TW_CALIBRATE_STEP_N_WEAK:
        return &row->n_weak;
    case TW_CALIBRATE_STEP_N_STRONG:
        return &row->n_strong;
    case TW_CALIBRATE_STEP_S_WEAK:
        return &row->s_weak;
    default:
        return &row->s_strong;
    }
}

static calibrated_t work_out(uint8_t sensor, measured_t measured)
{
    tw_calibration_row_t levels = *levels_of(sensor);
    calibrated_t result = {.code = TW_RESULT_CODE_OK, .level = measured.mean, .noise = measured.noise};
    if (run.step == TW_CALIBRATE_STEP_ZERO) {
        levels.zero = measured.mean;
        levels.noise = result.noise;
    } else {
        bool south = run.step == TW_CALIBRATE_STEP_S_WEAK || run.step == TW_CALIBRATE_STEP_S_STRONG;
        int16_t distance = (int16_t)(measured.mean - classify_zero(&levels));
        if (south) {
            distance = (int16_t)-distance;
        }
        result.level = (uint16_t)(distance > 0 ? distance : 0);
        if (result.level < CALIBRATE_LEAST_COUNTS) {
            result.code = TW_RESULT_CODE_FAILED;
            return result;
        }
        uint16_t units = (uint16_t)((result.level + CLASSIFY_LEVEL_UNIT_COUNTS / 2u) / CLASSIFY_LEVEL_UNIT_COUNTS);
        *level_of(&levels, run.step) = (uint8_t)(units < LEVEL_MAX ? units : LEVEL_MAX);
    }
    levels_set(sensor, &levels);
    return result;
}

bool calibrate_step(calibrated_t *result)
{
    if (!measure_done()) {
        return false;
    }
    for (uint8_t i = 0; i < WORKED_OUT_COUNT && run.next < run.count; i++, run.next++) {
        *result = work_out((uint8_t)(run.first + run.next), measure_result(run.next));
    }
    sense_levels_changed(); /* here, for the rest may be given up */
    if (run.next < run.count) {
        return false;
    }
    if (run.count > 1) {
        *result = (calibrated_t){.code = TW_RESULT_CODE_OK, .level = 0, .noise = 0};
    }
    return true;
}

void calibrate_forget(uint8_t sensor)
{
    static const tw_calibration_row_t unmeasured;
    uint8_t first = sensor == CALIBRATE_ALL ? 0 : sensor;
    uint8_t end = sensor == CALIBRATE_ALL ? WIRING_SENSOR_COUNT : (uint8_t)(sensor + 1u);
    for (uint8_t one = first; one < end; one++) {
        levels_set(one, &unmeasured);
    }
    sense_levels_changed();
}
