/* GPL-3.0-or-later, as is all of this program; nothing here needs simavr.
 *
 * An MFRC522 reader chip as its SPI shows it (data sheet MFRC522, NXP, rev. 3.9; numbers of tables and chapters are
 * its). Times are in picoseconds and never fall; whoever owns the bus says when each byte has been clocked.
 */
#ifndef TWIN_MFRC522_H
#define TWIN_MFRC522_H

#include "air.h"

enum { MFRC522_FIFO_BYTES = 64, MFRC522_MEMORY_BYTES = 25, MFRC522_REGISTERS = 64 };

/* What is wrong with a reader. MUTE lasts until its reset line goes low, DEAF and STUCK until any reset of it. */
typedef enum {
    READER_WELL,
    READER_MISSING, /* nothing on the bus */
    READER_LOADS,   /* a clone that holds MISO low while others are selected */
    READER_MUTE,    /* its registers answer nothing */
    READER_DEAF,    /* its antenna brings nothing; the timer runs as if no tag were there */
    READER_STUCK,   /* what is begun never ends: no interrupt comes */
} reader_health_t;

/* What happens by itself, and when. */
typedef enum { DUE_COMPUTED, DUE_SENT, DUE_FIFTH_BIT, DUE_COLLISION, DUE_RECEIVED, DUE_TIMER, DUE_COUNT } due_t;

typedef struct {
    air_t *air;
    uint8_t index;
    uint8_t version;
    reader_health_t health;

    /* the bus */
    bool selected, addressed, reading;
    uint8_t address;
    bool held; /* the reset line is low */

    /* registers */
    uint8_t registers[MFRC522_REGISTERS]; /* those that merely keep what is written */
    uint8_t fifo[MFRC522_FIFO_BYTES], fifo_count;
    uint8_t memory[MFRC522_MEMORY_BYTES];
    uint8_t command, com_irq, div_irq, errors, modem, rx_last_bits, collision;
    bool crc_ready, timer_runs;
    uint16_t crc;
    uint64_t awake_ps; /* the oscillator runs from then */

    uint64_t due_ps[DUE_COUNT];
    uint64_t timer_ps; /* when the timer was loaded */
    frame_t frame;
    echo_t echo;
} mfrc522_t;

/* A reader as it is after power came; `version` is what VersionReg shows. */
void mfrc522_build(mfrc522_t *reader, air_t *air, uint8_t index, uint8_t version);

/* Power has gone and come back. */
void mfrc522_power_on(mfrc522_t *reader, uint64_t now_ps);
/* The chip's NRSTPD: low is a hard reset and power-down. */
void mfrc522_reset_line(mfrc522_t *reader, bool high, uint64_t now_ps);
/* NSS: an exchange begins when it goes low. */
void mfrc522_select(mfrc522_t *reader, bool selected);
/* One byte has been clocked both ways at `now_ps`; what the chip's MISO said. Only while it is selected. */
uint8_t mfrc522_exchange(mfrc522_t *reader, uint8_t byte, uint64_t now_ps);

/* Lets happen what is due until `now_ps`; before anything about its tags changes. */
void mfrc522_settle(mfrc522_t *reader, uint64_t now_ps);

/* ---- between mfrc522.c, mfrc522_command.c and mfrc522_air.c ---- */

enum { ERROR_OVERFLOW = 0x10, ERROR_COLLISION = 0x08, ERROR_CRC = 0x04, ERROR_PARITY = 0x02, ERROR_PROTOCOL = 0x01 };
enum { IRQ_SENT = 0x40, IRQ_RECEIVED = 0x20, IRQ_IDLE = 0x10, IRQ_HIGH = 0x08, IRQ_LOW = 0x04, IRQ_ERROR = 0x02,
       IRQ_TIMER = 0x01 };
enum { MODEM_IDLE = 0, MODEM_WAITS_FOR_START = 1, MODEM_SENDS = 3, MODEM_WAITS = 5, MODEM_RECEIVES = 6 };
enum { COMMAND_IDLE = 0, COMMAND_CRC = 3, COMMAND_TRANSMIT = 4, COMMAND_TRANSCEIVE = 12 };
enum { NO_COLLISION = 0x20, /* CommandReg */ POWER_DOWN = 0x10, /* TxControlReg */ BOTH_DRIVERS = 0x03 };
#define NEVER UINT64_MAX

uint8_t mfrc522_pop(mfrc522_t *reader);
void mfrc522_push(mfrc522_t *reader, uint8_t byte);
void mfrc522_err(mfrc522_t *reader, uint8_t errors);
void mfrc522_timer_start(mfrc522_t *reader, uint64_t now_ps);
void mfrc522_timer_stop(mfrc522_t *reader);
void mfrc522_command(mfrc522_t *reader, uint8_t value, uint64_t now_ps);
/* Begins with what the buffer holds; what comes of it when it is over. */
void mfrc522_compute(mfrc522_t *reader, uint64_t now_ps);
void mfrc522_computed(mfrc522_t *reader, uint64_t now_ps);
bool mfrc522_tests_itself(const mfrc522_t *reader);
uint16_t mfrc522_crc_preset(const mfrc522_t *reader);

/* Sends what the buffer holds. */
void mfrc522_send(mfrc522_t *reader, uint64_t now_ps);
void mfrc522_sent(mfrc522_t *reader, uint64_t now_ps);
void mfrc522_fifth_bit(mfrc522_t *reader, uint64_t now_ps);
void mfrc522_collided(mfrc522_t *reader, uint64_t now_ps);
void mfrc522_received(mfrc522_t *reader, uint64_t now_ps);
/* Nothing more is sent or received. */
void mfrc522_hush(mfrc522_t *reader);

#endif
