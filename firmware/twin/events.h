/* GPL-3.0-or-later. What happens next, in the chip's cycles since the program started.
 *
 * simavr's own cycle timers are wiped by every reset and count from it; these are not and do not.
 */
#ifndef TWIN_EVENTS_H
#define TWIN_EVENTS_H

#include <stdint.h>

typedef enum {
    EVENT_STOP, /* the end of the time a request lets pass */
    EVENT_BOARD_HEARS,
    EVENT_HOST_HEARS,
    EVENT_BYTE_SENT,
    EVENT_ADC_SAMPLE,
    EVENT_ADC_DONE,
    EVENT_EEPROM_DONE,
    EVENT_EEPROM_LOCK,
    EVENT_WATCHDOG,
    EVENT_WATCHDOG_LOCK,
    EVENT_SPI_DONE,
    EVENT_COUNT,
} event_t;

typedef void (*event_call_t)(uint64_t when);

/* When the earliest of all is due; UINT64_MAX when none is. */
extern uint64_t events_next;

void events_call(event_t event, event_call_t call);
void events_at(event_t event, uint64_t when);
void events_cancel(event_t event);

/* Calls, in order of time, whatever is due at `now`. */
void events_fire(uint64_t now);

#endif
