/* What the board has to tell and was not told is safe: numbered changes, sent one batch at a time.
 *
 * Owns numbering, the ring, batches, retries and overflow. Must not know sensors' readings, frames or the line. The
 * same rules as host/tablewire/virtual/outbox.py.
 *
 * Nothing that is sent has to be kept: a batch is the first rows of the ring, and a snapshot is the table of now with
 * the ring's changes taken back. Either comes out the same however often it is built.
 */
#ifndef TW_OUTBOX_H
#define TW_OUTBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

#define OUTBOX_RING_COUNT 128u /* 6 bytes each; 100 magnets land at once and none is lost */

/* What is to be sent now. */
typedef enum {
    OUTBOX_NOTHING,
    OUTBOX_EVENTS,
    OUTBOX_SNAPSHOT,
} outbox_due_t;

void outbox_start(void);

/* Notes a change, accepted at `ms`. A full ring becomes a snapshot: the order is lost, the table is not. */
void outbox_push(uint8_t sensor, uint8_t was, uint8_t is, uint32_t ms);

/* Everything up to `number` is safe on the host; a number from the future is not believed. */
void outbox_acknowledge(uint32_t number);

/* A host asks anew: what is under way is due at once, and earlier tries say nothing of its line. */
void outbox_resend(uint32_t now_ms);

/* What to send at `now_ms`, if anything. Stays due until outbox_sent. */
outbox_due_t outbox_due(uint32_t now_ms);

/* Writes the rows of the batch under way behind `events`, and all its fields but the nonce; bytes in all. */
uint8_t outbox_write_events(tw_events_t *events);

/* What was due has gone out. */
void outbox_sent(uint32_t now_ms);

/* Turns the packed classes of now into those before the oldest change kept. */
void outbox_take_back(uint8_t *nibbles);

/* The number of the last change; 0 is none. */
uint32_t outbox_last_number(void);

/* The oldest change still kept; the next one's number when none is. */
uint32_t outbox_oldest_number(void);

/* When the oldest change kept was accepted; `now_ms` when none is. */
uint32_t outbox_oldest_ms(uint32_t now_ms);

/* Batches and snapshots sent again, and times the ring overflowed; both wrap. */
uint16_t outbox_retry_count(void);
uint16_t outbox_overflow_count(void);

#endif
