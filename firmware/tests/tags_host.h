/* A host for tests of a board with tag readers: it takes TAGS in order and knows what has been told.
 *
 * Owns the rows that were taken. Must not know any rule of reading tags.
 */
#ifndef TW_TEST_TAGS_HOST_H
#define TW_TEST_TAGS_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "host.h"

#define ROWS_MAX 2000u

/* A row of TAGS with its number and time. */
typedef struct {
    uint32_t number;
    uint32_t ms;
    tw_tag_row_t row;
} told_t;

/* A tag's UID. Tags of one kind begin alike, as stickers from one roll do. */
typedef struct {
    uint8_t bytes[7];
} uid_t7;
uid_t7 sticker(uint8_t n);

/* Lays a sticker over one reader, or takes it away. */
void lay(uint8_t n, uint8_t reader);
void lift(uint8_t n);

/* A board out of the box, its first inventory done, and a host that has said hello; whatever was told is forgotten. */
void tags_met(void);

/* The same, with what lies there and is set up already kept. */
void tags_start(void);

/* Lets time pass, acknowledging what is told. */
void tags_run(uint32_t ms);

/* Takes the rows that have been said and not taken yet, if any. The same row said twice is taken once. */
bool tags_take(void);

/* What was taken since tags_forget. */
unsigned told_count(void);
const told_t *told(unsigned index);
void tags_forget(void);

/* How many rows say this of this sticker (or of any: NO_STICKER), on this reader or button (or any: ANYWHERE). */
#define NO_STICKER 255u
#define ANYWHERE 255u
unsigned told_of(uint8_t what, uint8_t source, uint8_t n);

/* The last STATUS. */
heard_t status_now(void);
const tw_reader_row_t *reader_row(const heard_t *status, unsigned reader);

/* RESULT to a parameter that is set. */
tw_result_t set(uint8_t key, uint32_t value);

#endif
