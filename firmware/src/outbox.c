#include "outbox.h"

#include "clock.h"

#define RETRY_MIN_MS 30u /* an answer takes under 10 ms on the cable */
#define RETRY_MAX_MS 500u
#define TRIES_MAX 2u /* of one length: a line that spoils two long frames lets short ones through */
#define DT_MAX_MS 0xFFFFu

_Static_assert((OUTBOX_RING_COUNT & (OUTBOX_RING_COUNT - 1u)) == 0, "places are found by a mask");

static struct {
    uint32_t ms[OUTBOX_RING_COUNT]; /* by place */
    uint32_t last_number;
    uint32_t due_ms;
    uint32_t through_number; /* of what is under way: the last number in it */
    uint16_t retry_ms;
    uint16_t retry_count;
    uint16_t overflow_count;
    uint8_t oldest; /* place in the ring */
    uint8_t count;  /* changes kept */
    uint8_t batch_max;
    uint8_t rows_max; /* batch_max at most */
    uint8_t tries; /* of the present length */
    outbox_due_t under_way;
    bool said; /* what is under way, at least once */
    bool snapshot_owed;
    bool refuses;
} box;

uint8_t outbox_place(uint8_t index)
{
    return (uint8_t)(box.oldest + index) & (OUTBOX_RING_COUNT - 1u);
}

uint32_t outbox_ms(uint8_t index)
{
    return box.ms[outbox_place(index)];
}

uint8_t outbox_count(void)
{
    return box.count;
}

void outbox_start(uint8_t batch_max, outbox_overflow_t overflow)
{
    box.last_number = 0;
    box.due_ms = 0;
    box.retry_ms = RETRY_MIN_MS;
    box.retry_count = 0;
    box.overflow_count = 0;
    box.oldest = 0;
    box.count = 0;
    box.batch_max = batch_max;
    box.rows_max = batch_max;
    box.tries = 0;
    box.under_way = OUTBOX_NOTHING;
    box.said = false;
    box.snapshot_owed = false;
    box.refuses = overflow == OUTBOX_REFUSES;
}

/* What is new waits behind what is under way, which may have slowed down while nobody waited for it. */
static void hurry(uint32_t ms)
{
    box.retry_ms = RETRY_MIN_MS;
    if (clock_before(ms + RETRY_MIN_MS, box.due_ms)) {
        box.due_ms = ms + RETRY_MIN_MS;
    }
}

uint8_t outbox_push(uint32_t ms)
{
    uint8_t place = OUTBOX_NO_PLACE;
    if (box.count < OUTBOX_RING_COUNT) {
        box.last_number++;
        if (box.snapshot_owed && box.under_way == OUTBOX_NOTHING) {
            return OUTBOX_NO_PLACE; /* it will be in the snapshot */
        }
        place = outbox_place(box.count++);
        box.ms[place] = ms;
    } else {
        box.overflow_count++;
        if (box.refuses) {
            return OUTBOX_NO_PLACE;
        }
        box.last_number++;
        box.count = 0;
        box.under_way = OUTBOX_NOTHING;
        box.snapshot_owed = true;
    }
    hurry(ms);
    return place;
}

void outbox_forget(void)
{
    box.count = 0;
    box.under_way = OUTBOX_NOTHING;
}

void outbox_acknowledge(uint32_t number)
{
    if (number > box.last_number) {
        return;
    }
    uint32_t first_number = outbox_oldest_number();
    while (box.count > 0 && outbox_oldest_number() <= number) {
        box.oldest++;
        box.count--;
    }
    if (box.under_way == OUTBOX_NOTHING) {
        return;
    }
    if (number >= box.through_number) {
        box.snapshot_owed = false;
        box.under_way = OUTBOX_NOTHING;
        box.rows_max = box.rows_max < box.batch_max / 2u ? (uint8_t)(box.rows_max * 2u) : box.batch_max;
    } else if (box.under_way == OUTBOX_BATCH && number >= first_number) {
        box.under_way = OUTBOX_NOTHING; /* a host that kept half of a batch before it stopped goes on from there */
    }
}

void outbox_resend(uint32_t now_ms)
{
    box.retry_ms = RETRY_MIN_MS;
    box.rows_max = box.batch_max;
    box.tries = 0;
    box.due_ms = now_ms;
}

/* How many of the oldest changes make the next batch. */
static uint8_t batch_rows(void)
{
    uint32_t base_ms = outbox_ms(0);
    uint8_t rows = 0;
    while (rows < box.count && rows < box.rows_max && outbox_ms(rows) - base_ms <= DT_MAX_MS) {
        rows++;
    }
    return rows;
}

/* Decides what goes out next, when nothing is under way. */
static void begin(uint32_t now_ms)
{
    if (box.snapshot_owed) {
        box.under_way = OUTBOX_SNAPSHOT;
        box.through_number = box.last_number;
    } else if (box.count > 0) {
        box.under_way = OUTBOX_BATCH;
        box.through_number = outbox_oldest_number() + batch_rows() - 1u;
    } else {
        return;
    }
    box.said = false;
    box.tries = 0;
    box.retry_ms = RETRY_MIN_MS;
    box.due_ms = now_ms;
}

uint8_t outbox_batch_count(void)
{
    return (uint8_t)(box.through_number - outbox_oldest_number() + 1u);
}

outbox_due_t outbox_due(uint32_t now_ms)
{
    if (box.under_way == OUTBOX_NOTHING) {
        begin(now_ms);
    }
    if (box.under_way == OUTBOX_NOTHING || clock_before(now_ms, box.due_ms)) {
        return OUTBOX_NOTHING;
    }
    /* Numbers and rows stay, so whoever has heard the whole batch hears nothing else in its half. */
    if (box.under_way == OUTBOX_BATCH && box.tries >= TRIES_MAX && outbox_batch_count() > 1) {
        box.rows_max = outbox_batch_count() / 2u;
        box.through_number = outbox_oldest_number() + box.rows_max - 1u;
        box.tries = 0;
    }
    return box.under_way;
}

void outbox_sent(uint32_t now_ms)
{
    if (box.said) {
        box.retry_count++;
        box.retry_ms = box.retry_ms < RETRY_MAX_MS / 2u ? (uint16_t)(box.retry_ms * 2u) : RETRY_MAX_MS;
    }
    box.said = true;
    box.tries++;
    box.due_ms = now_ms + box.retry_ms;
}

uint32_t outbox_last_number(void)
{
    return box.last_number;
}

uint32_t outbox_oldest_number(void)
{
    return box.last_number - box.count + 1u;
}

uint16_t outbox_retry_count(void)
{
    return box.retry_count;
}

uint16_t outbox_overflow_count(void)
{
    return box.overflow_count;
}
