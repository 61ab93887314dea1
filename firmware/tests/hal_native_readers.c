#include "hal_native_readers.h"

#include <string.h>

#include "hal_native.h"

#define TAGS_MAX 192u
#define STEPS_PER_MS 3u /* an exchange takes some 0.4 ms */
#define FIFO_BYTES 64u
#define TAG_READY_MS 5u
#define BITS_MAX 80u

enum { COMMAND = 1, COM_IRQ = 4, ERROR = 6, FIFO_DATA = 9, FIFO_LEVEL = 10, CONTROL = 12, BIT_FRAMING = 13, COLL = 14,
       TX_CONTROL = 0x14, TX_ASK = 0x15, T_MODE = 0x2A, AUTO_TEST = 0x36, VERSION = 0x37, REGISTERS = 64 };
enum { IDLE = 0, CALC_CRC = 3, TRANSCEIVE = 12, SOFT_RESET = 15 };

typedef enum { TAG_OFF, TAG_IDLE, TAG_READY, TAG_ACTIVE, TAG_HALT } tag_state_t;

typedef struct {
    uint8_t uid[7];
    uint8_t size;
    uint32_t readers;
    tag_state_t state;
    bool woken; /* out of HALT, where it goes back to */
    uint8_t level;
    uint32_t powered_ms;
} tag_t;

typedef struct {
    uint8_t registers[REGISTERS];
    uint8_t fifo[FIFO_BYTES];
    uint8_t level;
} chip_t;

typedef struct {
    uint8_t bits[BITS_MAX];
    uint8_t count;
} bits_t;

native_readers_t native_readers;
static tag_t tags[TAGS_MAX];
static chip_t chips[HAL_READER_COUNT];
static unsigned requests, answers, bent;
static uint8_t selected;
static bool addressed;
static uint8_t address;

/* What an MFRC522 of version 2.0 answers to its self-test (data sheet, 16.1.1). */
static const uint8_t self_test[FIFO_BYTES] = {
    0x00, 0xEB, 0x66, 0xBA, 0x57, 0xBF, 0x23, 0x95, 0xD0, 0xE3, 0x0D, 0x3D, 0x27, 0x89, 0x5C, 0xDE,
    0x9D, 0x3B, 0xA7, 0x00, 0x21, 0x5B, 0x89, 0x82, 0x51, 0x3A, 0xEB, 0x02, 0x0C, 0xA5, 0x00, 0x49,
    0x7C, 0x84, 0x4D, 0xB3, 0xCC, 0xD2, 0x1B, 0x81, 0x5D, 0x48, 0x76, 0xD5, 0x71, 0x61, 0x21, 0xA9,
    0x86, 0x96, 0x83, 0x38, 0xCF, 0x9D, 0x5B, 0x6D, 0xDC, 0x15, 0xBA, 0x3E, 0x7D, 0x95, 0x3B, 0x2F,
};

/* ---- tags ---- */

static uint8_t bit_of(const uint8_t *bytes, unsigned at)
{
    return (uint8_t)((unsigned)bytes[at / 8] >> at % 8 & 1u);
}

/* CRC_A, bit by bit, as annex B of the standard defines it. */
static uint16_t crc_a(const uint8_t *bytes, unsigned count)
{
    unsigned crc = 0x6363;
    for (unsigned i = 0; i < count * 8; i++) {
        unsigned bit = (crc & 1u) ^ bit_of(bytes, i);
        crc = crc >> 1 ^ (bit != 0 ? 0x8408u : 0u);
    }
    return (uint16_t)crc;
}

static void power(tag_t *tag)
{
    bool powered = false;
    for (unsigned k = 0; k < HAL_READER_COUNT; k++) {
        powered = powered || ((tag->readers >> k & 1u) != 0 && native_readers.readers[k].field);
    }
    if (!powered) {
        tag->state = TAG_OFF;
    } else if (tag->state == TAG_OFF) {
        tag->state = TAG_IDLE;
        tag->powered_ms = native.ms;
    }
}

