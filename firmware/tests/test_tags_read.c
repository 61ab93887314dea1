/* Tags on pads, as sixteen readers find them: several at once, alike, badly heard, near to one another. */
#include "check.h"

#include <string.h>

#include "hal_native.h"
#include "hal_native_readers.h"
#include "link.h"
#include "tags_host.h"

static void ten_cards_that_come_to_one_pad_at_once_are_all_read(void **state)
{
    (void)state;
    for (collision_t as = COLLISION_IN_FRAME; as <= COLLISION_NOWHERE; as++) { /* however a copy of the chip counts */
        tags_met();
        native_readers.collisions = as;
        for (uint8_t n = 0; n < 10; n++) {
            lay(n, 6);
        }
        tags_run(1500);
        assert_int_equal(told_count(), 10);
        for (uint8_t n = 0; n < 10; n++) {
            assert_int_equal(told_of(TW_SIGHT_CAME, 6, n), 1);
        }
    }
}

static void tags_that_differ_in_any_one_bit_are_told_apart(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 56; bit++) {
        uint8_t one[7] = {0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66};
        uint8_t other[7];
        tags_met();
        memcpy(other, one, sizeof other);
        other[bit / 8] ^= (uint8_t)(1u << bit % 8);
        native_tag(one, 7, 1);
        native_tag(other, 7, 1);
        tags_run(80);
        assert_int_equal(told_count(), 2);
        assert_memory_not_equal(told(0)->row.uid, told(1)->row.uid, 7);
        for (unsigned i = 0; i < 2; i++) {
            const uint8_t *uid = told(i)->row.uid;
            assert_true(memcmp(uid, one, 7) == 0 || memcmp(uid, other, 7) == 0);
        }
    }
}

static void short_uids_are_read_too_even_one_that_begins_like_half_of_a_long_one(void **state)
{
    (void)state;
    static const uint8_t plain[4] = {0x12, 0x34, 0x56, 0x78};
    static const uint8_t tricky[4] = {0x88, 0x34, 0x56, 0x78};
    tags_met();
    native_tag(plain, 4, 1u << 2);
    native_tag(tricky, 4, 1u << 3);
    lay(7, 3);
    tags_run(200);
    assert_int_equal(told_count(), 3);
    assert_int_equal(told_of(TW_SIGHT_CAME, 3, 7), 1);
    for (unsigned i = 0; i < 3; i++) {
        static const uint8_t padding[3] = {0};
        if (told(i)->row.uid_size == 4) {
            assert_memory_equal(told(i)->row.uid, told(i)->row.source == 2 ? plain : tricky, 4);
            assert_memory_equal(told(i)->row.uid + 4, padding, 3);
        }
    }
    tags_run(4000);
    assert_int_equal(told_count(), 3);
    native_tag(tricky, 4, 0);
    tags_run(3000);
    assert_int_equal(told_count(), 4);
    assert_int_equal(told(3)->row.what, TW_SIGHT_GONE);
    assert_int_equal(told(3)->row.uid_size, 4);
}

static void a_pad_keeps_a_pile_and_two_more_and_the_rest_when_there_is_room(void **state)
{
    (void)state;
    tags_met();
    for (uint8_t n = 0; n < 14; n++) {
        lay(n, 6);
    }
    tags_run(2000);
    assert_int_equal(told_of(TW_SIGHT_CAME, 6, NO_STICKER), 12);
    assert_int_equal(status_now().status.scan_overruns > 0, 1);
    for (uint8_t n = 0; n < 14; n++) {
        if (told_of(TW_SIGHT_CAME, 6, n) == 0) {
            continue;
        }
        lift(n); /* one that was told goes */
        break;
    }
    tags_run(5000);
    assert_int_equal(told_of(TW_SIGHT_GONE, 6, NO_STICKER), 1);
    assert_int_equal(told_of(TW_SIGHT_CAME, 6, NO_STICKER), 13);
}

/* ---- badly heard ---- */

static void a_tag_that_hears_every_second_call_lies_where_it_lies(void **state)
{
    (void)state;
    static const uint8_t groups[] = {1, 2, 4};
    for (unsigned i = 0; i < sizeof groups; i++) {
        tags_met();
        set(TW_PARAM_KEY_FIELD_GROUPS, groups[i]);
        for (uint8_t n = 0; n < 6; n++) {
            lay(n, (uint8_t)(n / 2));
        }
        tags_run(1000);
        assert_int_equal(told_count(), 6);
        native_readers.silent_every = 2;
        tags_run(8000);
        assert_int_equal(told_count(), 6);
    }
}

static void answers_that_are_garbled_are_no_misses(void **state)
{
    (void)state;
    static const uint8_t groups[] = {1, 2, 4};
    for (unsigned i = 0; i < sizeof groups; i++) {
        tags_met();
        set(TW_PARAM_KEY_FIELD_GROUPS, groups[i]);
        for (uint8_t n = 0; n < 6; n++) {
            lay(n, (uint8_t)(n / 2));
        }
        tags_run(1000);
        assert_int_equal(told_count(), 6);
        native_readers.garble_every = 1; /* nothing is heard any more */
        tags_run(5000);
        assert_int_equal(told_count(), 6);
        native_readers.garble_every = 7;
        lay(20, 9);
        lay(21, 9);
        tags_run(1000);
        assert_int_equal(told_of(TW_SIGHT_CAME, 9, NO_STICKER), 2);
        assert_int_equal(told_count(), 8);
    }
}

