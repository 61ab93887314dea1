#include "buttons.h"

#include <stdbool.h>
#include <string.h>

#include "debounce.h"
#include "hal.h"
#include "messages.h"
#include "params.h"
#include "sightings.h"

typedef struct {
    debounced_t state;
    bool told_down;
    bool press_owed; /* one that nobody was told of, however short it was */
} button_t;

static button_t buttons[HAL_BUTTON_COUNT];
static uint32_t read_ms;

void buttons_start(void)
{
    memset(buttons, 0, sizeof buttons);
    read_ms = hal_ms();
}

static void tell(uint8_t k, uint32_t now_ms)
{
    button_t *button = &buttons[k];
    bool down = button->state.stable != 0;
    if (!button->told_down && (down || button->press_owed) && sightings_button(k, true, now_ms)) {
        button->told_down = true;
        button->press_owed = false;
    }
    if (button->told_down && !down && sightings_button(k, false, now_ms)) {
        button->told_down = false;
    }
}

void buttons_step(uint32_t now_ms)
{
    uint32_t elapsed_ms = now_ms - read_ms;
    if (elapsed_ms == 0) {
        return;
    }
    read_ms = now_ms;
    uint8_t settle_ms = (uint8_t)params_get(TW_PARAM_KEY_DEBOUNCE_MS);
    uint8_t step_ms = elapsed_ms < UINT8_MAX ? (uint8_t)elapsed_ms : UINT8_MAX;
    uint8_t down = hal_buttons();
    for (uint8_t k = 0; k < HAL_BUTTON_COUNT; k++) {
        button_t *button = &buttons[k];
        uint8_t before = button->state.stable;
        button->state = debounce(button->state, (uint8_t)(down >> k) & 1u, step_ms, settle_ms);
        if (button->state.stable != before) {
            button->press_owed = button->press_owed || before == 0;
            tell(k, now_ms);
        }
    }
}

void buttons_untold(void)
{
    for (uint8_t k = 0; k < HAL_BUTTON_COUNT; k++) {
        buttons[k].told_down = false;
    }
}

void buttons_owe(uint8_t button)
{
    buttons[button].press_owed = true;
}

void buttons_tell(uint32_t now_ms)
{
    for (uint8_t k = 0; k < HAL_BUTTON_COUNT; k++) {
        tell(k, now_ms);
    }
}
