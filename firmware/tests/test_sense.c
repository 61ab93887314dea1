/* From readings over time to changes, at ten scan rates, with scans that come evenly and in jumps. */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#include "changes.h"
#include "hal_native.h"
#include "levels.h"
#include "outbox.h"
#include "params.h"
#include "sense.h"

enum { EMPTY, N_WEAK, N_STRONG, S_WEAK, S_STRONG };

#define SENSOR 101u
#define POINTS_MAX 40u
#define SETTLE_MS 20u
#define JUMP_MAX 3u
#define READING_MAX_MS 10u

typedef struct {
    uint16_t ms;
    uint16_t counts; /* from then on; 0 ends the list */
} point_t;

typedef struct {
    uint16_t ms; /* when the class is to be believed at the earliest */
    uint8_t class;
} change_t;

/* From then on means in a straight line to the next point when `ramp`. */
static const struct {
    const char *name;
    bool ramp;
    uint16_t least_hz; /* the slowest scan that sees enough of it */
    point_t points[POINTS_MAX];
    change_t changes[4];
} signals[] = {
    {"nothing", false, 0, {{0, 512}, {500, 512}}, {{0, 0}}},
    {"noise within the band", false, 0, {{0, 512}, {50, 563}, {90, 461}, {130, 520}, {500, 512}}, {{0, 0}}},
    {"a weak north magnet", false, 0, {{0, 512}, {100, 600}, {500, 600}}, {{120, N_WEAK}}},
    {"a strong south magnet, and gone", false, 0, {{0, 512}, {100, 264}, {300, 512}, {600, 512}},
     {{120, S_STRONG}, {320, EMPTY}}},
    {"a touch of 15 ms", false, 0, {{0, 512}, {100, 760}, {115, 512}, {500, 512}}, {{0, 0}}},
    {"a magnet that wavers at the threshold of near", false, 0,
     {{0, 512}, {100, 570}, {200, 560}, {240, 550}, {280, 562}, {320, 549}, {500, 560}}, {{120, N_WEAK}}},
    {"a magnet that wavers between weak and strong", false, 0,
     {{0, 512}, {100, 690}, {200, 680}, {240, 673}, {280, 686}, {320, 673}, {500, 680}}, {{120, N_STRONG}}},
    {"a magnet that wavers there before it is believed", false, 333,
     {{0, 512}, {100, 685}, {105, 690}, {110, 680}, {115, 674}, {120, 682}, {500, 682}}, {{125, N_STRONG}}},
    {"north gives way to south", false, 0, {{0, 512}, {100, 600}, {300, 424}, {600, 424}},
     {{120, N_WEAK}, {320, S_WEAK}}},
    {"a strong magnet comes down slowly", true, 0, {{0, 512}, {100, 512}, {900, 760}, {1400, 760}},
     {{287, N_WEAK}, {687, N_STRONG}}},
    {"a strong magnet comes down at once", true, 333, {{0, 512}, {100, 512}, {110, 760}, {500, 760}},
     {{126, N_STRONG}}},
};

static const uint16_t rates_hz[] = {100, 125, 150, 159, 170, 191, 250, 333, 500, 1000};

static uint16_t counts_at(unsigned signal, uint32_t ms)
{
    const point_t *point = signals[signal].points;
    while (point[1].counts != 0 && point[1].ms <= ms) {
        point++;
    }
    if (!signals[signal].ramp || point[1].counts == 0) {
        return point->counts;
    }
    int32_t rise = (int32_t)point[1].counts - point->counts;
    return (uint16_t)(point->counts + rise * (int32_t)(ms - point->ms) / (point[1].ms - point->ms));
}

static uint32_t end_of(unsigned signal)
{
    const point_t *point = signals[signal].points;
    while (point[1].counts != 0) {
        point++;
    }
    return point->ms;
}

static void begin(void)
{
    native_new();
    native_boot();
    native.rows = 0;
    native.ms = 1000;
}

static void replay(unsigned signal, uint16_t scan_hz, bool jumping)
{
    uint32_t gap_ms = (1000u * (jumping ? JUMP_MAX : 1u) + scan_hz - 1u) / scan_hz;
    uint32_t settling_ms = SETTLE_MS + gap_ms;
    if (settling_ms < SETTLE_MS / READING_MAX_MS * gap_ms) {
        settling_ms = SETTLE_MS / READING_MAX_MS * gap_ms;
    }
    uint32_t latest_ms = gap_ms + settling_ms - SETTLE_MS + 1u;
    const change_t *expected = signals[signal].changes;
    begin();
    uint32_t start_ms = native.ms;
    uint8_t class = EMPTY;
    for (uint32_t scan = 1, jump = 0;; scan += jumping ? 1 + (jump++ * 7 + scan_hz) % JUMP_MAX : 1) {
        uint32_t ms = scan * 1000u / scan_hz;
        if (ms > end_of(signal)) {
            break;
        }
        native.counts[SENSOR] = counts_at(signal, ms);
        native_scan(start_ms + ms - native.ms);
        if (sense_class(SENSOR) != class) {
            class = sense_class(SENSOR);
            if (class != expected->class || ms < expected->ms || ms > expected->ms + latest_ms) {
                fail_msg("%s at %u Hz%s: class %u believed at %u ms, not %u from %u to %u ms", signals[signal].name,
                         scan_hz, jumping ? ", jumping" : "", class, ms, expected->class, expected->ms,
                         expected->ms + latest_ms);
            }
            expected++;
        }
    }
    if (expected->ms != 0) {
        fail_msg("%s at %u Hz%s: class %u was not believed", signals[signal].name, scan_hz, jumping ? ", jumping" : "",
                 expected->class);
    }
}

