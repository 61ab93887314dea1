/* What the board has to tell and was not told is safe: numbered changes, sent one batch at a time.
 *
 * Owns numbering, times, places in the ring, batches, retries and overflow. Must not know what a change says (who
 * pushes it writes its row to the place it was given), frames or the line. The same rules as
 * host/tablewire/virtual/numbered.py.
 *
 * Nothing that is sent has to be kept: a batch is the first rows of the ring, and a snapshot is the table of now with
 * the ring's changes taken back. Either comes out the same however often it is built.
 */
#ifndef TW_OUTBOX_H
#define TW_OUTBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

#define OUTBOX_RING_COUNT 128u /* 100 magnets land at once and none is lost */
#define OUTBOX_NO_PLACE 255u

/* What is to be sent now. */
typedef enum {
    OUTBOX_NOTHING,
    OUTBOX_BATCH,
    OUTBOX_SNAPSHOT,
} outbox_due_t;

/* What becomes of a full ring. */
typedef enum {
    OUTBOX_BECOMES_SNAPSHOT, /* the changes are counted on, and told by a snapshot */
    OUTBOX_REFUSES,          /* a change gets no number and no place until there is room */
} outbox_overflow_t;

/* A new boot. A batch has at most `batch_max` rows. */
void outbox_start(uint8_t batch_max, outbox_overflow_t overflow);

/* Notes a change, accepted at `ms`, which is not before the last one's. The place of its row, below OUTBOX_RING_COUNT,
 * or OUTBOX_NO_PLACE: the ring is full, or the change will be in the snapshot. */
uint8_t outbox_push(uint32_t ms);

/* Drops all that is kept, so that what follows is told at once. */
void outbox_forget(void);

/* Everything up to `number` is safe on the host; a number from the future is not believed. */
void outbox_acknowledge(uint32_t number);

/* A host asks anew: what is under way is due at once, and earlier tries say nothing of its line. */
void outbox_resend(uint32_t now_ms);

/* What to send at `now_ms`, if anything. Stays due until outbox_sent. */
outbox_due_t outbox_due(uint32_t now_ms);

/* How many of the rows kept are in the batch under way: the oldest. */
uint8_t outbox_batch_count(void);

/* What was due has gone out. */
void outbox_sent(uint32_t now_ms);

/* The rows kept, counted from the oldest as 0: how many, the place of one, and when it was accepted. */
uint8_t outbox_count(void);
uint8_t outbox_place(uint8_t index);
uint32_t outbox_ms(uint8_t index);

/* The number of the last change; 0 is none. */
uint32_t outbox_last_number(void);

/* The oldest change still kept; the next one's number when none is. */
uint32_t outbox_oldest_number(void);

/* Batches and snapshots sent again, and times a change found the ring full; both wrap. */
uint16_t outbox_retry_count(void);
uint16_t outbox_overflow_count(void);

#endif
