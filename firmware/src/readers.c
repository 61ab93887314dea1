#include "readers.h"

#include <string.h>

#include "clock.h"
#include "hal.h"
#include "inventory.h"
#include "pads.h"
#include "params.h"
#include "reader_care.h"
#include "rfid.h"

/* A visit ends after so many tags, some that find no room included, and so many that were not read. */
#define VISIT_TAGS_MAX (PADS_TAGS_MAX + 2u)
#define VISIT_UNCLEAR_MAX 3u

/* In one group: each pad has a resting tag looked for in every so many-th pass, and two pads do in each. Then the newest
 * and the others take turns: it is the newest that hands take away. */
#define CHECK_PASSES 8u

/* In one group: every so often one pad goes dark for a moment and is read wholly. That finds a tag that came from a
 * neighbour's field, keeps quiet, and therefore answers no call. */
#define RENEW_MS 400u

typedef enum { REST, FIND, FIND_HALT, CHECK, CHECK_HALT } doing_t;

static struct {
    doing_t doing;
    uint8_t pad;
    uint8_t index; /* of the tag that is looked for */
    uint8_t tags_left;
    uint8_t unclear_left;
    bool inventory;    /* whatever lies there answers: who does not is missed */
    bool unclear;      /* something was not read, so that nobody counts as missed */
    bool last_unclear; /* the tag may have been sent back by the next call, and answers the one after */
    bool asked_again;  /* whoever said nothing: a tag that hears every second call is no tag that is gone */
} visit;

static struct {
    uint32_t renew_ms; /* when the next pad goes dark */
    uint16_t passes;
    uint8_t groups; /* 0: to be taken from the parameters */
    uint8_t group;
    uint8_t pad;   /* next of this pass */
    uint8_t renew; /* the pad that goes dark next */
    bool visited;  /* the pad's turn has come to the tags that rest there */
    bool any;      /* pad could be read in this pass */
} turns;

void readers_start(void)
{
    memset(&visit, 0, sizeof visit);
    memset(&turns, 0, sizeof turns);
    inventory_start();
    turns.renew_ms = hal_ms() + RENEW_MS;
    care_start(hal_ms());
}

/* ---- visits ---- */

static void begin_find(uint8_t pad, uint32_t now_ms)
{
    bool empty = pads_tag_count(pad) == 0;
    visit.pad = pad;
    visit.doing = FIND;
    visit.tags_left = VISIT_TAGS_MAX;
    visit.unclear_left = VISIT_UNCLEAR_MAX;
    visit.unclear = false;
    visit.last_unclear = false;
    visit.asked_again = false;
    visit.inventory = care_is_fresh(pad);
    inventory_begin(pad);
    rfid_find(pad, empty, now_ms); /* where nothing lies, nobody is woken in vain */
}

static void end_visit(uint32_t now_ms)
{
    visit.doing = REST;
    care_visited(visit.pad);
    if (inventory_has_room_again(visit.pad)) {
        care_darken(visit.pad, now_ms); /* what found no room keeps quiet: it gets another chance */
    }
}

static void end_find(uint32_t now_ms)
{
    if (visit.inventory && !visit.unclear) {
        inventory_miss_unseen(visit.pad, now_ms);
    }
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
        inventory_take(visit.pad, rfid_uid(), now_ms);
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
    if (--visit.tags_left == 0) {
        visit.unclear = true;
        end_find(now_ms);
    } else {
        find_on(now_ms);
    }
}

static void check(uint32_t now_ms)
{
    visit.doing = CHECK;
    rfid_check(visit.pad, &pads_tag(visit.pad, visit.index)->uid, now_ms);
}

static void begin_check(uint8_t pad, uint8_t index, uint32_t now_ms)
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
        visit.doing = CHECK_HALT;
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
    default:
        end_visit(now_ms);
        break;
    }
}

/* ---- whose turn it is ---- */

/* In a grid of four by four: two groups as on a chess board, four so that no two touch, not even at a corner. */
static uint8_t group_of(uint8_t pad)
{
    uint8_t row = pad / 4u;
    uint8_t column = pad % 4u;
    uint8_t board = (uint8_t)(row + column) & 1u;
    return turns.groups == 1 ? 0 : turns.groups == 2 ? board : (uint8_t)((row & 1u) * 2u + (column & 1u));
}

