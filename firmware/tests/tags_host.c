#include "tags_host.h"

#include "check.h"

#include <string.h>

#include "hal_native.h"
#include "hal_native_readers.h"
#include "link.h"

#define BOOT_MAX_MS 3000u

static told_t rows[ROWS_MAX];
static unsigned row_count;
static uint32_t last_number;

uid_t7 sticker(uint8_t n)
{
    return (uid_t7){{0x04, 0xA1, (uint8_t)(n % 3), (uint8_t)(n * 37 + 5), (uint8_t)(n / 2), 0x80, (uint8_t)(n * 91)}};
}

void lay(uint8_t n, uint8_t reader)
{
    uid_t7 uid = sticker(n);
    native_tag(uid.bytes, 7, 1u << reader);
}

void lift(uint8_t n)
{
    uid_t7 uid = sticker(n);
    native_tag(uid.bytes, 7, 0);
}

void tags_forget(void)
{
    row_count = 0;
}

bool tags_take(void)
{
    heard_t heard;
    bool any = false;
    while (host_take(&heard)) {
        if (heard.type != TW_MSG_TAGS) {
            continue;
        }
        any = true;
        tw_tags_t head;
        memcpy(&head, heard.bytes, sizeof head);
        assert_int_equal(head.nonce, link_status.nonce);
        assert_int_equal(heard.size, sizeof head + head.count * sizeof(tw_tag_row_t));
        for (unsigned i = 0; i < head.count; i++) {
            told_t one = {.number = head.first_number + i};
            memcpy(&one.row, heard.bytes + sizeof head + i * sizeof one.row, sizeof one.row);
            one.ms = head.base_ms + one.row.dt_ms;
            if (one.number > last_number) {
                assert_true(one.number == last_number + 1 || one.row.what == TW_SIGHT_ANEW);
                assert_true(row_count < ROWS_MAX);
                rows[row_count++] = one;
                last_number = one.number;
            }
        }
    }
    return any;
}

void tags_start(void)
{
    row_count = 0;
    last_number = 0;
    native_boot();
    host_new();
    for (unsigned ms = 0; link_status.nonce == 0 || !native.link_open; ms++) {
        assert_true(ms < BOOT_MAX_MS);
        native_run(1);
    }
    host_hello();
    native_run(2);
    tags_take();
}

void tags_met(void)
{
    native_new();
    tags_start();
    tags_run(100);
    tags_forget();
}

void tags_run(uint32_t ms)
{
    for (uint32_t i = 0; i < ms; i++) {
        native_run(1);
        if (tags_take()) {
            host_ack(last_number);
        }
    }
}

unsigned told_count(void)
{
    return row_count;
}

const told_t *told(unsigned index)
{
    assert_true(index < row_count);
    return &rows[index];
}

unsigned told_of(uint8_t what, uint8_t source, uint8_t n)
{
    unsigned count = 0;
    uid_t7 uid = sticker(n);
    for (unsigned i = 0; i < row_count; i++) {
        const tw_tag_row_t *row = &rows[i].row;
        bool mine = n == NO_STICKER || (row->uid_size == 7 && memcmp(row->uid, uid.bytes, 7) == 0);
        count += row->what == what && (source == ANYWHERE || row->source == source) && mine;
    }
    return count;
}

heard_t status_now(void)
{
    heard_t heard;
    tags_take();
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_STATUS, &heard));
    return heard;
}

const tw_reader_row_t *reader_row(const heard_t *status, unsigned reader)
{
    return (const tw_reader_row_t *)(const void *)(status->bytes + sizeof(tw_status_t)) + reader;
}

tw_result_t set(uint8_t key, uint32_t value)
{
    static uint8_t token;
    heard_t heard;
    tw_param_t order = {.token = ++token, .op = TW_PARAM_OP_SET, .key = key, .value = value};
    host_say(TW_MSG_PARAM, &order, sizeof order);
    native_run(1);
    assert_true(host_take_type(TW_MSG_RESULT, &heard));
    assert_int_equal(heard.result.token, token);
    return heard.result;
}
