#include "neighbours.h"

#include <string.h>

#include "pads.h"

#define SIDE 4u

/* So many tags stir within a pass or two; what finds no room is found when its pad is read as a whole. */
#define ASKED_MAX 8u

_Static_assert(PADS_COUNT == SIDE * SIDE, "a bit for each pad");

static struct {
    rfid_uid_t uid;
    uint16_t pads; /* bit k: pad k is still to be asked */
} asked[ASKED_MAX];
static uint8_t next;

void neighbours_start(void)
{
    memset(asked, 0, sizeof asked);
    next = 0;
}

static uint16_t beside(uint8_t pad)
{
    uint16_t bit = (uint16_t)(1u << pad);
    uint8_t column = pad % SIDE;
    uint16_t pads = (uint16_t)(bit << SIDE | bit >> SIDE);
    if (column > 0) {
        pads = (uint16_t)(pads | bit >> 1);
    }
    if (column < SIDE - 1u) {
        pads = (uint16_t)(pads | bit << 1);
    }
    return pads;
}

void neighbours_stirred(uint8_t pad, const rfid_uid_t *uid)
{
    asked[next].uid = *uid;
    asked[next].pads = beside(pad);
    next = (uint8_t)((next + 1u) % ASKED_MAX);
}

/* Where nothing lies every call wakes whoever keeps quiet, and who lies there already needs no asking. */
static bool is_needed(uint8_t pad, const rfid_uid_t *uid)
{
    return pads_tag_count(pad) > 0 && pads_index(pad, uid) == PADS_TAGS_MAX;
}

bool neighbours_next(uint8_t pad, rfid_uid_t *uid)
{
    uint16_t bit = (uint16_t)(1u << pad);
    for (uint8_t i = 0; i < ASKED_MAX; i++) {
        if ((asked[i].pads & bit) != 0) {
            asked[i].pads = (uint16_t)(asked[i].pads & ~bit);
            if (is_needed(pad, &asked[i].uid)) {
                *uid = asked[i].uid;
                return true;
            }
        }
    }
    return false;
}

uint8_t neighbours_group(uint8_t pad, uint8_t groups)
{
    uint8_t row = pad / SIDE;
    uint8_t column = pad % SIDE;
    uint8_t black = (uint8_t)(row + column) & 1u;
    return groups == 1 ? 0 : groups == 2 ? black : (uint8_t)((row & 1u) * 2u + (column & 1u));
}
