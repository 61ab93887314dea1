#include "commands.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "calibrate.h"
#include "measure.h"
#include "messages.h"
#include "params.h"
#include "sense.h"
#include "signal.h"

#define COMMAND_MAX_BYTES sizeof(tw_param_t)

static struct {
    bool measuring;
    bool concluded;                    /* whether the last command has its answer */
    uint8_t type;                      /* of the last command; 0 is none */
    uint8_t bytes[COMMAND_MAX_BYTES]; /* its payload; a token comes first in each */
    tw_result_t result;
} last;

static const commands_answer_t no_answer = {.type = 0, .size = 0};

static void conclude(uint8_t code, uint32_t value)
{
    last.result.token = last.bytes[0];
    last.result.code = code;
    last.result.value = value;
    last.concluded = true;
}

static commands_answer_t write_result(void *payload)
{
    memcpy(payload, &last.result, sizeof last.result);
    return (commands_answer_t){.type = TW_MSG_RESULT, .size = sizeof last.result};
}

static void abandon(void)
{
    measure_abandon();
    last.measuring = false;
}

void commands_forget(void)
{
    abandon();
    last.type = 0;
}

/* ---- orders ---- */

static void obey_param(void)
{
    tw_param_t param;
    memcpy(&param, last.bytes, sizeof param);
    bool set = param.op == TW_PARAM_OP_SET;
    if (!params_known(param.key) || !(set || param.op == TW_PARAM_OP_GET)) {
        conclude(TW_RESULT_CODE_UNKNOWN, 0);
        return;
    }
    bool good = !set || params_set(param.key, param.value);
    conclude(good ? TW_RESULT_CODE_OK : TW_RESULT_CODE_BAD_VALUE, params_get(param.key));
    if (set && good) {
        sense_levels_changed();
    }
}

static void obey_calibrate(void)
{
    tw_calibrate_t order;
    memcpy(&order, last.bytes, sizeof order);
    bool one = order.sensor < WIRING_SENSOR_COUNT;
    bool all = order.sensor == CALIBRATE_ALL;
    bool magnet = order.step >= TW_CALIBRATE_STEP_N_WEAK && order.step <= TW_CALIBRATE_STEP_S_STRONG;
    if (!(one || (all && !magnet))) {
        conclude(TW_RESULT_CODE_BAD_VALUE, 0);
    } else if (magnet || order.step == TW_CALIBRATE_STEP_ZERO) {
        calibrate_begin(order.step, order.sensor);
        last.measuring = true;
    } else if (order.step == TW_CALIBRATE_STEP_FORGET) {
        calibrate_forget(order.sensor);
        conclude(TW_RESULT_CODE_OK, 0);
    } else if (order.step == TW_CALIBRATE_STEP_SAVE) {
        conclude(TW_RESULT_CODE_OK, params_save());
    } else {
        conclude(TW_RESULT_CODE_BAD_VALUE, 0);
    }
}

static void obey_signal(uint32_t now_ms)
{
    tw_signal_t order;
    memcpy(&order, last.bytes, sizeof order);
    bool good = signal_set(order.players, order.verdict, order.sound, now_ms);
    conclude(good ? TW_RESULT_CODE_OK : TW_RESULT_CODE_BAD_VALUE, 0);
}

/* ---- questions ---- */

/* How many sensors there are from `first` on, at most `count` and `most`. */
static uint8_t rows_from(uint8_t first, uint8_t count, uint8_t most)
{
    uint8_t left = first < WIRING_SENSOR_COUNT ? (uint8_t)(WIRING_SENSOR_COUNT - first) : 0;
    uint8_t rows = count < most ? count : most;
    return rows < left ? rows : left;
}

