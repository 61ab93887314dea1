/* The board's side of a session: finding one another, and the heartbeat. */
#include "check.h"

#include <string.h>

#include "board.h"
#include "clock.h"
#include "hal_native.h"
#include "host.h"
#include "link.h"

/* ---- finding one another ---- */

static void says_hello_at_boot_and_nothing_else_until_a_host_is_heard(void **state)
{
    (void)state;
    native_new();
    native_boot();
    host_new();
    native.counts[3] = N_STRONG_COUNTS;
    native_run(5000);
    heard_t heard;
    assert_false(host_take(&heard));

    native_new();
    host_new();
    native_boot();
    assert_true(host_take(&heard));
    assert_int_equal(heard.type, TW_MSG_HELLO);
    assert_false(host_take(&heard));
}

static void hello_tells_who_the_board_is(void **state)
{
    (void)state;
    native_new();
    native.reset_cause = TW_RESET_CAUSE_WATCHDOG;
    host_new();
    native_boot();
    heard_t heard;
    assert_true(host_take_type(TW_MSG_HELLO, &heard));
    assert_int_equal(heard.size, 35);
    assert_int_equal(heard.hello.major, 1);
    assert_int_equal(heard.hello.kind, TW_BOARD_KIND_CIRKIS);
    assert_int_equal(heard.hello.sensor_count, 201);
    assert_int_equal(heard.hello.features, 1 + 4 + 8 + 16 + 32);
    assert_int_equal(heard.hello.payload_max, 115);
    assert_int_equal(heard.hello.ring_count, 128);
    assert_int_equal(heard.hello.reset_cause, TW_RESET_CAUSE_WATCHDOG);
    assert_int_equal(heard.hello.last_number, 0);
    assert_int_equal(heard.hello.oldest_number, 1);
    assert_int_not_equal(heard.hello.nonce, 0);
}

static void each_boot_has_another_nonce_even_when_the_noise_is_the_same(void **state)
{
    (void)state;
    uint32_t nonces[5];
    native_new();
    native.entropy = 0;
    for (int i = 0; i < 5; i++) {
        native_boot();
        nonces[i] = link_status.nonce;
        assert_int_not_equal(nonces[i], 0);
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(nonces[i], nonces[k]);
        }
    }
}

static void a_power_cut_in_the_first_moments_never_makes_a_nonce_come_twice(void **state)
{
    (void)state;
    uint32_t told[20];
    unsigned told_count = 0;
    native_new();
    native.eeprom_write_ms = 4;
    for (uint32_t boot = 0; boot < 20; boot++) {
        native.writes_until_cut = boot < 12 ? boot % 6 : NATIVE_NEVER;
        native_boot();
        if (!native.link_open) {
            continue; /* the power failed before it could speak */
        }
        for (unsigned i = 0; i < told_count; i++) {
            assert_int_not_equal(link_status.nonce, told[i]);
        }
        told[told_count++] = link_status.nonce;
    }
    assert_in_range(told_count, 8, 20);
}

static void a_board_whose_eeprom_is_broken_speaks_all_the_same(void **state)
{
    (void)state;
    native_new();
    native.eeprom_write_ms = 100000;
    native_boot();
    assert_false(native.link_open);
    native_run(100);
    assert_true(native.link_open);
}

static void the_first_scan_after_power_on_is_not_believed(void **state)
{
    (void)state;
    heard_t heard;
    native_new();
    native.counts[7] = 1023; /* a sensor that is not awake yet */
    native.scan_ms = 40;
    native_boot();
    native.counts[7] = EMPTY_COUNTS;
    native_run(100);
    host_new();
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    native_run(100);
    assert_true(host_take_type(TW_MSG_SNAPSHOT, &heard));
    assert_int_equal(heard.snapshot.number, 0);
    assert_int_equal(host_class(&heard, 7), 0);
}

static void what_lies_there_at_power_on_is_the_beginning_and_no_change(void **state)
{
    (void)state;
    heard_t heard;
    native_new();
    native.counts[7] = N_STRONG_COUNTS;
    native.counts[200] = N_WEAK_COUNTS;
    native_boot();
    host_new();
    host_hello();
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    native_run(100);
    assert_true(host_take_type(TW_MSG_SNAPSHOT, &heard));
    assert_int_equal(heard.snapshot.number, 0);
    assert_int_equal(heard.snapshot.count, 201);
    for (unsigned sensor = 0; sensor < 201; sensor++) {
        assert_int_equal(host_class(&heard, sensor), sensor == 7 ? 2 : sensor == 200 ? 1 : 0);
    }
    assert_int_equal(host_count(TW_MSG_EVENTS), 0);
}

