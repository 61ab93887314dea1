/* The players' stop buttons.
 *
 * Owns their debounce and which presses are still to be told. Must not know pins, what a button stops, or the wire.
 */
#ifndef TW_BUTTONS_H
#define TW_BUTTONS_H

#include <stdint.h>

void buttons_start(void);

/* Reads them, once a millisecond. */
void buttons_step(uint32_t now_ms);

/* The host knows of no button any more: those that are down are told anew. */
void buttons_untold(void);

/* The host was not told of a press of this one after all. */
void buttons_owe(uint8_t button);

/* Tells what was not told yet, while there is room. */
void buttons_tell(uint32_t now_ms);

#endif
