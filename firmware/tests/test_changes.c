/* Changes and snapshots: told in order, again until they are safe, and never lost. */
#include "check.h"

#include "hal_native.h"
#include "host.h"
#include "link.h"
#include "outbox.h"

/* ---- changes ---- */

static void a_change_is_told_and_told_again_until_it_is_acknowledged(void **state)
{
    (void)state;
    heard_t first;
    heard_t again;
    host_met();
    native_lay(7, 1, N_STRONG_COUNTS);
    assert_true(host_take_type(TW_MSG_EVENTS, &first));
    assert_int_equal(first.events.nonce, link_status.nonce);
    assert_int_equal(first.events.first_number, 1);
    assert_int_equal(first.events.count, 1);
    assert_int_equal(host_row(&first, 0)->sensor, 7);
    assert_int_equal(host_row(&first, 0)->classes, 0x02);
    native_run(200);
    assert_true(host_take_type(TW_MSG_EVENTS, &again));
    assert_int_equal(again.size, first.size);
    assert_memory_equal(again.bytes, first.bytes, first.size);
    host_ack(1);
    native_run(2);
    host_count(0);
    native_run(2000);
    assert_int_equal(host_count(TW_MSG_EVENTS), 0);
}

static void retries_come_after_30_ms_and_then_ever_more_slowly_up_to_500_ms(void **state)
{
    (void)state;
    static const uint32_t gaps_ms[] = {30, 60, 120, 240, 480, 500, 500};
    host_met();
    native.counts[7] = N_STRONG_COUNTS;
    while (host_count(TW_MSG_EVENTS) == 0) {
        native_run(1);
        assert_true(native.ms - native_boot_ms < 200);
    }
    for (size_t i = 0; i < sizeof gaps_ms / sizeof *gaps_ms; i++) {
        native_run(gaps_ms[i] - 1);
        assert_int_equal(host_count(TW_MSG_EVENTS), 0);
        native_run(1);
        assert_int_equal(host_count(TW_MSG_EVENTS), 1);
    }
}

static void an_acknowledgement_of_another_boot_or_of_the_future_is_not_believed(void **state)
{
    (void)state;
    host_met();
    native_lay(7, 1, N_STRONG_COUNTS);
    tw_ack_t stale = {.nonce = link_status.nonce + 1, .number = 1};
    host_say(TW_MSG_ACK, &stale, sizeof stale);
    host_ack(2);
    native_run(2);
    host_count(0);
    native_run(1000);
    assert_true(host_count(TW_MSG_EVENTS) > 0);
}

static void a_batch_holds_16_rows_and_the_next_one_waits_for_its_acknowledgement(void **state)
{
    (void)state;
    heard_t heard;
    host_met();
    native_lay(0, 40, N_STRONG_COUNTS);
    assert_true(host_take_type(TW_MSG_EVENTS, &heard));
    uint32_t through = heard.events.count;
    assert_in_range(through, 1, 16);
    while (through < 40) {
        host_ack(through);
        native_run(2);
        assert_true(host_take_type(TW_MSG_EVENTS, &heard));
        assert_int_equal(heard.events.first_number, through + 1);
        assert_in_range(heard.events.count, 1, 16);
        for (unsigned i = 0, before_ms = 0; i < heard.events.count; i++) {
            assert_true(host_row(&heard, i)->dt_ms >= before_ms);
            before_ms = host_row(&heard, i)->dt_ms;
        }
        through += heard.events.count;
    }
    assert_int_equal(through, 40);
}

static void after_two_failed_tries_a_batch_comes_in_halves(void **state)
{
    (void)state;
    static const unsigned rows[] = {16, 16, 8, 8, 4, 4, 2, 2, 1, 1, 1, 1};
    heard_t whole;
    heard_t heard;
    native_new();
    native_boot();
    host_new();
    native_lay(0, 40, N_STRONG_COUNTS); /* before any host is there, so that the first batch is full */
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(6000);
    assert_true(host_take_type(TW_MSG_EVENTS, &whole));
    assert_int_equal(whole.events.count, rows[0]);
    for (unsigned i = 1; i < sizeof rows / sizeof *rows; i++) {
        assert_true(host_take_type(TW_MSG_EVENTS, &heard));
        assert_int_equal(heard.events.first_number, 1);
        assert_int_equal(heard.events.base_ms, whole.events.base_ms);
        assert_int_equal(heard.events.count, rows[i]);
        assert_memory_equal(host_row(&heard, 0), host_row(&whole, 0), rows[i] * sizeof(tw_event_row_t));
    }
    static const unsigned later[] = {2, 4, 8, 16, 9};
    uint32_t through = 1;
    for (unsigned i = 0; i < sizeof later / sizeof *later; i++) {
        host_count(0);
        host_ack(through);
        native_run(2);
        assert_true(host_take_type(TW_MSG_EVENTS, &heard));
        assert_int_equal(heard.events.first_number, through + 1);
        assert_int_equal(heard.events.count, later[i]);
        through += later[i];
    }
    assert_int_equal(through, 40);
}

