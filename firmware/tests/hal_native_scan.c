/* What the Hall sensors of the pretended chip show: rows of the scan. */
#include "hal_native.h"

#define ROWS_WAITING_MAX 16u

static hal_row_t rows[ROWS_WAITING_MAX];
static unsigned rows_shown;
static unsigned rows_taken;

void native_sense_new(void)
{
    for (unsigned i = 0; i < WIRING_SENSOR_COUNT; i++) {
        native.counts[i] = EMPTY_COUNTS;
    }
    native.scan_ms = 6;
}

void native_sense_boot(void)
{
    native.rows = 0;
    rows_taken = rows_shown;
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

void native_sense_ms(void)
{
    uint32_t due = (native.ms - native_boot_ms) * WIRING_CHANNEL_COUNT / native.scan_ms;
    while (native.rows < due) {
        show_row(native.ms);
        native_step();
    }
    native_step();
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
        native_step();
    }
}

void native_scan_late(uint32_t last_ms)
{
    for (uint32_t i = 0; i < WIRING_CHANNEL_COUNT; i++) {
        show_row(last_ms + 1 + i - WIRING_CHANNEL_COUNT);
    }
}

/* ---- hal.h ---- */

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
