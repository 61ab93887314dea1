/* What a host orders and asks: parameters, calibration, lights, readings. */
#include "check.h"

#include "hal_native.h"
#include "host.h"

enum { ZERO = 1, N_WEAK, N_STRONG, S_WEAK, S_STRONG, SAVE, FORGET };

static uint8_t token;

/* Says a command and returns the board's RESULT to it. */
static tw_result_t ordered(uint8_t type, const void *payload, size_t size)
{
    heard_t heard;
    host_say(type, payload, size);
    for (int ms = 0; ms < 300; ms++) {
        native_run(1);
        if (host_take_type(TW_MSG_RESULT, &heard)) {
            assert_int_equal(heard.size, sizeof heard.result);
            assert_int_equal(heard.result.token, ((const uint8_t *)payload)[0]);
            return heard.result;
        }
    }
    fail_msg("no RESULT to a message of type %02x", type);
    return (tw_result_t){0};
}

static tw_result_t param(uint8_t op, uint8_t key, uint32_t value)
{
    tw_param_t order = {.token = ++token, .op = op, .key = key, .value = value};
    return ordered(TW_MSG_PARAM, &order, sizeof order);
}

static tw_result_t calibrate(uint8_t step, uint8_t sensor)
{
    tw_calibrate_t order = {.token = ++token, .step = step, .sensor = sensor};
    return ordered(TW_MSG_CALIBRATE, &order, sizeof order);
}

static tw_calibration_row_t levels(uint8_t sensor)
{
    heard_t heard;
    tw_calibration_req_t asked = {.token = ++token, .first_sensor = sensor, .count = 1};
    host_say(TW_MSG_CALIBRATION_REQ, &asked, sizeof asked);
    native_run(1);
    assert_true(host_take_type(TW_MSG_CALIBRATION, &heard));
    assert_int_equal(heard.calibration.token, token);
    assert_int_equal(heard.calibration.count, 1);
    return *(const tw_calibration_row_t *)(const void *)(heard.bytes + sizeof(tw_calibration_t));
}

static uint16_t raw(uint8_t sensor)
{
    heard_t heard;
    tw_raw_req_t asked = {.token = ++token, .first_sensor = sensor, .count = 1};
    host_say(TW_MSG_RAW_REQ, &asked, sizeof asked);
    native_run(20);
    assert_true(host_take_type(TW_MSG_RAW, &heard));
    return ((const tw_raw_row_t *)(const void *)(heard.bytes + sizeof(tw_raw_t)))->adc;
}

static uint8_t class_of(uint8_t sensor)
{
    heard_t heard;
    host_ack(UINT32_MAX);
    native_run(60);
    host_count(0);
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_STATUS, &heard));
    host_ack(heard.status.last_number);
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_SNAPSHOT, &heard));
    return host_class(&heard, sensor);
}

/* A reset of the board; a host that finds it again. */
static void reset(void)
{
    native_boot();
    host_new();
    host_hello();
    native_run(2);
    host_count(0);
}

static uint8_t settings(void)
{
    heard_t heard;
    host_count(0);
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_STATUS, &heard));
    return heard.status.settings;
}

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

/* ---- calibration ---- */

static void zero_of_all_is_measured_with_its_noise_over_16_scans(void **state)
{
    (void)state;
    host_met();
    native.counts[0] = 500;
    native.counts[200] = 530;
    native_run(10);
    tw_calibrate_t order = {.token = ++token, .step = ZERO, .sensor = 255};
    host_say(TW_MSG_CALIBRATE, &order, sizeof order);
    uint32_t begun_ms = native.ms;
    heard_t heard;
    for (int scan = 0;; scan++) {
        native.counts[0] = scan % 2 == 0 ? 498 : 503;
        native_run(6);
        if (host_take_type(TW_MSG_RESULT, &heard)) {
            break;
        }
        assert_true(scan < 20);
    }
    assert_in_range(native.ms - begun_ms, 16 * 6, 18 * 6);
    assert_int_equal(heard.result.code, TW_RESULT_CODE_OK);
    assert_int_equal(heard.result.value, 0);
    assert_in_range(levels(0).zero, 500, 501);
    assert_int_equal(levels(0).noise, 5);
    assert_int_equal(levels(200).zero, 530);
    assert_int_equal(levels(200).noise, 0);
    assert_int_equal(levels(100).zero, 512);
    assert_int_equal(levels(100).n_weak, 0);
}

