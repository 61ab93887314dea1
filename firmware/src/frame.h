/* Frames on a stream of bytes: found, checked, taken apart and put together.
 *
 * Owns the delimiters, byte stuffing, the checksum, and why bytes are dropped. Must not know messages, the session,
 * the line or the clock. The same rules as host/tablewire/wire/frame.py.
 *
 * A frame is `00 | COBS( type, seq, ack, payload, CRC-16 big-endian ) | 00`. Below 254 bytes, byte stuffing adds one
 * byte in front and changes zeros in place; so frames are built and taken apart where they lie, without a copy.
 */
#ifndef TW_FRAME_H
#define TW_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

#define FRAME_HEAD_BYTES 3u /* type, seq, ack */
#define FRAME_CRC_BYTES 2u
#define FRAME_BODY_MIN_BYTES (FRAME_HEAD_BYTES + FRAME_CRC_BYTES)
#define FRAME_BODY_MAX_BYTES (FRAME_BODY_MIN_BYTES + TW_PAYLOAD_MAX)
#define FRAME_STUFFED_MAX_BYTES (FRAME_BODY_MAX_BYTES + 1u)
#define FRAME_MAX_BYTES (FRAME_STUFFED_MAX_BYTES + 2u) /* both delimiters */
#define FRAME_PAYLOAD_AT (2u + FRAME_HEAD_BYTES)       /* where the payload of a frame being built begins */

/* Why the bytes between two zeros are no frame. */
typedef enum {
    FRAME_TOO_LONG,
    FRAME_TOO_SHORT,
    FRAME_BAD_COBS,
    FRAME_BAD_CRC,
    FRAME_DROP_COUNT,
} frame_drop_t;

/* One valid frame. `payload` points into the decoder and is good until its next byte. */
typedef struct {
    const uint8_t *payload;
    uint8_t type;
    uint8_t seq;
    uint8_t ack;
    uint8_t size; /* bytes of payload */
} frame_t;

/* Finds the frames of one stream. Begins as all zeros. */
typedef struct {
    uint16_t drops[FRAME_DROP_COUNT]; /* wrap */
    uint8_t count;                    /* bytes since the last zero; one more than the longest frame means too many */
    uint8_t bytes[FRAME_STUFFED_MAX_BYTES];
} frame_decoder_t;

/* A frame being built: the payload is written at bytes + FRAME_PAYLOAD_AT, frame_seal does the rest. */
typedef struct {
    uint8_t bytes[FRAME_MAX_BYTES];
} frame_building_t;

/* CRC-16/XMODEM over one byte more; a frame starts with FRAME_CRC_START. */
#define FRAME_CRC_START 0xFFFFu
uint16_t frame_crc(uint16_t crc, uint8_t byte);

/* Takes one byte of the stream; true when it completed a valid frame, which is then in *frame. */
bool frame_receive(frame_decoder_t *decoder, uint8_t byte, frame_t *frame);

/* Completes the frame around a payload of `size` bytes (at most TW_PAYLOAD_MAX); how many bytes the frame has. */
uint8_t frame_seal(frame_building_t *building, uint8_t type, uint8_t seq, uint8_t ack, uint8_t size);

#endif
