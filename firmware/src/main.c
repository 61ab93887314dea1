/* Owns the loop, and nothing else. */
#include "board.h"
#include "hal.h"

int main(void)
{
    hal_start();
    board_start();
    for (;;) {
        board_step();
        hal_watchdog_reset();
        hal_idle();
    }
}
