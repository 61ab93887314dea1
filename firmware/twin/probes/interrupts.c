/* GPL-3.0-or-later. A probe of interrupts and sleep.
 *
 *   0  main loop turns while SLEEP is given without SE: many
 *   1  cycles from a compare match to the first instruction of its handler, awake
 *   2  the same, out of idle sleep
 *
 * Afterwards interrupts are off for 1000 cycles, once.
 */
#include <avr/sleep.h>
#include <util/delay.h>

#include "probe.h"

static volatile uint8_t in_handler;

ISR(TIMER1_COMPA_vect, ISR_NAKED)
{
    /* The counter's low byte first, before anything else takes time. */
    __asm__ __volatile__("lds r2, %[low]\n\t"
                         "lds r3, %[high]\n\t"
                         "inc r4\n\t"
                         "reti\n\t" ::[low] "n"(_SFR_MEM_ADDR(TCNT1L)),
                         [high] "n"(_SFR_MEM_ADDR(TCNT1H)));
}

int main(void)
{
    register uint8_t low __asm__("r2");
    for (uint8_t turn = 0; turn < 100; turn++) {
        sleep_cpu();
        results[0]++;
    }
    OCR1A = 200;
    TIMSK1 = _BV(OCIE1A);
    clock_start();
    sei();
    for (uint8_t turn = 0; turn < 100; turn++) {
        __asm__ __volatile__("nop\n\tnop\n\tnop\n\tnop" ::: "r2", "r3", "r4");
    }
    results[1] = (uint8_t)(low - 200);
    clock_start();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    __asm__ __volatile__("sleep" ::: "r2", "r3", "r4");
    sleep_disable();
    results[2] = (uint8_t)(low - 200);
    TIMSK1 = 0;
    cli();
    __builtin_avr_delay_cycles(1000);
    sei();
    finish();
}
