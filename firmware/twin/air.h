/* GPL-3.0-or-later, as is all of this program; nothing here needs simavr.
 *
 * Owns what lies in which antenna's field: tags, the frames that reach them, and their answers laid over each other.
 * Must not know registers. Times are in picoseconds and never fall.
 *
 * Simulated: answers that collide bit by bit, tags that one or several antennas reach, that come and leave, do not
 * hear, or are heard wrongly. Not simulated: strength and shape of fields. So a tag that two antennas reach answers
 * whichever asks, also while both fields are on (in truth they may disturb each other), a stack of any height is read,
 * and two antennas that send at once are counted but not mixed.
 */
#ifndef TWIN_AIR_H
#define TWIN_AIR_H

#include "picc.h"

enum { AIR_READERS_MAX = 64, AIR_TAGS_MAX = 640, AIR_DOZES_IN_TURN = 101 };

/* One period of the carrier is 73.7 ns, one bit at 106 kbit/s is 128 of them. */
static inline uint64_t carrier_ps(uint64_t periods)
{
    return periods * 1000000000u / 13560u;
}

static inline uint64_t bits_ps(uint64_t bits)
{
    return carrier_ps(128 * bits);
}

typedef struct {
    uint8_t ones[ANSWER_BITS_MAX], zeros[ANSWER_BITS_MAX]; /* whether any tag sent that in this bit */
    uint16_t count;
} echo_t;

typedef struct {
    picc_t picc;
    uint64_t readers; /* bit k: the antenna of reader k reaches it */
    bool dozed;       /* it has not heard the last request */
} tag_t;

typedef struct {
    bool on;
    uint8_t silent_percent, flip_percent; /* of frames that a tag does not hear, of answers with a wrong bit */
    uint8_t doze_percent;                 /* of requests that a tag does not hear; AIR_DOZES_IN_TURN: every second */
    uint64_t said_ps, busy_until_ps;      /* its last frame began then; its last exchange ends then */
    uint64_t asks;                        /* short frames, that is REQA and WUPA */
    uint64_t asked_ps, ask_gap_max_ps;    /* the last one, and the longest time between two */
} antenna_t;

typedef struct air {
    antenna_t antennas[AIR_READERS_MAX];
    tag_t tags[AIR_TAGS_MAX];
    uint16_t tag_count;
    uint64_t chance;
    uint64_t at_once; /* frames that began while another antenna's exchange was under way */
} air_t;

void air_seed(air_t *air, uint64_t seed);
uint64_t air_chance(air_t *air);

/* A tag comes into the fields of these readers, or is moved there; false when there are too many. */
bool air_put(air_t *air, const uint8_t *uid, uint8_t uid_bytes, uint64_t readers, uint64_t now_ps);
/* False when there is no such tag. */
bool air_take(air_t *air, const uint8_t *uid, uint8_t uid_bytes);

void air_field(air_t *air, uint8_t reader, bool on, uint64_t now_ps);

/* A frame begins; only for the counts. */
void air_says(air_t *air, uint8_t reader, const frame_t *frame, uint64_t now_ps, uint64_t sent_ps);
/* A frame has been sent whole: what comes back, nothing when its count is 0. */
void air_carry(air_t *air, uint8_t reader, const frame_t *frame, uint64_t now_ps, echo_t *echo);

void air_forget_counts(air_t *air);

#endif
