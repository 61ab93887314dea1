#include "frame.h"

#include <stddef.h>

_Static_assert(FRAME_STUFFED_MAX_BYTES < 254, "byte stuffing adds one byte only, and counts fit into a byte");

#define DELIMITER 0u

uint16_t frame_crc(uint16_t crc, uint8_t byte)
{
    /* The polynomial 1021 applied to a whole byte at once; an 8-bit chip has no room for the table. */
    uint8_t high = (uint8_t)((crc >> 8) ^ byte);
    high ^= (uint8_t)(high >> 4);
    uint8_t out_high = (uint8_t)((crc & 0xFFu) ^ (uint8_t)(high << 4) ^ (high >> 3));
    uint8_t out_low = (uint8_t)(high ^ (uint8_t)(high << 5));
    return (uint16_t)((uint16_t)(out_high << 8) | out_low);
}

/* Undoes the byte stuffing in place: what was stuffed stands from bytes[1] on. False when a run points past the
 * end. */
static bool unstuff(uint8_t *bytes, uint8_t count)
{
    uint8_t at = 0;
    while (at < count) {
        uint8_t run = bytes[at];
        if (run > count - at) {
            return false;
        }
        bytes[at] = 0;
        at = (uint8_t)(at + run);
    }
    return true;
}

/* Reads what stood between two zeros: FRAME_DROP_COUNT when it is a frame, otherwise why it is none. */
static frame_drop_t parse(frame_decoder_t *decoder, frame_t *frame)
{
    uint8_t count = decoder->count;
    uint8_t *body = decoder->bytes + 1;
    if (count > FRAME_STUFFED_MAX_BYTES) {
        return FRAME_TOO_LONG;
    }
    if (!unstuff(decoder->bytes, count)) {
        return FRAME_BAD_COBS;
    }
    count--;
    if (count < FRAME_BODY_MIN_BYTES) {
        return FRAME_TOO_SHORT;
    }
    /* A CRC over data and its own CRC leaves nothing. */
    uint16_t crc = FRAME_CRC_START;
    for (uint8_t i = 0; i < count; i++) {
        crc = frame_crc(crc, body[i]);
    }
    if (crc != 0) {
        return FRAME_BAD_CRC;
    }
    frame->type = body[0];
    frame->seq = body[1];
    frame->ack = body[2];
    frame->payload = body + FRAME_HEAD_BYTES;
    frame->size = (uint8_t)(count - FRAME_BODY_MIN_BYTES);
    return FRAME_DROP_COUNT;
}

bool frame_receive(frame_decoder_t *decoder, uint8_t byte, frame_t *frame)
{
    if (byte != DELIMITER) {
        if (decoder->count < FRAME_STUFFED_MAX_BYTES) {
            decoder->bytes[decoder->count++] = byte;
        } else {
            decoder->count = FRAME_STUFFED_MAX_BYTES + 1u;
        }
        return false;
    }
    if (decoder->count == 0) {
        return false;
    }
    frame_drop_t drop = parse(decoder, frame);
    decoder->count = 0;
    if (drop == FRAME_DROP_COUNT) {
        return true;
    }
    decoder->drops[drop]++;
    return false;
}

uint8_t frame_seal(frame_building_t *building, uint8_t type, uint8_t seq, uint8_t ack, uint8_t size)
{
    uint8_t *stuffed = building->bytes + 1;
    uint8_t *body = stuffed + 1;
    uint8_t count = (uint8_t)(FRAME_HEAD_BYTES + size);
    body[0] = type;
    body[1] = seq;
    body[2] = ack;
    uint16_t crc = FRAME_CRC_START;
    for (uint8_t i = 0; i < count; i++) {
        crc = frame_crc(crc, body[i]);
    }
    body[count++] = (uint8_t)(crc >> 8);
    body[count++] = (uint8_t)crc;

    /* From the end: each zero becomes the distance to the next one, or to the end. */
    uint8_t run = 1;
    for (uint8_t i = count; i > 0; i--, run++) {
        if (body[i - 1] == DELIMITER) {
            body[i - 1] = run;
            run = 0;
        }
    }
    stuffed[0] = run;
    building->bytes[0] = DELIMITER;
    body[count] = DELIMITER;
    return (uint8_t)(count + 3u);
}
