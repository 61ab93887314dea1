/* One sensor's debounce: when a reading is believed.
 *
 * Owns the rule alone, as a function over two bytes. Must not know sensors, magnets, the clock or the wire. The same
 * rule as host/tablewire/virtual/debounce.py.
 *
 * A new class is believed once the readings have agreed on it for `settle_ms`. Readings of the old class meanwhile
 * take that time back, so a magnet that comes and goes evenly is never believed.
 */
#ifndef TW_DEBOUNCE_H
#define TW_DEBOUNCE_H

#include <stdbool.h>
#include <stdint.h>

/* One reading speaks for no more than this, so that after a stalled scan two readings alone convince nobody. */
#define DEBOUNCE_READING_MAX_MS 10u

/* The believed class, the one that asks to be believed, which of the two was read last, and for how long it asks. */
typedef struct {
    uint8_t stable : 3;
    uint8_t candidate : 3;
    uint8_t read_candidate : 1;
    uint8_t agreed_ms;
} debounced_t;

/* The state of a sensor that has read `stable` for long. */
static inline debounced_t debounce_at_rest(uint8_t stable)
{
    return (debounced_t){.stable = stable & 7u, .candidate = stable & 7u, .read_candidate = 0, .agreed_ms = 0};
}

/* Whether another class asks to be believed. */
static inline bool debounce_undecided(debounced_t state)
{
    return state.candidate != state.stable;
}

/* The class of the last reading. */
static inline uint8_t debounce_read(debounced_t state)
{
    return state.read_candidate ? state.candidate : state.stable;
}

/* The state after a reading of class `raw`, `elapsed_ms` after the one before. */
debounced_t debounce(debounced_t state, uint8_t raw, uint8_t elapsed_ms, uint8_t settle_ms);

#endif
