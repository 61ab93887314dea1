/* Changes of Hall sensors on their way to the host.
 *
 * Owns what a change says: the rows of EVENTS, and SNAPSHOT, which stands for those that found no room. Must not know
 * how changes are found, when they are told, frames or the line.
 */
#ifndef TW_CHANGES_H
#define TW_CHANGES_H

#include <stdint.h>

void changes_start(void);

/* Notes a change, accepted at `ms`. A full ring becomes a snapshot: the order is lost, the table is not. */
void changes_push(uint8_t sensor, uint8_t was, uint8_t is, uint32_t ms);

/* Write EVENTS, the rows of the batch under way, and SNAPSHOT, the table before the oldest change kept; bytes. */
uint8_t changes_write_events(void *payload, uint32_t nonce);
uint8_t changes_write_snapshot(void *payload, uint32_t nonce, uint32_t now_ms);

#endif