/* ---- the heartbeat ---- */

static void status_comes_every_second_and_on_request(void **state)
{
    (void)state;
    heard_t heard;
    host_met();
    host_count(0);
    native_run(10000);
    assert_in_range(host_count(TW_MSG_STATUS), 9, 10);
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_STATUS, &heard));
    assert_int_equal(heard.status.device_ms, native.ms);
    assert_int_equal(heard.status.supply_mv, 4990);
    assert_int_equal(heard.status.stack_free, 2222);
    assert_int_equal(heard.status.rx_overrun, 3);
    assert_int_equal(heard.status.settings, TW_SETTINGS_NONE);
    assert_in_range(heard.status.scan_hz, 166, 168); /* a scan in 6 ms */
}

static void status_counts_what_was_damaged_lost_and_not_understood(void **state)
{
    (void)state;
    /* The second frame of a host lost, one of an unknown type, one too short, one with a wrong checksum (its type was
     * flipped), one whose stuffing points past the end, three bytes between zeros. */
    static const uint8_t stream[] = {0, 9, 'a', 'b', 'c', 0, 0, 3, 'a', 'b', 0, 0, 3, 0x49, 1, 3, 0x4B, 0xA1, 0};
    heard_t heard;
    host_met(); /* frame 0 */
    for (unsigned i = 0; i < 2; i++) {
        host_say(i == 0 ? TW_MSG_STATUS_REQ : 0x7E, NULL, 0); /* frames 1 and 2 */
        if (i == 0) {
            native.rx_count = 0;
        }
    }
    uint8_t half[3] = {1, 0, 1};
    host_say(TW_MSG_PARAM, half, sizeof half);
    memcpy(native.rx + native.rx_count, stream, sizeof stream);
    native.rx_count += sizeof stream;
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(4);
    assert_true(host_take_type(TW_MSG_STATUS, &heard));
    assert_int_equal(heard.status.rx_lost, 1);
    assert_int_equal(heard.status.rx_unknown, 2);
    assert_int_equal(heard.status.rx_bad_cobs, 1);
    assert_int_equal(heard.status.rx_bad_length, 1);
    assert_int_equal(heard.status.rx_bad_crc, 1);
    assert_int_equal(heard.status.rx_frames, 4);
}

static void a_frame_that_comes_twice_is_no_loss(void **state)
{
    (void)state;
    heard_t heard;
    host_met();
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    size_t size = native.rx_count;
    memcpy(native.rx + size, native.rx, size);
    native.rx_count = 2 * size;
    native_run(1);
    host_count(0);
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_STATUS, &heard));
    assert_int_equal(heard.status.rx_lost, 0);
    assert_int_equal(heard.status.rx_frames, 4);
}

static void status_counts_what_was_sent_again(void **state)
{
    (void)state;
    heard_t heard;
    host_met();
    native_lay(7, 1, N_STRONG_COUNTS);
    native_run(1000);
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(1);
    unsigned sent = 0;
    while (host_take(&heard)) {
        sent += heard.type == TW_MSG_EVENTS;
    }
    assert_true(sent > 3);
    assert_int_equal(heard.type, TW_MSG_STATUS);
    assert_int_equal(heard.status.tx_retries, sent - 1);
}

typedef struct {
    uint32_t device_ms;
    uint32_t last_number;
} said_t;

/* What the heartbeat promises: a change in it is not later than it, and one that is not in it is not earlier. */
static void check_change(const said_t *said, unsigned count, uint32_t number, uint32_t ms)
{
    for (unsigned i = 0; i < count; i++) {
        assert_false(number <= said[i].last_number ? clock_before(said[i].device_ms, ms) : clock_before(ms, said[i].device_ms));
    }
}

