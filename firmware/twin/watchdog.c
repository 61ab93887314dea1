/* GPL-3.0-or-later. Owns the watchdog as the data sheet (chapter 12.4) has it; simavr's handler is replaced.
 *
 * After a reset by the watchdog it runs on with its shortest time (16 ms) until the program has cleared WDRF and WDE:
 * a firmware that does not do so early is reset for ever, here as on the chip.
 */
#include "watchdog.h"

#include <stddef.h>

#include <simavr/avr_watchdog.h>

#include "atmega2560.h"
#include "chip.h"
#include "events.h"

enum { OSCILLATOR_HZ = 128000, SHORTEST_TICKS = 2048, UNLOCKED_CYCLES = 4 };

static avr_int_vector_t *vector;

static uint8_t shift(void)
{
    uint8_t control = chip_avr->data[WDTCSR];
    return (uint8_t)((control & 7u) | ((control & 0x20u) >> 2));
}

static void restart(void)
{
    if (chip_avr->data[WDTCSR] & (WDE | WDIE)) {
        uint64_t ticks = (uint64_t)SHORTEST_TICKS << shift();
        events_at(EVENT_WATCHDOG, chip_now() + ticks * (F_CPU_HZ / OSCILLATOR_HZ));
    } else {
        events_cancel(EVENT_WATCHDOG);
    }
}

static void lock(uint64_t when)
{
    (void)when;
    chip_avr->data[WDTCSR] &= (uint8_t)~WDCE;
}

static void bite(uint64_t when)
{
    (void)when;
    uint8_t *control = &chip_avr->data[WDTCSR];
    if (*control & WDIE) {
        chip_raise(vector);
        restart();
    } else if (*control & WDE) {
        chip_reset(RESET_WATCHDOG);
    }
}

/* With both WDIE and WDE, running the handler clears WDIE: the next time-out resets. */
static void handler_entered(struct avr_irq_t *irq, uint32_t entered, void *param)
{
    (void)irq, (void)param;
    if (entered && (chip_avr->data[WDTCSR] & WDE)) {
        chip_avr->data[WDTCSR] &= (uint8_t)~WDIE;
    }
}

static void write_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    uint8_t before = avr->data[address];
    bool unlocked = before & WDCE;
    uint8_t after = (uint8_t)(value & WDIE);
    if (unlocked) {
        after |= value & (WDP | WDE);
    } else {
        after |= (before & WDP) | ((before | value) & WDE);
    }
    if (avr->data[MCUSR] & WDRF) {
        after |= WDE; /* data sheet: WDRF overrides WDE */
    }
    if ((value & WDCE) && (value & WDE)) {
        after |= WDCE;
        events_at(EVENT_WATCHDOG_LOCK, chip_now() + UNLOCKED_CYCLES + 1);
    }
    if ((before & WDIF) && !(value & WDIF)) {
        after |= WDIF;
    }
    bool changed = (before ^ after) & (WDE | WDIE | WDP);
    avr->data[address] = after;
    if (changed) {
        restart();
    }
}

int watchdog_ioctl(struct avr_io_t *io, uint32_t request, void *parameter)
{
    (void)io, (void)parameter;
    if (request != AVR_IOCTL_WATCHDOG_RESET) {
        return -1;
    }
    restart();
    return 0;
}

void watchdog_build(void)
{
    vector = chip_vector(VECTOR_WDT);
    events_call(EVENT_WATCHDOG, bite);
    events_call(EVENT_WATCHDOG_LOCK, lock);
    chip_on_write(WDTCSR, write_control);
}

void watchdog_reset(void)
{
    /* simavr's own, which every reset of it brings back, clear WDIE always. */
    vector->irq[AVR_INT_IRQ_PENDING].hook = vector->irq[AVR_INT_IRQ_RUNNING].hook = NULL;
    avr_irq_register_notify(vector->irq + AVR_INT_IRQ_RUNNING, handler_entered, NULL);
    events_cancel(EVENT_WATCHDOG_LOCK);
    chip_avr->data[WDTCSR] = (chip_avr->data[MCUSR] & WDRF) ? WDE : 0;
    restart();
}
