/* What readers and buttons tell: in one numbered sequence, again until it is safe, anew when anything was missed. */
#include "check.h"

#include <string.h>

#include "hal_native.h"
#include "hal_native_readers.h"
#include "link.h"
#include "tags_host.h"

/* ---- the beginning ---- */

static void the_first_change_of_a_boot_says_anew_and_what_lies_there_already_follows_as_found(void **state)
{
    (void)state;
    native_new();
    lay(1, 0);
    lay(2, 7);
    lay(3, 7);
    tags_start();
    tags_run(100);
    assert_int_equal(told_count(), 4);
    assert_int_equal(told(0)->number, 1);
    assert_int_equal(told(0)->row.what, TW_SIGHT_ANEW);
    assert_int_equal(told(0)->row.uid_size, 0);
    assert_int_equal(told_of(TW_SIGHT_FOUND, 0, 1), 1);
    assert_int_equal(told_of(TW_SIGHT_FOUND, 7, 2), 1);
    assert_int_equal(told_of(TW_SIGHT_FOUND, 7, 3), 1);
    assert_int_equal(told_of(TW_SIGHT_CAME, ANYWHERE, NO_STICKER), 0);
}

static void hello_says_that_it_is_a_board_with_readers_and_buttons(void **state)
{
    (void)state;
    heard_t heard;
    native_new();
    native_boot();
    host_new();
    native_run(1000);
    host_hello();
    native_run(1);
    assert_true(host_take_type(TW_MSG_HELLO, &heard));
    assert_int_equal(heard.hello.kind, TW_BOARD_KIND_LIGRETTO);
    assert_int_equal(heard.hello.sensor_count, 0);
    assert_int_equal(heard.hello.reader_count, 16);
    assert_int_equal(heard.hello.button_count, 4);
    assert_int_equal(heard.hello.features, 2 + 4 + 8);
}

static void a_card_comes_and_goes(void **state)
{
    (void)state;
    tags_met();
    lay(9, 5);
    tags_run(60);
    assert_int_equal(told_count(), 1);
    assert_int_equal(told_of(TW_SIGHT_CAME, 5, 9), 1);
    assert_in_range(native.ms - told(0)->ms, 1, 60);
    tags_run(3000); /* it lies there, and nothing more is said */
    assert_int_equal(told_count(), 1);
    lift(9);
    tags_run(2000);
    assert_int_equal(told_count(), 2);
    assert_int_equal(told_of(TW_SIGHT_GONE, 5, 9), 1);
}

/* ---- batches ---- */

static void a_batch_has_eight_rows_and_is_the_same_however_often_it_is_said(void **state)
{
    (void)state;
    heard_t first;
    heard_t again;
    tags_met();
    for (uint8_t n = 0; n < 20; n++) {
        lay(n, n % 16);
    }
    native_run(600);
    do {
        assert_true(host_take_type(TW_MSG_TAGS, &first));
        tw_tags_t head;
        memcpy(&head, first.bytes, sizeof head);
        host_ack(head.first_number + head.count - 1u);
        native_run(1);
    } while (first.bytes[sizeof(tw_tags_t) - 1] < TW_TAGS_ROWS_MAX);
    assert_true(host_take_type(TW_MSG_TAGS, &again)); /* the next batch */
    assert_memory_not_equal(again.bytes, first.bytes, 8);
    native_run(40);
    heard_t third;
    assert_true(host_take_type(TW_MSG_TAGS, &third));
    assert_int_equal(third.size, again.size);
    assert_memory_equal(third.bytes, again.bytes, again.size);
}

static void times_never_fall_and_numbers_have_no_hole(void **state)
{
    (void)state;
    tags_met();
    for (uint8_t n = 0; n < 60; n++) {
        lay(n, (uint8_t)(n * 7 % 16));
        if (n >= 10) {
            lift((uint8_t)(n - 10));
        }
        tags_run(25);
    }
    tags_run(2000);
    assert_true(told_count() >= 110);
    for (unsigned i = 1; i < told_count(); i++) {
        assert_int_equal(told(i)->number, told(i - 1)->number + 1);
        assert_true((int32_t)(told(i)->ms - told(i - 1)->ms) >= 0);
    }
    for (uint8_t n = 0; n < 60; n++) {
        assert_int_equal(told_of(TW_SIGHT_CAME, (uint8_t)(n * 7 % 16), n), 1);
        assert_int_equal(told_of(TW_SIGHT_GONE, (uint8_t)(n * 7 % 16), n), n < 50 ? 1 : 0);
    }
}

/* ---- anew ---- */

static void whoever_asks_is_told_everything_anew(void **state)
{
    (void)state;
    tags_met();
    lay(1, 3);
    lay(2, 4);
    tags_run(200);
    tags_forget();
    lay(3, 5);
    native_run(60); /* told, not acknowledged */
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    native_run(1);
    while (host_count(TW_MSG_TAGS) != 0) {
    }
    tags_run(100);
    assert_int_equal(told(0)->row.what, TW_SIGHT_ANEW);
    assert_int_equal(told_of(TW_SIGHT_FOUND, ANYWHERE, NO_STICKER), 3);
    assert_int_equal(told_of(TW_SIGHT_CAME, ANYWHERE, NO_STICKER), 0);
    assert_int_equal(told_count(), 4);
}

static void whoever_asks_before_the_first_answer_came_hears_that_answer_again(void **state)
{
    (void)state;
    heard_t heard;
    native_new();
    lay(1, 3);
    tags_start();
    native_run(10);
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    native_run(2);
    assert_true(host_take_type(TW_MSG_TAGS, &heard));
    tw_tags_t head;
    memcpy(&head, heard.bytes, sizeof head);
    assert_int_equal(head.first_number, 1);
}

