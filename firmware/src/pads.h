/* What the board believes to lie on each pad: tags.
 *
 * Owns the places of tags, the order in which they came, and what of each was noted. Must not know readers, when a tag
 * is believed to be gone, or what is told of it.
 */
#ifndef TW_PADS_H
#define TW_PADS_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"
#include "rfid.h"

#define PADS_COUNT HAL_READER_COUNT
#define PADS_TAGS_MAX 12u /* on one pad: the ten cards of a pile, and two that were laid there by mistake */

typedef struct {
    rfid_uid_t uid;
    uint8_t misses; /* clean ones in a row */
    bool seen;      /* in the inventory under way */
    bool suspect;   /* to be looked for soon */
    bool told;      /* the host knows of it */
} pads_tag_t;

void pads_start(void);

uint8_t pads_tag_count(uint8_t pad);

/* The tags of a pad, oldest first. */
pads_tag_t *pads_tag(uint8_t pad, uint8_t index);

/* A tag's index on a pad; PADS_TAGS_MAX when it does not lie there. */
uint8_t pads_index(uint8_t pad, const rfid_uid_t *uid);

/* Puts a tag there as the newest, nothing noted; NULL when the pad is full. */
pads_tag_t *pads_add(uint8_t pad, const rfid_uid_t *uid);

void pads_remove(uint8_t pad, uint8_t index);

#endif