static void a_new_change_makes_a_slow_retry_quick_again(void **state)
{
    (void)state;
    host_met();
    native_lay(7, 1, N_STRONG_COUNTS);
    native_run(3000); /* every 500 ms by now */
    while (host_count(TW_MSG_EVENTS) == 0) {
        native_run(1);
    }
    native.counts[8] = N_STRONG_COUNTS;
    native_run(30); /* until it is believed */
    assert_int_equal(host_count(TW_MSG_EVENTS), 0);
    native_run(32);
    assert_int_equal(host_count(TW_MSG_EVENTS), 1);
    native_run(62); /* and slows down from there */
    assert_int_equal(host_count(TW_MSG_EVENTS), 1);
}

static void changes_more_than_65_s_apart_are_two_batches(void **state)
{
    (void)state;
    heard_t heard;
    native_new();
    native_boot();
    host_new();
    native_lay(7, 1, N_STRONG_COUNTS);
    native_run(65000);
    native_lay(8, 1, N_STRONG_COUNTS);
    native_run(1000);
    native_lay(9, 1, N_STRONG_COUNTS);
    host_hello();
    native_run(1);
    assert_true(host_take_type(TW_MSG_EVENTS, &heard));
    assert_int_equal(heard.events.count, 2);
    assert_in_range(host_row(&heard, 1)->dt_ms, 65000, 65535);
    uint32_t base_ms = heard.events.base_ms;
    host_ack(2);
    native_run(1);
    assert_true(host_take_type(TW_MSG_EVENTS, &heard));
    assert_int_equal(heard.events.count, 1);
    assert_in_range(heard.events.base_ms - base_ms, 66000, 66200);
}

static void after_a_new_hello_batches_are_long_again(void **state)
{
    (void)state;
    heard_t heard;
    native_new();
    native_boot();
    host_new();
    native_lay(0, 40, N_STRONG_COUNTS);
    host_hello();
    native_run(6000); /* down to one row */
    host_count(0);
    host_hello();
    host_ack(1);
    native_run(2);
    assert_true(host_take_type(TW_MSG_EVENTS, &heard));
    while (heard.events.first_number == 1) {
        assert_true(host_take_type(TW_MSG_EVENTS, &heard));
    }
    assert_int_equal(heard.events.first_number, 2);
    assert_int_equal(heard.events.count, 16);
}

static void a_host_that_kept_half_of_a_batch_goes_on_from_there_at_once(void **state)
{
    (void)state;
    heard_t heard;
    native_new();
    native_boot();
    host_new();
    native_lay(0, 10, N_STRONG_COUNTS);
    host_hello();
    native_run(1);
    assert_true(host_take_type(TW_MSG_EVENTS, &heard));
    assert_int_equal(heard.events.count, 10);
    host_ack(4);
    native_run(1);
    assert_true(host_take_type(TW_MSG_EVENTS, &heard));
    assert_int_equal(heard.events.first_number, 5);
    assert_int_equal(heard.events.count, 6);
}

static void a_new_hello_brings_at_once_what_is_under_way(void **state)
{
    (void)state;
    heard_t heard;
    host_met();
    native_lay(7, 1, N_STRONG_COUNTS);
    native_run(3000);
    host_count(0);
    host_hello();
    native_run(1);
    assert_true(host_take_type(TW_MSG_HELLO, &heard));
    assert_int_equal(heard.hello.last_number, 1);
    assert_int_equal(heard.hello.oldest_number, 1);
    assert_true(host_take_type(TW_MSG_EVENTS, &heard));
}

static void a_full_line_delays_changes_and_loses_none(void **state)
{
    (void)state;
    heard_t heard;
    host_met();
    native.tx_room = 10;
    native_lay(7, 1, N_STRONG_COUNTS);
    native_run(2000);
    assert_false(host_take(&heard));
    assert_int_equal(outbox_retry_count(), 0);
    assert_true(link_status.tx_dropped > 0); /* heartbeats */
    native.tx_room = NATIVE_LINE_BYTES;
    native_run(2);
    assert_true(host_take_type(TW_MSG_EVENTS, &heard));
    assert_int_equal(heard.events.first_number, 1);
}

/* ---- snapshots ---- */

