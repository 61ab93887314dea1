#include "host.h"

#include <string.h>

#include "frame.h"
#include "hal_native.h"
#include "link.h"

static frame_decoder_t decoder;
static size_t taken;
static uint8_t next_seq;

void host_new(void)
{
    memset(&decoder, 0, sizeof decoder);
    taken = native.tx_count;
    next_seq = 0;
}

void host_say(uint8_t type, const void *payload, size_t size)
{
    frame_building_t building;
    if (size > 0) {
        memcpy(building.bytes + FRAME_PAYLOAD_AT, payload, size);
    }
    uint8_t count = frame_seal(&building, type, next_seq++, 0, (uint8_t)size);
    memcpy(native.rx + native.rx_count, building.bytes, count);
    native.rx_count += count;
}

bool host_take(heard_t *heard)
{
    frame_t frame;
    while (taken < native.tx_count) {
        if (frame_receive(&decoder, native.tx[taken++], &frame)) {
            memset(heard, 0, sizeof *heard);
            heard->type = frame.type;
            heard->seq = frame.seq;
            heard->ack = frame.ack;
            heard->size = frame.size;
            memcpy(heard->bytes, frame.payload, frame.size);
            return true;
        }
    }
    return false;
}

bool host_take_type(uint8_t type, heard_t *heard)
{
    while (host_take(heard)) {
        if (heard->type == type) {
            return true;
        }
    }
    return false;
}

unsigned host_count(uint8_t type)
{
    heard_t heard;
    unsigned count = 0;
    while (host_take(&heard)) {
        count += heard.type == type;
    }
    return count;
}

const tw_event_row_t *host_row(const heard_t *heard, unsigned index)
{
    return (const tw_event_row_t *)(const void *)(heard->bytes + sizeof(tw_events_t)) + index;
}

uint8_t host_class(const heard_t *heard, unsigned sensor)
{
    uint8_t pair = heard->bytes[sizeof(tw_snapshot_t) + sensor / 2];
    return sensor % 2 != 0 ? pair >> 4 : pair & 0x0F;
}

void host_hello(void)
{
    tw_host_hello_t hello = {.major = TW_MAJOR, .minor = TW_MINOR};
    host_say(TW_MSG_HOST_HELLO, &hello, sizeof hello);
}

void host_ack(uint32_t number)
{
    tw_ack_t ack = {.nonce = link_status.nonce, .number = number};
    host_say(TW_MSG_ACK, &ack, sizeof ack);
}

void host_met(void)
{
    heard_t heard;
    native_new();
    native_boot();
    host_new();
    host_hello();
    native_run(2);
    while (host_take(&heard)) {
    }
}
