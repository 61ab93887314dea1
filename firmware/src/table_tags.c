/* A table with tag readers and stop buttons, as table.h asks for.
 *
 * Owns its parameters and in which order its parts take their steps. Must not know how tags are read, frames, tokens or
 * the line.
 */
#include "table.h"

#include "buttons.h"
#include "hal.h"
#include "inventory.h"
#include "pads.h"
#include "reader_care.h"
#include "readers.h"
#include "sightings.h"

/* Of the record's layout. With Hall sensors the highest bit is not set: their record is never taken for ours. */
#define STORE_VERSION 0x81u

/* `make firmware FIELD_GROUPS=4` builds for pads that are near to one another. */
#ifndef FIELD_GROUPS
#define FIELD_GROUPS 1u
#endif
_Static_assert(FIELD_GROUPS == 1u || FIELD_GROUPS == 2u || FIELD_GROUPS == 4u, "FIELD_GROUPS is 1, 2 or 4");

/* Sources of the defaults: a button bounces for less than 20 ms; a heartbeat a second; pads far enough apart need no
 * groups; a tag that hears 99 of 100 calls misses two in a row, three times over, once in 10^12 looks. */
static const params_range_t ranges[] = {
    {TW_PARAM_KEY_DEBOUNCE_MS, false, 5, 200, 20},
    {TW_PARAM_KEY_STATUS_PERIOD_MS, false, 100, 2000, 1000},
    {TW_PARAM_KEY_FIELD_GROUPS, true, 1, 4, FIELD_GROUPS},
    {TW_PARAM_KEY_MISSES, false, 2, 10, 3},
};
#define PARAMS_COUNT (sizeof ranges / sizeof *ranges)

static uint16_t stored[PARAMS_COUNT];
static const params_kind_t kind = {
    .ranges = ranges,
    .record = stored,
    .record_bytes = sizeof stored,
    .count = PARAMS_COUNT,
    .version = STORE_VERSION,
};

static bool ready;
static uint8_t groups; /* as the readers know them */

const params_kind_t *table_params(void)
{
    return &kind;
}

void table_start(void)
{
    ready = false;
    groups = (uint8_t)params_get(TW_PARAM_KEY_FIELD_GROUPS);
    pads_start();
    sightings_start();
    buttons_start();
    readers_start();
}

uint32_t table_step(void)
{
    uint32_t now_ms = hal_ms();
    buttons_step(now_ms);
    readers_step(now_ms);
    if (!ready && readers_ready()) {
        ready = true;
        sightings_begin();
    }
    sightings_step(now_ms);
    return now_ms;
}

bool table_ready(void)
{
    return ready;
}

void table_params_changed(void)
{
    if (groups != params_get(TW_PARAM_KEY_FIELD_GROUPS)) {
        groups = (uint8_t)params_get(TW_PARAM_KEY_FIELD_GROUPS);
        readers_regroup();
    }
}

/* ---- what is said of it ---- */

void table_describe(tw_hello_t *hello)
{
    hello->kind = TW_BOARD_KIND_LIGRETTO;
    hello->reader_count = HAL_READER_COUNT;
    hello->button_count = HAL_BUTTON_COUNT;
    hello->features = TW_FEATURE_RFID | TW_FEATURE_LEDS | TW_FEATURE_PIEZO;
}

uint16_t table_scans(void)
{
    return readers_passes();
}

void table_refresh(tw_status_t *status)
{
    status->flicker_count = inventory_flicker_count();
    status->flicker_sensor = inventory_flicker_reader();
    status->scan_overruns = inventory_crowded_count();
}

uint8_t table_write_readers(tw_reader_row_t *rows)
{
    care_write_states(rows);
    return HAL_READER_COUNT;
}

table_said_t table_write_due(outbox_due_t due, void *payload, uint32_t nonce, uint32_t now_ms)
{
    (void)due; /* there are no snapshots */
    (void)now_ms;
    return (table_said_t){.type = TW_MSG_TAGS, .size = sightings_write_tags(payload, nonce)};
}

table_said_t table_retell(void *payload, uint32_t nonce, uint32_t now_ms)
{
    (void)payload;
    (void)nonce;
    sightings_retell(now_ms);
    return (table_said_t){.type = 0, .size = 0}; /* it comes in batches */
}

/* ---- orders: none of those that are not for every table ---- */

table_order_t table_obey(uint8_t type, const uint8_t *bytes, table_result_t *result)
{
    (void)type;
    (void)bytes;
    result->code = TW_RESULT_CODE_UNKNOWN;
    return TABLE_CONCLUDED;
}

table_order_t table_work(uint8_t type, const uint8_t *bytes, void *payload, table_said_t *said,
                         table_result_t *result)
{
    (void)payload;
    (void)said;
    return table_obey(type, bytes, result);
}

void table_abandon(void)
{
}
