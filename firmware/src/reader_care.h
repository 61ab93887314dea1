/* Sixteen readers kept working: started, tested, lit, looked after, begun anew.
 *
 * Owns what state each reader is in and since when, its field, and the pauses between attempts. Must not know tags,
 * whose turn it is to be read, or the wire.
 */
#ifndef TW_READER_CARE_H
#define TW_READER_CARE_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

void care_start(uint32_t now_ms);

/* Goes on with one reader, in some 0.1 ms. */
void care_step(uint32_t now_ms);

/* Whether every reader has been read once or was found not to answer. */
bool care_all_settled(void);

/* ---- fields ---- */

/* From now on fields are on all the time, or as care_light says; all tags lose their power once. */
void care_regroup(bool always_lit, uint32_t now_ms);

void care_light(uint8_t reader, uint32_t now_ms);
void care_put_out(uint8_t reader);

/* Where fields are on all the time: off for long enough that every tag there begins anew. */
void care_darken(uint8_t reader, uint32_t now_ms);

/* Whether some field has just been switched on, so that its tags are not ready yet. */
bool care_is_lighting(uint32_t now_ms);

/* ---- reading ---- */

/* Whether it works, its field is on, and the tags in it are ready. */
bool care_can_read(uint8_t reader, uint32_t now_ms);

/* Whether the chip is still as it was set up; if not, it is begun anew. */
bool care_is_sound(uint8_t reader, uint32_t now_ms);

/* Whether its tags have begun anew since it was read last, so that all of them answer. */
bool care_is_fresh(uint8_t reader);

/* All that lies there has been read. Something has been, so that it works. It did not work. */
void care_was_read(uint8_t reader);
void care_works(uint8_t reader);
void care_fell_deaf(uint8_t reader, uint32_t now_ms);

/* Writes a row for each reader. */
void care_write_states(tw_reader_row_t *rows);

#endif
