#include "visit.h"

#include <string.h>

#include "hal.h"
#include "inventory.h"
#include "pads.h"
#include "reader_care.h"

/* A visit ends after so many tags that have come; with all fields on also after one that was known, for a pile that is
 * read again must not keep the other pads waiting. The rest is read in the next pass. In groups all of it has to be read
 * before the field goes off, and what finds no room, too. */
#define VISIT_TAGS_MAX 4u
#define VISIT_TAGS_ALL (PADS_TAGS_MAX + 2u)

/* And after so many that could not be read. */
#define VISIT_UNCLEAR_MAX 3u

typedef enum { REST, FIND, FIND_HALT, CHECK, ASK, LAST_HALT } doing_t;

static struct {
    uint32_t came_ms; /* when a tag came last */
    doing_t doing;
    uint8_t pad;
    uint8_t index; /* of the tag that is looked for */
    uint8_t tags_left;
    uint8_t unclear_left;
    bool one_group;
    bool inventory;    /* whatever lies there answers: who does not is missed */
    bool unclear;      /* something was not read, so that nobody counts as missed */
    bool last_unclear; /* the tag may have been sent back by the next call, and answers the one after */
    bool came;         /* the tag that was read last */
    bool asked_again;  /* whoever said nothing: a tag that hears every second call is no tag that is gone */
    bool under_way[PADS_COUNT]; /* pads of which some more tags are to be read with the next visit */
} visit;

void visit_start(void)
{
    memset(&visit, 0, sizeof visit);
    visit.came_ms = hal_ms();
}

static void take(uint32_t now_ms)
{
    visit.came = inventory_take(visit.pad, rfid_uid(), now_ms);
    if (visit.came) {
        visit.came_ms = now_ms;
    }
}

void visit_find(uint8_t pad, bool one_group, uint32_t now_ms)
{
    bool empty = pads_tag_count(pad) == 0;
    visit.pad = pad;
    visit.doing = FIND;
    visit.one_group = one_group;
    visit.tags_left = one_group ? VISIT_TAGS_MAX : VISIT_TAGS_ALL;
    visit.unclear_left = VISIT_UNCLEAR_MAX;
    visit.unclear = false;
    visit.last_unclear = false;
    visit.asked_again = false;
    visit.inventory = care_is_fresh(pad);
    if (!visit.under_way[pad]) {
        inventory_begin(pad);
    }
    visit.under_way[pad] = false;
    rfid_find(pad, empty, now_ms); /* where nothing lies, nobody is woken in vain */
}

static void end_visit(uint32_t now_ms)
{
    visit.doing = REST;
    care_works(visit.pad);
    if (inventory_has_room_again(visit.pad)) {
        care_darken(visit.pad, now_ms); /* what found no room keeps quiet: it gets another chance */
    }
}

static void end_find(uint32_t now_ms)
{
    if (visit.inventory && !visit.unclear) {
        inventory_miss_unseen(visit.pad, now_ms);
    }
    care_was_read(visit.pad);
    end_visit(now_ms);
}

static void find_on(uint32_t now_ms)
{
    visit.doing = FIND;
    rfid_find(visit.pad, false, now_ms);
}

static void hear_find(rfid_heard_t heard, uint32_t now_ms)
{
    if (heard == RFID_TAG) {
        take(now_ms);
        visit.doing = FIND_HALT;
        visit.last_unclear = false;
        visit.asked_again = false;
        rfid_halt(visit.pad, now_ms);
        return;
    }
    bool again = visit.unclear_left > 0 && (heard == RFID_UNCLEAR || visit.last_unclear);
    visit.last_unclear = heard == RFID_UNCLEAR;
    visit.unclear = visit.unclear || visit.last_unclear;
    if (!again && visit.inventory && !visit.asked_again && inventory_is_missing(visit.pad)) {
        visit.asked_again = true;
        again = true;
    }
    if (!again) {
        end_find(now_ms);
        return;
    }
    visit.unclear_left = (uint8_t)(visit.unclear_left - visit.last_unclear);
    find_on(now_ms);
}

static void hear_find_halt(uint32_t now_ms)
{
    if (--visit.tags_left > 0 && !(visit.one_group && visit.inventory && !visit.came)) {
        find_on(now_ms);
    } else if (visit.one_group) {
        visit.under_way[visit.pad] = visit.inventory;
        end_visit(now_ms);
    } else {
        visit.unclear = true;
        end_find(now_ms);
    }
}

static void check(uint32_t now_ms)
{
    visit.doing = CHECK;
    rfid_check(visit.pad, &pads_tag(visit.pad, visit.index)->uid, now_ms);
}

void visit_check(uint8_t pad, uint8_t index, uint32_t now_ms)
{
    visit.pad = pad;
    visit.index = index;
    visit.asked_again = false;
    check(now_ms);
}

static void hear_check(rfid_heard_t heard, uint32_t now_ms)
{
    if (heard == RFID_TAG) {
        inventory_seen(visit.pad, visit.index);
        visit.doing = LAST_HALT;
        rfid_halt(visit.pad, now_ms);
        return;
    }
    if (heard == RFID_SILENT && !visit.asked_again) {
        visit.asked_again = true;
        check(now_ms);
        return;
    }
    if (heard == RFID_SILENT) {
        inventory_miss(visit.pad, visit.index, now_ms);
    }
    end_visit(now_ms);
}

void visit_ask(uint8_t pad, const rfid_uid_t *uid, uint32_t now_ms)
{
    visit.pad = pad;
    visit.doing = ASK;
    rfid_check(pad, uid, now_ms);
}

static void hear_asked(rfid_heard_t heard, uint32_t now_ms)
{
    if (heard == RFID_TAG) {
        take(now_ms);
        visit.doing = LAST_HALT;
        rfid_halt(visit.pad, now_ms);
    } else {
        end_visit(now_ms);
    }
}

static void hear(rfid_heard_t heard, uint32_t now_ms)
{
    if (heard == RFID_DEAF) {
        visit.doing = REST;
        care_fell_deaf(visit.pad, now_ms);
        return;
    }
    switch (visit.doing) {
    case FIND:
        hear_find(heard, now_ms);
        break;
    case FIND_HALT:
        hear_find_halt(now_ms);
        break;
    case CHECK:
        hear_check(heard, now_ms);
        break;
    case ASK:
        hear_asked(heard, now_ms);
        break;
    default:
        end_visit(now_ms);
        break;
    }
}

bool visit_step(uint32_t now_ms)
{
    if (visit.doing != REST) {
        rfid_heard_t heard = rfid_step(now_ms);
        if (heard != RFID_BUSY) {
            hear(heard, now_ms);
        }
    }
    return visit.doing != REST;
}

uint32_t visit_came_ms(void)
{
    return visit.came_ms;
}
