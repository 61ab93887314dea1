/* GPL-3.0-or-later. Owns a reader's frames: how long they are on the air, and what is made of an answer: bytes in the
 * buffer, errors, the place of a collision (data sheet 8.6 and 9.3.1; ISO/IEC 14443-3 for times).
 *
 * Left out: Crypto1, other speeds than 106 kbit/s (tags do not understand them), ParityDisable, frames longer than the
 * buffer.
 */
#include <string.h>

#include "mfrc522.h"
#include "mfrc522_registers.h"

enum { CRC_ENABLED = 0x80, SPEED = 0x70, FORCE_100_ASK = 0x40, RX_MULTIPLE = 0x04, T_AUTO = 0x80,
       RECEIVER_OFF = 0x20, VALUES_AFTER_COLLISION = 0x80, RX_WAIT = 0x3F };
enum { START_AND_END_BITS = 2, TIMER_STOPS_BITS = 5, COLLISION_BITS_MAX = 32 };

/* From the end of a frame to the first bit of the answer: longer when its last bit was a one (ISO/IEC 14443-3). */
enum { DELAY_AFTER_ZERO = 1172, DELAY_AFTER_ONE = 1236 };

static bool understood(const mfrc522_t *reader)
{
    const uint8_t *registers = reader->registers;
    return (registers[TX_ASK_REG] & FORCE_100_ASK) && !(registers[TX_MODE_REG] & SPEED) &&
           !(registers[RX_MODE_REG] & SPEED);
}

/* ---- sending --------------------------------------------------------------------------------------------------- */

static void take_frame(mfrc522_t *reader)
{
    frame_t *frame = &reader->frame;
    uint8_t last_bits = reader->registers[BIT_FRAMING_REG] & 7;
    uint8_t count = reader->fifo_count;
    memset(frame, 0, sizeof *frame);
    memcpy(frame->bytes, reader->fifo, count);
    reader->fifo_count = 0;
    if ((reader->registers[TX_MODE_REG] & CRC_ENABLED) && !last_bits) {
        uint16_t crc = picc_crc(mfrc522_crc_preset(reader), frame->bytes, count);
        frame->bytes[count++] = (uint8_t)crc;
        frame->bytes[count++] = (uint8_t)(crc >> 8);
    }
    frame->bits = (uint16_t)(8 * count - (last_bits ? 8 - last_bits : 0));
}

void mfrc522_send(mfrc522_t *reader, uint64_t now_ps)
{
    take_frame(reader);
    reader->modem = MODEM_SENDS;
    uint64_t parities = reader->frame.bits / 8u;
    reader->due_ps[DUE_SENT] = now_ps + bits_ps(reader->frame.bits + parities + START_AND_END_BITS);
    air_says(reader->air, reader->index, &reader->frame, now_ps, reader->due_ps[DUE_SENT]);
}

static void stop_transmit(mfrc522_t *reader)
{
    reader->command = COMMAND_IDLE;
    reader->modem = MODEM_IDLE;
    reader->com_irq |= IRQ_IDLE;
}

static uint64_t answer_delay_ps(const frame_t *frame)
{
    uint16_t last = (uint16_t)(frame->bits - 1);
    bool one = frame->bits % 8 ? frame->bytes[last / 8] >> last % 8 & 1
                               : !__builtin_parity(frame->bytes[last / 8]); /* a whole byte ends with its parity */
    return carrier_ps(one ? DELAY_AFTER_ONE : DELAY_AFTER_ZERO);
}

/* The first data bit that more than one value came in, counted as it lies in the buffer; 0 when there is none. */
static uint16_t first_collision(const mfrc522_t *reader, uint16_t *answer_bit)
{
    uint16_t place = reader->registers[BIT_FRAMING_REG] >> 4 & 7;
    for (uint16_t at = 0; at < reader->echo.count; at++) {
        if (reader->echo.ones[at] && reader->echo.zeros[at]) {
            *answer_bit = at;
            return (uint16_t)(place + 1);
        }
        if (++place % 8 == 0) {
            at++; /* its parity */
        }
    }
    return 0;
}