void native_tag(const uint8_t *uid, uint8_t size, uint32_t readers)
{
    unsigned i = 0;
    while (i < TAGS_MAX - 1 && tags[i].size != 0 && (tags[i].size != size || memcmp(tags[i].uid, uid, size) != 0)) {
        i++;
    }
    if (tags[i].size == 0 || tags[i].readers == 0) {
        memset(&tags[i], 0, sizeof tags[i]);
    }
    memcpy(tags[i].uid, uid, size);
    tags[i].size = size;
    tags[i].readers = readers;
    power(&tags[i]);
}

static void put(bits_t *bits, const uint8_t *bytes, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        bits->bits[bits->count++] = bit_of(bytes, i);
    }
}

/* The four bytes of a cascade level, and their check byte. */
static void level_bytes(const tag_t *tag, uint8_t bytes[5])
{
    if (tag->size == 4) {
        memcpy(bytes, tag->uid, 4);
    } else if (tag->level == 0) {
        bytes[0] = 0x88;
        memcpy(bytes + 1, tag->uid, 3);
    } else {
        memcpy(bytes, tag->uid + 3, 4);
    }
    bytes[4] = bytes[0] ^ bytes[1] ^ bytes[2] ^ bytes[3];
}

static void rest(tag_t *tag)
{
    tag->state = tag->woken ? TAG_HALT : TAG_IDLE;
}

static void answer_level(tag_t *tag, const uint8_t *sent, unsigned bit_count, bits_t *answer)
{
    uint8_t bytes[5];
    unsigned known = bit_count - 16;
    level_bytes(tag, bytes);
    bool mine = bit_count >= 16 && (sent[0] - 0x93) / 2 == tag->level && sent[0] % 2 != 0;
    for (unsigned i = 0; mine && i < known && i < 40; i++) {
        mine = bit_of(sent + 2, i) == bit_of(bytes, i);
    }
    if (!mine) {
        rest(tag);
    } else if (sent[1] != 0x70) {
        put(answer, bytes, known, 40);
    } else if (bit_count == 72 && (sent[7] | sent[8] << 8) == crc_a(sent, 7)) {
        bool more = tag->size == 7 && tag->level == 0;
        uint8_t sak[3] = {more ? 0x04 : 0x00};
        uint16_t crc = crc_a(sak, 1);
        sak[1] = (uint8_t)crc;
        sak[2] = (uint8_t)(crc >> 8);
        tag->level++;
        tag->state = more ? TAG_READY : TAG_ACTIVE;
        put(answer, sak, 0, 24);
    }
}

static void hear(tag_t *tag, const uint8_t *sent, unsigned bit_count, bits_t *answer)
{
    static const uint8_t atqa[2] = {0x44, 0x00};
    bool request = bit_count == 7 && (sent[0] == 0x26 || sent[0] == 0x52);
    if (tag->state == TAG_READY && !request) {
        answer_level(tag, sent, bit_count, answer);
    } else if (request && (tag->state == TAG_IDLE || (tag->state == TAG_HALT && sent[0] == 0x52))) {
        tag->woken = tag->state == TAG_HALT;
        tag->state = TAG_READY;
        tag->level = 0;
        put(answer, atqa, 0, 16);
    } else if (tag->state == TAG_ACTIVE && bit_count == 32 && sent[0] == 0x50) {
        tag->state = TAG_HALT;
    } else if (tag->state == TAG_READY || tag->state == TAG_ACTIVE) {
        rest(tag);
    }
}

/* ---- the chip ---- */

static uint8_t chance(void)
{
    native_readers.random = native_readers.random * 1664525u + 1013904223u;
    return (uint8_t)(native_readers.random >> 24);
}

