/* One MFRC522: its registers, and one exchange with what lies in its field.
 *
 * Owns registers, commands, start, self-test and the exchange under way. Must not know what the bytes of an exchange
 * mean, which reader's turn it is, or who lies where. Names and numbers are those of the data sheet (NXP MFRC522, rev
 * 3.9).
 *
 * Nothing waits: what takes time is begun, then asked after. One exchange is under way on the whole board.
 */
#ifndef TW_MFRC522_H
#define TW_MFRC522_H

#include <stdbool.h>
#include <stdint.h>

/* What its version register says; nothing answers where it reads as one of these. */
#define MFRC522_VERSION_LOW 0x00u
#define MFRC522_VERSION_HIGH 0xFFu
uint8_t mfrc522_version(uint8_t reader);

/* Begins a soft reset; whether it is over: the oscillator runs. */
void mfrc522_reset(uint8_t reader);
bool mfrc522_is_reset(uint8_t reader);

/* Sets it up for ISO/IEC 14443 A at 106 kbit/s, the field off. */
void mfrc522_set_up(uint8_t reader);

void mfrc522_field(uint8_t reader, bool on);

/* Whether it is still the one that was set up: it answers, and its field is as it was left. */
bool mfrc522_is_as_set(uint8_t reader, uint8_t version, bool field);

/* ---- the self-test: after a reset, and before another one ---- */

typedef enum {
    MFRC522_TESTING,
    MFRC522_WELL,
    MFRC522_UNWELL,   /* it failed, or never ended */
    MFRC522_UNTESTED, /* nobody has published what this version answers */
} mfrc522_test_t;

void mfrc522_test(uint8_t reader, uint8_t version, uint32_t now_ms);
mfrc522_test_t mfrc522_test_step(uint32_t now_ms);

/* ---- an exchange ---- */

#define MFRC522_FRAME_MAX_BYTES 9u /* SELECT: the longest that is sent; nothing longer is awaited */

typedef enum {
    MFRC522_WAITING,
    MFRC522_SILENCE,   /* no answer */
    MFRC522_ANSWER,    /* whole bytes came, or the last one has last_bits */
    MFRC522_COLLISION, /* of several answers */
    MFRC522_GARBLED,   /* parity, protocol, or more than fits */
    MFRC522_DEAD,      /* the chip itself says nothing sensible */
} mfrc522_heard_t;

typedef struct {
    uint8_t bytes[MFRC522_FRAME_MAX_BYTES];
    uint8_t count;
    uint8_t last_bits; /* of the last byte; 0 is all */
    uint8_t collided;  /* with COLLISION: bits from the first byte's lowest to the one that collided, 0 is not known */
} mfrc522_answer_t;

/* How long the bits of an exchange are in the air: what is sent, and the answer, which is below 900 us. */
typedef struct {
    uint16_t sending_us;
    uint16_t answer_us;
} mfrc522_takes_t;

/* Sends `count` bytes, of the last one `last_bits` (0: all). The answer's first bit goes to that bit of its first
 * byte. */
void mfrc522_send(uint8_t reader, const uint8_t *bytes, uint8_t count, uint8_t last_bits, mfrc522_takes_t takes,
                  uint32_t now_ms);

/* Whether all of it has been sent, and an answer would have begun: for whom nothing can answer. */
bool mfrc522_is_sent(void);

/* What has come of it; anything but WAITING ends it. */
mfrc522_heard_t mfrc522_hear(mfrc522_answer_t *answer, uint32_t now_ms);

#endif