static void each_kind_of_magnet_is_measured_as_a_distance_from_zero(void **state)
{
    (void)state;
    static const struct {
        uint8_t step;
        uint16_t counts;
        uint16_t level;
    } rows[] = {{N_WEAK, 600, 100}, {N_STRONG, 741, 241}, {S_WEAK, 420, 80}, {S_STRONG, 240, 260}};
    host_met();
    native.counts[17] = 500;
    native_run(10);
    tw_result_t result = calibrate(ZERO, 17);
    assert_int_equal(result.code, TW_RESULT_CODE_OK);
    assert_int_equal(result.value, 500);
    for (unsigned i = 0; i < 4; i++) {
        native.counts[17] = rows[i].counts;
        result = calibrate(rows[i].step, 17);
        assert_int_equal(result.code, TW_RESULT_CODE_OK);
        assert_int_equal(result.value, rows[i].level);
    }
    tw_calibration_row_t row = levels(17);
    assert_int_equal(row.zero, 500);
    assert_int_equal(row.n_weak, 50);
    assert_in_range(row.n_strong, 120, 121);
    assert_int_equal(row.s_weak, 40);
    assert_int_equal(row.s_strong, 130);
    assert_int_equal(levels(16).zero, 0);
    assert_int_equal(levels(18).zero, 0);
}

static void the_noise_of_a_measurement_is_told_above_its_level(void **state)
{
    (void)state;
    host_met();
    tw_calibrate_t order = {.token = ++token, .step = N_WEAK, .sensor = 5};
    host_say(TW_MSG_CALIBRATE, &order, sizeof order);
    heard_t heard;
    for (int scan = 0; scan < 20; scan++) {
        native.counts[5] = scan % 2 == 0 ? 592 : 608;
        native_run(6);
    }
    assert_true(host_take_type(TW_MSG_RESULT, &heard));
    assert_int_equal(heard.result.code, TW_RESULT_CODE_OK);
    assert_int_equal(heard.result.value >> 16, 16);
    assert_in_range(heard.result.value & 0xFFFF, 86, 90);
}

static void a_magnet_of_the_wrong_pole_or_too_weak_changes_nothing(void **state)
{
    (void)state;
    host_met();
    native.counts[17] = 424;
    native_run(10);
    assert_int_equal(calibrate(N_WEAK, 17).code, TW_RESULT_CODE_FAILED);
    native.counts[17] = 512 - 43;
    native_run(10);
    tw_result_t result = calibrate(S_WEAK, 17);
    assert_int_equal(result.code, TW_RESULT_CODE_FAILED);
    assert_int_equal(result.value, 43);
    assert_int_equal(levels(17).n_weak, 0);
    assert_int_equal(levels(17).s_weak, 0);
    native.counts[17] = 512 - 44;
    native_run(10);
    assert_int_equal(calibrate(S_WEAK, 17).code, TW_RESULT_CODE_OK);
    assert_int_equal(levels(17).s_weak, 22);
}

static void new_levels_count_at_once(void **state)
{
    (void)state;
    host_met();
    native.counts[17] = 540;
    assert_int_equal(class_of(17), TW_MAGNET_CLASS_EMPTY);
    native.counts[17] = 572;
    assert_int_equal(class_of(17), TW_MAGNET_CLASS_N_WEAK);
    assert_int_equal(calibrate(N_WEAK, 17).code, TW_RESULT_CODE_OK);
    native.counts[17] = 512;
    assert_int_equal(class_of(17), TW_MAGNET_CLASS_EMPTY);
    native.counts[17] = 552;
    assert_int_equal(class_of(17), TW_MAGNET_CLASS_N_WEAK);
    assert_int_equal(calibrate(FORGET, 17).code, TW_RESULT_CODE_OK);
    native.counts[17] = 512;
    assert_int_equal(class_of(17), TW_MAGNET_CLASS_EMPTY);
    native.counts[17] = 551;
    assert_int_equal(class_of(17), TW_MAGNET_CLASS_EMPTY);
}

