/* GPL-3.0-or-later. Owns the bus: who is selected, and what is heard when several or none drive it. */
#include "rack.h"

#include <stdlib.h>

enum { FIRST_VERSION = 0x92 };

rack_t *rack_build(uint8_t count, uint64_t seed)
{
    rack_t *rack = calloc(1, sizeof *rack);
    if (!rack) {
        return NULL;
    }
    rack->count = count < AIR_READERS_MAX ? count : AIR_READERS_MAX;
    rack->selected = RACK_NONE;
    air_seed(&rack->air, seed);
    for (uint8_t index = 0; index < rack->count; index++) {
        mfrc522_build(&rack->readers[index], &rack->air, index, FIRST_VERSION);
    }
    return rack;
}

void rack_end(rack_t *rack)
{
    free(rack);
}

static void settle(rack_t *rack, uint64_t now_ps)
{
    for (uint8_t index = 0; index < rack->count; index++) {
        mfrc522_settle(&rack->readers[index], now_ps);
    }
}

void rack_power_cycle(rack_t *rack, uint64_t now_ps)
{
    rack_select(rack, RACK_NONE);
    rack_reset_line(rack, false, now_ps);
    rack_reset_line(rack, true, now_ps);
}

void rack_reset_line(rack_t *rack, bool high, uint64_t now_ps)
{
    for (uint8_t index = 0; index < rack->count; index++) {
        mfrc522_reset_line(&rack->readers[index], high, now_ps);
    }
}

void rack_select(rack_t *rack, int reader)
{
    if (rack->selected == reader) {
        return;
    }
    if (rack->selected != RACK_NONE) {
        mfrc522_select(&rack->readers[rack->selected], false);
    }
    rack->selected = reader < rack->count ? reader : RACK_NONE;
    if (rack->selected != RACK_NONE) {
        mfrc522_select(&rack->readers[rack->selected], true);
    }
}

/* A clone that is not selected and does not let go of the line. */
static bool held_low(const rack_t *rack)
{
    for (uint8_t index = 0; index < rack->count; index++) {
        if (index != rack->selected && rack->readers[index].health == READER_LOADS) {
            return true;
        }
    }
    return false;
}

uint8_t rack_exchange(rack_t *rack, uint8_t byte, uint64_t now_ps)
{
    rack->bytes_count++;
    if (rack->selected == RACK_NONE) {
        return 0;
    }
    uint8_t answer = mfrc522_exchange(&rack->readers[rack->selected], byte, now_ps);
    return held_low(rack) ? 0 : answer;
}

bool rack_put(rack_t *rack, const uint8_t *uid, uint8_t uid_bytes, uint64_t readers, uint64_t now_ps)
{
    settle(rack, now_ps);
    return air_put(&rack->air, uid, uid_bytes, readers, now_ps);
}

bool rack_take(rack_t *rack, const uint8_t *uid, uint8_t uid_bytes, uint64_t now_ps)
{
    settle(rack, now_ps);
    return air_take(&rack->air, uid, uid_bytes);
}

void rack_misread(rack_t *rack, uint8_t reader, uint8_t silent_percent, uint8_t flip_percent)
{
    rack->air.antennas[reader].silent_percent = silent_percent;
    rack->air.antennas[reader].flip_percent = flip_percent;
}

void rack_doze(rack_t *rack, uint8_t reader, uint8_t percent)
{
    rack->air.antennas[reader].doze_percent = percent;
}

void rack_health(rack_t *rack, uint8_t index, reader_health_t health, uint64_t now_ps)
{
    mfrc522_t *reader = &rack->readers[index];
    mfrc522_settle(reader, now_ps);
    if ((reader->health == READER_MISSING) != (health == READER_MISSING)) {
        mfrc522_power_on(reader, now_ps);
    }
    reader->health = health;
}

void rack_version(rack_t *rack, uint8_t reader, uint8_t version)
{
    rack->readers[reader].version = version;
}

uint64_t rack_at_once(const rack_t *rack)
{
    return rack->air.at_once;
}
