/* The board's side of the session with a host.
 *
 * Owns what each message asks for, what is said when, and the counters of STATUS. Must not know how sensors are read,
 * how frames are built, or what the lights show.
 */
#ifndef TW_LINK_H
#define TW_LINK_H

#include <stdint.h>

#include "messages.h"

/* What STATUS says, fresh to the millisecond but for stack_free; who watches the board from outside reads it here. */
extern tw_status_t link_status;

/* Opens the line and says HELLO. `nonce` is another one at every boot and never 0. */
void link_start(uint32_t nonce, uint32_t now_ms);

/* Hears what has come in and says what is due. No change that is pushed later may be earlier than `now_ms`. */
void link_step(uint32_t now_ms);

#endif
