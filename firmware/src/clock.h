/* The board's milliseconds, which wrap after 49 days.
 *
 * Owns how two of them compare. Must not know where they come from.
 */
#ifndef TW_CLOCK_H
#define TW_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Whether `ms` is earlier than `other_ms`; the two are less than 24 days apart. */
static inline bool clock_before(uint32_t ms, uint32_t other_ms)
{
    return (int32_t)(ms - other_ms) < 0;
}

#endif
