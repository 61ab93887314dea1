#include "store.h"

#include <stddef.h>

#include "frame.h"
#include "hal.h"
#include "messages.h"

#define BLANK 0xFFu
#define SLOT_COUNT 2u
#define SLOTS_AT 64u /* the first bytes count boots */
#define SLOT_BYTES ((HAL_EEPROM_BYTES - SLOTS_AT) / SLOT_COUNT)

/* A byte takes 20 us on the cable and a BLE module sends a packet in one piece: this much silence ends a message. */
#define QUIET_MS 3u

/* Bytes that are as they should be cost no write; so many are looked at in one step. */
#define LOOKED_AT_COUNT 16u

typedef struct __attribute__((packed)) {
    uint8_t version;
    uint16_t sequence;
    uint16_t size;
    uint16_t crc; /* over what stands before it, then the record */
} header_t;

#define CRC_BYTES sizeof(uint16_t)
#define BODY_AT sizeof(header_t)

typedef struct __attribute__((packed)) {
    uint32_t boots;
    uint8_t check;
} boots_t;

static struct {
    uint8_t *record;
    uint16_t size;
    uint8_t version;
    uint8_t newest; /* slot */
    header_t header; /* of the slot being written */
    uint16_t at;     /* next byte to write, counted as the record, then the header from behind */
    bool writing;
    boots_t boots;
    uint8_t boots_cell;
    uint8_t boots_at; /* next byte of it to write */
} store;

static uint16_t slot_address(uint8_t slot)
{
    return (uint16_t)(SLOTS_AT + slot * SLOT_BYTES);
}

static void read_bytes(uint16_t address, void *bytes, uint8_t count)
{
    uint8_t *to = bytes;
    for (uint8_t i = 0; i < count; i++) {
        to[i] = hal_eeprom_read((uint16_t)(address + i));
    }
}

static uint16_t header_crc(const header_t *header)
{
    const uint8_t *bytes = (const uint8_t *)header;
    uint16_t crc = FRAME_CRC_START;
    for (uint8_t i = 0; i < sizeof *header - CRC_BYTES; i++) {
        crc = frame_crc(crc, bytes[i]);
    }
    return crc;
}

/* Whether a slot holds this version, another one, nothing, or damage. */
static store_found_t check_slot(uint8_t slot, header_t *header)
{
    uint16_t address = slot_address(slot);
    read_bytes(address, header, sizeof *header);
    if (header->version == BLANK) {
        return TW_SETTINGS_NONE;
    }
    if (header->size > SLOT_BYTES - BODY_AT) {
        return TW_SETTINGS_DAMAGED;
    }
    uint16_t crc = header_crc(header);
    for (uint16_t i = 0; i < header->size; i++) {
        crc = frame_crc(crc, hal_eeprom_read((uint16_t)(address + BODY_AT + i)));
    }
    if (crc != header->crc) {
        return TW_SETTINGS_DAMAGED;
    }
    return header->version == store.version && header->size == store.size ? TW_SETTINGS_STORED
                                                                          : TW_SETTINGS_OTHER_VERSION;
}

/* What two slots without a sound record say together: damage outranks the rest, for it is what a user can act on. */
static store_found_t worse(store_found_t one, store_found_t other)
{
    if (one == TW_SETTINGS_NONE) {
        return other;
    }
    return other == TW_SETTINGS_DAMAGED ? other : one;
}

static store_found_t load_record(void)
{
    header_t headers[SLOT_COUNT];
    store_found_t first = check_slot(0, &headers[0]);
    store_found_t second = check_slot(1, &headers[1]);
    if (first != TW_SETTINGS_STORED && second != TW_SETTINGS_STORED) {
        store.newest = 1; /* the first write goes to the other slot */
        store.header.sequence = 0;
        return worse(first, second);
    }
    bool second_is_newer = (int16_t)(headers[1].sequence - headers[0].sequence) > 0;
    store.newest = first != TW_SETTINGS_STORED || (second == TW_SETTINGS_STORED && second_is_newer) ? 1 : 0;
    store.header.sequence = headers[store.newest].sequence;
    for (uint16_t i = 0; i < store.size; i++) {
        store.record[i] = hal_eeprom_read((uint16_t)(slot_address(store.newest) + BODY_AT + i));
    }
    return TW_SETTINGS_STORED;
}

