/* What a host orders and asks of the board: PARAM, SIGNAL, and what only its kind of table knows.
 *
 * Owns the one command under way: it is done once, however often it is said, and answered every time. Must not know
 * frames, numbers of changes or the line.
 */
#ifndef TW_COMMANDS_H
#define TW_COMMANDS_H

#include <stdint.h>

#include "table.h"

/* Forgets the last command, for another host may begin with the same tokens. */
void commands_forget(void);

/* Hears a command of `type` in `size` bytes, of which there are enough, and writes the answer to `payload` (room for
 * the longest one), if there is one yet. */
table_said_t commands_hear(uint8_t type, const uint8_t *bytes, uint8_t size, void *payload, uint32_t now_ms);

/* Works on a command that takes time, and writes its answer when it has ended. */
table_said_t commands_step(void *payload);

#endif
