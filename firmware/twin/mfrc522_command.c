/* GPL-3.0-or-later. Owns the MFRC522's commands (data sheet, chapter 10), its resets and its self-test (16.1.1).
 *
 * Assumed where the data sheet says nothing: how long the oscillator, a checksum and the self-test take. Left out:
 * MFAuthent, and Receive without a frame before it; both wait for ever.
 */
#include <string.h>

#include "mfrc522.h"
#include "mfrc522_registers.h"
#include "mfrc522_selftest.h"

enum { COMMAND_MEM = 1, COMMAND_RANDOM = 2, COMMAND_NO_CHANGE = 7, COMMAND_RECEIVE = 8, COMMAND_AUTHENTICATE = 14,
       COMMAND_RESET = 15 };
enum { COMMAND_BITS = 0x0F, RECEIVER_OFF = 0x20, DIV_IRQ_CRC = 0x04, SELF_TEST_BITS = 0x0F, SELF_TEST_ON = 0x09,
       CRC_PRESET = 0x03, RANDOM_BYTES = 10, COM_IRQ_AT_RESET = 0x14 };

static const uint64_t start_up_ps = 1000000000;  /* 1 ms of a crystal */
static const uint64_t soft_reset_ps = 37760000;  /* the crystal runs: 1024 of its clocks (8.8.2) */
static const uint64_t self_test_ps = 1000000000;
enum { CRC_BYTE_PERIODS = 8 }; /* a bit each period */

/* ---- checksums and the self-test (16.1.1) --------------------------------------------------- */

uint16_t mfrc522_crc_preset(const mfrc522_t *reader)
{
    static const uint16_t presets[] = {0x0000, 0x6363, 0xA671, 0xFFFF};
    return presets[reader->registers[MODE_REG] & CRC_PRESET];
}

bool mfrc522_tests_itself(const mfrc522_t *reader)
{
    return (reader->registers[AUTO_TEST_REG] & SELF_TEST_BITS) == SELF_TEST_ON;
}

/* Twenty-five zeros in the memory and one in the buffer give what the data sheet prints; anything else does not. */
static void self_test(mfrc522_t *reader)
{
    static const uint8_t zeros[MFRC522_MEMORY_BYTES];
    const uint8_t *printed = selftest_of(reader->version);
    bool prepared = !memcmp(reader->memory, zeros, sizeof zeros) && reader->fifo_count == 1 && reader->fifo[0] == 0;
    reader->fifo_count = 0;
    for (int at = 0; at < MFRC522_FIFO_BYTES; at++) {
        mfrc522_push(reader, (uint8_t)(printed[at] ^ (prepared ? 0 : 0x55)));
    }
}

void mfrc522_computed(mfrc522_t *reader, uint64_t now_ps)
{
    (void)now_ps;
    if (mfrc522_tests_itself(reader)) {
        self_test(reader);
        return;
    }
    while (reader->fifo_count) {
        uint8_t byte = mfrc522_pop(reader);
        reader->crc = picc_crc(reader->crc, &byte, 1);
    }
    reader->crc_ready = true;
    reader->div_irq |= DIV_IRQ_CRC;
}

void mfrc522_compute(mfrc522_t *reader, uint64_t now_ps)
{
    bool tests = mfrc522_tests_itself(reader);
    reader->crc_ready = false;
    uint64_t crc_ps = carrier_ps((reader->fifo_count + 1u) * CRC_BYTE_PERIODS);
    reader->due_ps[DUE_COMPUTED] = now_ps + (tests ? self_test_ps : crc_ps);
}

/* ---- resets and sleep ------------------------------------------------------------------------------------------ */

static void reset(mfrc522_t *reader, uint64_t now_ps, uint64_t asleep_ps)
{
    for (int address = 0; address < MFRC522_REGISTERS; address++) {
        reader->registers[address] = mfrc522_plain[address].reset;
    }
    reader->registers[COMMAND_REG] = RECEIVER_OFF;
    reader->command = COMMAND_IDLE;
    reader->com_irq = COM_IRQ_AT_RESET;
    reader->div_irq = reader->errors = reader->rx_last_bits = 0;
    reader->modem = MODEM_IDLE;
    reader->collision = NO_COLLISION;
    reader->crc = 0xFFFF;
    reader->crc_ready = true;
    reader->timer_runs = false;
    reader->fifo_count = 0;
    reader->awake_ps = now_ps + asleep_ps;
    for (int due = 0; due < DUE_COUNT; due++) {
        reader->due_ps[due] = NEVER;
    }
    mfrc522_hush(reader);
    air_field(reader->air, reader->index, false, now_ps);
    if (reader->health == READER_DEAF || reader->health == READER_STUCK) {
        reader->health = READER_WELL;
    }
}

