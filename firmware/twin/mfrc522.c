/* GPL-3.0-or-later. Owns the MFRC522's registers, buffer, interrupts, timer and bus (data sheet, chapters 8 and 9); its
 * commands are mfrc522_command.c's, what is on the air is mfrc522_air.c's.
 *
 * Time passes in steps: before a byte of the bus is answered, all that is due by then happens in its order.
 *
 * Assumed where the data sheet says nothing: a frame begins when StartSend is written while Transceive waits, not when
 * it was set before; a collided bit reads as one with ValuesAfterColl, else as zero. Left out: the IRQ pin, test pins,
 * TGated.
 */
#include "mfrc522.h"

#include <string.h>

#include "mfrc522_registers.h"

enum { SET_BITS = 0x80, FLUSH = 0x80, START_SEND = 0x80, T_START_NOW = 0x40, T_STOP_NOW = 0x80, T_AUTO_RESTART = 0x10,
       DIV_IRQ_BITS = 0x14, COM_IRQ_BITS = 0x7F, PRESCALER_EVEN = 0x10, MSB_FIRST = 0x80, WRITE_ERROR = 0x80 };

/* ---- buffer, errors, interrupts -------------------------------------------------------------------------------- */

static void note_level(mfrc522_t *reader)
{
    uint8_t water = reader->registers[WATER_LEVEL_REG];
    if (MFRC522_FIFO_BYTES - reader->fifo_count <= water) {
        reader->com_irq |= IRQ_HIGH;
    }
    if (reader->fifo_count <= water) {
        reader->com_irq |= IRQ_LOW;
    }
}

void mfrc522_err(mfrc522_t *reader, uint8_t errors)
{
    reader->errors |= errors;
    if (errors) {
        reader->com_irq |= IRQ_ERROR;
    }
}

void mfrc522_push(mfrc522_t *reader, uint8_t byte)
{
    if (reader->fifo_count == MFRC522_FIFO_BYTES) {
        mfrc522_err(reader, ERROR_OVERFLOW);
        return;
    }
    reader->fifo[reader->fifo_count++] = byte;
    note_level(reader);
}

uint8_t mfrc522_pop(mfrc522_t *reader)
{
    if (!reader->fifo_count) {
        return 0;
    }
    uint8_t byte = reader->fifo[0];
    memmove(reader->fifo, reader->fifo + 1, --reader->fifo_count);
    note_level(reader);
    return byte;
}

/* ---- the timer (8.5) ------------------------------------------------------------------------------------------- */

static uint64_t timer_ticks_ps(const mfrc522_t *reader, uint64_t ticks)
{
    const uint8_t *registers = reader->registers;
    uint32_t prescaler = (uint32_t)(registers[T_MODE_REG] & 0x0F) << 8 | registers[T_PRESCALER_REG];
    uint32_t divider = 2 * prescaler + (registers[DEMOD_REG] & PRESCALER_EVEN ? 2 : 1);
    return carrier_ps(divider * ticks);
}

static uint16_t timer_reload(const mfrc522_t *reader)
{
    return (uint16_t)(reader->registers[T_RELOAD_HIGH_REG] << 8 | reader->registers[T_RELOAD_LOW_REG]);
}

void mfrc522_timer_start(mfrc522_t *reader, uint64_t now_ps)
{
    reader->timer_runs = true;
    reader->timer_ps = now_ps;
    reader->due_ps[DUE_TIMER] = now_ps + timer_ticks_ps(reader, timer_reload(reader) + 1ull);
}

void mfrc522_timer_stop(mfrc522_t *reader)
{
    reader->timer_runs = false;
    reader->due_ps[DUE_TIMER] = NEVER;
}

static void timer_done(mfrc522_t *reader, uint64_t now_ps)
{
    reader->com_irq |= IRQ_TIMER;
    mfrc522_timer_stop(reader);
    if (reader->registers[T_MODE_REG] & T_AUTO_RESTART) {
        mfrc522_timer_start(reader, now_ps);
    }
}

