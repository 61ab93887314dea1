#include "board.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock.h"
#include "hal.h"
#include "link.h"
#include "measure.h"
#include "outbox.h"
#include "params.h"
#include "sense.h"
#include "signal.h"
#include "store.h"

#define ROWS_MAX 4u /* taken in one step; what is left is taken in the next */

/* An EEPROM that does not take the number of this boot in this time never will. */
#define BOOTS_STORED_MAX_MS 100u

static bool linked;

void board_start(void)
{
    linked = false;
    params_start();
    outbox_start();
    sense_start();
    measure_abandon();
    signal_start();
    while (hal_row() != NULL) { /* reading what is stored takes several scans, of which the first rows are still here */
        hal_row_done();
    }
}

/* Another one at every boot: the low half counts boots, the high half is noise, so that two boards differ as well. */
static uint32_t nonce(void)
{
    uint32_t entropy = hal_entropy();
    uint16_t noise = (uint16_t)(entropy ^ (entropy >> 16));
    uint32_t number = (uint32_t)noise << 16 | (uint16_t)store_boots();
    return number != 0 ? number : 1u;
}

/* Takes the rows that are there. The board's time: no row taken is later than it, and none still to come is
 * earlier. */
static uint32_t take_rows(void)
{
    uint32_t now_ms = hal_ms(); /* before the rows are looked at: what is complete by now is there */
    const hal_row_t *row = hal_row();
    for (uint8_t i = 0; row != NULL && i < ROWS_MAX; i++, row = hal_row()) {
        if (clock_before(now_ms, row->ms)) {
            now_ms = row->ms;
        }
        sense_row(row);
        measure_row(row);
        hal_row_done();
    }
    return row != NULL && clock_before(row->ms, now_ms) ? row->ms : now_ms;
}

void board_step(void)
{
    uint32_t now_ms = take_rows();
    store_step();
    signal_step(now_ms);
    sense_step();
    if (linked) {
        link_step(now_ms);
    } else if (sense_ready() && (store_boots_stored() || now_ms >= BOOTS_STORED_MAX_MS)) {
        linked = true;
        link_start(nonce(), now_ms);
    }
}
