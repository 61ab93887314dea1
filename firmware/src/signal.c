#include "signal.h"

#include <stddef.h>

#include "clock.h"
#include "hal.h"
#include "messages.h"

#define FOREVER 0u
#define PLAYER_BITS 0x0Fu

typedef struct {
    bool green;
    bool red;
    uint16_t on_ms;
    uint16_t off_ms;  /* 0 is steady */
    uint16_t lasts_ms; /* then it goes out; FOREVER is until another one is asked for */
} light_t;

/* Praise may be missed and goes out by itself; what asks people to act stays. */
static const light_t lights[] = {
    [TW_LIGHT_OFF] = {false, false, 0, 0, FOREVER},
    [TW_LIGHT_LEGAL] = {true, false, 0, 0, 3000},
    [TW_LIGHT_ILLEGAL] = {false, true, 125, 125, FOREVER},
    [TW_LIGHT_HOLD] = {true, true, 600, 600, FOREVER},
};
#define LIGHT_COUNT (sizeof lights / sizeof *lights)

typedef struct {
    uint16_t hz; /* 0 is a pause */
    uint16_t ms; /* 0 ends the sound */
} note_t;

#define END {0, 0}
/* Rising is good, falling is not; a piezo of this kind is loudest from 1 to 4 kHz and clear down to 400 Hz. */
static const note_t none[] = {END};
static const note_t legal[] = {{1047, 60}, {1568, 90}, END};
static const note_t illegal[] = {{494, 140}, {0, 60}, {415, 220}, END};
static const note_t hold[] = {{880, 60}, {0, 120}, {880, 60}, END};
static const note_t points[] = {{1047, 70}, {1319, 70}, {1568, 70}, {2093, 160}, END};
static const note_t over[] = {{1568, 140}, {1319, 140}, {1568, 140}, {2093, 400}, END};

static const note_t *const sounds[] = {
    [TW_SOUND_NONE] = none,       [TW_SOUND_LEGAL] = legal, [TW_SOUND_ILLEGAL] = illegal,
    [TW_SOUND_HOLD] = hold, [TW_SOUND_POINTS] = points, [TW_SOUND_OVER] = over,
};
#define SOUND_COUNT (sizeof sounds / sizeof *sounds)

static struct {
    const light_t *light;
    const note_t *note;
    uint32_t light_begun_ms;
    uint32_t light_turns_ms; /* when it goes on or off next */
    uint32_t note_ends_ms;
    uint8_t players;
    bool light_on;
} shown;

static void show(void)
{
    hal_leds(shown.players, shown.light_on && shown.light->green, shown.light_on && shown.light->red);
}

static void play(const note_t *note, uint32_t now_ms)
{
    shown.note = note;
    shown.note_ends_ms = now_ms + note->ms;
    hal_tone(note->hz);
}

void signal_start(void)
{
    shown.players = 0;
    shown.light = &lights[TW_LIGHT_OFF];
    shown.light_on = false;
    show();
    play(none, 0);
}

bool signal_set(uint8_t players, uint8_t light, uint8_t sound, uint32_t now_ms)
{
    if (light >= LIGHT_COUNT || sound >= SOUND_COUNT) {
        return false;
    }
    shown.players = players & PLAYER_BITS;
    shown.light = &lights[light];
    shown.light_on = true;
    shown.light_begun_ms = now_ms;
    shown.light_turns_ms = now_ms + shown.light->on_ms;
    show();
    if (sound != TW_SOUND_NONE) {
        play(sounds[sound], now_ms);
    }
    return true;
}

static void step_light(uint32_t now_ms)
{
    const light_t *light = shown.light;
    if (light->lasts_ms != FOREVER && now_ms - shown.light_begun_ms >= light->lasts_ms) {
        shown.light = &lights[TW_LIGHT_OFF];
        show();
    } else if (light->off_ms != 0 && !clock_before(now_ms, shown.light_turns_ms)) {
        shown.light_on = !shown.light_on;
        shown.light_turns_ms += shown.light_on ? light->on_ms : light->off_ms;
        show();
    }
}

void signal_step(uint32_t now_ms)
{
    step_light(now_ms);
    if (shown.note->ms != 0 && !clock_before(now_ms, shown.note_ends_ms)) {
        play(shown.note + 1, shown.note_ends_ms);
    }
}
