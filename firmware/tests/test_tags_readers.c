/* Readers that fail, come back, are copies, or answer nonsense: the others go on. */
#include "check.h"

#include "hal_native.h"
#include "hal_native_readers.h"
#include "link.h"
#include "tags_host.h"

#define ALL_WELL (TW_READER_STATE_SEEN | TW_READER_STATE_TESTED | TW_READER_STATE_WELL)

static void status_tells_the_version_and_the_self_test_of_every_reader(void **state)
{
    (void)state;
    native_new();
    native_readers.readers[1].fails_test = true;
    native_readers.readers[2].version = 0x12; /* a copy of which nobody knows what it should answer */
    native_readers.readers[3].health = READER_ABSENT;
    native_readers.readers[4].health = READER_HIGH;
    tags_start();
    heard_t heard = status_now();
    assert_int_equal(heard.status.count, 16);
    assert_int_equal(heard.size, sizeof(tw_status_t) + 16 * sizeof(tw_reader_row_t));
    assert_int_equal(reader_row(&heard, 0)->version, 0x92);
    assert_int_equal(reader_row(&heard, 0)->state, ALL_WELL);
    assert_int_equal(reader_row(&heard, 1)->state, TW_READER_STATE_SEEN | TW_READER_STATE_TESTED);
    assert_int_equal(reader_row(&heard, 2)->version, 0x12);
    assert_int_equal(reader_row(&heard, 2)->state, TW_READER_STATE_SEEN);
    assert_int_equal(reader_row(&heard, 3)->state, 0);
    assert_int_equal(reader_row(&heard, 4)->state, 0);
    assert_int_equal(reader_row(&heard, 15)->state, ALL_WELL);
    lay(1, 1); /* a copy that fails the test reads tags */
    lay(2, 2);
    tags_run(100);
    assert_int_equal(told_of(TW_SIGHT_CAME, 1, 1), 1);
    assert_int_equal(told_of(TW_SIGHT_CAME, 2, 2), 1);
}

static void a_board_without_a_single_reader_greets_and_says_so(void **state)
{
    (void)state;
    native_new();
    for (unsigned k = 0; k < 16; k++) {
        native_readers.readers[k].health = READER_ABSENT;
    }
    tags_start();
    tags_run(500);
    heard_t heard = status_now();
    assert_int_equal(heard.status.scan_hz, 0);
    assert_int_equal(told_count(), 1);
    assert_int_equal(told(0)->row.what, TW_SIGHT_ANEW);
    native_readers.readers[5].health = READER_WELL; /* its wire is mended */
    lay(1, 5);
    tags_run(12000);
    assert_int_equal(told_of(TW_SIGHT_CAME, 5, 1), 1);
    heard = status_now();
    assert_int_equal(reader_row(&heard, 5)->state, ALL_WELL);
}

static void a_reader_that_falls_silent_is_begun_anew_and_its_cards_never_left(void **state)
{
    (void)state;
    static const reader_health_t faults[] = {READER_ABSENT, READER_HIGH, READER_MUTE};
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) {
        tags_met();
        lay(1, 8);
        lay(2, 9);
        tags_run(300);
        tags_forget();
        native_readers.readers[8].health = faults[i];
        tags_run(1500);
        lay(3, 9); /* the others go on */
        lift(2);
        tags_run(1500);
        assert_int_equal(told_of(TW_SIGHT_CAME, 9, 3), 1);
        assert_int_equal(told_of(TW_SIGHT_GONE, 9, 2), 1);
        assert_int_equal(told_of(TW_SIGHT_GONE, 8, 1), 0);
        heard_t without = status_now();
        uint8_t seen = reader_row(&without, 8)->state & TW_READER_STATE_SEEN;
        assert_int_equal(seen, faults[i] == READER_MUTE ? TW_READER_STATE_SEEN : 0);
        native_readers.readers[8].health = READER_WELL;
        tags_run(8000);
        heard_t heard = status_now();
        assert_int_equal(reader_row(&heard, 8)->state, ALL_WELL | TW_READER_STATE_DEAF);
        assert_int_equal(reader_row(&heard, 9)->state, ALL_WELL);
        assert_int_equal(told_count(), 2);
        lay(4, 8);
        tags_run(200);
        assert_int_equal(told_of(TW_SIGHT_CAME, 8, 4), 1);
    }
}

static void a_mute_reader_costs_the_others_little_time(void **state)
{
    (void)state;
    tags_met();
    tags_run(1100);
    uint16_t well_hz = status_now().status.scan_hz;
    native_readers.readers[3].health = READER_MUTE;
    tags_run(6000);
    uint16_t now_hz = status_now().status.scan_hz;
    assert_true(well_hz > 40);
    assert_true(now_hz * 10 >= well_hz * 8);
}

static void a_reader_that_lost_its_settings_gets_them_back(void **state)
{
    (void)state;
    tags_met();
    lay(1, 8);
    tags_run(200);
    hal_reader_select(8); /* its supply dips: it is as after a reset, and answers */
    hal_reader_exchange(0x01 << 1);
    hal_reader_exchange(0x0F);
    hal_reader_release();
    assert_false(native_readers.readers[8].field);
    tags_run(300);
    assert_true(native_readers.readers[8].field);
    lay(2, 8);
    tags_run(100);
    assert_int_equal(told_of(TW_SIGHT_CAME, 8, 2), 1);
    assert_int_equal(told_of(TW_SIGHT_GONE, 8, 1), 0);
}

static void whatever_a_reader_answers_the_board_goes_on(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        tags_met();
        lay(1, 4);
        tags_run(300);
        tags_forget();
        native_readers.random = seed;
        for (unsigned k = 0; k < 16; k += 3) { /* 0, 3, 6, ... */
            native_readers.readers[k].health = READER_RANDOM;
        }
        tags_run(1000);
        lay(2, 5);
        tags_run(800);
        assert_int_equal(told_of(TW_SIGHT_CAME, 5, 2), 1);
        assert_int_equal(told_of(TW_SIGHT_GONE, 4, 1), 0);
        for (unsigned k = 0; k < 16; k++) {
            native_readers.readers[k].health = READER_WELL;
        }
        tags_run(8000);
        lay(3, 6);
        tags_run(100);
        assert_int_equal(told_of(TW_SIGHT_CAME, 6, 3), 1);
    }
}

static void from_the_first_moment_on_nonsense_never_keeps_the_board_from_greeting(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 6; seed++) {
        native_new();
        native_readers.random = seed;
        for (unsigned k = 0; k < 16; k++) {
            native_readers.readers[k].health = READER_RANDOM;
        }
        tags_start(); /* gives up after 3 s */
        tags_run(200);
        assert_true(told_count() > 0);
        assert_int_equal(told(0)->row.what, TW_SIGHT_ANEW);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_tells_the_version_and_the_self_test_of_every_reader),
        cmocka_unit_test(a_board_without_a_single_reader_greets_and_says_so),
        cmocka_unit_test(a_reader_that_falls_silent_is_begun_anew_and_its_cards_never_left),
        cmocka_unit_test(a_mute_reader_costs_the_others_little_time),
        cmocka_unit_test(a_reader_that_lost_its_settings_gets_them_back),
        cmocka_unit_test(whatever_a_reader_answers_the_board_goes_on),
        cmocka_unit_test(from_the_first_moment_on_nonsense_never_keeps_the_board_from_greeting),
    };
    return cmocka_run_group_tests_name("tags_readers", tests, NULL, NULL);
}