/* All answers in the air at once. */
static void receive(chip_t *chip, const bits_t *all, unsigned count, unsigned known)
{
    unsigned align = (unsigned)chip->registers[BIT_FRAMING] >> 4 & 7u;
    unsigned length = 0, collided = BITS_MAX;
    for (unsigned i = 0; i < count; i++) {
        length = all[i].count > length ? all[i].count : length;
    }
    memset(chip->fifo, 0, sizeof chip->fifo);
    for (unsigned at = 0; at < length; at++) {
        unsigned ones = 0, zeros = 0;
        for (unsigned i = 0; i < count; i++) {
            ones += at < all[i].count && all[i].bits[at] != 0;
            zeros += at < all[i].count && all[i].bits[at] == 0;
        }
        collided = ones != 0 && zeros != 0 && collided == BITS_MAX ? at : collided;
        bool kept = collided == BITS_MAX || (chip->registers[COLL] & 0x80u) != 0;
        chip->fifo[(align + at) / 8] |= (uint8_t)((kept && ones != 0 ? 1u : 0u) << (align + at) % 8);
    }
    chip->level = (uint8_t)((align + length + 7) / 8);
    chip->registers[CONTROL] = (align + length) % 8;
    chip->registers[ERROR] = 0;
    if (collided < BITS_MAX) {
        unsigned at = native_readers.collisions == COLLISION_IN_LEVEL ? known + collided + 1 : align + collided + 1;
        bool valid = at <= 32 && native_readers.collisions != COLLISION_NOWHERE;
        chip->registers[ERROR] = 0x08;
        chip->registers[COLL] = (uint8_t)((chip->registers[COLL] & 0x80u) | (valid ? at & 31u : 0x20u));
    }
    if (native_readers.garble_every != 0 && ++answers % native_readers.garble_every == 0) {
        chip->registers[ERROR] |= 0x02;
    }
    if (native_readers.bend_every != 0 && ++bent % native_readers.bend_every == 0) {
        chip->fifo[0] ^= 0x06;
    }
    chip->registers[COM_IRQ] |= 0x20;
}

static void transceive(uint8_t reader)
{
    chip_t *chip = &chips[reader];
    uint8_t sent[FIFO_BYTES];
    bits_t all[TAGS_MAX];
    unsigned count = 0;
    unsigned last = chip->registers[BIT_FRAMING] & 7u;
    unsigned bit_count = chip->level * 8u - (last != 0 ? 8u - last : 0u);
    memcpy(sent, chip->fifo, sizeof sent);
    chip->level = 0;
    bool request = bit_count == 7;
    bool unheard = request && native_readers.silent_every != 0 && ++requests % native_readers.silent_every == 0;
    for (unsigned i = 0; i < TAGS_MAX; i++) {
        tag_t *tag = &tags[i];
        bool ready = tag->state != TAG_OFF && native.ms - tag->powered_ms >= TAG_READY_MS;
        if ((tag->readers >> reader & 1u) != 0 && native_readers.readers[reader].field && ready && !unheard) {
            all[count].count = 0;
            hear(tag, sent, bit_count, &all[count]);
            count += all[count].count != 0;
        }
    }
    if (native_readers.readers[reader].health == READER_MUTE) {
        return;
    }
    if (count == 0) {
        chip->registers[COM_IRQ] |= (uint8_t)(chip->registers[T_MODE] >> 7); /* with TAuto the timer's flag */
    } else {
        receive(chip, all, count, bit_count >= 16 ? bit_count - 16 : 0);
    }
}

static void reset_chip(uint8_t reader)
{
    memset(&chips[reader], 0, sizeof chips[reader]);
    chips[reader].registers[TX_CONTROL] = 0x80;
    native_readers.readers[reader].field = false;
    for (unsigned i = 0; i < TAGS_MAX; i++) {
        power(&tags[i]);
    }
}

static void count_fields(uint8_t reader)
{
    unsigned lit = 0;
    for (int k = 0; k < (int)HAL_READER_COUNT; k++) {
        int rows = k / 4 - reader / 4, columns = k % 4 - reader % 4;
        bool on = native_readers.readers[k].field;
        lit += on;
        native_readers.neighbours_lit += on && k != reader && rows * rows <= 1 && columns * columns <= 1;
    }
    native_readers.fields_max = lit > native_readers.fields_max ? lit : native_readers.fields_max;
}