static void what_status_says_of_the_time_holds_when_rows_of_the_scan_come_late(void **state)
{
    (void)state;
    heard_t heard;
    said_t said[1000];
    unsigned said_count = 0;
    unsigned changes = 0;
    host_met();
    for (unsigned scan = 0; scan < 40; scan++) {
        uint32_t last_ms = native.ms + 17;
        for (unsigned i = 0; i < WIRING_SENSOR_COUNT; i++) {
            native.counts[i] = scan / 4 % 2 == 0 && i % 7 == scan / 8 ? N_STRONG_COUNTS : EMPTY_COUNTS;
        }
        native_scan_late(last_ms);
        for (unsigned step = 0; step < 20; step++) {
            /* Four rows are taken in a step. In every other scan the clock is read just before the last row is
             * complete. */
            native.ms = scan % 2 == 0 && step < 4 ? last_ms - 1 : last_ms + 5;
            host_say(TW_MSG_STATUS_REQ, NULL, 0);
            board_step();
            while (host_take(&heard)) {
                if (heard.type == TW_MSG_STATUS) {
                    said[said_count++] = (said_t){heard.status.device_ms, heard.status.last_number};
                    assert_true(said_count < 2 || !clock_before(heard.status.device_ms, said[said_count - 2].device_ms));
                } else if (heard.type == TW_MSG_EVENTS) {
                    for (unsigned i = 0; i < heard.events.count; i++, changes++) {
                        check_change(said, said_count, heard.events.first_number + i,
                                     heard.events.base_ms + host_row(&heard, i)->dt_ms);
                    }
                    host_ack(heard.events.first_number + heard.events.count - 1);
                }
            }
        }
    }
    assert_true(changes > 100);
    assert_in_range(said_count, 700, 1000);
}

static void frames_are_numbered_and_repeat_the_number_last_heard(void **state)
{
    (void)state;
    heard_t first;
    heard_t second;
    host_met();
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(1);
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_STATUS, &first));
    assert_true(host_take_type(TW_MSG_STATUS, &second));
    assert_int_equal(second.seq, first.seq + 1);
    assert_int_equal(first.ack, 1);
    assert_int_equal(second.ack, 2);
}

static void a_longer_message_of_a_later_version_is_understood(void **state)
{
    (void)state;
    heard_t heard;
    host_met();
    uint8_t longer[] = {TW_MAJOR, TW_MINOR + 1, 77, 78};
    host_say(TW_MSG_HOST_HELLO, longer, sizeof longer);
    native_run(1);
    assert_true(host_take_type(TW_MSG_HELLO, &heard));
}

static void requests_that_wait_together_are_answered_one_in_a_step_so_that_the_scan_goes_on(void **state)
{
    (void)state;
    heard_t heard;
    host_met();
    for (int i = 0; i < 20; i++) {
        host_say(TW_MSG_STATUS_REQ, NULL, 0);
        native.rx_count--; /* two frames may share a zero */
    }
    for (int i = 0; i < 30; i++) {
        board_step();
        assert_true(host_count(TW_MSG_STATUS) <= 1);
    }
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(2);
    assert_true(host_take_type(TW_MSG_STATUS, &heard));
    assert_true(host_take_type(TW_MSG_STATUS, &heard));
    assert_int_equal(heard.status.rx_frames, 22); /* all were heard */
}

/* The clock wraps within the test, just after the board has met its host. */
static int late(void **state)
{
    (void)state;
    native_boot_ms = UINT32_MAX - 60;
    return 0;
}

static int early(void **state)
{
    (void)state;
    native_boot_ms = 0;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_hello_at_boot_and_nothing_else_until_a_host_is_heard),
        cmocka_unit_test(hello_tells_who_the_board_is),
        cmocka_unit_test(each_boot_has_another_nonce_even_when_the_noise_is_the_same),
        cmocka_unit_test(a_power_cut_in_the_first_moments_never_makes_a_nonce_come_twice),
        cmocka_unit_test(a_board_whose_eeprom_is_broken_speaks_all_the_same),
        cmocka_unit_test(the_first_scan_after_power_on_is_not_believed),
        cmocka_unit_test(what_lies_there_at_power_on_is_the_beginning_and_no_change),
        cmocka_unit_test_setup_teardown(status_comes_every_second_and_on_request, late, early),
        cmocka_unit_test(status_counts_what_was_damaged_lost_and_not_understood),
        cmocka_unit_test(a_frame_that_comes_twice_is_no_loss),
        cmocka_unit_test(status_counts_what_was_sent_again),
        cmocka_unit_test_setup_teardown(what_status_says_of_the_time_holds_when_rows_of_the_scan_come_late, late, early),
        cmocka_unit_test(frames_are_numbered_and_repeat_the_number_last_heard),
        cmocka_unit_test(a_longer_message_of_a_later_version_is_understood),
        cmocka_unit_test(requests_that_wait_together_are_answered_one_in_a_step_so_that_the_scan_goes_on),
    };
    return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
