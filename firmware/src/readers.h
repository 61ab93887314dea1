/* Sixteen readers in turn: which tags lie on which pad.
 *
 * Owns whose turn it is, and which fields are on. Must not know registers, how a tag is read, when it is believed to be
 * gone, or the wire.
 *
 * One reader transmits at a time on the whole board. In one group (TW_PARAM_KEY_FIELD_GROUPS 1) all fields stay on: what
 * was read keeps quiet, so a call costs 1.2 ms on a pad with nothing new, and tags that lie are looked for one by one,
 * now and then. In two or four groups the fields of one group are on while it is read, and whatever lies there is read
 * each time: pads may then be nearer to each other, and a pass takes longer.
 */
#ifndef TW_READERS_H
#define TW_READERS_H

#include <stdbool.h>
#include <stdint.h>

void readers_start(void);

/* One bounded step: at most one exchange ends and one begins, some 0.4 ms. */
void readers_step(uint32_t now_ms);

/* Whether every reader has read its pad once, or was found not to answer. */
bool readers_ready(void);

/* The number of groups may be another one. */
void readers_regroup(void);

/* Full passes since the start; wraps. */
uint16_t readers_passes(void);

#endif
