#include "hal_native.h"

#include <string.h>

#include "board.h"
#include "clock.h"
#include "messages.h"

native_t native;
uint32_t native_boot_ms;

/* ---- what tests do ---- */

void native_new(void)
{
    memset(&native, 0, sizeof native);
    memset(native.eeprom, 0xFF, sizeof native.eeprom);
    native_sense_new();
    native.entropy = 0x12345678u;
    native.reset_cause = TW_RESET_CAUSE_POWER_ON;
    native.quiet_ms = 255;
    native.tx_room = NATIVE_LINE_BYTES;
    native.writes_until_cut = NATIVE_NEVER;
}

void native_step(void)
{
    if (!native.cut) {
        board_step();
    }
}

void native_boot(void)
{
    native.ms = native_boot_ms;
    native.rx_count = 0;
    native.link_open = false;
    native.eeprom_ready_ms = native.ms;
    native.writes = 0;
    native.cut = false;
    native_sense_boot();
    board_start();
    native_run(40);
}

void native_run(uint32_t ms)
{
    for (uint32_t i = 0; i < ms; i++) {
        native.ms++;
        native_sense_ms();
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
