#include "board.h"

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"
#include "link.h"
#include "params.h"
#include "signal.h"
#include "store.h"
#include "table.h"

/* An EEPROM that does not take the number of this boot in this time never will. */
#define BOOTS_STORED_MAX_MS 100u

static bool linked;

void board_start(void)
{
    linked = false;
    params_start(table_params());
    signal_start();
    table_start();
}

/* Another one at every boot: the low half counts boots, the high half is noise, so that two boards differ as well. */
static uint32_t nonce(void)
{
    uint32_t entropy = hal_entropy();
    uint16_t noise = (uint16_t)(entropy ^ (entropy >> 16));
    uint32_t number = (uint32_t)noise << 16 | (uint16_t)store_boots();
    return number != 0 ? number : 1u;
}

void board_step(void)
{
    uint32_t now_ms = table_step();
    store_step();
    signal_step(now_ms);
    if (linked) {
        link_step(now_ms);
    } else if (table_ready() && (store_boots_stored() || now_ms >= BOOTS_STORED_MAX_MS)) {
        linked = true;
        link_start(nonce(), now_ms);
    }
}
