/* GPL-3.0-or-later. Owns the wires from the chip's pins to the readers: decoder, enable, reset line; and the buttons.
 *
 * A pin that is not driven is pulled where nothing happens: enable and reset high. A button that is not pressed reads
 * high when the program has switched its pull-up on, low otherwise.
 */
#include "readers.h"

#include <stdlib.h>

#include "../src/hal_pins.h"
#include "atmega2560.h"
#include "chip.h"
#include "random.h"

enum { PICOSECONDS_PER_CYCLE = 62500 };

enum { DECODER_PORT = PINS_REGISTER(PORT, PINS_DECODER), DECODER_DDR = PINS_REGISTER(DDR, PINS_DECODER),
       ENABLE_PORT = PINS_REGISTER(PORT, PINS_ENABLE), ENABLE_DDR = PINS_REGISTER(DDR, PINS_ENABLE),
       RESET_PORT = PINS_REGISTER(PORT, PINS_RESET), RESET_DDR = PINS_REGISTER(DDR, PINS_RESET),
       BUTTONS_PORT = PINS_REGISTER(PORT, PINS_BUTTONS), BUTTONS_DDR = PINS_REGISTER(DDR, PINS_BUTTONS),
       BUTTONS_PIN = PINS_REGISTER(PIN, PINS_BUTTONS) };

rack_t *readers_rack;
static uint8_t pressed; /* bit by button */

/* What handled a register before: simavr, or the table. */
typedef struct {
    uint16_t address;
    avr_io_write_t write;
    void *param;
} wire_t;

static wire_t wires[] = {{.address = DECODER_PORT}, {.address = DECODER_DDR}, {.address = ENABLE_PORT},
                         {.address = ENABLE_DDR}};
enum { WIRES_COUNT = sizeof wires / sizeof *wires };

_Static_assert(RESET_PORT == DECODER_PORT, "the reset line is seen through the decoder's port");

uint64_t readers_now_ps(void)
{
    return chip_now() * PICOSECONDS_PER_CYCLE;
}

static bool driven_low(uint16_t port, uint16_t ddr, uint8_t mask)
{
    return (chip_avr->data[ddr] & mask) && !(chip_avr->data[port] & mask);
}

static void look_at_pins(void)
{
    bool enabled = driven_low(ENABLE_PORT, ENABLE_DDR, PINS_ENABLE_MASK);
    uint8_t address = chip_avr->data[DECODER_PORT] & chip_avr->data[DECODER_DDR] & PINS_DECODER_MASK;
    rack_reset_line(readers_rack, !driven_low(RESET_PORT, RESET_DDR, PINS_RESET_MASK), readers_now_ps());
    rack_select(readers_rack, enabled ? address : RACK_NONE);
}

static void write_pin(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    const wire_t *wire = param;
    wire->write(avr, address, value, wire->param);
    look_at_pins();
}

static uint8_t read_buttons(avr_t *avr, avr_io_addr_t address, void *param)
{
    (void)address, (void)param;
    return (uint8_t)(avr->data[BUTTONS_PORT] & ~(pressed & ~avr->data[BUTTONS_DDR]));
}

uint8_t readers_exchange(uint8_t byte)
{
    return rack_exchange(readers_rack, byte, readers_now_ps());
}

void readers_press(uint8_t button, bool down)
{
    uint8_t bit = (uint8_t)(1u << button);
    pressed = (uint8_t)(down ? pressed | bit : pressed & ~bit);
}

void readers_build(void)
{
    readers_rack = rack_build(READERS_COUNT, random_bits());
    if (!readers_rack) {
        abort();
    }
    for (int index = 0; index < WIRES_COUNT; index++) {
        wire_t *wire = &wires[index];
        wire->write = chip_avr->io[AVR_DATA_TO_IO(wire->address)].w.c;
        wire->param = chip_avr->io[AVR_DATA_TO_IO(wire->address)].w.param;
        chip_on_write(wire->address, write_pin);
        chip_avr->io[AVR_DATA_TO_IO(wire->address)].w.param = wire;
    }
    chip_on_read(BUTTONS_PIN, read_buttons);
}

void readers_reset(bool unpowered)
{
    if (unpowered) {
        rack_power_cycle(readers_rack, readers_now_ps());
    }
    look_at_pins();
}
