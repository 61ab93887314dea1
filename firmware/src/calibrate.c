#include "calibrate.h"

#include <string.h>

#include "classify.h"
#include "messages.h"
#include "params.h"
#include "sense.h"

/* So many sensors' readings become levels in one step. */
#define WORKED_OUT_COUNT 8u
#define NOISE_MAX_COUNTS 255u
#define LEVEL_MAX 255u

/* Readings of one sensor: 16 of 10 bits. */
typedef struct {
    uint32_t sum : 14;
    uint32_t least : 10;
    uint32_t noise : 8;
} readings_t;
_Static_assert(CALIBRATE_SCAN_COUNT * 1023u < 1u << 14, "the sum of the readings");

typedef enum {
    IDLE,
    MEASURING,
    WORKING_OUT,
} phase_t;

static struct {
    readings_t readings[WIRING_SENSOR_COUNT];
    uint8_t scans[WIRING_CHANNEL_COUNT]; /* rows taken of each channel */
    uint8_t rows_left;                   /* until every channel has had its scans; 0 stands for 256 at first */
    phase_t phase;
    uint8_t step;
    uint8_t first;
    uint8_t count;
    uint8_t next; /* to work out, from first on */
} run;
_Static_assert(CALIBRATE_SCAN_COUNT * WIRING_CHANNEL_COUNT == 256, "rows_left counts down through a byte");

void calibrate_begin(uint8_t step, uint8_t sensor)
{
    memset(run.scans, 0, sizeof run.scans);
    run.step = step;
    run.first = sensor == CALIBRATE_ALL ? 0 : sensor;
    run.count = sensor == CALIBRATE_ALL ? WIRING_SENSOR_COUNT : 1;
    run.rows_left = 0;
    run.next = 0;
    run.phase = MEASURING;
}

void calibrate_abandon(void)
{
    run.phase = IDLE;
}

static void take(readings_t *readings, bool first, uint16_t counts)
{
    if (first) {
        *readings = (readings_t){.sum = counts & 0x3FFu, .least = counts & 0x3FFu, .noise = 0};
        return;
    }
    readings->sum = (readings->sum + counts) & 0x3FFFu;
    uint16_t least = readings->least;
    uint16_t most = (uint16_t)(least + readings->noise);
    if (counts < least) {
        least = counts;
    }
    if (counts > most) {
        most = counts;
    }
    uint16_t noise = (uint16_t)(most - least);
    readings->least = least & 0x3FFu;
    readings->noise = (noise < NOISE_MAX_COUNTS ? noise : NOISE_MAX_COUNTS) & 0xFFu;
}

void calibrate_row(const hal_row_t *row)
{
    uint8_t *scans = &run.scans[row->channel];
    if (run.phase != MEASURING || *scans == CALIBRATE_SCAN_COUNT) {
        return;
    }
    for (uint8_t mux = 0; mux < WIRING_MUX_COUNT; mux++) {
        uint8_t sensor = wiring_sensor(row->channel, mux);
        uint8_t place = (uint8_t)(sensor - run.first);
        if (sensor != WIRING_NONE && sensor >= run.first && place < run.count) {
            take(&run.readings[place], *scans == 0, row->counts[mux]);
        }
    }
    (*scans)++;
    if (--run.rows_left == 0) {
        run.phase = WORKING_OUT;
    }
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

static calibrated_t work_out(uint8_t sensor, const readings_t *readings)
{
    tw_calibration_row_t levels = *params_levels(sensor);
    uint16_t mean = (uint16_t)((readings->sum + CALIBRATE_SCAN_COUNT / 2u) / CALIBRATE_SCAN_COUNT);
    calibrated_t result = {.code = TW_RESULT_CODE_OK, .level = mean, .noise = readings->noise};
    if (run.step == TW_CALIBRATE_STEP_ZERO) {
        levels.zero = mean;
        levels.noise = result.noise;
    } else {
        bool south = run.step == TW_CALIBRATE_STEP_S_WEAK || run.step == TW_CALIBRATE_STEP_S_STRONG;
        int16_t distance = (int16_t)(mean - classify_zero(&levels));
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
    params_set_levels(sensor, &levels);
    return result;
}

bool calibrate_step(calibrated_t *result)
{
    if (run.phase != WORKING_OUT) {
        return false;
    }
    for (uint8_t i = 0; i < WORKED_OUT_COUNT && run.next < run.count; i++, run.next++) {
        *result = work_out((uint8_t)(run.first + run.next), &run.readings[run.next]);
    }
    if (run.next < run.count) {
        return false;
    }
    if (run.count > 1) {
        *result = (calibrated_t){.code = TW_RESULT_CODE_OK, .level = 0, .noise = 0};
    }
    run.phase = IDLE;
    sense_levels_changed();
    return true;
}

void calibrate_forget(uint8_t sensor)
{
    static const tw_calibration_row_t unmeasured;
    uint8_t first = sensor == CALIBRATE_ALL ? 0 : sensor;
    uint8_t end = sensor == CALIBRATE_ALL ? WIRING_SENSOR_COUNT : (uint8_t)(sensor + 1u);
    for (uint8_t one = first; one < end; one++) {
        params_set_levels(one, &unmeasured);
    }
    sense_levels_changed();
}
