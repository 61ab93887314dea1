#include "orders.h"

#include "check.h"

#include "hal_native.h"
#include "host.h"

uint8_t order_token(void)
{
    static uint8_t token;
    return ++token;
}

/* Says a command and returns the board's RESULT to it. */
tw_result_t ordered(uint8_t type, const void *payload, size_t size)
{
    heard_t heard;
    host_say(type, payload, size);
    for (int ms = 0; ms < 300; ms++) {
        native_run(1);
        if (host_take_type(TW_MSG_RESULT, &heard)) {
            assert_int_equal(heard.size, sizeof heard.result);
            assert_int_equal(heard.result.token, ((const uint8_t *)payload)[0]);
            return heard.result;
        }
    }
    fail_msg("no RESULT to a message of type %02x", type);
    return (tw_result_t){0};
}

tw_result_t param(uint8_t op, uint8_t key, uint32_t value)
{
    tw_param_t order = {.token = order_token(), .op = op, .key = key, .value = value};
    return ordered(TW_MSG_PARAM, &order, sizeof order);
}

tw_result_t calibrate(uint8_t step, uint8_t sensor)
{
    tw_calibrate_t order = {.token = order_token(), .step = step, .sensor = sensor};
    return ordered(TW_MSG_CALIBRATE, &order, sizeof order);
}

tw_calibration_row_t levels(uint8_t sensor)
{
    heard_t heard;
    tw_calibration_req_t asked = {.token = order_token(), .first_sensor = sensor, .count = 1};
    host_say(TW_MSG_CALIBRATION_REQ, &asked, sizeof asked);
    native_run(1);
    assert_true(host_take_type(TW_MSG_CALIBRATION, &heard));
    assert_int_equal(heard.calibration.token, asked.token);
    assert_int_equal(heard.calibration.count, 1);
    return *(const tw_calibration_row_t *)(const void *)(heard.bytes + sizeof(tw_calibration_t));
}

uint8_t class_of(uint8_t sensor)
{
    heard_t heard;
    host_ack(UINT32_MAX);
    native_run(60);
    host_count(0);
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_STATUS, &heard));
    host_ack(heard.status.last_number);
    host_say(TW_MSG_SNAPSHOT_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_SNAPSHOT, &heard));
    return host_class(&heard, sensor);
}

/* A reset of the board; a host that finds it again. */
void reset(void)
{
    native_boot();
    host_new();
    host_hello();
    native_run(2);
    host_count(0);
}

uint8_t settings(void)
{
    heard_t heard;
    host_count(0);
    host_say(TW_MSG_STATUS_REQ, NULL, 0);
    native_run(1);
    assert_true(host_take_type(TW_MSG_STATUS, &heard));
    return heard.status.settings;
}
