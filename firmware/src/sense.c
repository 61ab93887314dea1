#include "sense.h"

#include "classify.h"
#include "debounce.h"
#include "outbox.h"
#include "params.h"

/* The first scan after power on shows the converter and the sensors warming up; the second one is believed. */
#define BEGIN_SCAN 1u

/* A row comes every 0.3 ms; so many sensors are looked up anew in well under that. */
#define LOOKED_UP_COUNT 4u

/* No reading is in this window: while the debounce is undecided none may pass unseen. */
#define NO_WINDOW_LOW 0xFFFFu
#define NO_WINDOW_SPAN 0u

typedef struct {
    uint16_t low;
    uint16_t span; /* of the window: its last count less its first */
    debounced_t state;
} sensor_t;
_Static_assert(sizeof(sensor_t) == 6, "there are many of them");

static struct {
    sensor_t sensors[WIRING_SENSOR_COUNT];
    uint8_t row_ms[WIRING_CHANNEL_COUNT]; /* the low byte: a gap of more is capped anyway */
    uint16_t scans;
    uint16_t flicker_count;
    uint8_t flicker_sensor;
    uint8_t look_up; /* next sensor to look up anew */
    bool ready;
} sense;

void sense_start(void)
{
    sense.scans = 0;
    sense.flicker_count = 0;
    sense.flicker_sensor = SENSE_NO_SENSOR;
    sense.look_up = WIRING_SENSOR_COUNT;
    sense.ready = false;
    for (uint8_t i = 0; i < WIRING_SENSOR_COUNT; i++) {
        sense.sensors[i].state = debounce_at_rest(TW_MAGNET_CLASS_EMPTY);
        sense.sensors[i].low = NO_WINDOW_LOW;
        sense.sensors[i].span = NO_WINDOW_SPAN;
    }
}

static uint8_t hysteresis(void)
{
    return (uint8_t)params_get(TW_PARAM_KEY_HYSTERESIS_COUNTS);
}

/* No window unless the class is settled: an undecided sensor must be seen at every reading. */
static void open_window(uint8_t sensor)
{
    sensor_t *one = &sense.sensors[sensor];
    if (debounce_undecided(one->state)) {
        one->low = NO_WINDOW_LOW;
        one->span = NO_WINDOW_SPAN;
        return;
    }
    classify_window_t window = classify_window(params_levels(sensor), hysteresis(), one->state.stable);
    one->low = window.low;
    one->span = (uint16_t)(window.high - window.low);
}

/* What lies there at power on is the beginning, not a change. */
static void begin(uint8_t sensor, uint16_t counts)
{
    sensor_t *one = &sense.sensors[sensor];
    uint8_t class = classify(counts, params_levels(sensor), hysteresis(), TW_MAGNET_CLASS_EMPTY);
    one->state = debounce_at_rest(class);
    open_window(sensor);
}

/* A reading outside the window of a settled sensor, or any reading of an undecided one. */
static void weigh(uint8_t sensor, uint16_t counts, uint32_t ms, uint8_t elapsed_ms)
{
    sensor_t *one = &sense.sensors[sensor];
    debounced_t before = one->state;
    uint8_t raw = classify(counts, params_levels(sensor), hysteresis(), debounce_read(before));
    debounced_t after = debounce(before, raw, elapsed_ms, (uint8_t)params_get(TW_PARAM_KEY_DEBOUNCE_MS));
    one->state = after;
    if (after.stable != before.stable) {
        outbox_push(sensor, before.stable, after.stable, ms);
    } else if (debounce_undecided(before) && after.candidate != before.candidate) {
        sense.flicker_count++;
        sense.flicker_sensor = sensor;
    }
    open_window(sensor);
}

void sense_row(const hal_row_t *row)
{
    uint8_t channel = row->channel;
    uint8_t elapsed_ms = (uint8_t)((uint8_t)row->ms - sense.row_ms[channel]);
    sense.row_ms[channel] = (uint8_t)row->ms;
    for (uint8_t mux = 0; mux < WIRING_MUX_COUNT; mux++) {
        uint8_t sensor = wiring_sensor(channel, mux);
        if (sensor == WIRING_NONE) {
            continue;
        }
        sensor_t *one = &sense.sensors[sensor];
        uint16_t counts = row->counts[mux];
        if ((uint16_t)(counts - one->low) > one->span) {
            if (sense.ready) {
                weigh(sensor, counts, row->ms, elapsed_ms);
            } else {
                begin(sensor, counts);
            }
        }
    }
    if (channel == WIRING_CHANNEL_COUNT - 1u) {
        sense.ready = sense.ready || sense.scans == BEGIN_SCAN;
        sense.scans++;
    }
}

bool sense_ready(void)
{
    return sense.ready;
}

uint8_t sense_class(uint8_t sensor)
{
    return sense.sensors[sensor].state.stable;
}

void sense_levels_changed(void)
{
    sense.look_up = 0;
}

void sense_step(void)
{
    for (uint8_t i = 0; i < LOOKED_UP_COUNT && sense.look_up < WIRING_SENSOR_COUNT; i++) {
        open_window(sense.look_up++);
    }
}

uint16_t sense_scans(void)
{
    return sense.scans;
}

uint16_t sense_flicker_count(void)
{
    return sense.flicker_count;
}

uint8_t sense_flicker_sensor(void)
{
    return sense.flicker_sensor;
}
