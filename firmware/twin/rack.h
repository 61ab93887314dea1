/* GPL-3.0-or-later, as is all of this program; nothing here needs simavr.
 *
 * Readers side by side on one SPI bus, and the tags on their pads: what the twin's pins are wired to, and what a test
 * drives through the shared library. Times are in picoseconds and never fall.
 */
#ifndef TWIN_RACK_H
#define TWIN_RACK_H

#include "mfrc522.h"

enum { RACK_NONE = -1 };

typedef struct {
    air_t air;
    mfrc522_t readers[AIR_READERS_MAX];
    uint8_t count;
    int selected;         /* RACK_NONE, or whose NSS is low */
    uint64_t bytes_count; /* clocked over the bus */
} rack_t;

/* Readers that have just got power, all of version 0x92; NULL without memory. */
rack_t *rack_build(uint8_t count, uint64_t seed);
void rack_end(rack_t *rack);

void rack_power_cycle(rack_t *rack, uint64_t now_ps);
/* The reset line that all share. */
void rack_reset_line(rack_t *rack, bool high, uint64_t now_ps);
void rack_select(rack_t *rack, int reader);
/* One byte has been clocked both ways; without a reader that answers, MISO rests low. */
uint8_t rack_exchange(rack_t *rack, uint8_t byte, uint64_t now_ps);

/* A tag comes, or moves, into the fields of these readers (bit k: reader k); false when there are too many. */
bool rack_put(rack_t *rack, const uint8_t *uid, uint8_t uid_bytes, uint64_t readers, uint64_t now_ps);
bool rack_take(rack_t *rack, const uint8_t *uid, uint8_t uid_bytes, uint64_t now_ps);

void rack_misread(rack_t *rack, uint8_t reader, uint8_t silent_percent, uint8_t flip_percent);
void rack_doze(rack_t *rack, uint8_t reader, uint8_t percent);
/* A reader that was missing comes back as from power on. */
void rack_health(rack_t *rack, uint8_t index, reader_health_t health, uint64_t now_ps);
void rack_version(rack_t *rack, uint8_t reader, uint8_t version);

/* Frames that began while another reader's exchange was under way. */
uint64_t rack_at_once(const rack_t *rack);

#endif
