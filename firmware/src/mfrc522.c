#include "mfrc522.h"

#include "clock.h"
#include "frame.h"
#include "hal.h"

/* Registers (data sheet, chapter 9) and the bits of them that are used. */
enum {
    COMMAND = 0x01,    /* PowerDown 0x10 */
    COM_IRQ = 0x04,    /* Set1 0x80, RxIRq 0x20, IdleIRq 0x10, TimerIRq 0x01 */
    ERROR = 0x06,      /* CollErr 0x08 */
    FIFO_DATA = 0x09,
    FIFO_LEVEL = 0x0A, /* FlushBuffer 0x80 */
    CONTROL = 0x0C,    /* RxLastBits 0x07 */
    BIT_FRAMING = 0x0D, /* StartSend 0x80, RxAlign 0x70, TxLastBits 0x07 */
    COLL = 0x0E,       /* ValuesAfterColl 0x80, CollPosNotValid 0x20, CollPos 0x1F */
    MODE = 0x11,
    TX_MODE = 0x12,
    RX_MODE = 0x13,
    TX_CONTROL = 0x14, /* Tx2RFEn and Tx1RFEn 0x03 */
    TX_ASK = 0x15,
    MOD_WIDTH = 0x24,
    T_MODE = 0x2A,
    T_PRESCALER = 0x2B,
    T_RELOAD_HIGH = 0x2C,
    T_RELOAD_LOW = 0x2D,
    AUTO_TEST = 0x36,
    VERSION = 0x37,
};

enum { IDLE = 0x00, MEM = 0x01, CALC_CRC = 0x03, TRANSCEIVE = 0x0C, SOFT_RESET = 0x0F };

#define READ 0x80u /* in the address byte, above the address shifted by one (8.1.2) */
#define POWER_DOWN 0x10u
#define FLUSH 0x80u
#define START_SEND 0x80u
#define IRQ_ALL 0x7Fu /* with Set1 low these are cleared */
#define IRQ_ENDED 0x30u
#define IRQ_TIMER 0x01u
#define ERROR_COLLISION 0x08u
#define ERROR_OTHERS 0x93u /* WrErr, BufferOvfl, ParityErr, ProtocolErr; the checksums are ours */
#define COLL_NOT_VALID 0x20u
#define COLL_POSITION 0x1Fu
#define FIELD 0x03u
#define FIFO_BYTES 64u

/* The chip's timer runs from the end of what was sent to the beginning of an answer. Every answer that is awaited here
 * begins 91 us after that (ISO/IEC 14443-3); 1 ms is ten times as long, and short enough for sixteen empty pads in
 * 20 ms. (2 x 169 + 1) x (39 + 1) / 13.56 MHz = 1.0 ms. */
#define TIMER_AUTO 0x80u
#define TIMER_PRESCALER 169u
#define TIMER_RELOAD 39u
#define TIMER_US 1000u

/* An answer begins so long after what was sent. */
#define ANSWER_AFTER_US 92u

/* The chip is asked when an answer may be complete, then when its timer is over, then every so often. */
#define SLACK_US 20u
#define AGAIN_US 100u

/* The longest exchange takes 3 ms by the chip's own timer: a chip that has not ended it by then never will. */
#define DEAD_MS 10u

static void write(uint8_t reader, uint8_t at, uint8_t value)
{
    hal_reader_select(reader);
    hal_reader_exchange((uint8_t)(at << 1));
    hal_reader_exchange(value);
    hal_reader_release();
}

static void write_fifo(uint8_t reader, const uint8_t *bytes, uint8_t count)
{
    hal_reader_select(reader);
    hal_reader_exchange(FIFO_DATA << 1);
    for (uint8_t i = 0; i < count; i++) {
        hal_reader_exchange(bytes[i]);
    }
    hal_reader_release();
}

static uint8_t read(uint8_t reader, uint8_t at)
{
    hal_reader_select(reader);
    hal_reader_exchange((uint8_t)(READ | (unsigned)at << 1));
    uint8_t value = hal_reader_exchange(0);
    hal_reader_release();
    return value;
}

