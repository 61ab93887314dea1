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

/* In one group: each pad has a resting tag looked for in every so many-th pass, and two pads do in each. Then the newest
 * and the others take turns: it is the newest that hands take away. */
#define CHECK_PASSES 8u

/* In one group, while nobody plays: every so often one pad goes dark for a moment and is read as a whole. That finds a
 * tag that keeps quiet though nobody knows of it. neighbours.c finds nearly all of them at once. */
#define RENEW_MS 1000u
#define NOBODY_PLAYS_MS 3000u

static struct {
    uint32_t renew_ms; /* when the next pad goes dark */
    uint16_t passes;
    uint8_t groups; /* 0: to be taken from the parameters */
    uint8_t group;
    uint8_t pad;   /* next of this pass */
    uint8_t renew; /* the pad that goes dark next */
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

static void next_pad(void)
{
    turns.pad++;
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
    uint8_t index = care_is_fresh(pad) ? PADS_TAGS_MAX : tag_to_check(pad); /* those are being read anyway */
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
