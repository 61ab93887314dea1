/* GPL-3.0-or-later, as is all of this program; nothing here needs simavr.
 *
 * Owns one ISO/IEC 14443-3 type A tag: what it hears, what it answers, and in which state that leaves it. Must not
 * know readers, antennas, or what a bit costs. All times are in picoseconds.
 */
#ifndef TWIN_PICC_H
#define TWIN_PICC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PICC_UID_MAX = 7,
    FRAME_BYTES_MAX = 66,   /* what a reader's buffer holds, and a checksum */
    ANSWER_BITS_MAX = 64,   /* the longest here is a whole level of a UID: five bytes with their parities, 45 */
};

/* A field must be on for so long before a tag has to answer (ISO/IEC 14443-3, 5 ms); these take all of it. */
#define PICC_POWER_UP_PS 5000000000ull

/* PICC_OFF is without a field, or not for long enough; a tag that was halted once falls back there, not to IDLE. */
typedef enum { PICC_OFF, PICC_IDLE, PICC_READY, PICC_ACTIVE, PICC_HALT } picc_state_t;

typedef struct {
    uint8_t uid[PICC_UID_MAX];
    uint8_t uid_bytes;  /* 4 or 7 */
    uint8_t level;      /* of the cascade, from 0: which part of the UID is asked for next */
    picc_state_t state;
    bool was_halted;    /* READY and ACTIVE are those with a star in the standard's diagram */
    bool powered;
    uint64_t powered_ps; /* since when */
} picc_t;

/* What a reader sends: data bits, the lowest of each byte first. The parities of whole bytes are right. */
typedef struct {
    uint8_t bytes[FRAME_BYTES_MAX];
    uint16_t bits;
} frame_t;

/* What a tag sends, bit by bit with parities, without the start bit. */
typedef struct {
    uint8_t bit[ANSWER_BITS_MAX];
    uint16_t count;
} answer_t;

/* CRC_A over bytes, low byte sent first; `start` is 0x6363 for tags. */
uint16_t picc_crc(uint16_t start, const uint8_t *bytes, size_t count);

void picc_power(picc_t *picc, bool powered, uint64_t now_ps);

/* A frame has come in whole at `now_ps`; whether the tag answers, and with what. */
bool picc_hear(picc_t *picc, const frame_t *frame, uint64_t now_ps, answer_t *answer);

#endif
