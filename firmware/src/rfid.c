#include "rfid.h"

#include <string.h>

#include "mfrc522.h"

/* Commands (6.4) */
enum { REQA = 0x26, WUPA = 0x52, SELECT_LEVEL_1 = 0x93, SELECT_LEVEL_STEP = 0x02, HLTA = 0x50 };

#define REQUEST_BITS 7u
#define NVB_ALL 0x70u /* SELECT: seven bytes, no bits */
#define CASCADE_TAG 0x88u
#define SAK_MORE 0x04u /* bit 3 as the standard counts: the UID goes on. A first byte of 0x88 alone says nothing */
#define LEVEL_BYTES 4u
#define LEVEL_BITS 32u
#define LEVELS_MAX 2u /* three would be a UID of ten bytes, which no sticker has */
#define CRC_START 0x6363u
#define CRC_BYTES 2u
#define SAK_BYTES 1u

/* Where things stand in a frame of SELECT. */
enum { AT_NVB = 1, AT_UID = 2, AT_BCC = 6, AT_CRC = 7 };

/* A bit takes 128 periods of 13.56 MHz. A byte has nine with its parity, and a frame begins and ends with one. */
#define BITS_US(bits) ((uint16_t)(((bits)*944uL + 99uL) / 100uL))
#define BYTES_US(bytes) BITS_US(9u * (bytes) + 2u)

typedef enum { ASK_REQUEST, ASK_ANTICOLLISION, ASK_SELECT, ASK_HALT } asking_t;

/* How many collisions are taken bit by bit after one whose place led nowhere. */
#define DOUBTED_COUNT 16u

static struct {
    asking_t asking;
    uint8_t reader;
    uint8_t level;      /* 0 or 1 */
    uint8_t known;      /* bits of this level's four bytes that are sent */
    uint8_t exchanges;  /* left */
    uint8_t doubted;    /* collisions left whose place is not believed */
    bool guessed;       /* known rests on the place of a collision, as this chip may not count it */
    bool checking;      /* uid is the one that is looked for */
    uint8_t frame[MFRC522_FRAME_MAX_BYTES];
    rfid_uid_t uid;
} ask;

bool rfid_same(const rfid_uid_t *one, const rfid_uid_t *other)
{
    return one->size == other->size && memcmp(one->bytes, other->bytes, one->size) == 0;
}

const rfid_uid_t *rfid_uid(void)
{
    return &ask.uid;
}

/* CRC_A (annex B), a byte at a time: 10 us for a frame. The chip's own needs the FIFO that the frame is in, and two
 * more commands. */
static uint16_t crc_a(const uint8_t *bytes, uint8_t count)
{
    uint16_t crc = CRC_START;
    for (uint8_t i = 0; i < count; i++) {
        uint8_t byte = (uint8_t)(bytes[i] ^ crc);
        byte = (uint8_t)(byte ^ byte << 4);
        crc = (uint16_t)(crc >> 8 ^ (uint16_t)(byte << 8) ^ (uint16_t)(byte << 3) ^ byte >> 4);
    }
    return crc;
}

/* ---- what is sent ---- */

static void send(asking_t asking, uint8_t count, uint8_t last_bits, uint16_t sending_us, uint16_t answer_us,
                 uint32_t now_ms)
{
    ask.asking = asking;
    mfrc522_takes_t takes = {.sending_us = sending_us, .answer_us = answer_us};
    mfrc522_send(ask.reader, ask.frame, count, last_bits, takes, now_ms);
}

static void request(uint8_t reader, uint8_t command, uint32_t now_ms)
{
    ask.reader = reader;
    ask.level = 0;
    ask.exchanges = RFID_EXCHANGES_MAX;
    ask.frame[0] = command;
    send(ASK_REQUEST, 1, REQUEST_BITS, BITS_US(REQUEST_BITS + 2u), BYTES_US(2u), now_ms);
}

void rfid_find(uint8_t reader, bool wake, uint32_t now_ms)
{
    memset(&ask.uid, 0, sizeof ask.uid);
    ask.checking = false;
    request(reader, wake ? WUPA : REQA, now_ms);
}

void rfid_check(uint8_t reader, const rfid_uid_t *uid, uint32_t now_ms)
{
    ask.uid = *uid;
    ask.checking = true;
    request(reader, WUPA, now_ms);
}

static void put_crc(uint8_t count)
{
    uint16_t crc = crc_a(ask.frame, count);
    ask.frame[count] = (uint8_t)crc;
    ask.frame[count + 1] = (uint8_t)(crc >> 8);
}

