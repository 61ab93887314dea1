#include "pads.h"

#include <stddef.h>
#include <string.h>

static struct {
    pads_tag_t tags[PADS_TAGS_MAX];
    uint8_t count;
} pads[PADS_COUNT];

void pads_start(void)
{
    memset(pads, 0, sizeof pads);
}

uint8_t pads_tag_count(uint8_t pad)
{
    return pads[pad].count;
}

pads_tag_t *pads_tag(uint8_t pad, uint8_t index)
{
    return &pads[pad].tags[index];
}

uint8_t pads_index(uint8_t pad, const rfid_uid_t *uid)
{
    for (uint8_t i = 0; i < pads[pad].count; i++) {
        if (rfid_same(&pads[pad].tags[i].uid, uid)) {
            return i;
        }
    }
    return PADS_TAGS_MAX;
}

pads_tag_t *pads_add(uint8_t pad, const rfid_uid_t *uid)
{
    if (pads[pad].count == PADS_TAGS_MAX) {
        return NULL;
    }
    pads_tag_t *tag = &pads[pad].tags[pads[pad].count++];
    *tag = (pads_tag_t){.uid = *uid, .seen = true};
    return tag;
}

void pads_remove(uint8_t pad, uint8_t index)
{
    pads_tag_t *tag = &pads[pad].tags[index];
    pads[pad].count--;
    memmove(tag, tag + 1, (size_t)(pads[pad].count - index) * sizeof *tag);
}
