/* GPL-3.0-or-later. Owns the analog side: every multiplexer's output creeps to what its channel shows. */
#include "table.h"

#include <math.h>

#include "../src/hal_pins.h"
#include "atmega2560.h"
#include "chip.h"
#include "random.h"

enum { SELECT_DDR = PINS_REGISTER(DDR, PINS_SELECT), SELECT_PORT = PINS_REGISTER(PORT, PINS_SELECT) };
enum { LEDS_DDR = PINS_REGISTER(DDR, PINS_LEDS), LEDS_PORT = PINS_REGISTER(PORT, PINS_LEDS) };
enum { PIEZO_DDR = PINS_REGISTER(DDR, PINS_PIEZO) };

enum { DEFAULT_ZERO = 512 };
/* 70 ohms of the switch into 14 pF of the converter and some 50 pF of track: far below a microsecond. */
static const double default_settle_us = 0.1;
/* A settled output is taken as such after so many time constants: less than half a count of 1023 is left. */
enum { SETTLED_TAUS = 8 };

static struct {
    int field, zero;
    sensor_state_t state;
} sensors[WIRING_SENSOR_COUNT];

static struct {
    double from; /* counts at `since` */
    uint64_t since;
} outputs[WIRING_MUX_COUNT];

static int32_t noise_sigma_65536;
static double tau_cycles;
static uint8_t channel;
static uint64_t moved, held; /* when the select lines last did, when a multiplexer's voltage last was */
static avr_io_write_t port_write, ddr_write;
static void *port_param, *ddr_param;

/* What a channel drives its multiplexer's output to; false when nothing does. */
static bool driven(uint8_t mux, double *counts)
{
    uint8_t sensor = wiring_sensor(channel, mux);
    if (sensor == WIRING_NONE || sensors[sensor].state == SENSOR_OPEN) {
        return false;
    }
    *counts = sensors[sensor].state == SENSOR_SHORT ? 0.0 : sensors[sensor].zero + sensors[sensor].field;
    return true;
}

static double voltage(uint8_t mux, uint64_t when)
{
    double target;
    if (!driven(mux, &target)) {
        return outputs[mux].from;
    }
    double elapsed = (double)(when - outputs[mux].since);
    if (elapsed >= SETTLED_TAUS * tau_cycles) {
        return target;
    }
    return target + (outputs[mux].from - target) * exp(-elapsed / tau_cycles);
}

/* Before anything about an output changes: from where it will go on. */
static void settle_until_now(uint8_t mux)
{
    uint64_t now = chip_now();
    outputs[mux].from = voltage(mux, now);
    outputs[mux].since = now;
}

static void note_least(uint64_t *least, uint64_t from, uint64_t to)
{
    if (from > chip_figures.reset_cycle && (*least == 0 || to - from < *least)) {
        *least = to - from;
    }
}

static void select_channel(void)
{
    uint8_t next = chip_avr->data[SELECT_PORT] & chip_avr->data[SELECT_DDR] & PINS_SELECT_MASK;
    if (next == channel) {
        return;
    }
    for (uint8_t mux = 0; mux < WIRING_MUX_COUNT; mux++) {
        settle_until_now(mux);
    }
    if (channel == WIRING_CHANNEL_COUNT - 1 && next == 0) {
        chip_figures.scans++;
    }
    channel = next;
    moved = chip_now();
    note_least(&chip_figures.hold_to_move_min, held, moved);
}

uint16_t table_counts(uint8_t mux, uint64_t when)
{
    held = when;
    note_least(&chip_figures.settle_min, moved, when);
    double noise = noise_sigma_65536 ? (double)random_normal() / 65536.0 * noise_sigma_65536 / 65536.0 : 0.0;
    double counts = floor(voltage(mux, when) + noise + 0.5);
    return (uint16_t)(counts < 0 ? 0 : counts > TABLE_COUNTS_MAX ? TABLE_COUNTS_MAX : counts);
}

/* ---- what requests change ------------------------------------------------------------------------------------- */

static void settle_all(void)
{
    for (uint8_t mux = 0; mux < WIRING_MUX_COUNT; mux++) {
        settle_until_now(mux);
    }
}

void table_field(uint8_t sensor, int counts)
{
    settle_all();
    sensors[sensor].field = counts;
}

void table_zero(uint8_t sensor, int counts)
{
    settle_all();
    sensors[sensor].zero = counts;
}

void table_state(uint8_t sensor, sensor_state_t state)
{
    settle_all();
    sensors[sensor].state = state;
}

void table_noise(double counts)
{
    noise_sigma_65536 = (int32_t)(counts * 65536.0 + 0.5);
}

void table_settle(double us)
{
    settle_all();
    tau_cycles = us * (F_CPU_HZ / 1e6);
}

/* ---- what the pins drive -------------------------------------------------------------------------------------- */

static uint32_t tone_hz(void)
{
    static const uint16_t dividers[8] = {0, 1, 8, 64, 256, 1024, 0, 0};
    const uint8_t *data = chip_avr->data;
    uint16_t divider = dividers[data[TCCR3B] & 7u];
    bool toggles = (data[TCCR3A] >> 6) == 1 && (data[PIEZO_DDR] & PINS_PIEZO_MASK);
    if (!divider || !toggles) {
        return 0;
    }
    uint32_t period = 2u * divider * (1u + (data[OCR3AL] | (uint32_t)data[OCR3AH] << 8));
    return (F_CPU_HZ + period / 2) / period;
}

pins_t table_pins(void)
{
    uint8_t lit = chip_avr->data[LEDS_PORT] & chip_avr->data[LEDS_DDR];
    return (pins_t){
        .players = lit & PINS_PLAYERS_MASK,
        .green = lit & PINS_GREEN_MASK,
        .red = lit & PINS_RED_MASK,
        .tone_hz = tone_hz(),
    };
}

static void write_port(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    port_write(avr, address, value, port_param);
    select_channel();
}

static void write_ddr(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    ddr_write(avr, address, value, ddr_param);
    select_channel();
}

void table_build(void)
{
    for (int sensor = 0; sensor < WIRING_SENSOR_COUNT; sensor++) {
        sensors[sensor].zero = DEFAULT_ZERO;
    }
    for (uint8_t mux = 0; mux < WIRING_MUX_COUNT; mux++) {
        outputs[mux].from = DEFAULT_ZERO;
    }
    tau_cycles = default_settle_us * (F_CPU_HZ / 1e6);
    port_write = chip_avr->io[AVR_DATA_TO_IO(SELECT_PORT)].w.c;
    port_param = chip_avr->io[AVR_DATA_TO_IO(SELECT_PORT)].w.param;
    ddr_write = chip_avr->io[AVR_DATA_TO_IO(SELECT_DDR)].w.c;
    ddr_param = chip_avr->io[AVR_DATA_TO_IO(SELECT_DDR)].w.param;
    chip_on_write(SELECT_PORT, write_port);
    chip_on_write(SELECT_DDR, write_ddr);
}

void table_reset(void)
{
    select_channel();
}
