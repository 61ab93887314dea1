/* GPL-3.0-or-later. The running chip: time, interrupts, resets, crashes, and what the parts of it share. */
#ifndef TWIN_CHIP_H
#define TWIN_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <simavr/sim_avr.h>

typedef enum { RESET_POWER, RESET_EXTERNAL, RESET_BROWNOUT, RESET_WATCHDOG } reset_t;

/* Interrupts that are asked for as long as a condition holds, not once. */
typedef enum { LEVEL_RX, LEVEL_UDRE, LEVEL_EEPROM, LEVEL_COUNT } level_t;

typedef struct {
    uint64_t reset_cycle;       /* when these figures began */
    uint64_t irq_off_max;       /* cycles; handlers included */
    uint32_t irq_off_max_pc;    /* where the longest one began: a vector, or behind a CLI */
    uint64_t asleep;            /* cycles */
    uint64_t scans, conversions;
    uint64_t settle_min;        /* cycles from a move of the select lines to the next hold; 0 is none */
    uint64_t hold_to_move_min;  /* cycles from a hold to the next move of the select lines; 0 is none */
    uint64_t bytes_sent, bytes_heard, bytes_garbled, overruns;
    uint64_t eeprom_writes, resets, interrupts;
} figures_t;

extern avr_t *chip_avr;
extern figures_t chip_figures;

/* Builds an ATmega2560, then the parts; the firmware is loaded afterwards. `unmended` names a part that is left as
 * simavr has it, so that tests can show what the mending is for; NULL is none. False when there is no such part. */
bool chip_build(const char *unmended);

uint64_t chip_now(void);
void chip_reset(reset_t cause);

/* Lets `cycles` pass; false when the firmware crashed (chip_crash_pc says where, chip_crash_why why). */
bool chip_run(uint64_t cycles);
bool chip_crashed(void);
uint32_t chip_crash_pc(void);
const char *chip_crash_why(void);
void chip_crash(const char *why);

/* From now to the next reset the program does nothing, as in an endless loop with interrupts off. */
void chip_hang(void);

/* Ends the undisturbed run of instructions at the latest there. */
void chip_run_no_longer_than(uint64_t when);

/* Cycles for which the processor stands still, as an access to the EEPROM makes it. */
void chip_halt(uint32_t cycles);

void chip_on_write(uint16_t address, avr_io_write_t call);
void chip_on_read(uint16_t address, avr_io_read_t call);

/* A vector of simavr's table, by its number. */
avr_int_vector_t *chip_vector(uint8_t number);
/* Asks for an interrupt once, as a flag that its handler clears does. */
void chip_raise(avr_int_vector_t *vector);
/* Asks for an interrupt until told otherwise. */
void chip_level(level_t level, bool asked);

#endif
