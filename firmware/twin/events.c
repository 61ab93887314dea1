/* GPL-3.0-or-later. Owns the times of what happens next: a dozen slots, the earliest remembered. */
#include "events.h"

#include "chip.h"

static struct {
    uint64_t when;
    event_call_t call;
} slots[EVENT_COUNT];

uint64_t events_next = UINT64_MAX;
static bool started;

static void find_next(void)
{
    events_next = UINT64_MAX;
    for (int event = 0; event < EVENT_COUNT; event++) {
        if (slots[event].when < events_next) {
            events_next = slots[event].when;
        }
    }
}

void events_call(event_t event, event_call_t call)
{
    if (!started) {
        for (int each = 0; each < EVENT_COUNT; each++) {
            slots[each].when = UINT64_MAX;
        }
        started = true;
    }
    slots[event].call = call;
}

void events_at(event_t event, uint64_t when)
{
    slots[event].when = when;
    find_next();
    chip_run_no_longer_than(events_next);
}

void events_cancel(event_t event)
{
    slots[event].when = UINT64_MAX;
    find_next();
}

void events_fire(uint64_t now)
{
    while (events_next <= now) {
        for (int event = 0; event < EVENT_COUNT; event++) {
            if (slots[event].when == events_next) {
                uint64_t when = slots[event].when;
                slots[event].when = UINT64_MAX;
                find_next();
                slots[event].call(when);
                break;
            }
        }
    }
}