static void write(uint8_t reader, uint8_t at, uint8_t value)
{
    chip_t *chip = &chips[reader];
    if (at == FIFO_DATA) {
        if (chip->level < FIFO_BYTES) {
            chip->fifo[chip->level++] = value;
        }
        return;
    }
    if (at == FIFO_LEVEL || at == COM_IRQ) {
        chip->level = at == FIFO_LEVEL && (value & 0x80u) != 0 ? 0 : chip->level;
        chip->registers[COM_IRQ] &= at == COM_IRQ ? (uint8_t)~value : 0xFF;
        return;
    }
    chip->registers[at] = value;
    if (at == COMMAND && value == SOFT_RESET) {
        reset_chip(reader);
    } else if (at == COMMAND && value == CALC_CRC && chip->registers[AUTO_TEST] == 0x09) {
        memcpy(chip->fifo, self_test, sizeof self_test);
        chip->fifo[63] ^= native_readers.readers[reader].fails_test;
        chip->level = FIFO_BYTES;
    } else if (at == BIT_FRAMING && (value & 0x80u) != 0 && chip->registers[COMMAND] == TRANSCEIVE) {
        transceive(reader);
    } else if (at == TX_CONTROL && native_readers.readers[reader].field != ((value & 3u) == 3u)) {
        native_readers.readers[reader].field = (value & 3u) == 3u;
        for (unsigned i = 0; i < TAGS_MAX; i++) {
            power(&tags[i]);
        }
        if ((value & 3u) == 3u) {
            count_fields(reader);
        }
    }
}

static uint8_t read(uint8_t reader, uint8_t at)
{
    chip_t *chip = &chips[reader];
    if (at == VERSION) {
        return native_readers.readers[reader].version;
    }
    if (at == FIFO_LEVEL) {
        return chip->level;
    }
    if (at == FIFO_DATA) {
        uint8_t first = chip->fifo[0];
        memmove(chip->fifo, chip->fifo + 1, FIFO_BYTES - 1);
        chip->level = (uint8_t)(chip->level - (chip->level > 0));
        return first;
    }
    return chip->registers[at];
}

/* ---- hal.h ---- */

void hal_readers_hold(bool held)
{
    for (uint8_t k = 0; held && k < HAL_READER_COUNT; k++) {
        reset_chip(k);
    }
}

void hal_reader_select(uint8_t reader)
{
    selected = reader;
    addressed = false;
}

void hal_reader_release(void)
{
    selected = HAL_READER_COUNT;
}

uint8_t hal_reader_exchange(uint8_t byte)
{
    if (selected >= HAL_READER_COUNT) {
        return 0;
    }
    reader_health_t health = native_readers.readers[selected].health;
    if (health == READER_ABSENT || health == READER_HIGH || health == READER_RANDOM) {
        return health == READER_ABSENT ? 0 : health == READER_HIGH ? 0xFF : chance();
    }
    uint8_t came = 0;
    if (addressed && (address & 0x80u) != 0) {
        came = read(selected, (uint8_t)((address & 0x7Eu) >> 1));
        address = byte; /* the next one to be read */
    } else if (addressed) {
        write(selected, (uint8_t)((address & 0x7Eu) >> 1), byte);
    } else {
        address = byte;
        addressed = true;
    }
    return came;
}

void hal_alarm(uint16_t us)
{
    (void)us;
}

bool hal_alarm_over(void)
{
    return true;
}

uint8_t hal_buttons(void)
{
    return native_readers.buttons;
}

/* ---- what tests do ---- */

void native_sense_new(void)
{
    memset(&native_readers, 0, sizeof native_readers);
    memset(tags, 0, sizeof tags);
    native_readers.random = 1;
    for (uint8_t k = 0; k < HAL_READER_COUNT; k++) {
        native_readers.readers[k].version = 0x92;
        reset_chip(k);
    }
}

void native_sense_boot(void)
{
    requests = 0;
    answers = 0;
    bent = 0;
    hal_readers_hold(true);
}

void native_sense_ms(void)
{
    for (unsigned i = 0; i < STEPS_PER_MS; i++) {
        native_step();
    }
}