static void light_group(uint32_t now_ms)
{
    for (uint8_t pad = 0; pad < PADS_COUNT; pad++) {
        if (group_of(pad) != turns.group) {
            care_put_out(pad);
        }
    }
    for (uint8_t pad = 0; pad < PADS_COUNT; pad++) {
        if (group_of(pad) == turns.group) {
            care_light(pad, now_ms);
        }
    }
}

void readers_regroup(void)
{
    turns.groups = 0; /* taken up between two visits */
}

/* The tag of a pad that is to be looked for now; PADS_TAGS_MAX when none is. */
static uint8_t tag_to_check(uint8_t pad)
{
    uint8_t count = pads_tag_count(pad);
    for (uint8_t i = 0; i < count; i++) {
        if (pads_tag(pad, i)->suspect) {
            return i;
        }
    }
    uint8_t turn = (uint8_t)(turns.passes / CHECK_PASSES);
    if (count == 0 || pad % CHECK_PASSES != turns.passes % CHECK_PASSES) {
        return PADS_TAGS_MAX;
    }
    uint8_t newest = (uint8_t)(count - 1u);
    if ((turn & 1u) == 0 || newest == 0) {
        return newest;
    }
    return (uint8_t)(turn >> 1) % newest;
}

/* Begins whatever this pad has next in this pass; whether there was something. */
static bool begin_at(uint8_t pad, uint32_t now_ms)
{
    if (!care_can_read(pad, now_ms)) {
        return false;
    }
    if (!turns.visited) {
        turns.visited = true;
        if (!care_is_sound(pad, now_ms)) {
            return false;
        }
        begin_find(pad, now_ms);
        turns.any = true;
        return true;
    }
    uint8_t index = turns.groups == 1 ? tag_to_check(pad) : PADS_TAGS_MAX;
    if (index == PADS_TAGS_MAX) {
        return false;
    }
    turns.visited = false;
    turns.pad++; /* one tag in each pass */
    begin_check(pad, index, now_ms);
    return true;
}

static void end_group(uint32_t now_ms)
{
    turns.pad = 0;
    turns.visited = false;
    turns.group++;
    if (turns.group >= turns.groups) {
        turns.group = 0;
        turns.passes = (uint16_t)(turns.passes + turns.any);
        turns.any = false;
    }
    if (turns.groups > 1) {
        light_group(now_ms);
    }
}

/* Begins the next that is to be done in this group, if anything. */
static bool begin_in_group(uint32_t now_ms)
{
    for (; turns.pad < PADS_COUNT; turns.pad++, turns.visited = false) {
        if (group_of(turns.pad) == turns.group && begin_at(turns.pad, now_ms)) {
            return true;
        }
    }
    return false;
}

static void regroup(uint32_t now_ms)
{
    turns.groups = (uint8_t)params_get(TW_PARAM_KEY_FIELD_GROUPS);
    turns.group = 0;
    turns.pad = 0;
    turns.visited = false;
    care_regroup(turns.groups == 1, now_ms);
    if (turns.groups > 1) {
        light_group(now_ms);
    }
}

/* A pad goes dark right after its turn, so that it is ready again before the next one. */
static void renew(uint32_t now_ms)
{
    uint8_t next = (uint8_t)((turns.renew + 1u) % PADS_COUNT);
    if (turns.groups == 1 && turns.pad == next && !clock_before(now_ms, turns.renew_ms)) {
        turns.renew_ms = now_ms + RENEW_MS;
        care_darken(turns.renew, now_ms);
        turns.renew = next;
    }
}

static void begin_next(uint32_t now_ms)
{
    if (turns.groups == 0) {
        regroup(now_ms);
    }
    renew(now_ms);
    if ((turns.groups > 1 && care_is_lighting(now_ms)) || begin_in_group(now_ms)) {
        return;
    }
    end_group(now_ms);
    if (turns.groups == 1) {
        begin_in_group(now_ms);
    }
}

void readers_step(uint32_t now_ms)
{
    care_step(now_ms);
    if (visit.doing != REST) {
        rfid_heard_t heard = rfid_step(now_ms);
        if (heard == RFID_BUSY) {
            return;
        }
        hear(heard, now_ms);
    }
    if (visit.doing == REST) {
        begin_next(now_ms);
    }
}

/* ---- what is told of them ---- */

bool readers_ready(void)
{
    return care_all_settled();
}

uint16_t readers_passes(void)
{
    return turns.passes;
}
