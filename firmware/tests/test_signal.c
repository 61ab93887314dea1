/* What players see and hear over time. */
#include "check.h"

#include "hal_native.h"
#include "messages.h"
#include "signal.h"

static uint32_t now_ms;

static void pass(uint32_t ms)
{
    for (uint32_t i = 0; i < ms; i++) {
        signal_step(++now_ms);
    }
}

/* How often a colour of the verdict light went on or off in so many milliseconds. */
static unsigned turns(uint32_t ms)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < ms; i++) {
        bool before = native.green || native.red;
        pass(1);
        count += before != (native.green || native.red);
    }
    return count;
}

static int start(void **state)
{
    (void)state;
    native_new();
    now_ms = UINT32_MAX - 1000; /* the clock wraps within each test */
    signal_start();
    return 0;
}

static void show(uint8_t players, uint8_t light, uint8_t sound)
{
    assert_true(signal_set(players, light, sound, now_ms));
}

static void a_board_starts_dark_and_silent(void **state)
{
    (void)state;
    assert_int_equal(native.players, 0);
    assert_false(native.green || native.red);
    assert_int_equal(native.hz, 0);
    assert_int_equal(turns(2000), 0);
    assert_int_equal(native.hz, 0);
}

static void players_are_lit_until_told_otherwise(void **state)
{
    (void)state;
    show(0x05, TW_LIGHT_OFF, TW_SOUND_NONE);
    pass(60000);
    assert_int_equal(native.players, 0x05);
    show(0xF2, TW_LIGHT_OFF, TW_SOUND_NONE);
    assert_int_equal(native.players, 0x02);
}

static void legal_is_steady_green_and_goes_out_by_itself(void **state)
{
    (void)state;
    show(1, TW_LIGHT_LEGAL, TW_SOUND_NONE);
    assert_true(native.green && !native.red);
    assert_int_equal(turns(2500), 0);
    assert_true(native.green && !native.red);
    pass(2500);
    assert_false(native.green || native.red);
    assert_int_equal(native.players, 1);
}

static void illegal_blinks_red_fast_and_hold_blinks_both_slowly_for_as_long_as_it_takes(void **state)
{
    (void)state;
    show(1, TW_LIGHT_ILLEGAL, TW_SOUND_NONE);
    assert_true(native.red && !native.green);
    unsigned fast = turns(60000);
    show(1, TW_LIGHT_HOLD, TW_SOUND_NONE);
    assert_true(native.red && native.green);
    unsigned slow = turns(60000);
    assert_true(fast >= 60 * 6);       /* three times a second and more */
    assert_in_range(slow, 60, 60 * 2); /* once a second and less */
    show(1, TW_LIGHT_OFF, TW_SOUND_NONE);
    assert_false(native.green || native.red);
    assert_int_equal(turns(5000), 0);
}

static void each_sound_is_another_tune_and_ends(void **state)
{
    (void)state;
    uint32_t heard[6] = {0};
    for (uint8_t sound = TW_SOUND_LEGAL; sound <= TW_SOUND_OVER; sound++) {
        show(0, TW_LIGHT_OFF, sound);
        assert_int_not_equal(native.hz, 0);
        for (uint32_t ms = 0; ms < 1500; ms++) {
            heard[sound] = heard[sound] * 31 + native.hz;
            pass(1);
        }
        assert_int_equal(native.hz, 0);
        for (uint8_t other = TW_SOUND_LEGAL; other < sound; other++) {
            assert_int_not_equal(heard[sound], heard[other]);
        }
    }
}

static void a_new_light_without_a_sound_lets_the_last_sound_end(void **state)
{
    (void)state;
    show(0, TW_LIGHT_LEGAL, TW_SOUND_POINTS);
    pass(30);
    uint16_t hz = native.hz;
    show(2, TW_LIGHT_OFF, TW_SOUND_NONE);
    assert_int_equal(native.hz, hz);
    pass(1500);
    assert_int_equal(native.hz, 0);
}

static void what_does_not_exist_changes_nothing(void **state)
{
    (void)state;
    show(1, TW_LIGHT_LEGAL, TW_SOUND_NONE);
    assert_false(signal_set(2, 4, TW_SOUND_NONE, now_ms));
    assert_false(signal_set(2, TW_LIGHT_OFF, 6, now_ms));
    assert_true(native.green);
    assert_int_equal(native.players, 1);
    assert_int_equal(native.hz, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_board_starts_dark_and_silent, start),
        cmocka_unit_test_setup(players_are_lit_until_told_otherwise, start),
        cmocka_unit_test_setup(legal_is_steady_green_and_goes_out_by_itself, start),
        cmocka_unit_test_setup(illegal_blinks_red_fast_and_hold_blinks_both_slowly_for_as_long_as_it_takes, start),
        cmocka_unit_test_setup(each_sound_is_another_tune_and_ends, start),
        cmocka_unit_test_setup(a_new_light_without_a_sound_lets_the_last_sound_end, start),
        cmocka_unit_test_setup(what_does_not_exist_changes_nothing, start),
    };
    return cmocka_run_group_tests_name("signal", tests, NULL, NULL);
}