static commands_answer_t write_raw(const tw_raw_req_t *asked, void *payload)
{
    tw_raw_t *raw = payload;
    tw_raw_row_t *row = (tw_raw_row_t *)(void *)(raw + 1);
    raw->token = asked->token;
    raw->first_sensor = asked->first_sensor;
    raw->count = rows_from(asked->first_sensor, asked->count, TW_RAW_ROWS_MAX);
    for (uint8_t i = 0; i < raw->count; i++) {
        row[i].adc = measure_result(i).mean;
    }
    return (commands_answer_t){.type = TW_MSG_RAW, .size = (uint8_t)(sizeof *raw + raw->count * sizeof *row)};
}

static commands_answer_t write_calibration(const tw_calibration_req_t *asked, void *payload)
{
    tw_calibration_t *calibration = payload;
    tw_calibration_row_t *row = (tw_calibration_row_t *)(void *)(calibration + 1);
    calibration->token = asked->token;
    calibration->first_sensor = asked->first_sensor;
    calibration->count = rows_from(asked->first_sensor, asked->count, TW_CALIBRATION_ROWS_MAX);
    for (uint8_t i = 0; i < calibration->count; i++) {
        row[i] = *params_levels((uint8_t)(asked->first_sensor + i));
    }
    return (commands_answer_t){
        .type = TW_MSG_CALIBRATION,
        .size = (uint8_t)(sizeof *calibration + calibration->count * sizeof *row),
    };
}

/* Readings are those of the next scan. */
static void ask_raw(void)
{
    tw_raw_req_t asked;
    memcpy(&asked, last.bytes, sizeof asked);
    uint8_t rows = rows_from(asked.first_sensor, asked.count, TW_RAW_ROWS_MAX);
    if (rows == 0) {
        conclude(TW_RESULT_CODE_BAD_VALUE, 0);
    } else {
        measure_begin(asked.first_sensor, rows, 1);
        last.measuring = true;
    }
}

static commands_answer_t answer_calibration(void *payload)
{
    tw_calibration_req_t asked;
    memcpy(&asked, last.bytes, sizeof asked);
    if (rows_from(asked.first_sensor, asked.count, TW_CALIBRATION_ROWS_MAX) == 0) {
        conclude(TW_RESULT_CODE_BAD_VALUE, 0);
        return write_result(payload);
    }
    return write_calibration(&asked, payload);
}

/* ---- both ---- */

static void obey(uint8_t type, uint32_t now_ms)
{
    switch (type) {
    case TW_MSG_PARAM:
        obey_param();
        break;
    case TW_MSG_CALIBRATE:
        obey_calibrate();
        break;
    case TW_MSG_SIGNAL:
        obey_signal(now_ms);
        break;
    case TW_MSG_RAW_REQ:
        ask_raw();
        break;
    default:
        break;
    }
}

commands_answer_t commands_hear(uint8_t type, const uint8_t *bytes, uint8_t size, void *payload, uint32_t now_ms)
{
    if (type != last.type || memcmp(bytes, last.bytes, size) != 0) {
        abandon(); /* a host has one command under way: it has given the last one up */
        last.type = type;
        memcpy(last.bytes, bytes, size);
        last.concluded = false;
        obey(type, now_ms);
    } else if (type == TW_MSG_RAW_REQ && !last.measuring && !last.concluded) {
        ask_raw(); /* its answer was lost; newer readings do as well */
    }
    if (type == TW_MSG_CALIBRATION_REQ) {
        return answer_calibration(payload);
    }
    return last.concluded ? write_result(payload) : no_answer;
}

commands_answer_t commands_step(void *payload)
{
    if (!last.measuring) {
        return no_answer;
    }
    if (last.type == TW_MSG_RAW_REQ) {
        if (!measure_done()) {
            return no_answer;
        }
        tw_raw_req_t asked;
        memcpy(&asked, last.bytes, sizeof asked);
        last.measuring = false;
        return write_raw(&asked, payload);
    }
    calibrated_t calibrated;
    if (!calibrate_step(&calibrated)) {
        return no_answer;
    }
    last.measuring = false;
    conclude(calibrated.code, calibrated.level | (uint32_t)calibrated.noise << 16);
    return write_result(payload);
}