/* While a byte comes in, the address of the next one goes out; the last one's is 0. */
static void read_fifo(uint8_t reader, uint8_t *bytes, uint8_t count)
{
    hal_reader_select(reader);
    hal_reader_exchange(READ | FIFO_DATA << 1);
    for (uint8_t i = 0; i < count; i++) {
        bytes[i] = hal_reader_exchange(i + 1u < count ? READ | FIFO_DATA << 1 : 0);
    }
    hal_reader_release();
}

/* ---- start ---- */

uint8_t mfrc522_version(uint8_t reader)
{
    return read(reader, VERSION);
}

void mfrc522_reset(uint8_t reader)
{
    write(reader, COMMAND, SOFT_RESET);
}

bool mfrc522_is_reset(uint8_t reader)
{
    return (read(reader, COMMAND) & POWER_DOWN) == 0;
}

void mfrc522_set_up(uint8_t reader)
{
    static const struct {
        uint8_t at;
        uint8_t value;
    } settings[] = {
        {TX_MODE, 0x00}, /* 106 kbit/s; checksums are made and checked by the program */
        {RX_MODE, 0x00},
        {MOD_WIDTH, 0x26}, /* as after a reset: what a reset may have missed */
        {T_MODE, TIMER_AUTO | (TIMER_PRESCALER >> 8)},
        {T_PRESCALER, TIMER_PRESCALER & 0xFFu},
        {T_RELOAD_HIGH, TIMER_RELOAD >> 8},
        {T_RELOAD_LOW, TIMER_RELOAD & 0xFFu},
        {TX_ASK, 0x40}, /* Force100ASK, as type A wants it */
        {MODE, 0x3D},   /* as after a reset, but a checksum would begin with 6363 */
        {COLL, 0x00},   /* bits after a collision come as zeros */
    };
    for (uint8_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        write(reader, settings[i].at, settings[i].value);
    }
}

void mfrc522_field(uint8_t reader, bool on)
{
    write(reader, TX_CONTROL, on ? 0x80u | FIELD : 0x80u); /* 0x80 after a reset */
}

bool mfrc522_is_as_set(uint8_t reader, uint8_t version, bool field)
{
    return mfrc522_version(reader) == version && (read(reader, TX_CONTROL) & FIELD) == (field ? FIELD : 0) &&
           read(reader, T_RELOAD_LOW) == TIMER_RELOAD;
}

/* ---- the self-test (16.1.1) ---- */

#define TEST_ON 0x09u
#define TEST_BUFFER_BYTES 25u
#define TEST_READ_BYTES 16u /* in one step */
#define TEST_MAX_MS 50u

static struct {
    uint32_t begun_ms;
    uint16_t crc; /* of what was read */
    uint8_t reader;
    uint8_t version;
    uint8_t read_bytes;
} test;

/* The checksum (frame_crc) of the 64 bytes that each version answers: 0x91 and 0x92 by the data sheet, 0x88 is the
 * FM17522, a copy, as read from one by the makers of a well-known library. */
static const struct {
    uint8_t version;
    uint16_t crc;
} references[] = {{0x91, 0xD982}, {0x92, 0x274C}, {0x88, 0x818D}};

void mfrc522_test(uint8_t reader, uint8_t version, uint32_t now_ms)
{
    static const uint8_t zeros[TEST_BUFFER_BYTES];
    test.begun_ms = now_ms;
    test.crc = FRAME_CRC_START;
    test.reader = reader;
    test.version = version;
    test.read_bytes = 0;
    write(reader, FIFO_LEVEL, FLUSH);
    write_fifo(reader, zeros, sizeof zeros);
    write(reader, COMMAND, MEM); /* ends by itself, within microseconds */
    write(reader, AUTO_TEST, TEST_ON);
    write_fifo(reader, zeros, 1);
    write(reader, COMMAND, CALC_CRC);
}

static mfrc522_test_t judge(void)
{
    write(test.reader, COMMAND, IDLE);
    write(test.reader, AUTO_TEST, 0);
    for (uint8_t i = 0; i < sizeof references / sizeof *references; i++) {
        if (references[i].version == test.version) {
            return references[i].crc == test.crc ? MFRC522_WELL : MFRC522_UNWELL;
        }
    }
    return MFRC522_UNTESTED;
}