void rfid_halt(uint8_t reader, uint32_t now_ms)
{
    ask.reader = reader;
    ask.frame[0] = HLTA;
    ask.frame[1] = 0;
    put_crc(2);
    send(ASK_HALT, 2u + CRC_BYTES, 0, BYTES_US(2u + CRC_BYTES), 0, now_ms);
}

static void anticollide(uint32_t now_ms)
{
    uint8_t bytes = ask.known / 8u;
    uint8_t bits = ask.known % 8u;
    uint8_t sent = (uint8_t)(AT_UID + bytes + (bits != 0));
    ask.frame[0] = (uint8_t)(SELECT_LEVEL_1 + ask.level * SELECT_LEVEL_STEP);
    ask.frame[AT_NVB] = (uint8_t)((AT_UID + bytes) << 4 | bits);
    send(ASK_ANTICOLLISION, sent, bits, BYTES_US(sent), BYTES_US((uint8_t)(LEVEL_BYTES + 1u - bytes)), now_ms);
}

static void select(uint32_t now_ms)
{
    uint8_t *uid = ask.frame + AT_UID;
    ask.frame[0] = (uint8_t)(SELECT_LEVEL_1 + ask.level * SELECT_LEVEL_STEP);
    ask.frame[AT_NVB] = NVB_ALL;
    ask.frame[AT_BCC] = uid[0] ^ uid[1] ^ uid[2] ^ uid[3];
    put_crc(AT_CRC);
    send(ASK_SELECT, AT_CRC + CRC_BYTES, 0, BYTES_US(AT_CRC + CRC_BYTES), BYTES_US(SAK_BYTES + CRC_BYTES), now_ms);
}

/* A level begins: all tags that answer it are asked for their bits, or the one that is known for its. */
static void begin_level(uint32_t now_ms)
{
    uint8_t *uid = ask.frame + AT_UID;
    ask.known = 0;
    ask.guessed = false;
    memset(uid, 0, LEVEL_BYTES);
    if (!ask.checking) {
        anticollide(now_ms);
        return;
    }
    if (ask.level != 0) {
        memcpy(uid, ask.uid.bytes + 3, LEVEL_BYTES);
    } else if (ask.uid.size == LEVEL_BYTES) {
        memcpy(uid, ask.uid.bytes, LEVEL_BYTES);
    } else {
        uid[0] = CASCADE_TAG;
        memcpy(uid + 1, ask.uid.bytes, 3);
    }
    select(now_ms);
}

/* ---- collisions (6.5.3) ---- */

/* Goes on with those tags whose first bits are the ones heard so far, the last of these `count` bits being `last`. */
static void go_on(uint8_t count, uint8_t last, uint32_t now_ms)
{
    uint8_t *uid = ask.frame + AT_UID;
    uint8_t at = (uint8_t)(count - 1u);
    uint8_t below = (uint8_t)((1u << at % 8u) - 1u);
    uid[at / 8u] = (uint8_t)((uid[at / 8u] & below) | (unsigned)last << at % 8u);
    for (uint8_t i = (uint8_t)(at / 8u + 1u); i < LEVEL_BYTES; i++) {
        uid[i] = 0;
    }
    ask.known = count;
    if (count == LEVEL_BITS) {
        select(now_ms);
    } else {
        anticollide(now_ms);
    }
}

/* Bits up to the last 1 that was heard, at least those that were sent. What comes after a collision comes as zeros, so
 * these were sent by all. */
static uint8_t bits_in_common(void)
{
    const uint8_t *uid = ask.frame + AT_UID;
    uint8_t bits = LEVEL_BITS;
    while (bits > ask.known && ((unsigned)uid[(bits - 1u) / 8u] >> (bits - 1u) % 8u & 1u) == 0) {
        bits--;
    }
    return bits;
}

/* Several tags go on alike up to some bit, of which the chip says which one: counted from the lowest of the first byte
 * that came. Where that cannot be, or has led nowhere, those that go on with a 0 are taken: some there are, whether the
 * next bit is where they part or not. Elsewhere it is a 1, as is usual. */
static void part(uint8_t collided, uint32_t now_ms)
{
    uint8_t common = bits_in_common();
    uint8_t at = (uint8_t)((ask.known & ~7u) + collided);
    bool first = ask.known == 0; /* however a chip counts, it counts from there */
    bool possible = collided != 0 && at > ask.known && at >= common && at <= LEVEL_BITS;
    if (possible && (first || ask.doubted == 0)) {
        ask.guessed = !first;
        go_on(at, 1, now_ms);
        return;
    }
    ask.doubted = (uint8_t)(ask.doubted - (ask.doubted > 0));
    ask.guessed = false;
    if (common == LEVEL_BITS) {
        go_on(LEVEL_BITS, 1, now_ms);
    } else {
        go_on((uint8_t)(common + 1u), 0, now_ms);
    }
}

