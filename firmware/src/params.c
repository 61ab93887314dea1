#include "params.h"

#include <string.h>

#include "messages.h"
#include "store.h"

static const params_kind_t *kind;
static uint8_t settings;
static bool unsaved;

static bool allowed(const params_range_t *range, uint32_t value)
{
    return value >= range->least && value <= range->most && !(range->power_of_two && (value & (value - 1u)) != 0);
}

void params_start(const params_kind_t *of)
{
    kind = of;
    memset(kind->record, 0, kind->record_bytes);
    settings = store_start((uint8_t *)kind->record, kind->record_bytes, kind->version);
    for (uint8_t i = 0; i < kind->count; i++) {
        if (!allowed(&kind->ranges[i], kind->record[i])) {
            kind->record[i] = kind->ranges[i].usual;
        }
    }
    unsaved = settings != TW_SETTINGS_STORED;
}

uint8_t params_settings(void)
{
    if (!unsaved && store_unwritten_bytes() == 0) {
        settings = TW_SETTINGS_STORED; /* what is in use is what a restart would find */
    }
    return settings;
}

/* The place of a parameter; the count of them when it is not known. */
static uint8_t place_of(uint8_t key)
{
    uint8_t i = 0;
    while (i < kind->count && kind->ranges[i].key != key) {
        i++;
    }
    return i;
}

bool params_known(uint8_t key)
{
    return place_of(key) < kind->count;
}

uint16_t params_get(uint8_t key)
{
    return kind->record[place_of(key)];
}

bool params_set(uint8_t key, uint32_t value)
{
    uint8_t i = place_of(key);
    if (!allowed(&kind->ranges[i], value)) {
        return false;
    }
    if (kind->record[i] != value) {
        kind->record[i] = (uint16_t)value;
        unsaved = true;
        params_save();
    }
    return true;
}

void params_changed(void)
{
    unsaved = true;
    if (store_unwritten_bytes() > 0) {
        params_save(); /* the record under way would hold half of the old and half of the new */
    }
}

uint16_t params_save(void)
{
    if (unsaved) {
        unsaved = false;
        store_begin();
    }
    return store_unwritten_bytes();
}
