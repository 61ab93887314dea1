#include "link.h"

#include <stdbool.h>
#include <string.h>

#include "commands.h"
#include "frame.h"
#include "hal.h"
#include "outbox.h"
#include "params.h"
#include "table.h"
#include "version.h"

/* Bytes taken from the line in one step; at 500 kbaud a step may then last 0.6 ms. They are taken by no more than the
 * shortest frame has, and none after a message: its answer takes time that belongs to the next rows. */
#define READ_COUNT 4u
#define READ_BYTES (FRAME_BODY_MIN_BYTES + 2u) /* stuffing and one zero: the other may be the last frame's */

/* A frame's number further ahead than this is a repeated or overtaken frame, no loss. */
#define AHEAD_MAX 128u

/* Over how long the scan rate is measured; the first time until there was a scan at all. */
#define RATE_MS 1000u
#define RATE_FIRST_MS 100u

tw_status_t link_status;

static struct {
    frame_decoder_t decoder;
    frame_building_t out;
    uint32_t now_ms;
    uint32_t status_said_ms;
    uint32_t scans_since_ms;
    uint16_t scans_before;
    uint16_t scan_overruns_before;
    uint8_t next_seq;
    uint8_t peer_seq;
    bool peer_known;
    bool rate_known;
    bool heard_host; /* before that only HELLO is said: who listens may be no host of ours */
} link;

/* ---- what the board says ---- */

/* Where the payload of the next frame is written. */
static void *payload(void)
{
    return link.out.bytes + FRAME_PAYLOAD_AT;
}

/* Sends the payload as a frame; whether there was room for it. */
static bool say(uint8_t type, uint8_t size)
{
    uint8_t count = frame_seal(&link.out, type, link.next_seq, link.peer_seq, size);
    if (!hal_link_write(link.out.bytes, count)) {
        return false;
    }
    link.next_seq++;
    return true;
}

/* Says what a host has asked for; it asks again when the line was full. */
static void answer(uint8_t type, uint8_t size)
{
    if (!say(type, size)) {
        link_status.tx_dropped++;
    }
}

static void say_hello(void)
{
    tw_hello_t *hello = payload();
    *hello = (tw_hello_t){
        .major = TW_MAJOR,
        .minor = TW_MINOR,
        .firmware = VERSION_FIRMWARE,
        .payload_max = TW_PAYLOAD_MAX,
        .ring_count = OUTBOX_RING_COUNT,
        .nonce = link_status.nonce,
        .reset_cause = hal_reset_cause(),
        .device_ms = link.now_ms,
        .last_number = outbox_last_number(),
        .oldest_number = outbox_oldest_number(),
    };
    table_describe(hello);
    answer(TW_MSG_HELLO, sizeof *hello);
}

/* Brings link_status up to date, but for what takes long to find out. */
static void refresh_status(void)
{
    const uint16_t *drops = link.decoder.drops;
    link_status.device_ms = link.now_ms;
    link_status.last_number = outbox_last_number();
    link_status.supply_mv = hal_supply_mv();
    link_status.rx_bad_crc = drops[FRAME_BAD_CRC];
    link_status.rx_bad_cobs = drops[FRAME_BAD_COBS];
    link_status.rx_bad_length = (uint16_t)(drops[FRAME_TOO_LONG] + drops[FRAME_TOO_SHORT]);
    link_status.rx_overrun = hal_link_overruns();
    link_status.tx_retries = outbox_retry_count();
    link_status.ring_overflows = outbox_overflow_count();
    link_status.settings = params_settings();
    table_refresh(&link_status);
    link_status.scan_overruns = (uint16_t)(link_status.scan_overruns - link.scan_overruns_before);
}

static void say_status(void)
{
    link.status_said_ms = link.now_ms;
    refresh_status();
    link_status.stack_free = hal_stack_free();
    tw_status_t *status = payload();
    link_status.count = table_write_readers((tw_reader_row_t *)(void *)(status + 1));
    *status = link_status;
    answer(TW_MSG_STATUS, (uint8_t)(sizeof *status + link_status.count * sizeof(tw_reader_row_t)));
}

static void say_due(void)
{
    outbox_due_t due = outbox_due(link.now_ms);
    if (due == OUTBOX_NOTHING) {
        return;
    }
    table_said_t said = table_write_due(due, payload(), link_status.nonce, link.now_ms);
    if (say(said.type, said.size)) {
        outbox_sent(link.now_ms);
    }
}

static void say_answer(table_said_t said)
{
    if (said.size > 0) {
        answer(said.type, said.size);
    }
}

/* ---- what the host says ---- */

/* `size` is what the message needs; a later version may send more, which says nothing to this one. */
typedef void hear_t(uint8_t type, const uint8_t *bytes, uint8_t size);

static void on_hello(uint8_t type, const uint8_t *bytes, uint8_t size)
{
    (void)type;
    (void)bytes;
    (void)size;
    commands_forget();
    say_hello();
    outbox_resend(link.now_ms);
}

