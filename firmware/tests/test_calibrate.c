/* Calibration: what is measured, what it decides, and what survives. */
#include "check.h"

#include "hal_native.h"
#include "host.h"
#include "orders.h"

/* ---- calibration ---- */

static void zero_of_all_is_measured_with_its_noise_over_16_scans(void **state)
{
    (void)state;
    host_met();
    native.counts[0] = 500;
    native.counts[200] = 530;
    native_run(10);
    tw_calibrate_t order = {.token = order_token(), .step = ZERO, .sensor = 255};
    host_say(TW_MSG_CALIBRATE, &order, sizeof order);
    uint32_t begun_ms = native.ms;
    heard_t heard;
    for (int scan = 0;; scan++) {
        native.counts[0] = scan % 2 == 0 ? 498 : 503;
        native.counts[9] = scan == 3 ? 511 : 512;
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
    assert_int_equal(levels(9).zero, 512); /* 511.9 */
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
    tw_calibrate_t order = {.token = order_token(), .step = N_WEAK, .sensor = 5};
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
    tw_calibrate_t order = {.token = order_token(), .step = ZERO, .sensor = 3};
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
    tw_calibrate_t order = {.token = order_token(), .step = ZERO, .sensor = 3};
    host_say(TW_MSG_CALIBRATE, &order, sizeof order);
    native_run(30);
    param(TW_PARAM_OP_GET, TW_PARAM_KEY_DEBOUNCE_MS, 0);
    native_run(200);
    assert_int_equal(host_count(TW_MSG_RESULT), 0);
    assert_int_equal(levels(3).zero, 0);
}

static void a_measurement_given_up_while_it_is_worked_out_leaves_no_sensor_with_levels_that_do_not_count(void **state)
{
    (void)state;
    unsigned mixed = 0;
    for (uint32_t ms = 95; ms < 115; ms++) {
        host_met();
        for (unsigned i = 0; i < WIRING_SENSOR_COUNT; i++) {
            native.counts[i] = 540;
        }
        native_run(10);
        tw_calibrate_t order = {.token = order_token(), .step = ZERO, .sensor = 255};
        host_say(TW_MSG_CALIBRATE, &order, sizeof order);
        native_run(ms);
        host_count(0);
        param(TW_PARAM_OP_GET, TW_PARAM_KEY_DEBOUNCE_MS, 0);
        native_run(60);
        for (unsigned i = 0; i < WIRING_SENSOR_COUNT; i++) {
            native.counts[i] = 540 - 55; /* 27 from the old zero */
        }
        bool first_measured = levels(0).zero != 0;
        bool last_measured = levels(200).zero != 0;
        mixed += first_measured != last_measured;
        assert_int_equal(class_of(0), first_measured ? TW_MAGNET_CLASS_S_WEAK : TW_MAGNET_CLASS_EMPTY);
        assert_int_equal(class_of(200), last_measured ? TW_MAGNET_CLASS_S_WEAK : TW_MAGNET_CLASS_EMPTY);
    }
    assert_in_range(mixed, 1, 19);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        cmocka_unit_test(
            a_measurement_given_up_while_it_is_worked_out_leaves_no_sensor_with_levels_that_do_not_count),
    };
    return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
