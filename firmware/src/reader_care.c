#include "reader_care.h"

#include <string.h>

#include "clock.h"
#include "hal.h"
#include "mfrc522.h"

/* A reset is asked after every so often, and given up when it takes longer than a crystal takes to start. */
#define RESET_LOOK_MS 2u
#define RESET_MAX_MS 100u

/* Pauses before a reader that does not work is begun anew. */
#define PAUSE_MIN_MS 20u
#define PAUSE_MAX_MS 5000u

/* A tag is ready 5 ms after its field came on, and has forgotten everything 5 ms after it went off (ISO/IEC 14443-3,
 * 5.1); a millisecond more, for the clock's may have begun long before. */
#define TAG_MS 6u

typedef enum {
    STAGE_PAUSE, /* does not work; begun anew at due_ms */
    STAGE_RESET,
    STAGE_TEST,
    STAGE_WORKS,
} stage_t;

typedef struct {
    uint32_t due_ms;   /* when the stage goes on; of one that works and is dark: when it is lit again */
    uint32_t since_ms; /* of a reset; of a field that is on */
    uint16_t pause_ms; /* the next one */
    stage_t stage;
    uint8_t version;
    uint8_t state; /* TW_READER_STATE_* */
    bool tried;    /* the self-test, once after every boot */
    bool lit;
    bool fresh;
    bool settled;
} reader_t;

static struct {
    reader_t readers[HAL_READER_COUNT];
    uint32_t lit_ms; /* when the last field came on */
    uint8_t next;
    bool testing; /* some reader: one at a time */
    bool always_lit;
} care;

void care_start(uint32_t now_ms)
{
    memset(&care, 0, sizeof care);
    hal_readers_hold(false);
    for (uint8_t i = 0; i < HAL_READER_COUNT; i++) {
        reader_t *one = &care.readers[i];
        one->stage = STAGE_RESET;
        one->since_ms = now_ms;
        one->due_ms = now_ms + RESET_LOOK_MS;
        one->pause_ms = PAUSE_MIN_MS;
    }
    care.lit_ms = now_ms;
}

/* ---- the stages ---- */

static void pause(reader_t *one, uint32_t now_ms)
{
    one->stage = STAGE_PAUSE;
    one->lit = false;
    one->settled = true; /* nobody waits for it */
    one->due_ms = now_ms + one->pause_ms;
    one->pause_ms = one->pause_ms < PAUSE_MAX_MS / 2u ? (uint16_t)(one->pause_ms * 2u) : PAUSE_MAX_MS;
}

static void reset(uint8_t reader, uint32_t now_ms)
{
    reader_t *one = &care.readers[reader];
    mfrc522_reset(reader);
    one->stage = STAGE_RESET;
    one->since_ms = now_ms;
    one->due_ms = now_ms + RESET_LOOK_MS;
}

static void set_up(uint8_t reader, uint32_t now_ms)
{
    reader_t *one = &care.readers[reader];
    mfrc522_set_up(reader);
    one->stage = STAGE_WORKS;
    one->lit = false;
    one->due_ms = now_ms; /* it is lit in the next step, unless its group has to wait */
}

static void look_at_reset(uint8_t reader, uint32_t now_ms)
{
    reader_t *one = &care.readers[reader];
    uint8_t version = mfrc522_version(reader);
    bool answers = version != MFRC522_VERSION_LOW && version != MFRC522_VERSION_HIGH;
    one->due_ms = now_ms + RESET_LOOK_MS;
    if (answers) {
        one->version = version;
        one->state |= TW_READER_STATE_SEEN;
    }
    if (!answers || !mfrc522_is_reset(reader)) {
        if (now_ms - one->since_ms >= RESET_MAX_MS) {
            one->state &= (uint8_t)~TW_READER_STATE_SEEN;
            pause(one, now_ms);
        }
    } else if (one->tried) {
        set_up(reader, now_ms);
    } else if (!care.testing) {
        care.testing = true;
        one->tried = true;
        one->stage = STAGE_TEST;
        mfrc522_test(reader, version, now_ms);
    }
}

