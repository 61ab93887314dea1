/* The frame parser under libFuzzer: any bytes, in any cut, through two decoders and an independent reading.
 *
 * Besides not crashing: the stream fed whole and the stream fed with the decoder moved to other memory after each
 * chunk give the same frames and counts; each frame found is encoded again into bytes that decode to the same frame;
 * and the pieces between zeros are all accounted for.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool truth)
{
    if (!truth) {
        abort();
    }
}

/* What a stream came to: a checksum over the frames in their order, their number, and the drops. */
typedef struct {
    uint32_t digest;
    unsigned frames;
    unsigned drops[FRAME_DROP_COUNT];
} outcome_t;

static void add_byte(outcome_t *outcome, uint8_t byte)
{
    outcome->digest = (outcome->digest ^ byte) * 16777619u;
}

static void add(outcome_t *outcome, const frame_t *frame)
{
    outcome->frames++;
    add_byte(outcome, frame->type);
    add_byte(outcome, frame->seq);
    add_byte(outcome, frame->ack);
    add_byte(outcome, frame->size);
    for (uint8_t i = 0; i < frame->size; i++) {
        add_byte(outcome, frame->payload[i]);
    }
}

static void must_survive_encoding(const frame_t *frame)
{
    frame_building_t building;
    frame_decoder_t decoder = {0};
    frame_t again;
    demand(frame->size <= TW_PAYLOAD_MAX);
    memcpy(building.bytes + FRAME_PAYLOAD_AT, frame->payload, frame->size);
    uint8_t count = frame_seal(&building, frame->type, frame->seq, frame->ack, frame->size);
    demand(count <= FRAME_MAX_BYTES);
    for (uint8_t i = 0; i + 1u < count; i++) {
        demand((building.bytes[i] == 0) == (i == 0));
        demand(!frame_receive(&decoder, building.bytes[i], &again));
    }
    demand(frame_receive(&decoder, building.bytes[count - 1u], &again));
    demand(again.type == frame->type && again.seq == frame->seq && again.ack == frame->ack);
    demand(again.size == frame->size && memcmp(again.payload, frame->payload, frame->size) == 0);
}

static outcome_t feed_whole(const uint8_t *data, size_t size)
{
    frame_decoder_t decoder = {0};
    outcome_t outcome = {0};
    for (size_t i = 0; i < size; i++) {
        frame_t frame;
        if (frame_receive(&decoder, data[i], &frame)) {
            add(&outcome, &frame);
            must_survive_encoding(&frame);
        }
    }
    for (unsigned i = 0; i < FRAME_DROP_COUNT; i++) {
        outcome.drops[i] = decoder.drops[i];
    }
    return outcome;
}

/* A decoder that remembers nothing outside itself may be moved between any two bytes. */
static outcome_t feed_moving(const uint8_t *data, size_t size, unsigned cut)
{
    frame_decoder_t *decoder = calloc(1, sizeof *decoder);
    outcome_t outcome = {0};
    for (size_t i = 0; i < size; i++) {
        frame_t frame;
        if (frame_receive(decoder, data[i], &frame)) {
            add(&outcome, &frame);
        }
        if (i % cut == 0) {
            frame_decoder_t *moved = malloc(sizeof *moved);
            memcpy(moved, decoder, sizeof *moved);
            free(decoder);
            decoder = moved;
        }
    }
    for (unsigned i = 0; i < FRAME_DROP_COUNT; i++) {
        outcome.drops[i] = decoder->drops[i];
    }
    free(decoder);
    return outcome;
}

/* Bit by bit, as the polynomial is written down. */
static uint16_t slow_crc(const uint8_t *bytes, size_t count)
{
    uint16_t crc = 0xFFFF;
    for (size_t i = 0; i < count * 8; i++) {
        bool bit = (bytes[i / 8] >> (7 - i % 8) & 1) != 0;
        bool top = (crc & 0x8000) != 0;
        crc = (uint16_t)(crc << 1);
        if (bit != top) {
            crc ^= 0x1021;
        }
    }
    return crc;
}

/* The rules read once more, the slow way: what one piece between two zeros is. */
static frame_drop_t read_slowly(const uint8_t *piece, size_t count)
{
    uint8_t body[256];
    size_t length = 0;
    if (count > 121) {
        return FRAME_TOO_LONG;
    }
    for (size_t at = 0; at < count;) {
        size_t run = piece[at];
        if (at + run > count) {
            return FRAME_BAD_COBS;
        }
        memcpy(body + length, piece + at + 1, run - 1);
        length += run - 1;
        at += run;
        if (at < count) {
            body[length++] = 0;
        }
    }
    if (length < 5) {
        return FRAME_TOO_SHORT;
    }
    uint16_t said = (uint16_t)(body[length - 2] << 8 | body[length - 1]);
    if (slow_crc(body, length - 2) == said) {
        return FRAME_DROP_COUNT;
    }
    return FRAME_BAD_CRC;
}

static outcome_t count_slowly(const uint8_t *data, size_t size)
{
    outcome_t outcome = {0};
    size_t begin = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == 0) {
            if (i > begin) {
                frame_drop_t found = read_slowly(data + begin, i - begin);
                if (found == FRAME_DROP_COUNT) {
                    outcome.frames++;
                } else {
                    outcome.drops[found]++;
                }
            }
            begin = i + 1;
        }
    }
    return outcome;
}

static bool same_counts(const outcome_t *one, const outcome_t *other)
{
    return one->frames == other->frames && memcmp(one->drops, other->drops, sizeof one->drops) == 0;
}

static void check(const uint8_t *data, size_t size, unsigned cut)
{
    outcome_t whole = feed_whole(data, size);
    outcome_t moving = feed_moving(data, size, cut);
    outcome_t slow = count_slowly(data, size);
    demand(whole.digest == moving.digest);
    demand(same_counts(&whole, &moving));
    demand(same_counts(&whole, &slow));
}

/* Random bytes hardly ever have a good checksum: the same bytes are tried as a payload as well. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4) {
        return 0;
    }
    unsigned cut = data[0] % 16u + 1u;
    check(data, size, cut);

    uint8_t stream[FRAME_MAX_BYTES + 600];
    frame_building_t building;
    uint8_t payload_bytes = (uint8_t)(size - 4 < TW_PAYLOAD_MAX ? size - 4 : TW_PAYLOAD_MAX);
    memcpy(building.bytes + FRAME_PAYLOAD_AT, data + 4, payload_bytes);
    uint8_t count = frame_seal(&building, data[1], data[2], data[3], payload_bytes);
    size_t rest = size < 600 ? size : 600;
    memcpy(stream, building.bytes, count);
    memcpy(stream + count, data, rest);
    check(stream, count + rest, cut);
    stream[data[0] % count] ^= data[3];
    check(stream, count + rest, cut);
    return 0;
}
