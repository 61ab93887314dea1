#include "hal_native.h"

#include <string.h>

#include "board.h"
#include "clock.h"
#include "messages.h"

native_t native;
uint32_t native_boot_ms;

#define ROWS_WAITING_MAX 16u

static hal_row_t rows[ROWS_WAITING_MAX];
static unsigned rows_shown;
static unsigned rows_taken;

/* ---- what tests do ---- */

void native_new(void)
{
    memset(&native, 0, sizeof native);
    memset(native.eeprom, 0xFF, sizeof native.eeprom);
    for (unsigned i = 0; i < WIRING_SENSOR_COUNT; i++) {
        native.counts[i] = EMPTY_COUNTS;
    }
    native.entropy = 0x12345678u;
    native.reset_cause = TW_RESET_CAUSE_POWER_ON;
    native.scan_ms = 6;
    native.quiet_ms = 255;
    native.tx_room = NATIVE_LINE_BYTES;
    native.writes_until_cut = NATIVE_NEVER;
}

static void show_row(uint32_t ms)
{
    hal_row_t *row = &rows[rows_shown++ % ROWS_WAITING_MAX];
    row->channel = (uint8_t)(native.rows++ % WIRING_CHANNEL_COUNT);
    row->ms = ms;
    for (uint8_t mux = 0; mux < WIRING_MUX_COUNT; mux++) {
        uint8_t sensor = wiring_sensor(row->channel, mux);
        row->counts[mux] = sensor == WIRING_NONE ? 0xFFFF : native.counts[sensor];
    }
}

static void step(void)
{
    if (!native.cut) {
        board_step();
    }
}

void native_boot(void)
{
    native.ms = native_boot_ms;
    native.rows = 0;
    native.rx_count = 0;
    native.link_open = false;
    native.eeprom_ready_ms = native.ms;
    native.writes = 0;
    native.cut = false;
    rows_taken = rows_shown;
    board_start();
    native_run(40);
}

void native_run(uint32_t ms)
{
    for (uint32_t i = 0; i < ms; i++) {
        native.ms++;
        uint32_t due = (native.ms - native_boot_ms) * WIRING_CHANNEL_COUNT / native.scan_ms;
        while (native.rows < due) {
            show_row(native.ms);
            step();
        }
        step();
    }
}

void native_lay(uint8_t first, uint8_t count, uint16_t counts)
{
    for (uint8_t i = 0; i < count; i++) {
        native.counts[first + i] = counts;
    }
    native_run(40);
}

void native_scan(uint32_t elapsed_ms)
{
    native.ms += elapsed_ms;
    for (uint8_t i = 0; i < WIRING_CHANNEL_COUNT; i++) {
        show_row(native.ms);
        step();
    }
}

void native_scan_late(uint32_t last_ms)
{
    for (uint32_t i = 0; i < WIRING_CHANNEL_COUNT; i++) {
        show_row(last_ms + 1 + i - WIRING_CHANNEL_COUNT);
    }
}

/* ---- hal.h ---- */

void hal_start(void)
{
}

uint32_t hal_ms(void)
{
    return native.ms;
}

uint8_t hal_reset_cause(void)
{
    return native.reset_cause;
}

uint32_t hal_entropy(void)
{
    return native.entropy;
}

void hal_watchdog_reset(void)
{
}

void hal_idle(void)
{
}

const hal_row_t *hal_row(void)
{
    return rows_taken != rows_shown ? &rows[rows_taken % ROWS_WAITING_MAX] : NULL;
}

void hal_row_done(void)
{
    rows_taken++;
}

uint16_t hal_row_overruns(void)
{
    return native.row_overruns;
}

uint16_t hal_supply_mv(void)
{
    return 4990;
}

void hal_link_start(void)
{
    native.link_open = true;
}

uint8_t hal_link_read(uint8_t *bytes, uint8_t size)
{
    uint8_t count = native.rx_count < size ? (uint8_t)native.rx_count : size;
    memcpy(bytes, native.rx, count);
    native.rx_count -= count;
    memmove(native.rx, native.rx + count, native.rx_count);
    return count;
}

bool hal_link_write(const uint8_t *bytes, uint8_t count)
{
    if (count > native.tx_room || native.tx_count + count > NATIVE_LINE_BYTES) {
        return false;
    }
    memcpy(native.tx + native.tx_count, bytes, count);
    native.tx_count += count;
    return true;
}

uint16_t hal_link_overruns(void)
{
    return 3;
}

uint8_t hal_link_quiet_ms(void)
{
    return native.quiet_ms;
}

bool hal_eeprom_ready(void)
{
    return !native.cut && !clock_before(native.ms, native.eeprom_ready_ms);
}

uint8_t hal_eeprom_read(uint16_t address)
{
    return native.eeprom[address];
}

void hal_eeprom_write(uint16_t address, uint8_t byte)
{
    if (native.cut) {
        return;
    }
    if (native.writes_until_cut != NATIVE_NEVER && native.writes_until_cut-- == 0) {
        native.eeprom[address] = 0xFF; /* erased, and not written any more */
        native.writes_until_cut = NATIVE_NEVER;
        native.cut = true;
        return;
    }
    native.eeprom[address] = byte;
    native.writes++;
    native.eeprom_ready_ms = native.ms + native.eeprom_write_ms;
}

void hal_leds(uint8_t players, bool green, bool red)
{
    native.players = players;
    native.green = green;
    native.red = red;
}

void hal_tone(uint16_t hz)
{
    native.hz = hz;
}

uint16_t hal_stack_free(void)
{
    return 2222;
}