void mfrc522_build(mfrc522_t *reader, air_t *air, uint8_t index, uint8_t version)
{
    *reader = (mfrc522_t){.air = air, .index = index, .version = version};
    reset(reader, 0, start_up_ps);
}

void mfrc522_power_on(mfrc522_t *reader, uint64_t now_ps)
{
    reset(reader, now_ps, reader->held ? NEVER - now_ps : start_up_ps);
    memset(reader->memory, 0xA5, sizeof reader->memory); /* nobody knows what it holds */
}

void mfrc522_reset_line(mfrc522_t *reader, bool high, uint64_t now_ps)
{
    mfrc522_settle(reader, now_ps);
    if (reader->held == !high) {
        return;
    }
    reader->held = !high;
    if (reader->health == READER_MUTE) {
        reader->health = READER_WELL;
    }
    mfrc522_power_on(reader, now_ps);
}

/* ---- commands (10.3) ------------------------------------------------------------------------------------------- */

static void finish(mfrc522_t *reader)
{
    reader->command = COMMAND_IDLE;
    reader->com_irq |= IRQ_IDLE;
}

static void start_mem(mfrc522_t *reader, uint64_t now_ps)
{
    (void)now_ps;
    bool stores = reader->fifo_count > 0;
    for (int at = 0; at < MFRC522_MEMORY_BYTES; at++) {
        if (stores) {
            reader->memory[at] = mfrc522_pop(reader);
        } else {
            mfrc522_push(reader, reader->memory[at]);
        }
    }
    finish(reader);
}

static void start_random(mfrc522_t *reader, uint64_t now_ps)
{
    (void)now_ps;
    for (int at = 0; at < RANDOM_BYTES; at++) {
        reader->memory[at] = (uint8_t)(air_chance(reader->air) >> 56);
    }
    finish(reader);
}

static void start_crc(mfrc522_t *reader, uint64_t now_ps)
{
    reader->crc = mfrc522_crc_preset(reader);
    mfrc522_compute(reader, now_ps);
}

static void start_transceive(mfrc522_t *reader, uint64_t now_ps)
{
    (void)now_ps;
    reader->modem = MODEM_WAITS_FOR_START;
}

static void start_reset(mfrc522_t *reader, uint64_t now_ps)
{
    reset(reader, now_ps, soft_reset_ps);
}

static void start_nothing(mfrc522_t *reader, uint64_t now_ps)
{
    (void)reader, (void)now_ps;
}

static void (*const starts[])(mfrc522_t *reader, uint64_t now_ps) = {
    [COMMAND_IDLE] = start_nothing,           [COMMAND_MEM] = start_mem,
    [COMMAND_RANDOM] = start_random,          [COMMAND_CRC] = start_crc,
    [COMMAND_TRANSMIT] = mfrc522_send,        [COMMAND_RECEIVE] = start_nothing,
    [COMMAND_TRANSCEIVE] = start_transceive,  [COMMAND_AUTHENTICATE] = start_nothing,
    [COMMAND_RESET] = start_reset,
};

void mfrc522_command(mfrc522_t *reader, uint8_t value, uint64_t now_ps)
{
    uint8_t command = value & COMMAND_BITS;
    bool slept = reader->registers[COMMAND_REG] & POWER_DOWN;
    reader->registers[COMMAND_REG] = value & (RECEIVER_OFF | POWER_DOWN);
    if (value & POWER_DOWN) {
        mfrc522_hush(reader);
        mfrc522_timer_stop(reader);
        air_field(reader->air, reader->index, false, now_ps);
        reader->command = COMMAND_IDLE;
        return;
    }
    if (slept) {
        bool on = (reader->registers[TX_CONTROL_REG] & BOTH_DRIVERS) == BOTH_DRIVERS;
        reader->awake_ps = now_ps + start_up_ps;
        air_field(reader->air, reader->index, on, now_ps);
    }
    if (command == COMMAND_NO_CHANGE) {
        return;
    }
    mfrc522_hush(reader);
    reader->due_ps[DUE_COMPUTED] = NEVER;
    reader->modem = MODEM_IDLE;
    reader->command = command;
    if (command >= sizeof starts / sizeof *starts || !starts[command]) {
        finish(reader);
        return;
    }
    if (command != COMMAND_IDLE) {
        reader->errors = 0;
    }
    starts[command](reader, now_ps);
}

