/* GPL-3.0-or-later. Tag readers and stop buttons at the chip's pins; a board without readers never selects them. */
#ifndef TWIN_READERS_H
#define TWIN_READERS_H

#include <stdbool.h>
#include <stdint.h>

#include "rack.h"

enum { READERS_COUNT = 16, BUTTONS_COUNT = 4 };

/* The sixteen; for requests, which say `chip_now()` by readers_now_ps(). */
extern rack_t *readers_rack;
uint64_t readers_now_ps(void);

void readers_build(void);
void readers_reset(bool unpowered);

/* A byte has been clocked over the SPI; what came back. */
uint8_t readers_exchange(uint8_t byte);

void readers_press(uint8_t button, bool down);

#endif