static void a_snapshot_is_the_table_before_the_oldest_change_still_kept(void **state)
{
    (void)state;
    heard_t events;
    heard_t heard;
    host_met();
    native_lay(7, 1, N_STRONG_COUNTS);
    host_count(0);
    host_ack(1);
    native_lay(8, 1, N_STRONG_COUNTS);
    native_lay(7, 1, EMPTY_COUNTS);
    native_lay(7, 1, N_STRONG_COUNTS);
    assert_true(host_take_type(TW_MSG_EVENTS, &events));
    assert_int_equal(events.events.first_number, 2);
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_SNAPSHOT, &heard));
    assert_int_equal(heard.snapshot.number, 1);
    assert_int_equal(heard.snapshot.device_ms, events.events.base_ms);
    assert_int_equal(host_class(&heard, 7), 2);
    assert_int_equal(host_class(&heard, 8), 0);
    host_ack(4);
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_SNAPSHOT, &heard));
    assert_int_equal(heard.snapshot.number, 4);
    assert_int_equal(host_class(&heard, 7), 2);
    assert_int_equal(host_class(&heard, 8), 2);
    assert_int_equal(heard.snapshot.device_ms, native.ms);
}

static void a_full_ring_becomes_a_snapshot_and_goes_on_from_there(void **state)
{
    (void)state;
    heard_t heard;
    native_new();
    native_boot();
    host_new();
    native_lay(0, 128, N_STRONG_COUNTS);
    assert_int_equal(outbox_oldest_number(), 1);
    native_lay(128, 2, N_STRONG_COUNTS); /* one overflows the ring, one comes after that */
    assert_int_equal(outbox_overflow_count(), 1);
    host_hello();
    native_run(1);
    assert_true(host_take_type(TW_MSG_SNAPSHOT, &heard));
    assert_int_equal(heard.snapshot.number, 130);
    for (unsigned sensor = 0; sensor < 201; sensor++) {
        assert_int_equal(host_class(&heard, sensor), sensor < 130 ? 2 : 0);
    }
    native_lay(140, 1, N_STRONG_COUNTS); /* while the snapshot is under way */
    assert_true(host_take_type(TW_MSG_SNAPSHOT, &heard));
    assert_int_equal(heard.snapshot.number, 130);
    assert_int_equal(host_class(&heard, 140), 0);
    host_count(0);
    host_ack(130);
    native_run(1);
    assert_true(host_take_type(TW_MSG_EVENTS, &heard));
    assert_int_equal(heard.events.first_number, 131);
    assert_int_equal(host_row(&heard, 0)->sensor, 140);
}

static void a_ring_that_overflows_with_a_batch_under_way_becomes_a_snapshot_too(void **state)
{
    (void)state;
    heard_t heard;
    host_met();
    native_lay(0, 1, N_STRONG_COUNTS);
    assert_true(host_take_type(TW_MSG_EVENTS, &heard));
    native_lay(1, 128, N_STRONG_COUNTS);
    native_run(100);
    assert_true(host_take_type(TW_MSG_SNAPSHOT, &heard));
    assert_int_equal(heard.snapshot.number, 129);
    for (unsigned sensor = 0; sensor < 201; sensor++) {
        assert_int_equal(host_class(&heard, sensor), sensor < 129 ? TW_MAGNET_CLASS_N_STRONG : TW_MAGNET_CLASS_EMPTY);
    }
    host_ack(129);
    native_run(2);
    host_count(0);
    native_run(1000);
    assert_int_equal(host_count(TW_MSG_EVENTS), 0);
}

/* The clock wraps within each test, between the first change of most and its first retry. */
static int begin(void **state)
{
    (void)state;
    native_boot_ms = UINT32_MAX - 85;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_told_and_told_again_until_it_is_acknowledged),
        cmocka_unit_test(retries_come_after_30_ms_and_then_ever_more_slowly_up_to_500_ms),
        cmocka_unit_test(an_acknowledgement_of_another_boot_or_of_the_future_is_not_believed),
        cmocka_unit_test(a_batch_holds_16_rows_and_the_next_one_waits_for_its_acknowledgement),
        cmocka_unit_test(after_two_failed_tries_a_batch_comes_in_halves),
        cmocka_unit_test(a_new_change_makes_a_slow_retry_quick_again),
        cmocka_unit_test(changes_more_than_65_s_apart_are_two_batches),
        cmocka_unit_test(after_a_new_hello_batches_are_long_again),
        cmocka_unit_test(a_host_that_kept_half_of_a_batch_goes_on_from_there_at_once),
        cmocka_unit_test(a_new_hello_brings_at_once_what_is_under_way),
        cmocka_unit_test(a_full_line_delays_changes_and_loses_none),
        cmocka_unit_test(a_snapshot_is_the_table_before_the_oldest_change_still_kept),
        cmocka_unit_test(a_full_ring_becomes_a_snapshot_and_goes_on_from_there),
        cmocka_unit_test(a_ring_that_overflows_with_a_batch_under_way_becomes_a_snapshot_too),
    };
    return cmocka_run_group_tests_name("changes", tests, begin, NULL);
}