/* Of long and of short UIDs alike: what the check byte and the checksum are for. */
static void an_answer_that_was_bent_on_its_way_makes_no_tag_that_is_not_there(void **state)
{
    (void)state;
    static const uint8_t plain[4] = {0x12, 0x34, 0x56, 0x78};
    for (unsigned every = 2; every <= 9; every++) {
        tags_met();
        native_readers.bend_every = every;
        native_tag(plain, 4, 1u << 2);
        for (uint8_t n = 0; n < 6; n++) {
            lay(n, (uint8_t)(n / 2));
        }
        tags_run(3000);
        for (unsigned i = 0; i < told_count(); i++) {
            const tw_tag_row_t *row = &told(i)->row;
            bool mine = row->uid_size == 4 && memcmp(row->uid, plain, 4) == 0;
            for (uint8_t n = 0; n < 6; n++) {
                uid_t7 uid = sticker(n);
                mine = mine || (row->uid_size == 7 && memcmp(row->uid, uid.bytes, 7) == 0);
            }
            assert_true(mine);
        }
    }
}

static void a_resting_card_that_is_missed_now_and_then_all_evening_never_leaves(void **state)
{
    (void)state;
    tags_met();
    assert_int_equal(set(TW_PARAM_KEY_MISSES, 10).code, TW_RESULT_CODE_OK);
    lay(1, 11);
    tags_run(3000);
    assert_int_equal(status_now().status.flicker_count, 0);
    for (unsigned missed = 1; missed <= 11; missed++) { /* more often than it may be missed on end */
        uint16_t before = status_now().status.flicker_count;
        for (unsigned tries = 0; status_now().status.flicker_count == before; tries++) {
            assert_true(tries < 100);
            lift(1);
            tags_run(4);
            lay(1, 11);
            tags_run(100);
        }
    }
    assert_int_equal(told_count(), 1);
}

static void a_tag_that_was_missed_and_is_back_is_counted_and_not_told(void **state)
{
    (void)state;
    tags_met();
    lay(1, 11);
    tags_run(200);
    lift(1);
    for (unsigned ms = 0; status_now().status.flicker_count == 0; ms++) {
        assert_true(ms < 100);
        lift(1);
        tags_run(4 + ms % 20); /* missed once or twice at some time */
        lay(1, 11);
        tags_run(300);
        if (told_of(TW_SIGHT_GONE, 11, 1) > 0) { /* too long: anew, and shorter */
            tags_forget();
        }
    }
    assert_int_equal(status_now().status.flicker_sensor, 11);
}

static void a_tag_is_gone_after_as_many_misses_as_are_set(void **state)
{
    (void)state;
    uint32_t took_ms[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++) {
        tags_met();
        assert_int_equal(set(TW_PARAM_KEY_MISSES, i == 0 ? 2 : 10).code, TW_RESULT_CODE_OK);
        for (uint8_t n = 0; n < 8; n++) {
            lay(n, n);
        }
        tags_run(500);
        for (uint8_t n = 0; n < 8; n++) {
            lift(n);
        }
        for (; told_of(TW_SIGHT_GONE, ANYWHERE, NO_STICKER) < 8; took_ms[i]++) {
            assert_true(took_ms[i] < 5000);
            tags_run(1);
        }
    }
    assert_true(took_ms[1] > took_ms[0] + 50);
}

/* ---- from pad to pad, between pads ---- */

static void a_card_that_moves_to_another_pad_is_soon_gone_from_the_first(void **state)
{
    (void)state;
    tags_met();
    for (uint8_t n = 0; n < 80; n++) { /* below others, on a full table, where it is looked for seldom */
        lay(n, n < 10 ? 2 : 3 + n % 13);
    }
    tags_run(2000);
    tags_forget();
    lift(0);
    lay(0, 9);
    tags_run(200);
    assert_int_equal(told_of(TW_SIGHT_CAME, 9, 0), 1);
    assert_int_equal(told_of(TW_SIGHT_GONE, 2, 0), 1);
}

static void a_card_that_two_readers_hear_is_told_of_both(void **state)
{
    (void)state;
    uid_t7 uid = sticker(5);
    tags_met();
    native_tag(uid.bytes, 7, 1u << 4 | 1u << 5);
    tags_run(1000);
    assert_int_equal(told_of(TW_SIGHT_CAME, 4, 5), 1);
    assert_int_equal(told_of(TW_SIGHT_CAME, 5, 5), 1);
    assert_int_equal(told_of(TW_SIGHT_GONE, ANYWHERE, 5), 0);
}

