#include "readers.h"

#include <string.h>

#include "clock.h"
#include "hal.h"
#include "inventory.h"
#include "neighbours.h"
#include "pads.h"
#include "params.h"
#include "reader_care.h"
#include "rfid.h"
#include "visit.h"

/* In one group: after so many pads a resting tag is looked for on the next one that had no such turn in this round.
 * Each look costs 5 ms of the time in which other cards wait: no more than two come between two turns of any pad. */
#define CHECK_PADS 8u

/* In one group, while nobody plays: every so often one pad goes dark for a moment and is read as a whole. That finds a
 * tag that keeps quiet though nobody knows of it. neighbours.c finds nearly all of them at once. */
#define RENEW_MS 1000u
#define NOBODY_PLAYS_MS 3000u
#define RENEW_MAX_MS 600u /* twelve cards, one in each pass */

static struct {
    uint32_t renew_ms;   /* when the next pad goes dark */
    uint32_t renewed_ms; /* when the last one did */
    uint16_t passes;
    uint8_t groups; /* 0: to be taken from the parameters */
    uint8_t group;
    uint8_t pad;   /* next of this pass */
    uint8_t renew; /* the pad that goes dark next */
    uint8_t unchecked; /* pads since the last such look */
    uint8_t looked_count[PADS_COUNT]; /* for resting tags; wraps */
    bool looked[PADS_COUNT];          /* in this round */
    bool visited;  /* the pad's turn has come to the tags that rest there */
    bool asked;    /* and to one that may have come from beside */
    bool any;      /* pad could be read in this pass */
} turns;

void readers_start(void)
{
    memset(&turns, 0, sizeof turns);
    inventory_start();
    neighbours_start();
    turns.renew_ms = hal_ms();
    turns.renewed_ms = turns.renew_ms - RENEW_MAX_MS;
    visit_start();
    care_start(hal_ms());
}

/* ---- whose turn it is ---- */

static uint8_t group_of(uint8_t pad)
{
    return neighbours_group(pad, turns.groups);
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

/* Whether a pad's resting tags have their turn. When all pads had theirs, the next round begins. */
static bool is_to_check(uint8_t pad, uint32_t now_ms)
{
    if (turns.unchecked < CHECK_PADS) {
        return false;
    }
    bool left = false;
    for (uint8_t i = 0; i < PADS_COUNT; i++) {
        left = left || (!turns.looked[i] && pads_tag_count(i) > 0 && care_can_read(i, now_ms));
    }
    if (!left) {
        memset(turns.looked, 0, sizeof turns.looked);
    }
    return !turns.looked[pad];
}

/* The pad that went dark last is dark or being read: that is work enough for one pass. */
static bool is_renewing(uint32_t now_ms)
{
    uint8_t pad = (uint8_t)((turns.renew + PADS_COUNT - 1u) % PADS_COUNT);
    bool recent = now_ms - turns.renewed_ms < RENEW_MAX_MS; /* its reader may have died of it */
    return recent && (care_is_fresh(pad) || !care_can_read(pad, now_ms));
}

/* The tag of a pad that is to be looked for now; PADS_TAGS_MAX when none is. The newest and the others take turns: it
 * is the newest that hands take away. */
static uint8_t tag_to_check(uint8_t pad, uint32_t now_ms)
{
    uint8_t count = pads_tag_count(pad);
    for (uint8_t i = 0; i < count; i++) {
        if (pads_tag(pad, i)->suspect) {
            return i;
        }
    }
    if (count == 0 || is_renewing(now_ms) || !is_to_check(pad, now_ms)) {
        return PADS_TAGS_MAX;
    }
    turns.looked[pad] = true;
    turns.unchecked = 0;
    uint8_t looked = turns.looked_count[pad]++;
    uint8_t newest = (uint8_t)(count - 1u);
    if ((looked & 1u) == 0 || newest == 0) {
        return newest;
    }
    uint8_t other = (uint8_t)(looked >> 1);
    return (uint8_t)(other % newest);
}

static void next_pad(void)
{
    turns.pad++;
    turns.unchecked = (uint8_t)(turns.unchecked + (turns.unchecked < CHECK_PADS));
    turns.visited = false;
    turns.asked = false;
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
        visit_find(pad, turns.groups == 1, now_ms);
        turns.any = true;
        return true;
    }
    if (turns.groups > 1) {
        return false; /* all of it has just been read */
    }
    rfid_uid_t uid;
    if (!turns.asked && neighbours_next(pad, &uid)) {
        turns.asked = true;
        visit_ask(pad, &uid, now_ms);
        return true;
    }
    uint8_t index = care_is_fresh(pad) ? PADS_TAGS_MAX : tag_to_check(pad, now_ms); /* those are being read anyway */
    if (index == PADS_TAGS_MAX) {
        return false;
    }
    next_pad(); /* one tag in each pass */
    visit_check(pad, index, now_ms);
    return true;
}

static void end_group(uint32_t now_ms)
{
    turns.pad = 0;
    turns.visited = false;
    turns.asked = false;
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
    for (; turns.pad < PADS_COUNT; next_pad()) {
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
    turns.asked = false;
    care_regroup(turns.groups == 1, now_ms);
    if (turns.groups > 1) {
        light_group(now_ms);
    }
}

/* A pad goes dark right after its turn, so that it is ready again before the next one. */
static void renew(uint32_t now_ms)
{
    uint8_t next = (uint8_t)((turns.renew + 1u) % PADS_COUNT);
    bool quiet = now_ms - visit_came_ms() >= NOBODY_PLAYS_MS;
    if (quiet && turns.groups == 1 && turns.pad == next && !clock_before(now_ms, turns.renew_ms)) {
        turns.renew_ms = now_ms + RENEW_MS;
        turns.renewed_ms = now_ms;
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
    if (!visit_step(now_ms)) {
        begin_next(now_ms);
    }
}

bool readers_ready(void)
{
    return care_all_settled();
}

uint16_t readers_passes(void)
{
    return turns.passes;
}