#define TEN_ON_EACH 160u /* a complete pile on every pad: more than the 128 rows that fit */

/* 128 rows fit: 64 cards that come and go. */
static void fill_the_ring(void)
{
    for (uint8_t round = 0; round < 5; round++) {
        for (uint8_t n = 0; n < 16; n++) {
            lay(n, n);
        }
        native_run(400);
        for (uint8_t n = 0; n < 16; n++) {
            lift(n);
        }
        native_run(2000);
    }
}

static void a_full_ring_loses_nothing_without_a_word(void **state)
{
    (void)state;
    tags_met();
    fill_the_ring();
    lay(40, 2);
    lay(41, 2);
    native_run(300);
    heard_t status = status_now();
    assert_in_range(status.status.ring_overflows, 1, 200);
    tags_run(1000);
    unsigned anew = 0;
    while (told(anew)->row.what != TW_SIGHT_ANEW) {
        anew++;
    }
    assert_int_equal(anew, 128); /* all that was kept, in its order, comes first */
    assert_int_equal(told_count(), 128 + 3);
    assert_int_equal(told_of(TW_SIGHT_FOUND, 2, 40), 1);
    assert_int_equal(told_of(TW_SIGHT_FOUND, 2, 41), 1);
}

static void telling_more_than_the_ring_holds_waits_for_room(void **state)
{
    (void)state;
    native_new();
    for (uint8_t n = 0; n < TEN_ON_EACH; n++) {
        lay(n, n % 16);
    }
    tags_start();
    native_run(3000);
    assert_int_equal(link_status.ring_overflows, 0);
    tags_run(1500);
    assert_int_equal(told_count(), 1 + TEN_ON_EACH);
    tags_forget();
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    native_run(1000);
    tags_run(1500);
    assert_int_equal(told_count(), 1 + TEN_ON_EACH);
    for (uint8_t n = 0; n < TEN_ON_EACH; n++) {
        assert_int_equal(told_of(TW_SIGHT_FOUND, n % 16, n), 1);
    }
    assert_int_equal(told_of(TW_SIGHT_GONE, ANYWHERE, NO_STICKER), 0);
    assert_int_equal(link_status.ring_overflows, 0);
}

/* ---- buttons ---- */

static void a_button_is_down_and_up_again_however_it_bounces(void **state)
{
    (void)state;
    tags_met();
    for (int i = 0; i < 6; i++) {
        native_readers.buttons ^= 4;
        tags_run(2);
    }
    native_readers.buttons = 4;
    uint32_t pressed_ms = native.ms;
    tags_run(60);
    assert_int_equal(told_count(), 1);
    assert_int_equal(told_of(TW_SIGHT_DOWN, 2, NO_STICKER), 1);
    assert_in_range(told(0)->ms - pressed_ms, 10, 30);
    assert_int_equal(told(0)->row.uid_size, 0);
    native_readers.buttons = 0;
    tags_run(60);
    assert_int_equal(told_count(), 2);
    assert_int_equal(told_of(TW_SIGHT_UP, 2, NO_STICKER), 1);
}

static void a_button_held_down_is_told_again_with_everything_else(void **state)
{
    (void)state;
    tags_met();
    native_readers.buttons = 1;
    tags_run(60);
    tags_forget();
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    tags_run(60);
    assert_int_equal(told_of(TW_SIGHT_DOWN, 0, NO_STICKER), 1);
    assert_int_equal(told_count(), 2);
}

static void a_press_that_finds_no_room_or_is_forgotten_is_told_though_it_is_over(void **state)
{
    (void)state;
    tags_met();
    fill_the_ring();
    native_readers.buttons = 8;
    native_run(60);
    native_readers.buttons = 0;
    native_run(60);
    tags_run(1000);
    assert_int_equal(told_of(TW_SIGHT_DOWN, 3, NO_STICKER), 1);
    assert_int_equal(told_of(TW_SIGHT_UP, 3, NO_STICKER), 1);
    tags_forget();
    native_readers.buttons = 2;
    native_run(60);
    native_readers.buttons = 0;
    native_run(60);
    while (host_count(TW_MSG_TAGS) != 0) { /* all of it is lost on the way */
    }
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    native_run(1);
    tags_run(200);
    assert_int_equal(told_of(TW_SIGHT_DOWN, 1, NO_STICKER), 1);
    assert_int_equal(told_of(TW_SIGHT_UP, 1, NO_STICKER), 1);
}

/* The clock wraps within each test. */
static int begin(void **state)
{
    (void)state;
    native_boot_ms = UINT32_MAX - 400;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_change_of_a_boot_says_anew_and_what_lies_there_already_follows_as_found),
        cmocka_unit_test(hello_says_that_it_is_a_board_with_readers_and_buttons),
        cmocka_unit_test(a_card_comes_and_goes),
        cmocka_unit_test(a_batch_has_eight_rows_and_is_the_same_however_often_it_is_said),
        cmocka_unit_test(times_never_fall_and_numbers_have_no_hole),
        cmocka_unit_test(whoever_asks_is_told_everything_anew),
        cmocka_unit_test(whoever_asks_before_the_first_answer_came_hears_that_answer_again),
        cmocka_unit_test(a_full_ring_loses_nothing_without_a_word),
        cmocka_unit_test(telling_more_than_the_ring_holds_waits_for_room),
        cmocka_unit_test(a_button_is_down_and_up_again_however_it_bounces),
        cmocka_unit_test(a_button_held_down_is_told_again_with_everything_else),
        cmocka_unit_test(a_press_that_finds_no_room_or_is_forgotten_is_told_though_it_is_over),
    };
    return cmocka_run_group_tests_name("tags_told", tests, begin, NULL);
}
