#include "measure.h"

#include <string.h>

#define NOISE_MAX_COUNTS 255u
#define COUNTS_MASK 0x3FFu /* the converter has 10 bits */
#define SUM_MASK 0x3FFFu

/* All readings of one sensor. */
typedef struct {
    uint32_t sum : 14;
    uint32_t least : 10;
    uint32_t noise : 8;
} readings_t;
_Static_assert(MEASURE_SCANS_MAX * COUNTS_MASK <= SUM_MASK, "the sum of the readings");

static struct {
    readings_t readings[WIRING_SENSOR_COUNT];
    uint8_t scans[WIRING_CHANNEL_COUNT]; /* rows still to be taken of each channel */
    uint16_t rows_left;                  /* of all channels */
    uint8_t scan_count;                  /* 0 when nothing was begun */
    uint8_t first;
    uint8_t count;
} run;

void measure_begin(uint8_t first, uint8_t count, uint8_t scans)
{
    memset(run.scans, scans, sizeof run.scans);
    run.rows_left = (uint16_t)(scans * WIRING_CHANNEL_COUNT);
    run.scan_count = scans;
    run.first = first;
    run.count = count;
}

void measure_abandon(void)
{
    run.scan_count = 0;
    run.rows_left = 0;
}

static void take(readings_t *readings, bool first, uint16_t counts)
{
    if (first) {
        *readings = (readings_t){.sum = counts & COUNTS_MASK, .least = counts & COUNTS_MASK, .noise = 0};
        return;
    }
    uint16_t least = readings->least;
    uint16_t most = (uint16_t)(least + readings->noise);
    if (counts < least) {
        least = counts;
    }
    if (counts > most) {
        most = counts;
    }
    uint16_t noise = (uint16_t)(most - least);
    readings->sum = (readings->sum + counts) & SUM_MASK;
    readings->least = least & COUNTS_MASK;
    readings->noise = (noise < NOISE_MAX_COUNTS ? noise : NOISE_MAX_COUNTS) & 0xFFu;
}

/* Kept out of measure_row, which is nearly always idle and then costs next to nothing. */
static __attribute__((noinline)) void take_row(const hal_row_t *row)
{
    if (run.scans[row->channel] == 0) {
        return;
    }
    bool first = run.scans[row->channel] == run.scan_count;
    for (uint8_t mux = 0; mux < WIRING_MUX_COUNT; mux++) {
        uint8_t sensor = wiring_sensor(row->channel, mux);
        if (sensor != WIRING_NONE && sensor >= run.first && sensor - run.first < run.count) {
            take(&run.readings[sensor - run.first], first, row->counts[mux]);
        }
    }
    run.scans[row->channel]--;
    run.rows_left--;
}

void measure_row(const hal_row_t *row)
{
    if (run.rows_left > 0) {
        take_row(row);
    }
}

bool measure_done(void)
{
    return run.scan_count > 0 && run.rows_left == 0;
}

measured_t measure_result(uint8_t index)
{
    const readings_t *readings = &run.readings[index];
    uint16_t sum = readings->sum;
    return (measured_t){
        .mean = (uint16_t)((sum + run.scan_count / 2u) / run.scan_count),
        .noise = readings->noise,
    };
}
