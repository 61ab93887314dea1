/* What of a board with tag readers can be set, and what only one with Hall sensors knows. */
#include "check.h"

#include "hal_native.h"
#include "hal_native_readers.h"
#include "link.h"
#include "tags_host.h"

static void only_what_makes_sense_can_be_set_and_is_kept(void **state)
{
    (void)state;
    tags_met();
    assert_int_equal(set(TW_PARAM_KEY_FIELD_GROUPS, 3).code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(set(TW_PARAM_KEY_FIELD_GROUPS, 8).code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(set(TW_PARAM_KEY_FIELD_GROUPS, 0).code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(set(TW_PARAM_KEY_MISSES, 1).code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(set(TW_PARAM_KEY_MISSES, 11).code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(set(TW_PARAM_KEY_HYSTERESIS_COUNTS, 16).code, TW_RESULT_CODE_UNKNOWN);
    assert_int_equal(set(TW_PARAM_KEY_FIELD_GROUPS, 2).value, 2);
    assert_int_equal(set(TW_PARAM_KEY_MISSES, 5).value, 5);
    tags_run(3000);
    assert_int_equal(status_now().status.settings, TW_SETTINGS_STORED);
    tags_start();
    tags_run(1100);
    assert_int_equal(status_now().status.settings, TW_SETTINGS_STORED);
    assert_int_equal(set(TW_PARAM_KEY_MISSES, 12).value, 5); /* refused; what is so is told */
    native_readers.fields_max = 0;
    tags_run(500);
    assert_int_equal(native_readers.fields_max, 8);
}

static void what_only_a_board_with_hall_sensors_can_do_is_not_known_here(void **state)
{
    (void)state;
    heard_t heard;
    tw_calibrate_t calibrate = {.token = 200, .step = TW_CALIBRATE_STEP_ZERO, .sensor = 255};
    tw_raw_req_t raw = {.token = 201, .first_sensor = 0, .count = 5};
    tw_calibration_req_t calibration = {.token = 202, .first_sensor = 0, .count = 5};
    tags_met();
    host_say(TW_MSG_CALIBRATE, &calibrate, sizeof calibrate);
    host_say(TW_MSG_RAW_REQ, &raw, sizeof raw);
    host_say(TW_MSG_CALIBRATION_REQ, &calibration, sizeof calibration);
    native_run(5);
    for (uint8_t token = 200; token <= 202; token++) {
        assert_true(host_take_type(TW_MSG_RESULT, &heard));
        assert_int_equal(heard.result.token, token);
        assert_int_equal(heard.result.code, TW_RESULT_CODE_UNKNOWN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_makes_sense_can_be_set_and_is_kept),
        cmocka_unit_test(what_only_a_board_with_hall_sensors_can_do_is_not_known_here),
    };
    return cmocka_run_group_tests_name("tags_params", tests, NULL, NULL);
}