/* It never leaves a field on its way, so nothing wakes it. */
static void smuggle(uint8_t n, uint8_t from, uint8_t to)
{
    uid_t7 uid = sticker(n);
    native_tag(uid.bytes, 7, 1u << from | 1u << to);
    native_tag(uid.bytes, 7, 1u << to);
}

static void a_card_that_keeps_quiet_when_it_comes_is_found_at_once_beside_where_it_was(void **state)
{
    (void)state;
    static const uint8_t beside[] = {5, 8, 0};
    for (unsigned i = 0; i < sizeof beside; i++) {
        tags_met();
        lay(1, beside[i]);
        lay(2, 4);
        lay(5, 4);
        tags_run(100);
        smuggle(5, 4, beside[i]);
        tags_run(800); /* as long as it takes until it is gone from where it was */
        assert_int_equal(told_of(TW_SIGHT_CAME, beside[i], 5), 1);
        assert_int_equal(told_of(TW_SIGHT_GONE, 4, 5), 1);
    }
}

static void a_card_that_the_neighbour_heard_first_is_told_of_its_own_pad_in_the_next_pass(void **state)
{
    (void)state;
    tags_met();
    lay(1, 5);
    tags_run(100);
    uid_t7 uid = sticker(5);
    native_tag(uid.bytes, 7, 1u << 4 | 1u << 5);
    tags_run(60);
    assert_int_equal(told_of(TW_SIGHT_CAME, 4, 5), 1);
    assert_int_equal(told_of(TW_SIGHT_CAME, 5, 5), 1);
}

static void anywhere_else_it_is_found_when_nobody_plays(void **state)
{
    (void)state;
    tags_met();
    lay(1, 15);
    lay(5, 4);
    tags_run(100);
    smuggle(5, 4, 15);
    tags_run(20000);
    assert_int_equal(told_of(TW_SIGHT_CAME, 15, 5), 1);
    assert_int_equal(told_of(TW_SIGHT_GONE, 4, 5), 1);
    assert_int_equal(told_count(), 4);
}

/* ---- fields in groups ---- */

static void with_groups_only_one_of_them_has_its_fields_on(void **state)
{
    (void)state;
    tags_met();
    assert_int_equal(set(TW_PARAM_KEY_FIELD_GROUPS, 4).code, TW_RESULT_CODE_OK);
    tags_run(200);
    native_readers.fields_max = 0;
    native_readers.neighbours_lit = 0;
    for (uint8_t n = 0; n < 32; n++) {
        lay(n, n % 16);
    }
    tags_run(1500);
    assert_int_equal(told_of(TW_SIGHT_CAME, ANYWHERE, NO_STICKER), 32);
    assert_int_equal(native_readers.fields_max, 4);
    assert_int_equal(native_readers.neighbours_lit, 0);
    tags_run(3000);
    assert_int_equal(told_count(), 32);
    lift(7);
    lift(20);
    tags_run(3000);
    assert_int_equal(told_count(), 34);
    assert_int_equal(set(TW_PARAM_KEY_FIELD_GROUPS, 2).code, TW_RESULT_CODE_OK);
    native_readers.fields_max = 0;
    tags_run(3000);
    assert_int_equal(native_readers.fields_max, 8);
    assert_int_equal(set(TW_PARAM_KEY_FIELD_GROUPS, 1).code, TW_RESULT_CODE_OK);
    tags_run(3000);
    assert_int_equal(native_readers.fields_max, 16);
    assert_int_equal(told_count(), 34);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_cards_that_come_to_one_pad_at_once_are_all_read),
        cmocka_unit_test(tags_that_differ_in_any_one_bit_are_told_apart),
        cmocka_unit_test(short_uids_are_read_too_even_one_that_begins_like_half_of_a_long_one),
        cmocka_unit_test(a_pad_keeps_a_pile_and_two_more_and_the_rest_when_there_is_room),
        cmocka_unit_test(a_tag_that_hears_every_second_call_lies_where_it_lies),
        cmocka_unit_test(answers_that_are_garbled_are_no_misses),
        cmocka_unit_test(an_answer_that_was_bent_on_its_way_makes_no_tag_that_is_not_there),
        cmocka_unit_test(a_resting_card_that_is_missed_now_and_then_all_evening_never_leaves),
        cmocka_unit_test(a_tag_that_was_missed_and_is_back_is_counted_and_not_told),
        cmocka_unit_test(a_tag_is_gone_after_as_many_misses_as_are_set),
        cmocka_unit_test(a_card_that_moves_to_another_pad_is_soon_gone_from_the_first),
        cmocka_unit_test(a_card_that_two_readers_hear_is_told_of_both),
        cmocka_unit_test(a_card_that_keeps_quiet_when_it_comes_is_found_at_once_beside_where_it_was),
        cmocka_unit_test(a_card_that_the_neighbour_heard_first_is_told_of_its_own_pad_in_the_next_pass),
        cmocka_unit_test(anywhere_else_it_is_found_when_nobody_plays),
        cmocka_unit_test(with_groups_only_one_of_them_has_its_fields_on),
    };
    return cmocka_run_group_tests_name("tags_read", tests, NULL, NULL);
}