static void a_new_zero_counts_at_once_for_a_sensor_at_rest(void **state)
{
    (void)state;
    host_met();
    native.counts[17] = 540;
    native_run(10);
    assert_int_equal(calibrate(ZERO, 17).value, 540);
    native.counts[17] = 540 - 55; /* 27 from the old zero */
    assert_int_equal(class_of(17), TW_MAGNET_CLASS_S_WEAK);
}

static void a_new_hysteresis_counts_at_once_for_a_sensor_at_rest(void **state)
{
    (void)state;
    host_met();
    native.counts[17] = 512 + 48; /* above 44, below 44 + 8 */
    assert_int_equal(class_of(17), TW_MAGNET_CLASS_EMPTY);
    param(TW_PARAM_OP_SET, TW_PARAM_KEY_HYSTERESIS_COUNTS, 4);
    assert_int_equal(class_of(17), TW_MAGNET_CLASS_N_WEAK);
}

static void saving_on_a_blank_board_stores_what_is_in_use(void **state)
{
    (void)state;
    host_met();
    assert_true(calibrate(SAVE, 255).value > 0);
    native_run(3000);
    assert_int_equal(calibrate(SAVE, 255).value, 0);
    reset();
    assert_int_equal(settings(), TW_SETTINGS_STORED);
}

static void a_damaged_eeprom_is_said_and_defaults_are_in_use(void **state)
{
    (void)state;
    host_met();
    param(TW_PARAM_OP_SET, TW_PARAM_KEY_DEBOUNCE_MS, 35);
    native_run(2000);
    for (unsigned at = 64; at < HAL_EEPROM_BYTES; at += 50) {
        native.eeprom[at] ^= 0x04;
    }
    reset();
    assert_int_equal(settings(), TW_SETTINGS_DAMAGED);
    assert_int_equal(param(TW_PARAM_OP_GET, TW_PARAM_KEY_DEBOUNCE_MS, 0).value, 20);
    assert_int_equal(levels(3).zero, 0);
}

