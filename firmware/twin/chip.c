/* GPL-3.0-or-later. Owns the run of instructions, time that resets do not turn back, and the ways a firmware dies.
 *
 * What simavr 1.6 gets wrong here and this file does instead: the default sleep waits in real time; avr_reset wipes
 * every timer and the cause of the reset; entering an interrupt costs no time; SLEEP without SE sleeps; an invalid
 * opcode is passed over. The parts mend themselves: uart.c, adc.c, eeprom.c, watchdog.c, spi.c.
 */
#include "chip.h"

#include <stdio.h>
#include <string.h>

#include <simavr/avr_uart.h>
#include <simavr/sim_core.h>

#include "adc.h"
#include "atmega2560.h"
#include "eeprom.h"
#include "events.h"
#include "random.h"
#include "readers.h"
#include "spi.h"
#include "table.h"
#include "uart.h"
#include "watchdog.h"

/* Data sheet, "Interrupt Response Time": five cycles with a three-byte program counter, four more out of sleep. */
enum { INTERRUPT_CYCLES = 5, WAKE_CYCLES = 4 };

/* A program that has left itself is found after so many cycles at the latest. */
enum { UNSEEN_CYCLES = 64 };

avr_t *chip_avr;
figures_t chip_figures;

static uint64_t epoch; /* cycles before the last reset: simavr counts from there */
static bool stopped;
static bool hung;
static bool crashed;
static uint32_t crash_pc;
static const char *crash_why = "";

static uint8_t levels; /* bit by level_t */
static avr_int_vector_t *level_vectors[LEVEL_COUNT];

enum { NEVER_ON = -1 };
static int64_t irq_off_since = NEVER_ON; /* NEVER_ON until a program has switched interrupts on once */
static uint32_t irq_off_pc;              /* the handler's vector, or where CLI stands */

uint64_t chip_now(void)
{
    return epoch + chip_avr->cycle;
}

bool chip_crashed(void)
{
    return crashed;
}

uint32_t chip_crash_pc(void)
{
    return crash_pc;
}

const char *chip_crash_why(void)
{
    return crash_why;
}

void chip_hang(void)
{
    hung = true;
}

void chip_crash(const char *why)
{
    if (!crashed) {
        crashed = true;
        crash_pc = chip_avr->pc;
        crash_why = why;
    }
    chip_avr->run_cycle_count = 0;
}

void chip_run_no_longer_than(uint64_t when)
{
    uint64_t now = chip_now();
    uint64_t left = when > now ? when - now : 1;
    if (chip_avr->run_cycle_count > left) {
        chip_avr->run_cycle_count = left;
    }
}

void chip_halt(uint32_t cycles)
{
    chip_avr->cycle += cycles;
}

void chip_on_write(uint16_t address, avr_io_write_t call)
{
    chip_avr->io[AVR_DATA_TO_IO(address)].w.c = call;
    chip_avr->io[AVR_DATA_TO_IO(address)].w.param = NULL;
}

void chip_on_read(uint16_t address, avr_io_read_t call)
{
    chip_avr->io[AVR_DATA_TO_IO(address)].r.c = call;
    chip_avr->io[AVR_DATA_TO_IO(address)].r.param = NULL;
}

avr_int_vector_t *chip_vector(uint8_t number)
{
    for (int index = 0; index < chip_avr->interrupts.vector_count; index++) {
        if (chip_avr->interrupts.vector[index]->vector == number) {
            return chip_avr->interrupts.vector[index];
        }
    }
    return NULL;
}

void chip_raise(avr_int_vector_t *vector)
{
    avr_raise_interrupt(chip_avr, vector);
}

void chip_level(level_t level, bool asked)
{
    uint8_t bit = (uint8_t)(1u << level);
    if (asked) {
        levels |= bit;
    } else {
        levels &= (uint8_t)~bit;
        level_vectors[level]->pending = 0;
    }
}