/* Neither 0 nor FF alone: a cell that was cleared or never written is no count. */
#define BOOTS_CHECK_START 0xA5u

static uint8_t boots_check(uint32_t boots)
{
    return (uint8_t)(BOOTS_CHECK_START ^ boots ^ (boots >> 8) ^ (boots >> 16) ^ (boots >> 24));
}

/* Two cells in turn, like the slots: the count never goes back, whenever the power is cut. */
static void count_boot(void)
{
    uint32_t newest = 0;
    store.boots_cell = 0;
    for (uint8_t cell = 0; cell < SLOT_COUNT; cell++) {
        boots_t found;
        read_bytes((uint16_t)(cell * sizeof found), &found, sizeof found);
        if (found.check == boots_check(found.boots) && found.boots > newest) {
            newest = found.boots;
            store.boots_cell = cell ^ 1u;
        }
    }
    store.boots.boots = newest + 1u;
    store.boots.check = boots_check(store.boots.boots);
    store.boots_at = 0;
}

store_found_t store_start(uint8_t *record, uint16_t size, uint8_t version)
{
    store.record = record;
    store.size = size;
    store.version = version;
    store.writing = false;
    count_boot();
    return load_record();
}

uint32_t store_boots(void)
{
    return store.boots.boots;
}

bool store_boots_stored(void)
{
    return store.boots_at == sizeof store.boots && hal_eeprom_ready();
}

void store_begin(void)
{
    if (!store.writing) {
        store.header.sequence++;
    }
    store.header.version = store.version;
    store.header.size = store.size;
    store.header.crc = header_crc(&store.header);
    store.at = 0;
    store.writing = true;
}

uint16_t store_unwritten_bytes(void)
{
    if (!store.writing) {
        return 0;
    }
    return (uint16_t)(store.size + sizeof(header_t) + 1u - store.at);
}

/* Makes one byte of the EEPROM so; whether that took a write. */
static bool write_byte(uint16_t address, uint8_t byte)
{
    if (hal_eeprom_read(address) == byte) {
        return false;
    }
    hal_eeprom_write(address, byte);
    return true;
}

/* The next byte of the record or its header; whether it took a write. */
static bool write_next(void)
{
    uint16_t address = slot_address(store.newest ^ 1u);
    uint16_t at = store.at++;
    if (at < store.size) {
        uint8_t byte = store.record[at];
        store.header.crc = frame_crc(store.header.crc, byte);
        return write_byte((uint16_t)(address + BODY_AT + at), byte);
    }
    uint8_t behind = (uint8_t)(at - store.size);
    if (behind == sizeof store.header) {
        store.newest ^= 1u; /* the last byte was ready before this step */
        store.writing = false;
        return false;
    }
    uint8_t i = (uint8_t)(sizeof store.header - 1u - behind);
    return write_byte((uint16_t)(address + i), ((const uint8_t *)&store.header)[i]);
}

void store_step(void)
{
    if (!hal_eeprom_ready()) {
        return;
    }
    if (store.boots_at < sizeof store.boots) {
        uint16_t address = (uint16_t)(store.boots_cell * sizeof store.boots + store.boots_at);
        write_byte(address, ((const uint8_t *)&store.boots)[store.boots_at++]);
        return;
    }
    if (!store.writing || hal_link_quiet_ms() < QUIET_MS) {
        return;
    }
    for (uint8_t i = 0; i < LOOKED_AT_COUNT && store.writing; i++) {
        if (write_next()) {
            return;
        }
    }
}