/* Puts what came behind the bits that were sent; the first byte holds both. */
static void join(const mfrc522_answer_t *answer)
{
    uint8_t *uid = ask.frame + AT_UID;
    uint8_t from = ask.known / 8u;
    uint8_t mask = (uint8_t)((1u << ask.known % 8u) - 1u);
    for (uint8_t i = 0; i < answer->count && from + i <= LEVEL_BYTES; i++) { /* the fifth is the check byte */
        uint8_t sent = i == 0 ? uid[from] & mask : 0;
        uint8_t came = i == 0 ? answer->bytes[i] & (uint8_t)~mask : answer->bytes[i];
        uid[from + i] = sent | came;
    }
}

static rfid_heard_t after_anticollision(mfrc522_heard_t heard, const mfrc522_answer_t *answer, uint32_t now_ms)
{
    if (heard == MFRC522_SILENCE) {
        ask.doubted = ask.guessed ? DOUBTED_COUNT : ask.doubted;
        return RFID_UNCLEAR;
    }
    const uint8_t *uid = ask.frame + AT_UID;
    join(answer);
    if (heard == MFRC522_COLLISION) {
        part(answer->collided, now_ms);
        return RFID_BUSY;
    }
    bool whole = answer->count == LEVEL_BYTES + 1u - ask.known / 8u && answer->last_bits == 0;
    if (heard != MFRC522_ANSWER || !whole || (uid[0] ^ uid[1] ^ uid[2] ^ uid[3]) != ask.frame[AT_BCC]) {
        return RFID_UNCLEAR;
    }
    select(now_ms);
    return RFID_BUSY;
}

/* ---- SELECT ---- */

static rfid_heard_t after_select(mfrc522_heard_t heard, const mfrc522_answer_t *answer, uint32_t now_ms)
{
    if (heard == MFRC522_SILENCE) {
        return ask.checking ? RFID_SILENT : RFID_UNCLEAR;
    }
    const uint8_t *bytes = answer->bytes;
    if (heard != MFRC522_ANSWER || answer->count != SAK_BYTES + CRC_BYTES || answer->last_bits != 0 ||
        crc_a(bytes, SAK_BYTES + CRC_BYTES) != 0) {
        return RFID_UNCLEAR;
    }
    const uint8_t *uid = ask.frame + AT_UID;
    if ((bytes[0] & SAK_MORE) != 0) {
        if (ask.level + 1u == LEVELS_MAX || uid[0] != CASCADE_TAG || (ask.checking && ask.uid.size == LEVEL_BYTES)) {
            return RFID_UNCLEAR;
        }
        memcpy(ask.uid.bytes, uid + 1, 3);
        ask.level++;
        begin_level(now_ms);
        return RFID_BUSY;
    }
    uint8_t size = ask.level == 0 ? LEVEL_BYTES : RFID_UID_MAX_BYTES;
    if (ask.checking && ask.uid.size != size) {
        return RFID_UNCLEAR;
    }
    memcpy(ask.uid.bytes + (size - LEVEL_BYTES), uid, LEVEL_BYTES);
    ask.uid.size = size;
    return RFID_TAG;
}

rfid_heard_t rfid_step(uint32_t now_ms)
{
    mfrc522_answer_t answer;
    if (ask.asking == ASK_HALT) {
        return mfrc522_is_sent() ? RFID_SILENT : RFID_BUSY;
    }
    mfrc522_heard_t heard = mfrc522_hear(&answer, now_ms);
    if (heard == MFRC522_WAITING) {
        return RFID_BUSY;
    }
    if (heard == MFRC522_DEAD) {
        return RFID_DEAF;
    }
    if (--ask.exchanges == 0) {
        return RFID_UNCLEAR;
    }
    if (ask.asking == ASK_REQUEST) {
        if (heard == MFRC522_SILENCE) {
            return RFID_SILENT;
        }
        begin_level(now_ms); /* whatever came: several answers garble one another */
        return RFID_BUSY;
    }
    return ask.asking == ASK_ANTICOLLISION ? after_anticollision(heard, &answer, now_ms)
                                           : after_select(heard, &answer, now_ms);
}
