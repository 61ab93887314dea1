/* What a reading means for the tags that are believed to lie there.
 *
 * Owns when a tag has come, when it is gone, and what is noted of tags that are missed. Must not know readers, whose turn
 * it is, or the wire.
 */
#ifndef TW_INVENTORY_H
#define TW_INVENTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "rfid.h"

void inventory_start(void);

/* All tags of this pad are about to be read. */
void inventory_begin(uint8_t pad);

/* A tag was read wholly on this pad; whether it is one that has come. */
bool inventory_take(uint8_t pad, const rfid_uid_t *uid, uint32_t now_ms);

/* The pad's tag of this index was looked for, and answered, or clearly did not. */
void inventory_seen(uint8_t pad, uint8_t index);
void inventory_miss(uint8_t pad, uint8_t index, uint32_t now_ms);

/* Whether some tag of the pad has not been read since inventory_begin. */
bool inventory_is_missing(uint8_t pad);

/* Everything that lies on the pad has been read: those that were not have been missed. */
void inventory_miss_unseen(uint8_t pad, uint32_t now_ms);

/* Whether a tag found no room on this pad and there is some by now; true once. */
bool inventory_has_room_again(uint8_t pad);

/* Tags for which there was no room; tags that were missed and then were there again (both wrap), and the last pad of
 * such a one, or 255. */
uint16_t inventory_crowded_count(void);
uint16_t inventory_flicker_count(void);
uint8_t inventory_flicker_reader(void);

#endif
