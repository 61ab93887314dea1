/* The pads as a grid of four by four, and tags that a pad beside the one that told of them may hear too.
 *
 * Owns who is whose neighbour, the groups of fields, and which tag is still to be asked after where. Must not know how a
 * tag is asked after, or the wire.
 *
 * A card that a neighbour's field reached first was told to keep quiet and answers no call of its own pad's reader. So
 * whoever came, or is gone, is asked after by name on the pads beside.
 */
#ifndef TW_NEIGHBOURS_H
#define TW_NEIGHBOURS_H

#include <stdbool.h>
#include <stdint.h>

#include "rfid.h"

void neighbours_start(void);

/* This tag has come to this pad, or has left it. */
void neighbours_stirred(uint8_t pad, const rfid_uid_t *uid);

/* A tag that is to be asked after on this pad now, if there is one; once. */
bool neighbours_next(uint8_t pad, rfid_uid_t *uid);

/* In which of 1, 2 or 4 groups a pad is. Two are as on a chess board, four so that no two of a group touch, not even at
 * a corner. */
uint8_t neighbours_group(uint8_t pad, uint8_t groups);

#endif