void mfrc522_sent(mfrc522_t *reader, uint64_t now_ps)
{
    reader->com_irq |= IRQ_SENT;
    if (reader->registers[T_MODE_REG] & T_AUTO) {
        mfrc522_timer_start(reader, now_ps);
    }
    reader->echo.count = 0;
    if (understood(reader)) {
        air_carry(reader->air, reader->index, &reader->frame, now_ps, &reader->echo);
    }
    if (reader->command == COMMAND_TRANSMIT) {
        stop_transmit(reader);
        return;
    }
    /* The receiver starts: what it says of errors is about the answer to come. */
    reader->modem = MODEM_WAITS;
    reader->errors &= (uint8_t)~(ERROR_COLLISION | ERROR_CRC | ERROR_PARITY | ERROR_PROTOCOL);
    reader->collision = NO_COLLISION;
    uint64_t delay_ps = answer_delay_ps(&reader->frame);
    bool too_soon = delay_ps < bits_ps(reader->registers[RX_SEL_REG] & RX_WAIT);
    bool off = reader->registers[COMMAND_REG] & RECEIVER_OFF;
    if (!reader->echo.count || too_soon || off || reader->health == READER_DEAF) {
        return;
    }
    uint64_t begins_ps = now_ps + delay_ps;
    uint16_t answer_bit;
    reader->due_ps[DUE_FIFTH_BIT] = begins_ps + bits_ps(TIMER_STOPS_BITS);
    reader->due_ps[DUE_RECEIVED] = begins_ps + bits_ps(reader->echo.count + (uint64_t)START_AND_END_BITS);
    if (first_collision(reader, &answer_bit)) {
        reader->due_ps[DUE_COLLISION] = begins_ps + bits_ps(answer_bit + 2u); /* the start bit, and itself */
    }
    reader->air->antennas[reader->index].busy_until_ps = reader->due_ps[DUE_RECEIVED];
}

/* ---- receiving ------------------------------------------------------------------------------------------------- */

void mfrc522_fifth_bit(mfrc522_t *reader, uint64_t now_ps)
{
    (void)now_ps;
    reader->modem = MODEM_RECEIVES;
    if ((reader->registers[T_MODE_REG] & T_AUTO) && !(reader->registers[RX_MODE_REG] & RX_MULTIPLE)) {
        mfrc522_timer_stop(reader);
    }
}

void mfrc522_collided(mfrc522_t *reader, uint64_t now_ps)
{
    (void)now_ps;
    uint16_t answer_bit, place = first_collision(reader, &answer_bit);
    reader->collision = place > COLLISION_BITS_MAX ? NO_COLLISION : place & 0x1F; /* 32 is shown as 0 */
    mfrc522_err(reader, ERROR_COLLISION);
}

/* Bits become bytes: the first begins at RxAlign, and its parity then is of a byte that the reader sent a part of. */
static uint8_t unpack(mfrc522_t *reader, uint8_t *bytes, uint8_t *errors)
{
    const echo_t *echo = &reader->echo;
    uint8_t place = reader->registers[BIT_FRAMING_REG] >> 4 & 7;
    bool whole = place == 0, values = reader->registers[COLL_REG] & VALUES_AFTER_COLLISION;
    bool collided = false;
    uint8_t count = 0;
    bytes[0] = 0;
    for (uint16_t at = 0; at < echo->count; at++) {
        bool both = echo->ones[at] && echo->zeros[at];
        collided |= both;
        bool one = echo->ones[at] && (!collided || values);
        bytes[count] |= (uint8_t)(one << place);
        if (++place < 8) {
            continue;
        }
        /* Behind a collision parities mean nothing. */
        if (++at < echo->count && whole && !collided && echo->ones[at] == __builtin_parity(bytes[count])) {
            *errors |= ERROR_PARITY;
        }
        bytes[++count] = 0;
        place = 0;
        whole = true;
    }
    reader->rx_last_bits = place;
    return (uint8_t)(count + (place > 0));
}

void mfrc522_received(mfrc522_t *reader, uint64_t now_ps)
{
    (void)now_ps;
    uint8_t bytes[ANSWER_BITS_MAX / 8 + 2], errors = 0;
    uint8_t count = unpack(reader, bytes, &errors);
    if (reader->registers[RX_MODE_REG] & CRC_ENABLED) {
        uint16_t crc = count >= 2 ? picc_crc(mfrc522_crc_preset(reader), bytes, count - 2u) : 0;
        if (count < 2 || reader->rx_last_bits || bytes[count - 2] != (crc & 0xFF) || bytes[count - 1] != crc >> 8) {
            errors |= ERROR_CRC;
        }
        count = count >= 2 ? (uint8_t)(count - 2) : 0;
    }
    for (uint8_t at = 0; at < count; at++) {
        mfrc522_push(reader, bytes[at]);
    }
    mfrc522_err(reader, errors);
    reader->com_irq |= IRQ_RECEIVED;
    reader->modem = MODEM_WAITS_FOR_START;
}

void mfrc522_hush(mfrc522_t *reader)
{
    reader->due_ps[DUE_SENT] = reader->due_ps[DUE_FIFTH_BIT] = NEVER;
    reader->due_ps[DUE_COLLISION] = reader->due_ps[DUE_RECEIVED] = NEVER;
    reader->air->antennas[reader->index].busy_until_ps = 0;
}
