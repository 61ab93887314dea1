/* A chip for tests: what hal.h promises, kept by plain variables.
 *
 * Owns time, readings, the line, EEPROM and pins of the pretended chip. Must not know what the firmware makes of them.
 * Time passes only in native_run and native_scan.
 */
#ifndef TW_HAL_NATIVE_H
#define TW_HAL_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal.h"

/* Readings in the middle of a class for a sensor that was never calibrated. */
#define EMPTY_COUNTS 512u
#define N_WEAK_COUNTS 600u
#define N_STRONG_COUNTS 760u
#define S_WEAK_COUNTS 424u

#define NATIVE_LINE_BYTES 65536u
#define NATIVE_NEVER UINT32_MAX

typedef struct {
    uint32_t ms;
    uint32_t entropy;
    uint8_t reset_cause;

    uint16_t counts[WIRING_SENSOR_COUNT]; /* what each sensor reads from now on */
    uint32_t scan_ms;                     /* how long a scan takes in native_run */
    uint32_t rows;                        /* shown so far */
    uint16_t row_overruns;

    uint8_t rx[NATIVE_LINE_BYTES]; /* what the host has said and the board has not read */
    size_t rx_count;
    uint8_t quiet_ms;
    uint8_t tx[NATIVE_LINE_BYTES]; /* what the board has said */
    size_t tx_count;
    size_t tx_room;
    bool link_open;

    uint8_t eeprom[HAL_EEPROM_BYTES];
    uint32_t eeprom_ready_ms;
    uint32_t eeprom_write_ms;
    uint32_t writes;           /* since power on */
    uint32_t writes_until_cut; /* then power fails in the middle of a byte */
    bool cut;

    uint8_t players;
    bool green;
    bool red;
    uint16_t hz;
} native_t;

extern native_t native;

/* What the clock shows at every power on; 0 unless a test wants its wrap. native_new leaves it. */
extern uint32_t native_boot_ms;

/* A chip out of the box: blank EEPROM, no magnets, nothing said. */
void native_new(void);

/* Power on, or a reset: the firmware starts anew, EEPROM and magnets stay. Runs until the line is open (40 ms). */
void native_boot(void);

/* Lets time pass, the board stepping as it does, unless its power has failed. */
void native_run(uint32_t ms);

/* `count` sensors from `first` on read this, and are believed to: 40 ms pass. */
void native_lay(uint8_t first, uint8_t count, uint16_t counts);

/* Shows one full scan whose rows come late: they were complete one a millisecond, the last one at `last_ms`, and all
 * wait when the board looks. It does not step. */
void native_scan_late(uint32_t last_ms);

/* Shows one full scan that took `elapsed_ms`, the board stepping after each row. */
void native_scan(uint32_t elapsed_ms);

/* ---- between the files of the pretended chip: what is sensed is hal_native_scan.c's or hal_native_readers.c's ---- */

/* The board takes one step, unless its power has failed. */
void native_step(void);

/* A chip out of the box, power on, and a millisecond, in which the board steps. */
void native_sense_new(void);
void native_sense_boot(void);
void native_sense_ms(void);

#endif
