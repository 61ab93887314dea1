/* GPL-3.0-or-later. What the chip's pins are soldered to: sensors behind multiplexers, LEDs, a piezo. */
#ifndef TWIN_TABLE_H
#define TWIN_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "../src/wiring.h"

enum { TABLE_INPUT_COUNT = WIRING_MUX_COUNT, TABLE_COUNTS_MAX = 1023 };

typedef enum { SENSOR_WELL, SENSOR_SHORT, SENSOR_OPEN } sensor_state_t;

typedef struct {
    uint8_t players;
    bool green, red;
    uint32_t tone_hz;
} pins_t;

void table_build(void);
void table_reset(void);

void table_field(uint8_t sensor, int counts);
void table_zero(uint8_t sensor, int counts);
void table_state(uint8_t sensor, sensor_state_t state);
/* Sigma in ADC counts; time constant of a multiplexer's output in microseconds. */
void table_noise(double counts);
void table_settle(double us);

/* What the converter would hold of this multiplexer's output. */
uint16_t table_counts(uint8_t mux, uint64_t when);

pins_t table_pins(void);

#endif
