/* GPL-3.0-or-later. The watchdog of the chip. */
#ifndef TWIN_WATCHDOG_H
#define TWIN_WATCHDOG_H

#include <simavr/sim_avr.h>

void watchdog_build(void);
void watchdog_reset(void);
/* The processor's WDR instruction, as simavr tells of it. */
int watchdog_ioctl(struct avr_io_t *io, uint32_t request, void *parameter);

#endif
