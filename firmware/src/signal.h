/* Lights and sound for the players.
 *
 * Owns the patterns: what each light and sound looks and sounds like over time. Must not know who asks for them, or
 * the wire.
 *
 * Colour is never the only difference: legal is steady, illegal blinks fast, hold blinks slowly.
 */
#ifndef TW_SIGNAL_H
#define TW_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

/* All dark and silent. */
void signal_start(void);

/* Shows `players` (bit k lights player k) and TW_LIGHT_*, and plays TW_SOUND_* once; NONE lets the last one end.
 * False, and nothing changes, when there is no such light or sound. */
bool signal_set(uint8_t players, uint8_t light, uint8_t sound, uint32_t now_ms);

/* Lets the patterns go on. */
void signal_step(uint32_t now_ms);

#endif
