/* GPL-3.0-or-later. Owns the state machine of a type A tag (ISO/IEC 14443-3, "PICC states"): a frame that does not
 * belong into a state, or is damaged, sends the tag back without a word; so a second REQA in a row is not answered.
 *
 * Left out: everything behind the selection (a tag that is ACTIVE knows HLTA only), and UIDs of ten bytes.
 */
#include "picc.h"

#include <string.h>

enum { REQA = 0x26, WUPA = 0x52, HLTA = 0x50, SELECT_NVB = 0x70, CASCADE_TAG = 0x88, SAK_MORE = 0x04 };
enum { SHORT_BITS = 7, LEVEL_BYTES = 5, LEVEL_BITS = 40, COMMAND_BITS = 16, SELECT_BITS = 72, HLTA_BITS = 32 };

/* A MIFARE Classic 1K, the common tag of four bytes; an NTAG21x, of seven. */
static const uint16_t atqa_single = 0x0004, atqa_double = 0x0044;
static const uint8_t sak_single = 0x08, sak_double = 0x00;

static const uint8_t select_of_level[] = {0x93, 0x95};

uint16_t picc_crc(uint16_t start, const uint8_t *bytes, size_t count)
{
    uint16_t crc = start;
    for (size_t index = 0; index < count; index++) {
        crc ^= bytes[index];
        for (int bit = 0; bit < 8; bit++) {
            crc = (uint16_t)(crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1);
        }
    }
    return crc;
}

static bool crc_fits(const frame_t *frame)
{
    size_t count = frame->bits / 8u - 2;
    uint16_t crc = picc_crc(0x6363, frame->bytes, count);
    return frame->bytes[count] == (crc & 0xFF) && frame->bytes[count + 1] == crc >> 8;
}

void picc_power(picc_t *picc, bool powered, uint64_t now_ps)
{
    if (powered && !picc->powered) {
        picc->powered_ps = now_ps;
    }
    picc->powered = powered;
    if (!powered) {
        picc->state = PICC_OFF;
        picc->level = 0;
        picc->was_halted = false;
    }
}

/* ---- what is said ---------------------------------------------------------------------------------------------- */

static void say_bits(answer_t *answer, const uint8_t *bytes, uint16_t from, uint16_t to)
{
    for (uint16_t at = from; at < to; at++) {
        answer->bit[answer->count++] = bytes[at / 8] >> at % 8 & 1;
        if (at % 8 == 7) {
            answer->bit[answer->count++] = !__builtin_parity(bytes[at / 8]);
        }
    }
}

static bool say_word(answer_t *answer, uint16_t word)
{
    uint8_t bytes[2] = {(uint8_t)word, (uint8_t)(word >> 8)};
    say_bits(answer, bytes, 0, 16);
    return true;
}

static bool say_sak(answer_t *answer, uint8_t sak)
{
    uint16_t crc = picc_crc(0x6363, &sak, 1);
    uint8_t bytes[3] = {sak, (uint8_t)crc, (uint8_t)(crc >> 8)};
    say_bits(answer, bytes, 0, 24);
    return true;
}

/* ---- what is heard --------------------------------------------------------------------------------------------- */

static bool fall_back(picc_t *picc)
{
    picc->state = picc->was_halted ? PICC_HALT : PICC_IDLE;
    picc->level = 0;
    return false;
}

static bool wake(picc_t *picc, answer_t *answer)
{
    picc->was_halted = picc->state == PICC_HALT;
    picc->state = PICC_READY;
    picc->level = 0;
    return say_word(answer, picc->uid_bytes == 4 ? atqa_single : atqa_double);
}

/* The five bytes that make a level: a part of the UID, and their exclusive or. */
static void part_of_uid(const picc_t *picc, uint8_t part[LEVEL_BYTES])
{
    if (picc->uid_bytes == 4) {
        memcpy(part, picc->uid, 4);
    } else if (picc->level == 0) {
        part[0] = CASCADE_TAG;
        memcpy(part + 1, picc->uid, 3);
    } else {
        memcpy(part, picc->uid + 3, 4);
    }
    part[4] = part[0] ^ part[1] ^ part[2] ^ part[3];
}

static bool starts_with(const uint8_t *part, const uint8_t *known, uint16_t bits)
{
    uint8_t mask = (uint8_t)((1u << bits % 8) - 1);
    return !memcmp(part, known, bits / 8) && !((part[bits / 8] ^ known[bits / 8]) & mask);
}

static bool select_level(picc_t *picc, const frame_t *frame, answer_t *answer)
{
    uint8_t part[LEVEL_BYTES];
    part_of_uid(picc, part);
    if (frame->bits != SELECT_BITS || !crc_fits(frame) || memcmp(part, frame->bytes + 2, LEVEL_BYTES)) {
        return fall_back(picc);
    }
    if (picc->uid_bytes != 4 && picc->level == 0) {
        picc->level = 1;
        return say_sak(answer, SAK_MORE);
    }
    picc->state = PICC_ACTIVE;
    return say_sak(answer, picc->uid_bytes == 4 ? sak_single : sak_double);
}

/* READY takes the part of the UID that is its turn; a beginning that is another's leaves it waiting. */
static bool hear_ready(picc_t *picc, const frame_t *frame, answer_t *answer)
{
    if (frame->bits < COMMAND_BITS || frame->bytes[0] != select_of_level[picc->level]) {
        return fall_back(picc);
    }
    uint8_t valid = frame->bytes[1];
    if (valid == SELECT_NVB) {
        return select_level(picc, frame, answer);
    }
    uint16_t bits = (uint16_t)(8 * (valid >> 4) + (valid & 0x0F));
    if ((valid & 0x0F) > 7 || bits < COMMAND_BITS || bits != frame->bits || bits >= COMMAND_BITS + LEVEL_BITS) {
        return fall_back(picc);
    }
    uint8_t part[LEVEL_BYTES];
    part_of_uid(picc, part);
    uint16_t known = (uint16_t)(bits - COMMAND_BITS);
    if (!starts_with(part, frame->bytes + 2, known)) {
        return false;
    }
    say_bits(answer, part, known, LEVEL_BITS);
    return true;
}

static bool hear_active(picc_t *picc, const frame_t *frame)
{
    bool halts = frame->bits == HLTA_BITS && frame->bytes[0] == HLTA && frame->bytes[1] == 0 && crc_fits(frame);
    picc->was_halted |= halts;
    return fall_back(picc);
}

bool picc_hear(picc_t *picc, const frame_t *frame, uint64_t now_ps, answer_t *answer)
{
    answer->count = 0;
    if (!picc->powered) {
        return false;
    }
    if (picc->state == PICC_OFF) {
        if (now_ps - picc->powered_ps < PICC_POWER_UP_PS) {
            return false;
        }
        picc->state = PICC_IDLE;
    }
    uint8_t request = frame->bits == SHORT_BITS ? frame->bytes[0] & 0x7F : 0;
    switch (picc->state) {
    case PICC_IDLE:
        return (request == REQA || request == WUPA) && wake(picc, answer);
    case PICC_HALT:
        return request == WUPA && wake(picc, answer);
    case PICC_READY:
        return hear_ready(picc, frame, answer);
    default:
        return hear_active(picc, frame);
    }
}
