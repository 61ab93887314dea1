/* GPL-3.0-or-later. Owns the words of requests about tags, readers and buttons; what they ask for readers.c does. */
#include "requests_readers.h"

#include <stdlib.h>
#include <string.h>

#include "readers.h"

enum { PERCENT_MAX = 100, VERSION_MAX = 255 };

static const char no_reader[] = "a reader is 0 to 15";

/* Four or seven bytes in hex; 0 for anything else. */
static uint8_t uid_of(const char *word, uint8_t uid[PICC_UID_MAX])
{
    size_t length = strlen(word);
    if (length != 8 && length != 14) {
        return 0;
    }
    for (size_t at = 0; at < length / 2; at++) {
        int high = words_digit(word[2 * at]), low = words_digit(word[2 * at + 1]);
        if (high < 0 || low < 0) {
            return 0;
        }
        uid[at] = (uint8_t)(high << 4 | low);
    }
    return (uint8_t)(length / 2);
}

static bool reader_of(const char *word, long *reader)
{
    return words_whole(word, 0, READERS_COUNT - 1, reader);
}

/* `3` or `3,4`. */
static bool readers_of(char *word, uint64_t *readers)
{
    char *rest;
    *readers = 0;
    for (char *one = strtok_r(word, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        long reader;
        if (!reader_of(one, &reader)) {
            return false;
        }
        *readers |= 1ull << reader;
    }
    return *readers != 0;
}

static bool tag(words_t words)
{
    uint8_t uid[PICC_UID_MAX];
    uint64_t readers;
    uint8_t uid_bytes = uid_of(words.word[1], uid);
    if (!uid_bytes) {
        return words_refuse("a tag's UID is 4 or 7 bytes, two hex digits each");
    }
    if (!readers_of(words.word[2], &readers)) {
        return words_refuse(no_reader);
    }
    return rack_put(readers_rack, uid, uid_bytes, readers, readers_now_ps()) ? words_agree()
                                                                             : words_refuse("too many tags");
}

static bool untag(words_t words)
{
    uint8_t uid[PICC_UID_MAX];
    uint8_t uid_bytes = uid_of(words.word[1], uid);
    bool known = uid_bytes && rack_take(readers_rack, uid, uid_bytes, readers_now_ps());
    return known ? words_agree() : words_refuse("there is no such tag");
}

static bool misread(words_t words)
{
    long reader, silent, flipped;
    if (!reader_of(words.word[1], &reader) || !words_whole(words.word[2], 0, PERCENT_MAX, &silent) ||
        !words_whole(words.word[3], 0, PERCENT_MAX, &flipped)) {
        return words_refuse("misread takes a reader from 0 to 15, and two times 0 to 100 percent");
    }
    rack_misread(readers_rack, (uint8_t)reader, (uint8_t)silent, (uint8_t)flipped);
    return words_agree();
}

static bool doze(words_t words)
{
    long reader, percent = AIR_DOZES_IN_TURN;
    if (!reader_of(words.word[1], &reader) ||
        (strcmp(words.word[2], "turn") && !words_whole(words.word[2], 0, PERCENT_MAX, &percent))) {
        return words_refuse("doze takes a reader from 0 to 15, and 0 to 100 percent or turn");
    }
    rack_doze(readers_rack, (uint8_t)reader, (uint8_t)percent);
    return words_agree();
}

static bool reader(words_t words)
{
    static const char *const names[] = {
        [READER_WELL] = "well", [READER_MISSING] = "missing", [READER_LOADS] = "loads",
        [READER_MUTE] = "mute", [READER_DEAF] = "deaf",       [READER_STUCK] = "stuck",
    };
    long which;
    if (!reader_of(words.word[1], &which)) {
        return words_refuse(no_reader);
    }
    for (size_t health = 0; health < sizeof names / sizeof *names; health++) {
        if (!strcmp(words.word[2], names[health])) {
            rack_health(readers_rack, (uint8_t)which, (reader_health_t)health, readers_now_ps());
            return words_agree();
        }
    }
    return words_refuse("a reader is well, missing, loads, mute, deaf or stuck");
}

static bool version(words_t words)
{
    long which, shown;
    if (!reader_of(words.word[1], &which) || !words_whole(words.word[2], 0, VERSION_MAX, &shown)) {
        return words_refuse("version takes a reader from 0 to 15, and 0 to 255");
    }
    rack_version(readers_rack, (uint8_t)which, (uint8_t)shown);
    return words_agree();
}

static bool button(words_t words)
{
    long which;
    bool down = !strcmp(words.word[2], "down");
    if (!words_whole(words.word[1], 0, BUTTONS_COUNT - 1, &which) || (!down && strcmp(words.word[2], "up"))) {
        return words_refuse("button takes 0 to 3, and down or up");
    }
    readers_press((uint8_t)which, down);
    return words_agree();
}

static bool readers(words_t words)
{
    enum { PS_PER_US = 1000000 };
    air_t *air = &readers_rack->air;
    if (words.count == 2 && strcmp(words.word[1], "reset")) {
        return words_refuse("readers takes reset, or nothing");
    }
    uint64_t asks = 0, gap_ps = 0;
    for (int index = 0; index < READERS_COUNT; index++) {
        const antenna_t *antenna = &air->antennas[index];
        asks += antenna->asks;
        gap_ps = antenna->ask_gap_max_ps > gap_ps ? antenna->ask_gap_max_ps : gap_ps;
    }
    fprintf(words_out,
            "ok {\"asks\": %llu, \"ask_gap_max_us\": %.1f, \"at_once\": %llu, \"bus_bytes\": %llu}\n",
            (unsigned long long)asks, (double)gap_ps / PS_PER_US,
            (unsigned long long)air->at_once, (unsigned long long)readers_rack->bytes_count);
    if (words.count == 2) {
        air_forget_counts(air);
        readers_rack->bytes_count = 0;
    }
    return true;
}

const verb_t reader_verbs[READER_VERBS_COUNT] = {
    {"tag", 2, 2, tag},         {"untag", 1, 1, untag},   {"misread", 3, 3, misread}, {"doze", 2, 2, doze},
    {"reader", 2, 2, reader},   {"version", 2, 2, version}, {"button", 2, 2, button}, {"readers", 0, 1, readers},
};
