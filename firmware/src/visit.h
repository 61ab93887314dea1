/* One reader's turn: what lies on its pad is read, or one tag is looked for.
 *
 * Owns the steps of a visit and when it ends. Must not know whose turn comes next, registers, or the wire.
 */
#ifndef TW_VISIT_H
#define TW_VISIT_H

#include <stdbool.h>
#include <stdint.h>

#include "rfid.h"

void visit_start(void);

/* Begin a visit, none being under way: read whoever answers (`one_group`: all fields are on, so that what is left may be
 * read with the next visit); look for the pad's tag of this index; ask whether a tag from beside is here. */
void visit_find(uint8_t pad, bool one_group, uint32_t now_ms);
void visit_check(uint8_t pad, uint8_t index, uint32_t now_ms);
void visit_ask(uint8_t pad, const rfid_uid_t *uid, uint32_t now_ms);

/* Goes on with the visit; whether one is under way. */
bool visit_step(uint32_t now_ms);

/* When a tag came last, or the start. */
uint32_t visit_came_ms(void);

#endif
