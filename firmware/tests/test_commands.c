/* What a host orders and asks besides calibration: parameters and readings. */
#include "check.h"

#include <string.h>

#include "hal_native.h"
#include "host.h"
#include "orders.h"
#include "params.h"
#include "store.h"

/* ---- parameters ---- */

static void a_parameter_is_read_and_set_within_its_range(void **state)
{
    (void)state;
    host_met();
    assert_int_equal(param(TW_PARAM_OP_GET, TW_PARAM_KEY_DEBOUNCE_MS, 0).value, 20);
    assert_int_equal(param(TW_PARAM_OP_GET, TW_PARAM_KEY_STATUS_PERIOD_MS, 0).value, 1000);
    assert_int_equal(param(TW_PARAM_OP_GET, TW_PARAM_KEY_HYSTERESIS_COUNTS, 0).value, 16);
    tw_result_t result = param(TW_PARAM_OP_SET, TW_PARAM_KEY_STATUS_PERIOD_MS, 250);
    assert_int_equal(result.code, TW_RESULT_CODE_OK);
    assert_int_equal(result.value, 250);
    native_run(1000);
    assert_in_range(host_count(TW_MSG_STATUS), 3, 4);
    result = param(TW_PARAM_OP_SET, TW_PARAM_KEY_DEBOUNCE_MS, 201);
    assert_int_equal(result.code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(result.value, 20);
    assert_int_equal(param(TW_PARAM_OP_SET, TW_PARAM_KEY_DEBOUNCE_MS, 4).code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(param(TW_PARAM_OP_SET, TW_PARAM_KEY_DEBOUNCE_MS, 65536 + 20).code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(param(TW_PARAM_OP_GET, 0, 0).code, TW_RESULT_CODE_UNKNOWN);
    assert_int_equal(param(TW_PARAM_OP_GET, 4, 0).code, TW_RESULT_CODE_UNKNOWN);
    assert_int_equal(param(2, TW_PARAM_KEY_DEBOUNCE_MS, 20).code, TW_RESULT_CODE_UNKNOWN);
}

static void a_parameter_that_was_set_survives_a_reset(void **state)
{
    (void)state;
    host_met();
    assert_int_equal(settings(), TW_SETTINGS_NONE);
    param(TW_PARAM_OP_SET, TW_PARAM_KEY_DEBOUNCE_MS, 35);
    native_run(2000);
    reset();
    assert_int_equal(settings(), TW_SETTINGS_STORED);
    assert_int_equal(param(TW_PARAM_OP_GET, TW_PARAM_KEY_DEBOUNCE_MS, 0).value, 35);
    assert_int_equal(param(TW_PARAM_OP_GET, TW_PARAM_KEY_STATUS_PERIOD_MS, 0).value, 1000);
}

static void a_stored_value_out_of_its_range_is_the_default(void **state)
{
    (void)state;
    static uint8_t record[3 * sizeof(uint16_t) + WIRING_SENSOR_COUNT * sizeof(tw_calibration_row_t)];
    static const uint16_t values[3] = {3, 60000, 8};
    native_new();
    store_start(record, sizeof record, 1);
    memcpy(record, values, sizeof values); /* the host and the chip are both little-endian */
    store_begin();
    while (store_unwritten_bytes() > 0) {
        store_step();
    }
    reset();
    assert_int_equal(settings(), TW_SETTINGS_STORED);
    assert_int_equal(param(TW_PARAM_OP_GET, TW_PARAM_KEY_DEBOUNCE_MS, 0).value, 20);
    assert_int_equal(param(TW_PARAM_OP_GET, TW_PARAM_KEY_STATUS_PERIOD_MS, 0).value, 1000);
    assert_int_equal(param(TW_PARAM_OP_GET, TW_PARAM_KEY_HYSTERESIS_COUNTS, 0).value, 8);
}

static void a_longer_debounce_counts_at_once(void **state)
{
    (void)state;
    host_met();
    param(TW_PARAM_OP_SET, TW_PARAM_KEY_DEBOUNCE_MS, 200);
    native.counts[7] = 760;
    native_run(190);
    assert_int_equal(host_count(TW_MSG_EVENTS), 0);
    native_run(30);
    assert_true(host_count(TW_MSG_EVENTS) > 0);
}

static void a_command_said_twice_is_done_once_and_answered_twice(void **state)
{
    (void)state;
    heard_t heard;
    host_met();
    tw_signal_t order = {.token = 9, .players = 1, .verdict = TW_LIGHT_OFF, .sound = TW_SOUND_LEGAL};
    ordered(TW_MSG_SIGNAL, &order, sizeof order);
    assert_int_not_equal(native.hz, 0);
    native_run(1000);
    assert_int_equal(native.hz, 0);
    host_say(TW_MSG_SIGNAL, &order, sizeof order);
    native_run(1);
    assert_true(host_take_type(TW_MSG_RESULT, &heard));
    assert_int_equal(heard.result.token, 9);
    assert_int_equal(native.hz, 0);
    host_hello(); /* another host may begin with the same token */
    host_say(TW_MSG_SIGNAL, &order, sizeof order);
    native_run(1);
    assert_int_not_equal(native.hz, 0);
}

/* ---- readings ---- */

static uint16_t raw(uint8_t sensor)
{
    heard_t heard;
    tw_raw_req_t asked = {.token = order_token(), .first_sensor = sensor, .count = 1};
    host_say(TW_MSG_RAW_REQ, &asked, sizeof asked);
    native_run(20);
    assert_true(host_take_type(TW_MSG_RAW, &heard));
    return ((const tw_raw_row_t *)(const void *)(heard.bytes + sizeof(tw_raw_t)))->adc;
}

static void raw_tells_the_readings_of_the_next_scan(void **state)
{
    (void)state;
    host_met();
    native.counts[5] = 777;
    assert_int_equal(raw(5), 777);
    assert_int_equal(raw(6), 512);
}

static void raw_asked_again_is_answered_again(void **state)
{
    (void)state;
    host_met();
    tw_raw_req_t asked = {.token = 77, .first_sensor = 5, .count = 2};
    for (int i = 0; i < 3; i++) {
        host_say(TW_MSG_RAW_REQ, &asked, sizeof asked);
        native_run(20);
        assert_int_equal(host_count(TW_MSG_RAW), 1);
    }
}

static void requests_get_as_many_rows_as_there_are_and_as_fit(void **state)
{
    (void)state;
    static const struct {
        uint8_t first;
        uint8_t count;
        uint8_t raw;
        uint8_t calibration;
    } rows[] = {{0, 255, 56, 15}, {190, 20, 11, 11}, {200, 1, 1, 1}, {10, 12, 12, 12}};
    heard_t heard;
    host_met();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        tw_raw_req_t asked = {.token = order_token(), .first_sensor = rows[i].first, .count = rows[i].count};
        host_say(TW_MSG_RAW_REQ, &asked, sizeof asked);
        native_run(20);
        host_say(TW_MSG_CALIBRATION_REQ, &asked, sizeof asked);
        native_run(2);
        assert_true(host_take_type(TW_MSG_RAW, &heard));
        assert_int_equal(heard.raw.count, rows[i].raw);
        assert_int_equal(heard.raw.first_sensor, rows[i].first);
        assert_int_equal(heard.size, 3 + 2 * rows[i].raw);
        assert_true(host_take_type(TW_MSG_CALIBRATION, &heard));
        assert_int_equal(heard.calibration.count, rows[i].calibration);
        assert_int_equal(heard.calibration.first_sensor, rows[i].first);
        assert_int_equal(heard.size, 3 + 7 * rows[i].calibration);
    }
    tw_raw_req_t none = {.token = order_token(), .first_sensor = 201, .count = 1};
    assert_int_equal(ordered(TW_MSG_RAW_REQ, &none, sizeof none).code, TW_RESULT_CODE_BAD_VALUE);
    tw_raw_req_t empty = {.token = order_token(), .first_sensor = 0, .count = 0};
    assert_int_equal(ordered(TW_MSG_CALIBRATION_REQ, &empty, sizeof empty).code, TW_RESULT_CODE_BAD_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parameter_is_read_and_set_within_its_range),
        cmocka_unit_test(a_parameter_that_was_set_survives_a_reset),
        cmocka_unit_test(a_stored_value_out_of_its_range_is_the_default),
        cmocka_unit_test(a_longer_debounce_counts_at_once),
        cmocka_unit_test(a_command_said_twice_is_done_once_and_answered_twice),
        cmocka_unit_test(raw_tells_the_readings_of_the_next_scan),
        cmocka_unit_test(raw_asked_again_is_answered_again),
        cmocka_unit_test(requests_get_as_many_rows_as_there_are_and_as_fit),
    };
    return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
