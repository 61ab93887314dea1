#include "commands.h"

#include <stdbool.h>
#include <string.h>

#include "messages.h"
#include "params.h"
#include "signal.h"

#define COMMAND_MAX_BYTES sizeof(tw_param_t)

static struct {
    table_order_t order;              /* of the last command */
    uint8_t type;                     /* of the last command; 0 is none */
    uint8_t bytes[COMMAND_MAX_BYTES]; /* its payload; a token comes first in each */
    tw_result_t result;
} last;

static const table_said_t nothing = {.type = 0, .size = 0};

static table_said_t write_result(void *payload)
{
    memcpy(payload, &last.result, sizeof last.result);
    return (table_said_t){.type = TW_MSG_RESULT, .size = sizeof last.result};
}

static void abandon(void)
{
    if (last.order == TABLE_AT_WORK) {
        table_abandon();
    }
    last.order = TABLE_CONCLUDED;
}

void commands_forget(void)
{
    abandon();
    last.type = 0;
}

/* ---- orders that every kind of table knows ---- */

static void obey_param(table_result_t *result)
{
    const tw_param_t *param = (const tw_param_t *)(const void *)last.bytes;
    bool set = param->op == TW_PARAM_OP_SET;
    if (!params_known(param->key) || !(set || param->op == TW_PARAM_OP_GET)) {
        result->code = TW_RESULT_CODE_UNKNOWN;
        return;
    }
    bool good = !set || params_set(param->key, param->value);
    if (set && good) {
        table_params_changed();
    }
    result->code = good ? TW_RESULT_CODE_OK : TW_RESULT_CODE_BAD_VALUE;
    result->value = params_get(param->key);
}

static void obey_signal(table_result_t *result, uint32_t now_ms)
{
    const tw_signal_t *order = (const tw_signal_t *)(const void *)last.bytes;
    bool good = signal_set(order->players, order->verdict, order->sound, now_ms);
    result->code = good ? TW_RESULT_CODE_OK : TW_RESULT_CODE_BAD_VALUE;
}

/* ---- all of them ---- */

static void settle(table_order_t order, const table_result_t *result)
{
    last.order = order;
    if (order == TABLE_CONCLUDED) {
        last.result.token = last.bytes[0];
        last.result.code = result->code;
        last.result.value = result->value;
    }
}

static void obey(uint32_t now_ms)
{
    table_result_t result = {.code = TW_RESULT_CODE_OK, .value = 0};
    table_order_t order = TABLE_CONCLUDED;
    if (last.type == TW_MSG_PARAM) {
        obey_param(&result);
    } else if (last.type == TW_MSG_SIGNAL) {
        obey_signal(&result, now_ms);
    } else {
        order = table_obey(last.type, last.bytes, &result);
    }
    settle(order, &result);
}

table_said_t commands_hear(uint8_t type, const uint8_t *bytes, uint8_t size, void *payload, uint32_t now_ms)
{
    if (type != last.type || memcmp(bytes, last.bytes, size) != 0) {
        abandon(); /* a host has one command under way: it has given the last one up */
        last.type = type;
        memcpy(last.bytes, bytes, size);
        obey(now_ms);
    } else if (last.order == TABLE_SAID) {
        obey(now_ms); /* its answer was lost; a newer one does as well */
    }
    return last.order == TABLE_CONCLUDED ? write_result(payload) : nothing;
}

table_said_t commands_step(void *payload)
{
    if (last.order != TABLE_AT_WORK) {
        return nothing;
    }
    table_said_t said = nothing;
    table_result_t result;
    settle(table_work(last.type, last.bytes, payload, &said, &result), &result);
    return last.order == TABLE_CONCLUDED ? write_result(payload) : said;
}
