#include "sense.h"

#include "changes.h"
#include "classify.h"
#include "debounce.h"
#include "levels.h"

/* The first scan after power on shows the converter and the sensors warming up; the second one is believed. */
#define BEGIN_SCAN 1u

/* A row comes every 0.3 ms; so many sensors are looked up anew in well under that. */
#define LOOKED_UP_COUNT 4u

/* A window moved up by this holds no reading: while the debounce is undecided none may pass unseen. */
#define UNDECIDED 0x8000u
#define NOWHERE_LOW 0xFFFFu
#define NOWHERE_SPAN 0u

/* What few readings need stays out of the loop over all of them, which then runs in registers. */
#define RARE __attribute__((noinline))

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
        sense.sensors[i].low = NOWHERE_LOW;
        sense.sensors[i].span = NOWHERE_SPAN;
    }
}

static uint8_t hysteresis(void)
{
    return (uint8_t)params_get(TW_PARAM_KEY_HYSTERESIS_COUNTS);
}

/* The window of the class that was read last, moved away while the debounce is undecided. */
static void open_window(uint8_t sensor)
{
    sensor_t *one = &sense.sensors[sensor];
    classify_window_t window = classify_window(levels_of(sensor), hysteresis(), debounce_read(one->state));
    if (window.low > window.high) { /* no reading shows this class any more */
        one->low = NOWHERE_LOW;
        one->span = NOWHERE_SPAN;
        return;
    }
    one->low = debounce_undecided(one->state) ? window.low | UNDECIDED : window.low;
    one->span = (uint16_t)(window.high - window.low);
}

/* What lies there at power on is the beginning, not a change. */
static RARE void begin(uint8_t sensor, uint16_t counts)
{
    sensor_t *one = &sense.sensors[sensor];
    one->state = debounce_at_rest(classify(counts, levels_of(sensor), hysteresis(), TW_MAGNET_CLASS_EMPTY));
    open_window(sensor);
}

/* A reading outside the window of a settled sensor, or any reading of an undecided one. */
static RARE void weigh(uint8_t sensor, uint16_t counts, uint32_t ms, uint8_t elapsed_ms)
{
    sensor_t *one = &sense.sensors[sensor];
    debounced_t before = one->state;
    uint16_t low = one->low & (uint16_t)~UNDECIDED;
    bool same = (uint16_t)(counts - low) <= one->span;
    uint8_t raw = debounce_read(before);
    if (!same) {
        raw = classify(counts, levels_of(sensor), hysteresis(), raw);
    }
    debounced_t after = debounce(before, raw, elapsed_ms, (uint8_t)params_get(TW_PARAM_KEY_DEBOUNCE_MS));
    one->state = after;
    if (!same) {
        open_window(sensor);
    } else {
        one->low = debounce_undecided(after) ? low | UNDECIDED : low;
    }
    if (after.stable != before.stable) {
        changes_push(sensor, before.stable, after.stable, ms);
    } else if (debounce_undecided(before) && after.candidate != before.candidate) {
        sense.flicker_count++;
        sense.flicker_sensor = sensor;
    }
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
