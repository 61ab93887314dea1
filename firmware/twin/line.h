/* GPL-3.0-or-later. A wire with bits on it, and what a receiver that believes in some bit rate makes of them.
 *
 * Times are in 1/256 of a cycle ("fine"), because a host's bit need not be a whole number of our cycles.
 */
#ifndef TWIN_LINE_H
#define TWIN_LINE_H

#include <stdbool.h>
#include <stdint.h>

#define FINE 256u

enum { LINE_CAP = 65536 }; /* characters on their way; more than any test sends at once, and a power of two */

typedef struct {
    uint64_t start;
    uint64_t bit;   /* length of one */
    uint16_t bits;  /* start bit first, then the data's lowest */
    uint8_t count;
} character_t;

typedef struct {
    character_t *sent;
    uint32_t head, tail; /* count upwards; modulo LINE_CAP */
    uint64_t free_at;    /* the end of the last character */
} line_t;

typedef struct {
    uint8_t data_bits;
    bool parity, odd;
    uint8_t stop_bits;
} format_t;

typedef struct {
    uint8_t byte;
    bool framing_error;
} heard_t;

void line_build(line_t *line);
void line_clear(line_t *line);
uint32_t line_room(const line_t *line);

/* Puts a byte on the line, at `now` or behind what is still on it; where it begins. */
uint64_t line_send(line_t *line, uint8_t byte, format_t format, uint64_t bit, uint64_t now);

/* The next falling edge at or after `from`; UINT64_MAX when none is known. Forgets characters that ended before. */
uint64_t line_fall(line_t *line, uint64_t from);

/* From a falling edge to the sample of the (first) stop bit, in a receiver's own bits of length `bit`. */
uint64_t line_stop_sample(format_t format, uint64_t edge, uint64_t bit);

/* What the receiver sampled, once line_stop_sample has passed. */
heard_t line_hear(const line_t *line, format_t format, uint64_t edge, uint64_t bit);

#endif
