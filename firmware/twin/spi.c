/* GPL-3.0-or-later. Owns the SPI as the data sheet (chapter 21) has it, master only; simavr's handlers are replaced.
 *
 * simavr 1.6 takes 100 us a byte whatever the divider says. The readers on the bus want the highest bit first and to be
 * read at the rising edge (modes 0 and 3): another order, or the other edge, gives other bits, as it would there.
 */
#include "spi.h"

#include "atmega2560.h"
#include "chip.h"
#include "events.h"
#include "readers.h"

static avr_int_vector_t *vector;
static bool busy;
static uint8_t leaving, come; /* what is being shifted out; what the last exchange brought */

static uint32_t byte_cycles(void)
{
    static const uint16_t dividers[4] = {4, 16, 64, 128};
    uint32_t divider = dividers[chip_avr->data[SPCR] & SPR];
    return 8u * ((chip_avr->data[SPSR] & SPI2X) ? divider / 2 : divider);
}

static void write_data(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)address, (void)param;
    bool master = (avr->data[SPCR] & (SPE | MSTR)) == (SPE | MSTR);
    avr->data[SPSR] &= (uint8_t)~SPIF;
    if (!master || busy) {
        return;
    }
    busy = true;
    leaving = value;
    events_at(EVENT_SPI_DONE, chip_now() + byte_cycles());
}

static uint8_t turned(uint8_t byte)
{
    uint8_t turned = 0;
    for (int bit = 0; bit < 8; bit++) {
        turned |= (uint8_t)((byte >> bit & 1) << (7 - bit));
    }
    return turned;
}

/* What the other side makes of a byte, either way: a wrong edge is a bit late. */
static uint8_t on_the_wire(uint8_t byte)
{
    uint8_t control = chip_avr->data[SPCR];
    uint8_t ordered = control & DORD ? turned(byte) : byte;
    return !(control & CPOL) == !(control & CPHA) ? ordered : (uint8_t)(ordered >> 1);
}

static void done(uint64_t when)
{
    (void)when;
    busy = false;
    come = on_the_wire(readers_exchange(on_the_wire(leaving)));
    chip_avr->data[SPSR] |= SPIF;
    if (chip_avr->data[SPCR] & SPIE) {
        chip_raise(vector);
    }
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t address, void *param)
{
    (void)address, (void)param;
    avr->data[SPSR] &= (uint8_t)~SPIF;
    return come;
}

static void write_status(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    avr->data[address] = (uint8_t)((avr->data[address] & SPIF) | (value & SPI2X));
}

static uint8_t read_status(avr_t *avr, avr_io_addr_t address, void *param)
{
    (void)param;
    return avr->data[address];
}

static void write_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    avr->data[address] = value;
    if ((value & SPIE) && (avr->data[SPSR] & SPIF)) {
        chip_raise(vector);
    }
}

void spi_build(void)
{
    vector = chip_vector(VECTOR_SPI);
    events_call(EVENT_SPI_DONE, done);
    chip_on_write(SPDR, write_data);
    chip_on_read(SPDR, read_data);
    chip_on_write(SPSR, write_status);
    chip_on_read(SPSR, read_status);
    chip_on_write(SPCR, write_control);
}

void spi_reset(void)
{
    busy = false;
    events_cancel(EVENT_SPI_DONE);
}
