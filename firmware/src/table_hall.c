/* A table with Hall sensors behind multiplexers, as table.h asks for.
 *
 * Owns in which order its parts take rows, and its own orders: CALIBRATE, RAW_REQ and CALIBRATION_REQ. Must not know how
 * a reading becomes a change, frames, tokens or the line.
 */
#include "table.h"

#include <stddef.h>
#include <string.h>

#include "calibrate.h"
#include "changes.h"
#include "clock.h"
#include "hal.h"
#include "levels.h"
#include "measure.h"
#include "sense.h"
#include "wiring.h"

#define ROWS_MAX 4u /* taken in one step; what is left is taken in the next */

const params_kind_t *table_params(void)
{
    return &levels_params;
}

void table_start(void)
{
    changes_start();
    sense_start();
    measure_abandon();
    while (hal_row() != NULL) { /* reading what is stored takes several scans, of which the first rows are still here */
        hal_row_done();
    }
}

/* No row taken is later than the time returned, and none still to come is earlier. */
static uint32_t take_rows(void)
{
    uint32_t now_ms = hal_ms(); /* before the rows are looked at: what is complete by now is there */
    const hal_row_t *row = hal_row();
    for (uint8_t i = 0; row != NULL && i < ROWS_MAX; i++, row = hal_row()) {
        if (clock_before(now_ms, row->ms)) {
            now_ms = row->ms;
        }
        sense_row(row);
        measure_row(row);
        hal_row_done();
    }
    return row != NULL && clock_before(row->ms, now_ms) ? row->ms : now_ms;
}

uint32_t table_step(void)
{
    uint32_t now_ms = take_rows();
    sense_step();
    return now_ms;
}

bool table_ready(void)
{
    return sense_ready();
}

void table_params_changed(void)
{
    sense_levels_changed();
}

/* ---- what is said of it ---- */

void table_describe(tw_hello_t *hello)
{
    hello->kind = TW_BOARD_KIND_CIRKIS;
    hello->sensor_count = WIRING_SENSOR_COUNT;
    hello->features =
        TW_FEATURE_HALL | TW_FEATURE_LEDS | TW_FEATURE_PIEZO | TW_FEATURE_CALIBRATION | TW_FEATURE_RAW;
}

uint16_t table_scans(void)
{
    return sense_scans();
}

void table_refresh(tw_status_t *status)
{
    status->flicker_count = sense_flicker_count();
    status->flicker_sensor = sense_flicker_sensor();
    status->scan_overruns = hal_row_overruns();
}

uint8_t table_write_readers(tw_reader_row_t *rows)
{
    (void)rows;
    return 0;
}

table_said_t table_write_due(outbox_due_t due, void *payload, uint32_t nonce, uint32_t now_ms)
{
    if (due == OUTBOX_SNAPSHOT) {
        return table_retell(payload, nonce, now_ms);
    }
    return (table_said_t){.type = TW_MSG_EVENTS, .size = changes_write_events(payload, nonce)};
}

table_said_t table_retell(void *payload, uint32_t nonce, uint32_t now_ms)
{
    return (table_said_t){.type = TW_MSG_SNAPSHOT, .size = changes_write_snapshot(payload, nonce, now_ms)};
}

/* ---- orders ---- */

static table_order_t conclude(table_result_t *result, uint8_t code, uint32_t value)
{
    result->code = code;
    result->value = value;
    return TABLE_CONCLUDED;
}

static table_order_t begin_calibration(const tw_calibrate_t *order, table_result_t *result)
{
    bool one = order->sensor < WIRING_SENSOR_COUNT;
    bool all = order->sensor == CALIBRATE_ALL;
    bool magnet = order->step >= TW_CALIBRATE_STEP_N_WEAK && order->step <= TW_CALIBRATE_STEP_S_STRONG;
    if (!(one || (all && !magnet))) {
        return conclude(result, TW_RESULT_CODE_BAD_VALUE, 0);
    }
    if (magnet || order->step == TW_CALIBRATE_STEP_ZERO) {
        calibrate_begin(order->step, order->sensor);
        return TABLE_AT_WORK;
    }
    if (order->step == TW_CALIBRATE_STEP_FORGET) {
        calibrate_forget(order->sensor);
        return conclude(result, TW_RESULT_CODE_OK, 0);
    }
    if (order->step == TW_CALIBRATE_STEP_SAVE) {
        return conclude(result, TW_RESULT_CODE_OK, params_save());
    }
    return conclude(result, TW_RESULT_CODE_BAD_VALUE, 0);
}