static void raise_levels(void)
{
    for (int level = 0; level < LEVEL_COUNT; level++) {
        if ((levels & (1u << level)) && !level_vectors[level]->pending) {
            avr_raise_interrupt(chip_avr, level_vectors[level]);
        }
    }
}

/* ---- running -------------------------------------------------------------------------------------------------- */

static uint64_t next_simavr_timer(void)
{
    return chip_avr->cycle_timers.timer ? epoch + chip_avr->cycle_timers.timer->when : UINT64_MAX;
}

static void note_interrupts_off(bool was_on)
{
    bool on = chip_avr->sreg[S_I];
    if (was_on && !on) {
        irq_off_since = (int64_t)chip_now();
        irq_off_pc = chip_avr->pc;
    } else if (!was_on && on) {
        if (irq_off_since != NEVER_ON) {
            uint64_t length = chip_now() - (uint64_t)irq_off_since;
            if (length > chip_figures.irq_off_max && (uint64_t)irq_off_since >= chip_figures.reset_cycle) {
                chip_figures.irq_off_max = length;
                chip_figures.irq_off_max_pc = irq_off_pc;
            }
        }
    }
}

static void run_instructions(void)
{
    avr_t *avr = chip_avr;
    bool was_on = avr->sreg[S_I];
    uint64_t next = next_simavr_timer();
    if (events_next < next) {
        next = events_next;
    }
    uint64_t now = chip_now();
    uint64_t left = next > now ? next - now : 1;
    /* With interrupts on, one at a time: CLI is seen only so. A return from interrupt ends a run by itself. */
    avr->run_cycle_count = was_on ? 1 : left < UNSEEN_CYCLES ? left : UNSEEN_CYCLES;
    avr_flashaddr_t pc = avr_run_one(avr);
    if (!crashed) {
        avr->pc = pc;
    }
    note_interrupts_off(was_on);
    if (pc >= avr->codeend) {
        chip_crash("it ran out of its program");
    }
}

static void sleep_until_next(void)
{
    uint64_t next = next_simavr_timer();
    if (events_next < next) {
        next = events_next;
    }
    uint64_t now = chip_now();
    if (next > now) {
        chip_avr->cycle += next - now;
        chip_figures.asleep += next - now;
    }
}

static void enter_interrupt(void)
{
    bool was_on = chip_avr->sreg[S_I];
    avr_service_interrupts(chip_avr);
    if (was_on && !chip_avr->sreg[S_I]) {
        note_interrupts_off(true);
        chip_figures.interrupts++;
        chip_halt(INTERRUPT_CYCLES);
    }
}

static void step(void)
{
    avr_t *avr = chip_avr;
    if (hung) {
        sleep_until_next();
    } else if (avr->state == cpu_Running) {
        run_instructions();
        if (avr->state == cpu_Sleeping && !(avr->data[SMCR] & SLEEP_ENABLE)) {
            avr->state = cpu_Running;
        }
    } else {
        sleep_until_next();
    }
    bool slept = avr->state == cpu_Sleeping;
    if (next_simavr_timer() <= chip_now()) {
        avr_cycle_timer_process(avr);
    }
    if (events_next <= chip_now()) {
        events_fire(chip_now());
    }
    if (levels && (avr->sreg[S_I] || slept)) {
        raise_levels();
    }
    if (slept && avr->state == cpu_Running) {
        chip_halt(WAKE_CYCLES);
    }
    if (avr->state == cpu_Running && avr->interrupt_state && !hung) {
        enter_interrupt();
    }
    if (avr->state == cpu_Crashed) {
        chip_crash("simavr gave up");
    }
}

bool chip_run(uint64_t cycles)
{
    stopped = false;
    events_at(EVENT_STOP, chip_now() + cycles);
    while (!stopped && !crashed) {
        step();
    }
    events_cancel(EVENT_STOP);
    return !crashed;
}

static void stop(uint64_t when)
{
    (void)when;
    stopped = true;
}

