#include "changes.h"

#include "messages.h"
#include "outbox.h"
#include "sense.h"
#include "wiring.h"

static struct {
    uint8_t sensor;
    uint8_t classes; /* old in the high half, new in the low half */
} rows[OUTBOX_RING_COUNT]; /* by place */

void changes_start(void)
{
    outbox_start(TW_EVENTS_ROWS_MAX, OUTBOX_BECOMES_SNAPSHOT);
}

void changes_push(uint8_t sensor, uint8_t was, uint8_t is, uint32_t ms)
{
    uint8_t place = outbox_push(ms);
    if (place != OUTBOX_NO_PLACE) {
        rows[place].sensor = sensor;
        rows[place].classes = (uint8_t)((uint8_t)(was << 4) | is);
    }
}

uint8_t changes_write_events(void *payload, uint32_t nonce)
{
    tw_events_t *events = payload;
    tw_event_row_t *row = (tw_event_row_t *)(void *)(events + 1);
    uint32_t base_ms = outbox_ms(0);
    events->nonce = nonce;
    events->first_number = outbox_oldest_number();
    events->base_ms = base_ms;
    events->count = outbox_batch_count();
    for (uint8_t i = 0; i < events->count; i++, row++) {
        uint8_t place = outbox_place(i);
        row->sensor = rows[place].sensor;
        row->classes = rows[place].classes;
        row->dt_ms = (uint16_t)(outbox_ms(i) - base_ms);
    }
    return (uint8_t)(sizeof *events + events->count * sizeof *row);
}

/* Turns the packed classes of now into those before the oldest change kept. */
static void take_back(uint8_t *nibbles)
{
    for (uint8_t i = outbox_count(); i > 0; i--) {
        uint8_t place = outbox_place((uint8_t)(i - 1u));
        uint8_t *pair = nibbles + rows[place].sensor / 2u;
        uint8_t was = rows[place].classes >> 4;
        if ((rows[place].sensor & 1u) != 0) {
            *pair = (uint8_t)((*pair & 0x0Fu) | (uint8_t)(was << 4));
        } else {
            *pair = (uint8_t)((*pair & 0xF0u) | was);
        }
    }
}

uint8_t changes_write_snapshot(void *payload, uint32_t nonce, uint32_t now_ms)
{
    tw_snapshot_t *snapshot = payload;
    snapshot->nonce = nonce;
    snapshot->number = outbox_oldest_number() - 1u;
    snapshot->device_ms = outbox_count() > 0 ? outbox_ms(0) : now_ms;
    snapshot->count = WIRING_SENSOR_COUNT;
    uint8_t *nibbles = (uint8_t *)(snapshot + 1);
    for (uint8_t sensor = 0; sensor < WIRING_SENSOR_COUNT; sensor++) {
        uint8_t class = sense_class(sensor);
        if ((sensor & 1u) != 0) {
            nibbles[sensor / 2u] |= (uint8_t)(class << 4);
        } else {
            nibbles[sensor / 2u] = class;
        }
    }
    take_back(nibbles);
    return (uint8_t)(sizeof *snapshot + (WIRING_SENSOR_COUNT + 1u) / 2u);
}