static void look_at_test(uint8_t reader, uint32_t now_ms)
{
    reader_t *one = &care.readers[reader];
    mfrc522_test_t tested = mfrc522_test_step(now_ms);
    if (tested == MFRC522_TESTING) {
        return;
    }
    /* Copies of the chip that fail it may read tags none the worse: it is told, and no more. */
    if (tested != MFRC522_UNTESTED) {
        one->state |= TW_READER_STATE_TESTED;
    }
    if (tested == MFRC522_WELL) {
        one->state |= TW_READER_STATE_WELL;
    }
    care.testing = false;
    reset(reader, now_ms);
}

static bool is_due(const reader_t *one, uint32_t now_ms)
{
    bool idle = one->stage == STAGE_WORKS && (one->lit || !care.always_lit);
    return !idle && !clock_before(now_ms, one->due_ms);
}

void care_step(uint32_t now_ms)
{
    uint8_t looked_at = 0;
    uint8_t reader = care.next;
    while (!is_due(&care.readers[reader], now_ms)) {
        reader = (uint8_t)((reader + 1u) % HAL_READER_COUNT);
        if (++looked_at == HAL_READER_COUNT) {
            return;
        }
    }
    care.next = (uint8_t)((reader + 1u) % HAL_READER_COUNT);
    switch (care.readers[reader].stage) {
    case STAGE_PAUSE:
        reset(reader, now_ms);
        break;
    case STAGE_RESET:
        look_at_reset(reader, now_ms);
        break;
    case STAGE_TEST:
        look_at_test(reader, now_ms);
        break;
    case STAGE_WORKS:
        care_light(reader, now_ms);
        break;
    }
}

bool care_all_settled(void)
{
    for (uint8_t i = 0; i < HAL_READER_COUNT; i++) {
        if (!care.readers[i].settled) {
            return false;
        }
    }
    return true;
}

/* ---- fields ---- */

void care_light(uint8_t reader, uint32_t now_ms)
{
    reader_t *one = &care.readers[reader];
    if (one->stage != STAGE_WORKS || one->lit) {
        return;
    }
    mfrc522_field(reader, true);
    one->lit = true;
    one->fresh = true;
    one->since_ms = now_ms;
    care.lit_ms = now_ms;
}

void care_put_out(uint8_t reader)
{
    reader_t *one = &care.readers[reader];
    if (one->stage == STAGE_WORKS && one->lit) {
        mfrc522_field(reader, false);
        one->lit = false;
    }
}

void care_darken(uint8_t reader, uint32_t now_ms)
{
    if (care.always_lit) {
        care_put_out(reader);
        care.readers[reader].due_ms = care.readers[reader].stage == STAGE_WORKS ? now_ms + TAG_MS
                                                                                : care.readers[reader].due_ms;
    }
}

void care_regroup(bool always_lit, uint32_t now_ms)
{
    care.always_lit = true;
    for (uint8_t i = 0; i < HAL_READER_COUNT; i++) {
        care_darken(i, now_ms);
    }
    care.always_lit = always_lit;
}

bool care_is_lighting(uint32_t now_ms)
{
    return now_ms - care.lit_ms < TAG_MS;
}

/* ---- reading ---- */

bool care_can_read(uint8_t reader, uint32_t now_ms)
{
    const reader_t *one = &care.readers[reader];
    return one->stage == STAGE_WORKS && one->lit && now_ms - one->since_ms >= TAG_MS;
}

bool care_is_sound(uint8_t reader, uint32_t now_ms)
{
    if (mfrc522_is_as_set(reader, care.readers[reader].version, true)) {
        return true;
    }
    care_fell_deaf(reader, now_ms);
    return false;
}

bool care_is_fresh(uint8_t reader)
{
    return care.readers[reader].fresh;
}

void care_was_read(uint8_t reader)
{
    care.readers[reader].fresh = false;
    care.readers[reader].settled = true;
}

void care_works(uint8_t reader)
{
    care.readers[reader].pause_ms = PAUSE_MIN_MS;
}

void care_fell_deaf(uint8_t reader, uint32_t now_ms)
{
    reader_t *one = &care.readers[reader];
    one->state |= TW_READER_STATE_DEAF;
    pause(one, now_ms);
}

void care_write_states(tw_reader_row_t *rows)
{
    for (uint8_t i = 0; i < HAL_READER_COUNT; i++) {
        rows[i].version = care.readers[i].version;
        rows[i].state = care.readers[i].state;
    }
}
