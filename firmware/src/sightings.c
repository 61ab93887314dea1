#include "sightings.h"

#include <stddef.h>
#include <string.h>

#include "buttons.h"
#include "clock.h"
#include "messages.h"
#include "outbox.h"

static struct {
    uint8_t source;
    uint8_t what;
    rfid_uid_t uid;
} rows[OUTBOX_RING_COUNT]; /* by place */

static struct {
    uint32_t last_ms; /* of the last row: times never fall */
    uint8_t pad;      /* that is told next; PADS_COUNT: all are */
    bool begun;
    bool owed; /* ANEW, and all that comes after it */
} tell;

static const rfid_uid_t no_uid;

void sightings_start(void)
{
    outbox_start(TW_TAGS_ROWS_MAX, OUTBOX_REFUSES);
    tell.last_ms = 0;
    tell.pad = PADS_COUNT;
    tell.begun = false;
    tell.owed = false;
}

void sightings_begin(void)
{
    tell.begun = true;
    tell.owed = true;
}

/* Whether there was room. */
static bool push(uint8_t what, uint8_t source, const rfid_uid_t *uid, uint32_t ms)
{
    if (outbox_last_number() > 0 && clock_before(ms, tell.last_ms)) {
        ms = tell.last_ms;
    }
    uint8_t place = outbox_push(ms);
    if (place == OUTBOX_NO_PLACE) {
        return false;
    }
    tell.last_ms = ms;
    rows[place].source = source;
    rows[place].what = what;
    rows[place].uid = *uid;
    return true;
}

/* Tells what has just happened, unless all is to be told anew anyway. */
static bool say(uint8_t what, uint8_t source, const rfid_uid_t *uid, uint32_t ms)
{
    if (!tell.begun || tell.owed) {
        return false;
    }
    tell.owed = !push(what, source, uid, ms);
    return !tell.owed;
}

void sightings_came(uint8_t pad, pads_tag_t *tag, uint32_t ms)
{
    tag->told = say(TW_SIGHT_CAME, pad, &tag->uid, ms);
}

void sightings_gone(uint8_t pad, const pads_tag_t *tag, uint32_t ms)
{
    if (tag->told) {
        say(TW_SIGHT_GONE, pad, &tag->uid, ms);
    }
}

bool sightings_button(uint8_t button, bool down, uint32_t ms)
{
    return say(down ? TW_SIGHT_DOWN : TW_SIGHT_UP, button, &no_uid, ms);
}

void sightings_retell(uint32_t now_ms)
{
    bool anew = outbox_count() > 0 && rows[outbox_place(0)].what == TW_SIGHT_ANEW;
    if (!anew) {
        for (uint8_t i = 0; i < outbox_count(); i++) {
            uint8_t place = outbox_place(i);
            if (rows[place].what == TW_SIGHT_DOWN) {
                buttons_owe(rows[place].source); /* a tag that lies can be told anew, a press that is over cannot */
            }
        }
        outbox_forget();
        tell.owed = true;
    }
    outbox_resend(now_ms);
}

static void begin_anew(uint32_t now_ms)
{
    if (outbox_count() == OUTBOX_RING_COUNT || !push(TW_SIGHT_ANEW, 0, &no_uid, now_ms)) {
        return;
    }
    for (uint8_t pad = 0; pad < PADS_COUNT; pad++) {
        for (uint8_t i = 0; i < pads_tag_count(pad); i++) {
            pads_tag(pad, i)->told = false;
        }
    }
    buttons_untold();
    tell.owed = false;
    tell.pad = 0;
}

/* One pad a step: a tag that finds no room waits for the next. */
static void tell_pad(uint32_t now_ms)
{
    for (uint8_t i = 0; i < pads_tag_count(tell.pad); i++) {
        pads_tag_t *tag = pads_tag(tell.pad, i);
        if (!tag->told) {
            if (outbox_count() == OUTBOX_RING_COUNT) {
                return;
            }
            tag->told = push(TW_SIGHT_FOUND, tell.pad, &tag->uid, now_ms);
        }
    }
    tell.pad++;
}

void sightings_step(uint32_t now_ms)
{
    if (tell.owed) {
        begin_anew(now_ms);
    } else if (tell.pad < PADS_COUNT) {
        tell_pad(now_ms);
    } else if (tell.begun && outbox_count() < OUTBOX_RING_COUNT) {
        buttons_tell(now_ms);
    }
}

uint8_t sightings_write_tags(void *payload, uint32_t nonce)
{
    tw_tags_t *tags = payload;
    tw_tag_row_t *row = (tw_tag_row_t *)(void *)(tags + 1);
    uint32_t base_ms = outbox_ms(0);
    tags->nonce = nonce;
    tags->first_number = outbox_oldest_number();
    tags->base_ms = base_ms;
    tags->count = outbox_batch_count();
    for (uint8_t i = 0; i < tags->count; i++, row++) {
        uint8_t place = outbox_place(i);
        row->source = rows[place].source;
        row->what = rows[place].what;
        row->dt_ms = (uint16_t)(outbox_ms(i) - base_ms);
        row->uid_size = rows[place].uid.size;
        memcpy(row->uid, rows[place].uid.bytes, sizeof row->uid);
    }
    return (uint8_t)(sizeof *tags + tags->count * sizeof *row);
}
