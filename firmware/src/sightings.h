/* What readers and buttons tell, on its way to the host.
 *
 * Owns the rows of TAGS, and telling everything anew: an ANEW row, then whatever lies there or is held down, as the ring
 * has room. Must not know how tags are found, when rows are sent, frames or the line.
 *
 * What finds no room is not told row by row any more: all of it is told anew as soon as there is room, so that nothing
 * is lost without a word. The same rules as host/tablewire/virtual/tag_outbox.py.
 */
#ifndef TW_SIGHTINGS_H
#define TW_SIGHTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "pads.h"

void sightings_start(void);

/* The board knows what lies there: from now on it is told. */
void sightings_begin(void);

/* Tell that a tag came or went. `tag->told` follows. */
void sightings_came(uint8_t pad, pads_tag_t *tag, uint32_t ms);
void sightings_gone(uint8_t pad, const pads_tag_t *tag, uint32_t ms);

/* Tells that a button is down or up; false when that is to be told later, by buttons_tell. */
bool sightings_button(uint8_t button, bool down, uint32_t ms);

/* A host asks for all of it anew. */
void sightings_retell(uint32_t now_ms);

/* Tells some of what is owed. */
void sightings_step(uint32_t now_ms);

/* Writes TAGS, the rows of the batch under way; bytes. */
uint8_t sightings_write_tags(void *payload, uint32_t nonce);

#endif