static uint16_t timer_value(const mfrc522_t *reader, uint64_t now_ps)
{
    if (!reader->timer_runs) {
        return 0;
    }
    uint64_t tick_ps = timer_ticks_ps(reader, 1), gone = (now_ps - reader->timer_ps) / tick_ps;
    uint16_t reload = timer_reload(reader);
    return gone < reload ? (uint16_t)(reload - gone) : 0;
}

/* ---- reading and writing (9.3) --------------------------------------------------------------------------------- */

static void set_or_clear(uint8_t *flags, uint8_t value, uint8_t known)
{
    uint8_t bits = value & known;
    *flags = (uint8_t)(value & SET_BITS ? *flags | bits : *flags & ~bits);
}

static void write_data(mfrc522_t *reader, uint8_t value, uint64_t now_ps)
{
    if (reader->modem > MODEM_WAITS_FOR_START) {
        mfrc522_err(reader, WRITE_ERROR);
        return;
    }
    mfrc522_push(reader, value);
    if (reader->command == COMMAND_CRC && !mfrc522_tests_itself(reader)) {
        mfrc522_compute(reader, now_ps);
    }
}

static void write_framing(mfrc522_t *reader, uint8_t value, uint64_t now_ps)
{
    reader->registers[BIT_FRAMING_REG] = value & mfrc522_plain[BIT_FRAMING_REG].writable;
    if ((value & START_SEND) && reader->modem == MODEM_WAITS_FOR_START && reader->fifo_count) {
        mfrc522_send(reader, now_ps);
    }
}

static void write_control(mfrc522_t *reader, uint8_t value, uint64_t now_ps)
{
    if (value & T_STOP_NOW) {
        mfrc522_timer_stop(reader);
    } else if (value & T_START_NOW) {
        mfrc522_timer_start(reader, now_ps);
    }
}

static void write_drivers(mfrc522_t *reader, uint8_t value, uint64_t now_ps)
{
    bool on = (value & BOTH_DRIVERS) == BOTH_DRIVERS;
    reader->registers[TX_CONTROL_REG] = value & mfrc522_plain[TX_CONTROL_REG].writable;
    if (!on && reader->modem > MODEM_WAITS_FOR_START) {
        reader->due_ps[DUE_FIFTH_BIT] = reader->due_ps[DUE_COLLISION] = reader->due_ps[DUE_RECEIVED] = NEVER;
    }
    air_field(reader->air, reader->index, on, now_ps);
}

static void write_register(mfrc522_t *reader, uint8_t address, uint8_t value, uint64_t now_ps)
{
    bool asleep = now_ps < reader->awake_ps || (reader->registers[COMMAND_REG] & POWER_DOWN);
    if (asleep && address != COMMAND_REG) {
        return;
    }
    switch (address) {
    case COMMAND_REG: return now_ps < reader->awake_ps ? (void)0 : mfrc522_command(reader, value, now_ps);
    case COM_IRQ_REG: return set_or_clear(&reader->com_irq, value, COM_IRQ_BITS);
    case DIV_IRQ_REG: return set_or_clear(&reader->div_irq, value, DIV_IRQ_BITS);
    case FIFO_DATA_REG: return write_data(reader, value, now_ps);
    case FIFO_LEVEL_REG:
        if (value & FLUSH) {
            reader->fifo_count = 0;
            reader->errors &= (uint8_t)~ERROR_OVERFLOW;
        }
        return;
    case CONTROL_REG: return write_control(reader, value, now_ps);
    case BIT_FRAMING_REG: return write_framing(reader, value, now_ps);
    case TX_CONTROL_REG: return write_drivers(reader, value, now_ps);
    default: break;
    }
    uint8_t writable = mfrc522_plain[address].writable;
    reader->registers[address] = (uint8_t)((reader->registers[address] & ~writable) | (value & writable));
}

static uint8_t turned(uint8_t byte)
{
    uint8_t turned = 0;
    for (int bit = 0; bit < 8; bit++) {
        turned |= (uint8_t)((byte >> bit & 1) << (7 - bit));
    }
    return turned;
}

/* MSBFirst turns each half of what is shown (9.3.2.2). */
static uint8_t crc_byte(const mfrc522_t *reader, uint8_t byte)
{
    return reader->registers[MODE_REG] & MSB_FIRST ? turned(byte) : byte;
}

