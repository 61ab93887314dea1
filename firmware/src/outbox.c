#include "outbox.h"

#include "clock.h"

#define RETRY_MIN_MS 30u /* an answer takes under 10 ms on the cable */
#define RETRY_MAX_MS 500u
#define TRIES_MAX 2u /* of one length: a line that spoils two long frames lets short ones through */
#define DT_MAX_MS 0xFFFFu

_Static_assert((OUTBOX_RING_COUNT & (OUTBOX_RING_COUNT - 1u)) == 0, "places are found by a mask");

typedef struct __attribute__((packed)) {
    uint32_t ms;
    uint8_t sensor;
    uint8_t classes; /* old in the high half, new in the low half */
} change_t;

static struct {
    change_t ring[OUTBOX_RING_COUNT];
    uint32_t last_number;
    uint32_t due_ms;
    uint32_t through_number; /* of what is under way: the last number in it */
    uint16_t retry_ms;
    uint16_t retry_count;
    uint16_t overflow_count;
    uint8_t oldest; /* place in the ring */
    uint8_t count;  /* changes kept */
    uint8_t rows_max;
    uint8_t tries; /* of the present length */
    outbox_due_t under_way;
    bool said; /* what is under way, at least once */
    bool snapshot_owed;
} box;

static change_t *kept(uint8_t index)
{
    return &box.ring[(uint8_t)(box.oldest + index) & (OUTBOX_RING_COUNT - 1u)];
}

void outbox_start(void)
{
    box.last_number = 0;
    box.due_ms = 0;
    box.retry_ms = RETRY_MIN_MS;
    box.retry_count = 0;
    box.overflow_count = 0;
    box.oldest = 0;
    box.count = 0;
    box.rows_max = TW_BATCH_MAX;
    box.tries = 0;
    box.under_way = OUTBOX_NOTHING;
    box.said = false;
    box.snapshot_owed = false;
}

void outbox_push(uint8_t sensor, uint8_t was, uint8_t is, uint32_t ms)
{
    box.last_number++;
    if (box.snapshot_owed && box.under_way == OUTBOX_NOTHING) {
        return; /* it will be in the snapshot */
    }
    if (box.count == OUTBOX_RING_COUNT) {
        box.count = 0;
        box.under_way = OUTBOX_NOTHING;
        box.snapshot_owed = true;
        box.overflow_count++;
    } else {
        change_t *change = kept(box.count++);
        change->ms = ms;
        change->sensor = sensor;
        change->classes = (uint8_t)((uint8_t)(was << 4) | is);
    }
    /* It waits behind what is under way, which may have slowed down while nobody waited for it. */
    box.retry_ms = RETRY_MIN_MS;
    if (clock_before(ms + RETRY_MIN_MS, box.due_ms)) {
        box.due_ms = ms + RETRY_MIN_MS;
    }
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
        box.rows_max = box.rows_max < TW_BATCH_MAX / 2 ? (uint8_t)(box.rows_max * 2u) : TW_BATCH_MAX;
    } else if (box.under_way == OUTBOX_EVENTS && number >= first_number) {
        box.under_way = OUTBOX_NOTHING; /* a host that kept half of a batch before it stopped goes on from there */
    }
}

void outbox_resend(uint32_t now_ms)
{
    box.retry_ms = RETRY_MIN_MS;
    box.rows_max = TW_BATCH_MAX;
    box.tries = 0;
    box.due_ms = now_ms;
}

/* How many of the oldest changes make the next batch. */
static uint8_t batch_rows(void)
{
    uint32_t base_ms = kept(0)->ms;
    uint8_t rows = 0;
    while (rows < box.count && rows < box.rows_max && kept(rows)->ms - base_ms <= DT_MAX_MS) {
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
        box.under_way = OUTBOX_EVENTS;
        box.through_number = outbox_oldest_number() + batch_rows() - 1u;
    } else {
        return;
    }
    box.said = false;
    box.tries = 0;
    box.retry_ms = RETRY_MIN_MS;
    box.due_ms = now_ms;
}

static uint8_t rows_under_way(void)
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
    if (box.under_way == OUTBOX_EVENTS && box.tries >= TRIES_MAX && rows_under_way() > 1) {
        box.rows_max = rows_under_way() / 2u;
        box.through_number = outbox_oldest_number() + box.rows_max - 1u;
        box.tries = 0;
    }
    return box.under_way;
}

uint8_t outbox_write_events(tw_events_t *events)
{
    tw_event_row_t *row = (tw_event_row_t *)(void *)(events + 1);
    uint32_t base_ms = kept(0)->ms;
    events->first_number = outbox_oldest_number();
    events->base_ms = base_ms;
    events->count = rows_under_way();
    for (uint8_t i = 0; i < events->count; i++, row++) {
        const change_t *change = kept(i);
        row->sensor = change->sensor;
        row->classes = change->classes;
        row->dt_ms = (uint16_t)(change->ms - base_ms);
    }
    return (uint8_t)(sizeof *events + events->count * sizeof *row);
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

void outbox_take_back(uint8_t *nibbles)
{
    for (uint8_t i = box.count; i > 0; i--) {
        const change_t *change = kept((uint8_t)(i - 1u));
        uint8_t *pair = nibbles + change->sensor / 2u;
        uint8_t was = change->classes >> 4;
        if ((change->sensor & 1u) != 0) {
            *pair = (uint8_t)((*pair & 0x0Fu) | (uint8_t)(was << 4));
        } else {
            *pair = (uint8_t)((*pair & 0xF0u) | was);
        }
    }
}

uint32_t outbox_last_number(void)
{
    return box.last_number;
}

uint32_t outbox_oldest_number(void)
{
    return box.last_number - box.count + 1u;
}

uint32_t outbox_oldest_ms(uint32_t now_ms)
{
    return box.count > 0 ? kept(0)->ms : now_ms;
}

uint16_t outbox_retry_count(void)
{
    return box.retry_count;
}

uint16_t outbox_overflow_count(void)
{
    return box.overflow_count;
}