static void on_ack(uint8_t type, const uint8_t *bytes, uint8_t size)
{
    tw_ack_t ack;
    (void)type;
    (void)size;
    memcpy(&ack, bytes, sizeof ack);
    if (ack.nonce == link_status.nonce) {
        outbox_acknowledge(ack.number);
    }
}

static void on_snapshot_req(uint8_t type, const uint8_t *bytes, uint8_t size)
{
    (void)type;
    (void)bytes;
    (void)size;
    say_answer(table_retell(payload(), link_status.nonce, link.now_ms));
}

static void on_status_req(uint8_t type, const uint8_t *bytes, uint8_t size)
{
    (void)type;
    (void)bytes;
    (void)size;
    say_status();
}

static void on_command(uint8_t type, const uint8_t *bytes, uint8_t size)
{
    say_answer(commands_hear(type, bytes, size, payload(), link.now_ms));
}

static const struct {
    uint8_t type;
    uint8_t size; /* least bytes of payload */
    hear_t *hear;
} hearings[] = {
    {TW_MSG_HOST_HELLO, sizeof(tw_host_hello_t), on_hello},
    {TW_MSG_ACK, sizeof(tw_ack_t), on_ack},
    {TW_MSG_SNAPSHOT_REQ, 0, on_snapshot_req},
    {TW_MSG_PARAM, sizeof(tw_param_t), on_command},
    {TW_MSG_CALIBRATE, sizeof(tw_calibrate_t), on_command},
    {TW_MSG_RAW_REQ, sizeof(tw_raw_req_t), on_command},
    {TW_MSG_SIGNAL, sizeof(tw_signal_t), on_command},
    {TW_MSG_STATUS_REQ, 0, on_status_req},
    {TW_MSG_CALIBRATION_REQ, sizeof(tw_calibration_req_t), on_command},
};
#define HEARING_COUNT (sizeof hearings / sizeof *hearings)

static void note_peer(uint8_t seq)
{
    uint8_t missing = (uint8_t)(seq - (uint8_t)(link.peer_seq + 1u));
    if (link.peer_known && missing < AHEAD_MAX) {
        link_status.rx_lost = (uint16_t)(link_status.rx_lost + missing);
    }
    link.peer_seq = seq;
    link.peer_known = true;
}

static void hear(const frame_t *frame)
{
    link_status.rx_frames++;
    note_peer(frame->seq);
    for (uint8_t i = 0; i < HEARING_COUNT; i++) {
        if (hearings[i].type == frame->type && frame->size >= hearings[i].size) {
            link.heard_host = true;
            hearings[i].hear(frame->type, frame->payload, hearings[i].size);
            return;
        }
    }
    link_status.rx_unknown++;
}

/* ---- the steps ---- */

void link_start(uint32_t nonce, uint32_t now_ms)
{
    memset(&link, 0, sizeof link);
    memset(&link_status, 0, sizeof link_status);
    link_status.nonce = nonce;
    link.now_ms = now_ms;
    link.status_said_ms = now_ms - params_get(TW_PARAM_KEY_STATUS_PERIOD_MS); /* due as soon as a host is heard */
    link.scans_since_ms = now_ms;
    link.scans_before = table_scans();
    table_refresh(&link_status);
    link.scan_overruns_before = link_status.scan_overruns;
    commands_forget();
    hal_link_start();
    say_hello();
}

/* The scan rate over the last second; the first one is known sooner. */
static void count_scans(void)
{
    uint32_t since_ms = link.now_ms - link.scans_since_ms;
    uint16_t scans = (uint16_t)(table_scans() - link.scans_before);
    if (since_ms < (link.rate_known ? RATE_MS : RATE_FIRST_MS) || !(link.rate_known || scans > 0)) {
        return;
    }
    link.rate_known = true;
    link_status.scan_hz = (uint16_t)((scans * 1000uL + since_ms / 2u) / since_ms);
    link.scans_since_ms = link.now_ms;
    link.scans_before = table_scans();
}

/* Takes a few bytes from the line and hears the message they end; whether more may be taken in this step. */
static bool listen(void)
{
    uint8_t bytes[READ_BYTES];
    frame_t frame;
    bool heard = false;
    uint8_t count = hal_link_read(bytes, sizeof bytes);
    for (uint8_t i = 0; i < count; i++) {
        if (frame_receive(&link.decoder, bytes[i], &frame)) {
            hear(&frame);
            heard = true;
        }
    }
    return count == sizeof bytes && !heard;
}

void link_step(uint32_t now_ms)
{
    if (now_ms != link.now_ms) {
        link.now_ms = now_ms;
        count_scans();
        refresh_status();
    }
    for (uint8_t i = 0; i < READ_COUNT && listen(); i++) {
    }
    if (!link.heard_host) {
        return;
    }
    say_answer(commands_step(payload()));
    say_due();
    if (now_ms - link.status_said_ms >= params_get(TW_PARAM_KEY_STATUS_PERIOD_MS)) {
        say_status();
    }
}
