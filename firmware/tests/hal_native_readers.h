/* Readers, tags and buttons of the pretended chip: MFRC522 register by register, as far as tags need them.
 *
 * Owns what lies where, what is wrong with a reader, and which buttons are down. Must not know the firmware's driver:
 * registers are the data sheet's, answers those of ISO/IEC 14443-3. An exchange takes no time; tags need theirs.
 */
#ifndef TW_HAL_NATIVE_READERS_H
#define TW_HAL_NATIVE_READERS_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"

typedef enum {
    READER_WELL,
    READER_ABSENT, /* nothing drives the line: it reads low */
    READER_HIGH,   /* or high */
    READER_RANDOM, /* any byte may come */
    READER_MUTE,   /* registers answer, but no exchange ever ends */
} reader_health_t;

/* What the chip says of where a collision was. */
typedef enum {
    COLLISION_IN_FRAME, /* as the data sheet has it: counted in the bytes that came */
    COLLISION_IN_LEVEL, /* counted from the first bit of the cascade level, as some copies may */
    COLLISION_NOWHERE,  /* not valid */
} collision_t;

typedef struct {
    reader_health_t health;
    uint8_t version;
    bool fails_test;
    bool field;
} native_reader_t;

typedef struct {
    native_reader_t readers[HAL_READER_COUNT];
    collision_t collisions;
    uint32_t random;      /* state of chance */
    unsigned silent_every; /* every so many-th request is heard by nobody; 0: all are heard */
    unsigned garble_every; /* every so many-th answer has a wrong parity */
    unsigned bend_every;   /* every so many-th has two bits turned, which no parity tells of */
    uint8_t buttons;
    unsigned fields_max; /* most fields on at once, since it was last set to 0 */
    unsigned neighbours_lit; /* times a field came on beside another one, or corner to corner */
} native_readers_t;

extern native_readers_t native_readers;

/* A tag lies over these readers (bit k: reader k) and no others; over none: it is taken away. Up to 191 tags. */
void native_tag(const uint8_t *uid, uint8_t size, uint32_t readers);

#endif
