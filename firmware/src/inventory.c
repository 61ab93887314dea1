#include "inventory.h"

#include <stddef.h>
#include <string.h>

#include "messages.h"
#include "neighbours.h"
#include "pads.h"
#include "params.h"
#include "sightings.h"

#define NOBODY 255u

static struct {
    uint16_t crowded_count;
    uint16_t flicker_count;
    uint8_t flicker_reader;
    bool crowded[PADS_COUNT];
} noted;

void inventory_start(void)
{
    memset(&noted, 0, sizeof noted);
    noted.flicker_reader = NOBODY;
}

void inventory_begin(uint8_t pad)
{
    for (uint8_t i = 0; i < pads_tag_count(pad); i++) {
        pads_tag(pad, i)->seen = false;
    }
}

static void seen(uint8_t pad, pads_tag_t *tag)
{
    if (tag->misses > 0) {
        noted.flicker_count++;
        noted.flicker_reader = pad;
    }
    tag->misses = 0;
    tag->suspect = false;
    tag->seen = true;
}

/* A card that comes to one pad has left another: it is looked for there at once. */
static void suspect_elsewhere(uint8_t pad, const rfid_uid_t *uid)
{
    for (uint8_t other = 0; other < PADS_COUNT; other++) {
        uint8_t index = pads_index(other, uid);
        if (other != pad && index < PADS_TAGS_MAX) {
            pads_tag(other, index)->suspect = true;
        }
    }
}

bool inventory_take(uint8_t pad, const rfid_uid_t *uid, uint32_t now_ms)
{
    uint8_t index = pads_index(pad, uid);
    if (index < PADS_TAGS_MAX) {
        seen(pad, pads_tag(pad, index));
        return false;
    }
    pads_tag_t *tag = pads_add(pad, uid);
    if (tag == NULL) {
        noted.crowded[pad] = true;
        noted.crowded_count++;
        return false;
    }
    sightings_came(pad, tag, now_ms);
    suspect_elsewhere(pad, uid);
    neighbours_stirred(pad, uid);
    return true;
}

/* Whether the tag was missed for the last time, and is gone. */
static bool missed(uint8_t pad, uint8_t index, uint32_t now_ms)
{
    pads_tag_t *tag = pads_tag(pad, index);
    tag->misses++;
    tag->suspect = true;
    if (tag->misses < params_get(TW_PARAM_KEY_MISSES)) {
        return false;
    }
    sightings_gone(pad, tag, now_ms);
    neighbours_stirred(pad, &tag->uid);
    pads_remove(pad, index);
    for (uint8_t i = 0; i < pads_tag_count(pad); i++) {
        pads_tag(pad, i)->suspect = true; /* piles are taken away as a whole, too */
    }
    return true;
}

bool inventory_is_missing(uint8_t pad)
{
    for (uint8_t i = 0; i < pads_tag_count(pad); i++) {
        if (!pads_tag(pad, i)->seen) {
            return true;
        }
    }
    return false;
}

void inventory_miss_unseen(uint8_t pad, uint32_t now_ms)
{
    for (uint8_t i = 0; i < pads_tag_count(pad);) {
        if (pads_tag(pad, i)->seen || !missed(pad, i, now_ms)) {
            i++;
        }
    }
}

void inventory_seen(uint8_t pad, uint8_t index)
{
    seen(pad, pads_tag(pad, index));
}

void inventory_miss(uint8_t pad, uint8_t index, uint32_t now_ms)
{
    missed(pad, index, now_ms);
}

bool inventory_has_room_again(uint8_t pad)
{
    bool again = noted.crowded[pad] && pads_tag_count(pad) < PADS_TAGS_MAX;
    noted.crowded[pad] = noted.crowded[pad] && !again;
    return again;
}

uint16_t inventory_crowded_count(void)
{
    return noted.crowded_count;
}

uint16_t inventory_flicker_count(void)
{
    return noted.flicker_count;
}

uint8_t inventory_flicker_reader(void)
{
    return noted.flicker_reader;
}
