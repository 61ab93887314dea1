/* GPL-3.0-or-later. What the probes share: cycles counted by timer 1, and results that a test reads out of RAM by
 * their name. */
#ifndef PROBE_H
#define PROBE_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

volatile uint16_t results[24];
volatile uint8_t finished; /* 1 once the results are all there */

static inline void clock_start(void)
{
    TCCR1A = 0;
    TCCR1B = _BV(CS10);
}

/* Cycles since `since`, which was TCNT1; wraps after 65536. */
static inline uint16_t cycles_since(uint16_t since)
{
    return TCNT1 - since;
}

static inline void finish(void)
{
    finished = 1;
    for (;;) {
    }
}

#endif
