/* Tags of ISO/IEC 14443 A in the field of one reader: find one, see whether a known one is there, make one keep quiet.
 *
 * Owns the commands, anticollision, cascade levels and checksums. Must not know registers, which reader's turn it is,
 * who lies where, or the wire. Sections are those of ISO/IEC 14443-3.
 *
 * One question is under way on the whole board; it is begun, then asked after. Each ends, whatever comes back, after
 * RFID_EXCHANGES_MAX exchanges of at most 3 ms. One tag takes five. Several that collide take some more, and 64 more where
 * a copy of the chip does not say where they do.
 */
#ifndef TW_RFID_H
#define TW_RFID_H

#include <stdbool.h>
#include <stdint.h>

#define RFID_UID_MAX_BYTES 7u
#define RFID_EXCHANGES_MAX 80u

/* A tag's UID: 4 or 7 bytes, the rest 0. */
typedef struct {
    uint8_t size;
    uint8_t bytes[RFID_UID_MAX_BYTES];
} rfid_uid_t;

bool rfid_same(const rfid_uid_t *one, const rfid_uid_t *other);

/* What a question has come to. */
typedef enum {
    RFID_BUSY,
    RFID_SILENT,  /* nobody answered: as far as this reader hears, no such tag is there */
    RFID_TAG,     /* one was read wholly, and is now the one that listens */
    RFID_UNCLEAR, /* something answered, but a checksum, a parity or a collision was not overcome */
    RFID_DEAF,    /* the reader itself does not work */
} rfid_heard_t;

/* Looks for a tag that does not keep quiet; with `wake` for any. */
void rfid_find(uint8_t reader, bool wake, uint32_t now_ms);

/* Looks for this tag, which may keep quiet. */
void rfid_check(uint8_t reader, const rfid_uid_t *uid, uint32_t now_ms);

/* Makes the tag that was read keep quiet while it has power. Ends as SILENT: no answer is the answer (6.4.3). */
void rfid_halt(uint8_t reader, uint32_t now_ms);

/* Goes on with it. After TAG, rfid_uid says which one. */
rfid_heard_t rfid_step(uint32_t now_ms);
const rfid_uid_t *rfid_uid(void);

#endif