/* ---- resets --------------------------------------------------------------------------------------------------- */

static const uint8_t cause_bits[] = {
    [RESET_POWER] = PORF, [RESET_EXTERNAL] = EXTRF, [RESET_BROWNOUT] = BORF, [RESET_WATCHDOG] = WDRF};

/* What RAM holds after the supply came: anything. */
static void scramble_ram(void)
{
    for (int address = RAM_START; address <= RAM_END; address += 8) {
        uint64_t bits = random_bits();
        memcpy(chip_avr->data + address, &bits, 8);
    }
}

void chip_reset(reset_t cause)
{
    static uint8_t ram[RAM_END + 1];
    avr_t *avr = chip_avr;
    uint64_t now = chip_now();
    bool unpowered = cause == RESET_POWER || cause == RESET_BROWNOUT;
    /* Every cause stays on record until the program clears it; coming of the supply clears the others. */
    uint8_t causes = (uint8_t)((cause == RESET_POWER ? 0 : avr->data[MCUSR]) | cause_bits[cause]);

    memcpy(ram, avr->data, sizeof ram);
    avr_reset(avr);
    memcpy(avr->data + RAM_START, ram + RAM_START, sizeof ram - RAM_START);
    epoch = now - avr->cycle;
    avr->state = cpu_Running;
    if (unpowered) {
        scramble_ram();
    }
    avr->data[MCUSR] = causes;
    levels = 0;
    irq_off_since = NEVER_ON;
    crashed = hung = false;
    chip_figures.resets++;
    uart_reset(cause == RESET_POWER);
    adc_reset();
    eeprom_reset(unpowered);
    watchdog_reset();
    spi_reset();
    table_reset();
    readers_reset(unpowered);
}

/* ---- building ------------------------------------------------------------------------------------------------- */

static void sleep_no_time(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    (void)cycles;
}

/* simavr tells of invalid opcodes and addresses only in its log. */
static void hear_log(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)arguments;
    if (avr && level == LOG_ERROR && avr->state == cpu_Running) {
        chip_crash(strstr(format, "Opcode") ? "it met an invalid instruction" : "it touched memory that is not there");
    }
}

/* Parts of the chip answer the processor's WDR through here; ours is asked before simavr's own. */
static avr_io_t own_io = {.kind = "twin", .ioctl = watchdog_ioctl};

static const struct {
    const char *name;
    void (*build)(void);
} parts[] = {{"uart", uart_build},         {"adc", adc_build}, {"eeprom", eeprom_build},
             {"watchdog", watchdog_build}, {"spi", spi_build}, {"table", table_build},
             {"readers", readers_build}};

bool chip_build(const char *unmended)
{
    bool known = !unmended;

    avr_global_logger_set(hear_log);
    chip_avr = avr_make_mcu_by_name("atmega2560");
    avr_init(chip_avr);
    chip_avr->frequency = F_CPU_HZ;
    chip_avr->vcc = chip_avr->avcc = chip_avr->aref = 5000;
    chip_avr->sleep = sleep_no_time;
    chip_avr->log = LOG_ERROR;
    for (uint32_t name = '0'; name <= '3'; name++) {
        uint32_t no_polling_sleep_no_printing = 0;
        avr_ioctl(chip_avr, AVR_IOCTL_UART_SET_FLAGS(name), &no_polling_sleep_no_printing);
    }
    avr_register_io(chip_avr, &own_io);
    level_vectors[LEVEL_RX] = chip_vector(VECTOR_RX);
    level_vectors[LEVEL_UDRE] = chip_vector(VECTOR_UDRE);
    level_vectors[LEVEL_EEPROM] = chip_vector(VECTOR_EEPROM);
    events_call(EVENT_STOP, stop);
    for (size_t index = 0; index < sizeof parts / sizeof *parts; index++) {
        if (unmended && !strcmp(unmended, parts[index].name)) {
            known = true;
        } else {
            parts[index].build();
        }
    }
    return known;
}