/* How many sensors there are from `first` on, at most `count` and `most`. */
static uint8_t rows_from(uint8_t first, uint8_t count, uint8_t most)
{
    uint8_t left = first < WIRING_SENSOR_COUNT ? (uint8_t)(WIRING_SENSOR_COUNT - first) : 0;
    uint8_t rows = count < most ? count : most;
    return rows < left ? rows : left;
}

table_order_t table_obey(uint8_t type, const uint8_t *bytes, table_result_t *result)
{
    if (type == TW_MSG_CALIBRATE) {
        return begin_calibration((const tw_calibrate_t *)(const void *)bytes, result);
    }
    if (type == TW_MSG_RAW_REQ) {
        const tw_raw_req_t *asked = (const tw_raw_req_t *)(const void *)bytes;
        uint8_t rows = rows_from(asked->first_sensor, asked->count, TW_RAW_ROWS_MAX);
        if (rows == 0) {
            return conclude(result, TW_RESULT_CODE_BAD_VALUE, 0);
        }
        measure_begin(asked->first_sensor, rows, 1); /* readings are those of the next scan */
        return TABLE_AT_WORK;
    }
    const tw_calibration_req_t *asked = (const tw_calibration_req_t *)(const void *)bytes;
    if (rows_from(asked->first_sensor, asked->count, TW_CALIBRATION_ROWS_MAX) == 0) {
        return conclude(result, TW_RESULT_CODE_BAD_VALUE, 0);
    }
    return TABLE_AT_WORK; /* written with the next step */
}

static table_said_t write_raw(const tw_raw_req_t *asked, void *payload)
{
    tw_raw_t *raw = payload;
    tw_raw_row_t *row = (tw_raw_row_t *)(void *)(raw + 1);
    raw->token = asked->token;
    raw->first_sensor = asked->first_sensor;
    raw->count = rows_from(asked->first_sensor, asked->count, TW_RAW_ROWS_MAX);
    for (uint8_t i = 0; i < raw->count; i++) {
        row[i].adc = measure_result(i).mean;
    }
    return (table_said_t){.type = TW_MSG_RAW, .size = (uint8_t)(sizeof *raw + raw->count * sizeof *row)};
}

static table_said_t write_calibration(const tw_calibration_req_t *asked, void *payload)
{
    tw_calibration_t *calibration = payload;
    tw_calibration_row_t *row = (tw_calibration_row_t *)(void *)(calibration + 1);
    calibration->token = asked->token;
    calibration->first_sensor = asked->first_sensor;
    calibration->count = rows_from(asked->first_sensor, asked->count, TW_CALIBRATION_ROWS_MAX);
    for (uint8_t i = 0; i < calibration->count; i++) {
        row[i] = *levels_of((uint8_t)(asked->first_sensor + i));
    }
    return (table_said_t){
        .type = TW_MSG_CALIBRATION,
        .size = (uint8_t)(sizeof *calibration + calibration->count * sizeof *row),
    };
}

table_order_t table_work(uint8_t type, const uint8_t *bytes, void *payload, table_said_t *said,
                         table_result_t *result)
{
    if (type == TW_MSG_CALIBRATION_REQ) {
        *said = write_calibration((const tw_calibration_req_t *)(const void *)bytes, payload);
        return TABLE_SAID;
    }
    if (type == TW_MSG_RAW_REQ) {
        if (!measure_done()) {
            return TABLE_AT_WORK;
        }
        *said = write_raw((const tw_raw_req_t *)(const void *)bytes, payload);
        measure_abandon();
        return TABLE_SAID;
    }
    calibrated_t calibrated;
    if (!calibrate_step(&calibrated)) {
        return TABLE_AT_WORK;
    }
    return conclude(result, calibrated.code, calibrated.level | (uint32_t)calibrated.noise << 16);
}

void table_abandon(void)
{
    measure_abandon();
}