mfrc522_test_t mfrc522_test_step(uint32_t now_ms)
{
    if (test.read_bytes == 0 && read(test.reader, FIFO_LEVEL) < FIFO_BYTES) {
        return now_ms - test.begun_ms < TEST_MAX_MS ? MFRC522_TESTING : MFRC522_UNWELL;
    }
    uint8_t bytes[TEST_READ_BYTES];
    read_fifo(test.reader, bytes, sizeof bytes);
    for (uint8_t i = 0; i < sizeof bytes; i++) {
        test.crc = frame_crc(test.crc, bytes[i]);
    }
    test.read_bytes = (uint8_t)(test.read_bytes + sizeof bytes);
    return test.read_bytes < FIFO_BYTES ? MFRC522_TESTING : judge();
}

/* ---- an exchange ---- */

static struct {
    uint32_t begun_ms;
    uint16_t then_us; /* until the chip is asked again */
    uint8_t reader;
} exchange;

void mfrc522_send(uint8_t reader, const uint8_t *bytes, uint8_t count, uint8_t last_bits, mfrc522_takes_t takes,
                  uint32_t now_ms)
{
    exchange.reader = reader;
    exchange.begun_ms = now_ms;
    exchange.then_us = (uint16_t)(TIMER_US - ANSWER_AFTER_US - takes.answer_us);
    write(reader, COMMAND, IDLE);
    write(reader, COM_IRQ, IRQ_ALL);
    write(reader, FIFO_LEVEL, FLUSH);
    write_fifo(reader, bytes, count);
    write(reader, COMMAND, TRANSCEIVE);
    write(reader, BIT_FRAMING, (uint8_t)(START_SEND | (unsigned)last_bits << 4 | last_bits));
    hal_alarm((uint16_t)(takes.sending_us + ANSWER_AFTER_US + takes.answer_us + SLACK_US));
}

static mfrc522_heard_t take(mfrc522_answer_t *answer)
{
    uint8_t reader = exchange.reader;
    uint8_t error = read(reader, ERROR);
    uint8_t level = read(reader, FIFO_LEVEL) & (uint8_t)~FLUSH;
    if (level > FIFO_BYTES) {
        return MFRC522_DEAD; /* no such chip: nothing drives the line */
    }
    answer->last_bits = read(reader, CONTROL) & 7u;
    answer->count = level < MFRC522_FRAME_MAX_BYTES ? level : MFRC522_FRAME_MAX_BYTES;
    if (answer->count > 0) {
        read_fifo(reader, answer->bytes, answer->count);
    }
    if ((error & ERROR_COLLISION) != 0) {
        uint8_t at = read(reader, COLL);
        uint8_t position = at & COLL_POSITION;
        answer->collided = (at & COLL_NOT_VALID) != 0 ? 0 : position == 0 ? 32u : position;
        return MFRC522_COLLISION;
    }
    return (error & ERROR_OTHERS) != 0 || level > MFRC522_FRAME_MAX_BYTES ? MFRC522_GARBLED : MFRC522_ANSWER;
}

bool mfrc522_is_sent(void)
{
    return hal_alarm_over();
}

mfrc522_heard_t mfrc522_hear(mfrc522_answer_t *answer, uint32_t now_ms)
{
    if (!hal_alarm_over()) {
        return MFRC522_WAITING;
    }
    uint8_t irq = read(exchange.reader, COM_IRQ);
    mfrc522_heard_t heard = MFRC522_WAITING;
    if ((irq & IRQ_ENDED) != 0) {
        heard = take(answer);
    } else if ((irq & IRQ_TIMER) != 0) {
        heard = MFRC522_SILENCE;
    } else if (now_ms - exchange.begun_ms > DEAD_MS) {
        heard = MFRC522_DEAD;
    } else {
        hal_alarm(exchange.then_us);
        exchange.then_us = AGAIN_US;
    }
    return heard;
}