static void signals_become_changes_at_every_scan_rate(void **state)
{
    (void)state;
    unsigned replays = 0;
    for (unsigned signal = 0; signal < sizeof signals / sizeof *signals; signal++) {
        for (unsigned i = 0; i < sizeof rates_hz / sizeof *rates_hz; i++) {
            for (unsigned jumping = 0; jumping < 2; jumping++) {
                if (rates_hz[i] / (jumping ? JUMP_MAX : 1u) >= signals[signal].least_hz) {
                    replay(signal, rates_hz[i], jumping != 0);
                    replays++;
                }
            }
        }
    }
    assert_int_equal(replays, 9 * 20 + 2 * 4);
}

static void each_sensor_is_its_own(void **state)
{
    (void)state;
    begin();
    for (unsigned sensor = 0; sensor < WIRING_SENSOR_COUNT; sensor++) {
        native.counts[sensor] = 760;
        for (int i = 0; i < 6; i++) {
            native_scan(6);
        }
        for (unsigned other = 0; other < WIRING_SENSOR_COUNT; other++) {
            assert_int_equal(sense_class((uint8_t)other), other <= sensor ? N_STRONG : EMPTY);
        }
    }
    assert_int_equal(outbox_last_number(), WIRING_SENSOR_COUNT);
}

static void sensors_that_change_a_scan_apart_are_two_changes_with_their_own_times(void **state)
{
    (void)state;
    begin();
    native.counts[3] = 760;
    native_scan(6);
    native.counts[4] = 760;
    for (int i = 0; i < 6; i++) {
        native_scan(6);
    }
    struct {
        tw_events_t head;
        tw_event_row_t rows[TW_BATCH_MAX];
    } events;
    assert_int_equal(outbox_due(native.ms), OUTBOX_BATCH);
    changes_write_events(&events, 1);
    assert_int_equal(events.head.count, 2);
    assert_int_equal(events.rows[0].sensor, 3);
    assert_int_equal(events.rows[1].sensor, 4);
    assert_int_equal(events.rows[1].dt_ms - events.rows[0].dt_ms, 6);
}

static void flicker_is_counted_with_its_sensor_and_is_no_change(void **state)
{
    (void)state;
    begin();
    assert_int_equal(sense_flicker_sensor(), SENSE_NO_SENSOR);
    for (int i = 0; i < 10; i++) {
        native.counts[SENSOR] = 760;
        native_scan(6);
        native.counts[SENSOR] = 512;
        native_scan(6);
    }
    assert_int_equal(sense_flicker_count(), 10);
    assert_int_equal(sense_flicker_sensor(), SENSOR);
    assert_int_equal(outbox_last_number(), 0);
    native.counts[SENSOR] = 760;
    for (int i = 0; i < 6; i++) {
        native_scan(6);
    }
    assert_int_equal(sense_flicker_count(), 10); /* what is believed was no flicker */
}

static void a_wider_band_counts_for_sensors_at_rest_too(void **state)
{
    (void)state;
    begin();
    native.counts[SENSOR] = 512 + 60; /* above 44 + 8, below 44 + 22: a band takes at most half the way to zero */
    assert_true(params_set(TW_PARAM_KEY_HYSTERESIS_COUNTS, 64));
    sense_levels_changed();
    for (int i = 0; i < 10; i++) {
        native_scan(6);
    }
    assert_int_equal(sense_class(SENSOR), EMPTY);
    native.counts[SENSOR] = 512 + 66;
    for (int i = 0; i < 10; i++) {
        native_scan(6);
    }
    assert_int_equal(sense_class(SENSOR), N_WEAK);
}

/* A magnet lies there; then the levels are measured, and by those its class begins beyond what the converter reads. */
static void a_class_that_no_reading_can_show_any_more_is_left(void **state)
{
    (void)state;
    static const struct {
        uint16_t before;
        uint8_t class;
        uint16_t zero;
    } rows[] = {{430, S_WEAK, 20}, {20, S_STRONG, 20}, {600, N_WEAK, 1010}, {1010, N_STRONG, 1010}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        native.counts[SENSOR] = rows[i].before;
        for (int scan = 0; scan < 10; scan++) {
            native_scan(6);
        }
        assert_int_equal(sense_class(SENSOR), rows[i].class);
        tw_calibration_row_t levels = {.zero = rows[i].zero};
        levels_set(SENSOR, &levels);
        sense_levels_changed();
        native.counts[SENSOR] = rows[i].zero;
        for (int scan = 0; scan < 10; scan++) {
            native_scan(6);
        }
        assert_int_equal(sense_class(SENSOR), EMPTY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_become_changes_at_every_scan_rate),
        cmocka_unit_test(each_sensor_is_its_own),
        cmocka_unit_test(sensors_that_change_a_scan_apart_are_two_changes_with_their_own_times),
        cmocka_unit_test(flicker_is_counted_with_its_sensor_and_is_no_change),
        cmocka_unit_test(a_wider_band_counts_for_sensors_at_rest_too),
        cmocka_unit_test(a_class_that_no_reading_can_show_any_more_is_left),
    };
    return cmocka_run_group_tests_name("sense", tests, NULL, NULL);
}