static uint8_t status1(const mfrc522_t *reader)
{
    uint8_t water = reader->registers[WATER_LEVEL_REG];
    bool asks = (reader->com_irq & reader->registers[COM_IRQ_ENABLE_REG] & COM_IRQ_BITS) ||
                (reader->div_irq & reader->registers[DIV_IRQ_ENABLE_REG] & DIV_IRQ_BITS);
    return (uint8_t)((reader->crc == 0) << 6 | reader->crc_ready << 5 | asks << 4 | reader->timer_runs << 3 |
                     (MFRC522_FIFO_BYTES - reader->fifo_count <= water) << 1 | (reader->fifo_count <= water));
}

static uint8_t read_register(mfrc522_t *reader, uint8_t address, uint64_t now_ps)
{
    bool wakes = now_ps < reader->awake_ps;
    switch (address) {
    case COMMAND_REG: return (uint8_t)(reader->registers[COMMAND_REG] | reader->command | (wakes ? POWER_DOWN : 0));
    case COM_IRQ_REG: return reader->com_irq;
    case DIV_IRQ_REG: return reader->div_irq;
    case ERROR_REG: return reader->errors;
    case STATUS1_REG: return status1(reader);
    case STATUS2_REG: return (uint8_t)(reader->registers[STATUS2_REG] | reader->modem);
    case FIFO_DATA_REG: return mfrc522_pop(reader);
    case FIFO_LEVEL_REG: return reader->fifo_count;
    case CONTROL_REG: return (uint8_t)(0x10 | reader->rx_last_bits);
    case COLL_REG: return (uint8_t)(reader->registers[COLL_REG] | reader->collision);
    case CRC_RESULT_HIGH_REG: return crc_byte(reader, (uint8_t)(reader->crc >> 8));
    case CRC_RESULT_LOW_REG: return crc_byte(reader, (uint8_t)reader->crc);
    case T_COUNTER_HIGH_REG: return (uint8_t)(timer_value(reader, now_ps) >> 8);
    case T_COUNTER_LOW_REG: return (uint8_t)timer_value(reader, now_ps);
    case VERSION_REG: return reader->version;
    default: return reader->registers[address];
    }
}

/* ---- time and the bus (8.1.2) ---------------------------------------------------------------------------------- */

static void (*const happenings[DUE_COUNT])(mfrc522_t *reader, uint64_t now_ps) = {
    [DUE_COMPUTED] = mfrc522_computed,         [DUE_SENT] = mfrc522_sent,
    [DUE_FIFTH_BIT] = mfrc522_fifth_bit, [DUE_COLLISION] = mfrc522_collided,
    [DUE_RECEIVED] = mfrc522_received,   [DUE_TIMER] = timer_done,
};

void mfrc522_settle(mfrc522_t *reader, uint64_t now_ps)
{
    for (;;) {
        int first = 0;
        for (int due = 1; due < DUE_COUNT; due++) {
            if (reader->due_ps[due] < reader->due_ps[first]) {
                first = due;
            }
        }
        uint64_t when_ps = reader->due_ps[first];
        if (when_ps == NEVER || when_ps > now_ps || reader->health == READER_STUCK) {
            return;
        }
        reader->due_ps[first] = NEVER;
        happenings[first](reader, when_ps);
    }
}

void mfrc522_select(mfrc522_t *reader, bool selected)
{
    reader->selected = selected;
    reader->addressed = false;
}

uint8_t mfrc522_exchange(mfrc522_t *reader, uint8_t byte, uint64_t now_ps)
{
    mfrc522_settle(reader, now_ps);
    if (reader->held || reader->health == READER_MISSING || reader->health == READER_MUTE) {
        return 0;
    }
    if (!reader->addressed) {
        reader->addressed = true;
        reader->reading = byte & 0x80;
        reader->address = byte >> 1 & 0x3F;
        return 0;
    }
    if (!reader->reading) {
        write_register(reader, reader->address, byte, now_ps);
        return 0;
    }
    uint8_t answer = read_register(reader, reader->address, now_ps);
    reader->address = byte >> 1 & 0x3F;
    return answer;
}
