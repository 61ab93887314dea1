/* GPL-3.0-or-later. Owns fields, and answers laid over each other; the tags' states are picc.c's. */
#include "air.h"

#include <string.h>

enum { SHORT_BITS = 7 };
/* How often the bit behind a wrong one is wrong too: a parity does not notice two. */
enum { TWO_PERCENT = 50 };

/* xorshift64*: the same on every computer. */
uint64_t air_chance(air_t *air)
{
    air->chance ^= air->chance >> 12;
    air->chance ^= air->chance << 25;
    air->chance ^= air->chance >> 27;
    return air->chance * 0x2545F4914F6CDD1Dull;
}

void air_seed(air_t *air, uint64_t seed)
{
    air->chance = seed ^ 0x9E3779B97F4A7C15ull;
    if (!air->chance) {
        air->chance = 1; /* zero would stay zero */
    }
}

static bool happens(air_t *air, uint8_t percent)
{
    return percent && (air_chance(air) >> 33) % 100 < percent;
}

/* ---- tags and fields ------------------------------------------------------------------------------------------- */

static tag_t *find(air_t *air, const uint8_t *uid, uint8_t uid_bytes)
{
    for (uint16_t index = 0; index < air->tag_count; index++) {
        picc_t *picc = &air->tags[index].picc;
        if (picc->uid_bytes == uid_bytes && !memcmp(picc->uid, uid, uid_bytes)) {
            return &air->tags[index];
        }
    }
    return NULL;
}

static void power(air_t *air, tag_t *tag, uint64_t now_ps)
{
    bool powered = false;
    for (int reader = 0; reader < AIR_READERS_MAX; reader++) {
        powered |= (tag->readers >> reader & 1) && air->antennas[reader].on;
    }
    picc_power(&tag->picc, powered, now_ps);
}

bool air_put(air_t *air, const uint8_t *uid, uint8_t uid_bytes, uint64_t readers, uint64_t now_ps)
{
    tag_t *tag = find(air, uid, uid_bytes);
    if (tag && tag->readers & readers) {
        tag->readers = readers; /* it never leaves a field: what it is powered by may change, not that it is */
        power(air, tag, now_ps);
        return true;
    }
    if (!tag) {
        if (air->tag_count == AIR_TAGS_MAX) {
            return false;
        }
        tag = &air->tags[air->tag_count++];
    }
    *tag = (tag_t){.readers = readers, .picc = {.uid_bytes = uid_bytes}};
    memcpy(tag->picc.uid, uid, uid_bytes);
    power(air, tag, now_ps);
    return true;
}

bool air_take(air_t *air, const uint8_t *uid, uint8_t uid_bytes)
{
    tag_t *tag = find(air, uid, uid_bytes);
    if (!tag) {
        return false;
    }
    *tag = air->tags[--air->tag_count];
    return true;
}

void air_field(air_t *air, uint8_t reader, bool on, uint64_t now_ps)
{
    if (air->antennas[reader].on == on) {
        return;
    }
    air->antennas[reader].on = on;
    for (uint16_t index = 0; index < air->tag_count; index++) {
        if (air->tags[index].readers >> reader & 1) {
            power(air, &air->tags[index], now_ps);
        }
    }
}

/* ---- frames ---------------------------------------------------------------------------------------------------- */

void air_says(air_t *air, uint8_t reader, const frame_t *frame, uint64_t now_ps, uint64_t sent_ps)
{
    antenna_t *antenna = &air->antennas[reader];
    for (int other = 0; other < AIR_READERS_MAX; other++) {
        air->at_once += other != reader && air->antennas[other].busy_until_ps > now_ps;
    }
    antenna->busy_until_ps = sent_ps;
    if (frame->bits == SHORT_BITS) {
        if (antenna->asks && now_ps - antenna->asked_ps > antenna->ask_gap_max_ps) {
            antenna->ask_gap_max_ps = now_ps - antenna->asked_ps;
        }
        antenna->asked_ps = now_ps;
        antenna->asks++;
    }
}

/* Whether a tag takes no notice of this frame. */
static bool misses(air_t *air, const antenna_t *antenna, const frame_t *frame, tag_t *tag)
{
    if (frame->bits == SHORT_BITS) {
        bool in_turn = antenna->doze_percent == AIR_DOZES_IN_TURN;
        tag->dozed = in_turn ? !tag->dozed : happens(air, antenna->doze_percent);
        if (tag->dozed) {
            return true;
        }
    }
    return happens(air, antenna->silent_percent);
}

static void lay_over(echo_t *echo, const answer_t *answer)
{
    for (uint16_t at = 0; at < answer->count; at++) {
        echo->ones[at] |= answer->bit[at];
        echo->zeros[at] |= !answer->bit[at];
    }
    if (answer->count > echo->count) {
        echo->count = answer->count;
    }
}

static void flip(echo_t *echo, uint16_t at)
{
    uint8_t kept = echo->ones[at];
    echo->ones[at] = echo->zeros[at];
    echo->zeros[at] = kept;
}

void air_carry(air_t *air, uint8_t reader, const frame_t *frame, uint64_t now_ps, echo_t *echo)
{
    antenna_t *antenna = &air->antennas[reader];
    memset(echo, 0, sizeof *echo);
    if (!antenna->on) {
        return;
    }
    for (uint16_t index = 0; index < air->tag_count; index++) {
        tag_t *tag = &air->tags[index];
        answer_t answer;
        if ((tag->readers >> reader & 1) && !misses(air, antenna, frame, tag) &&
            picc_hear(&tag->picc, frame, now_ps, &answer)) {
            lay_over(echo, &answer);
        }
    }
    if (echo->count && happens(air, antenna->flip_percent)) {
        uint16_t at = (uint16_t)((air_chance(air) >> 33) % echo->count);
        flip(echo, at);
        if (at + 1 < echo->count && happens(air, TWO_PERCENT)) {
            flip(echo, (uint16_t)(at + 1));
        }
    }
}

void air_forget_counts(air_t *air)
{
    air->at_once = 0;
    for (int reader = 0; reader < AIR_READERS_MAX; reader++) {
        air->antennas[reader].asks = air->antennas[reader].ask_gap_max_ps = 0;
    }
}