static void steps_and_sensors_that_do_not_exist_are_bad_values(void **state)
{
    (void)state;
    host_met();
    assert_int_equal(calibrate(0, 1).code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(calibrate(8, 1).code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(calibrate(ZERO, 201).code, TW_RESULT_CODE_BAD_VALUE);
    assert_int_equal(calibrate(FORGET, 254).code, TW_RESULT_CODE_BAD_VALUE);
    for (uint8_t step = N_WEAK; step <= S_STRONG; step++) {
        assert_int_equal(calibrate(step, 255).code, TW_RESULT_CODE_BAD_VALUE);
    }
    assert_int_equal(calibrate(FORGET, 255).code, TW_RESULT_CODE_OK);
}

static void saving_counts_down_the_bytes_and_what_was_saved_survives_a_reset(void **state)
{
    (void)state;
    host_met();
    native.eeprom_write_ms = 4;
    native.counts[17] = 500;
    native_run(10);
    calibrate(ZERO, 17);
    native.quiet_ms = 0; /* bytes come in */
    tw_result_t result = calibrate(SAVE, 255);
    assert_int_equal(result.code, TW_RESULT_CODE_OK);
    uint32_t left = result.value;
    assert_true(left > 201 * 7);
    native_run(100);
    assert_int_equal(calibrate(SAVE, 255).value, left);
    native.quiet_ms = 10;
    for (int i = 0; left > 0; i++) {
        native_run(500);
        uint32_t now = calibrate(SAVE, 255).value;
        assert_true(now < left);
        left = now;
        assert_true(i < 40);
    }
    calibrate(ZERO, 18);
    reset();
    assert_int_equal(settings(), TW_SETTINGS_STORED);
    assert_int_equal(levels(17).zero, 500);
    assert_int_equal(levels(18).zero, 0); /* measured and not saved */
}

static void a_level_measured_while_the_levels_are_being_saved_is_saved_whole(void **state)
{
    (void)state;
    host_met();
    native.eeprom_write_ms = 4;
    calibrate(ZERO, 17);
    calibrate(SAVE, 255);
    native_run(1000);
    native.counts[0] = 490;
    native_run(10);
    calibrate(ZERO, 0);
    native_run(20000);
    assert_int_equal(calibrate(SAVE, 255).value, 0);
    reset();
    assert_int_equal(settings(), TW_SETTINGS_STORED);
    assert_int_equal(levels(0).zero, 490);
}

static void a_measurement_is_answered_once_and_again_when_asked_again(void **state)
{
    (void)state;
    host_met();
    tw_calibrate_t order = {.token = ++token, .step = ZERO, .sensor = 3};
    host_say(TW_MSG_CALIBRATE, &order, sizeof order);
    native_run(60);
    host_say(TW_MSG_CALIBRATE, &order, sizeof order); /* measures on */
    native_run(60);
    assert_int_equal(host_count(TW_MSG_RESULT), 1);
    native.counts[3] = 400;
    native_run(30);
    host_say(TW_MSG_CALIBRATE, &order, sizeof order);
    native_run(120);
    assert_int_equal(host_count(TW_MSG_RESULT), 1);
    assert_int_equal(levels(3).zero, 512);
}

static void another_command_ends_a_measurement(void **state)
{
    (void)state;
    host_met();
    tw_calibrate_t order = {.token = ++token, .step = ZERO, .sensor = 3};
    host_say(TW_MSG_CALIBRATE, &order, sizeof order);
    native_run(30);
    param(TW_PARAM_OP_GET, TW_PARAM_KEY_DEBOUNCE_MS, 0);
    native_run(200);
    assert_int_equal(host_count(TW_MSG_RESULT), 0);
    assert_int_equal(levels(3).zero, 0);
}

/* ---- readings ---- */

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
        tw_raw_req_t asked = {.token = ++token, .first_sensor = rows[i].first, .count = rows[i].count};
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
    tw_raw_req_t none = {.token = ++token, .first_sensor = 201, .count = 1};
    assert_int_equal(ordered(TW_MSG_RAW_REQ, &none, sizeof none).code, TW_RESULT_CODE_BAD_VALUE);
    tw_raw_req_t empty = {.token = ++token, .first_sensor = 0, .count = 0};
    assert_int_equal(ordered(TW_MSG_CALIBRATION_REQ, &empty, sizeof empty).code, TW_RESULT_CODE_BAD_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parameter_is_read_and_set_within_its_range),
        cmocka_unit_test(a_parameter_that_was_set_survives_a_reset),
        cmocka_unit_test(a_longer_debounce_counts_at_once),
        cmocka_unit_test(a_command_said_twice_is_done_once_and_answered_twice),
        cmocka_unit_test(zero_of_all_is_measured_with_its_noise_over_16_scans),
        cmocka_unit_test(each_kind_of_magnet_is_measured_as_a_distance_from_zero),
        cmocka_unit_test(the_noise_of_a_measurement_is_told_above_its_level),
        cmocka_unit_test(a_magnet_of_the_wrong_pole_or_too_weak_changes_nothing),
        cmocka_unit_test(new_levels_count_at_once),
        cmocka_unit_test(a_new_zero_counts_at_once_for_a_sensor_at_rest),
        cmocka_unit_test(a_new_hysteresis_counts_at_once_for_a_sensor_at_rest),
        cmocka_unit_test(saving_on_a_blank_board_stores_what_is_in_use),
        cmocka_unit_test(a_damaged_eeprom_is_said_and_defaults_are_in_use),
        cmocka_unit_test(steps_and_sensors_that_do_not_exist_are_bad_values),
        cmocka_unit_test(saving_counts_down_the_bytes_and_what_was_saved_survives_a_reset),
        cmocka_unit_test(a_level_measured_while_the_levels_are_being_saved_is_saved_whole),
        cmocka_unit_test(a_measurement_is_answered_once_and_again_when_asked_again),
        cmocka_unit_test(another_command_ends_a_measurement),
        cmocka_unit_test(raw_tells_the_readings_of_the_next_scan),
        cmocka_unit_test(raw_asked_again_is_answered_again),
        cmocka_unit_test(requests_get_as_many_rows_as_there_are_and_as_fit),
    };
    return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
