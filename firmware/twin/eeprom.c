/* GPL-3.0-or-later. Owns the EEPROM as the data sheet (chapter 8) has it; simavr's handler is replaced.
 *
 * simavr 1.6 stores at once, never shows EEPE, and asks for EE_READY once where the chip asks as long as it is ready.
 */
#include "eeprom.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atmega2560.h"
#include "chip.h"
#include "events.h"
#include "random.h"

/* Data sheet, table "EEPROM Programming Time": erase and write 3.4 ms, only one of them 1.8 ms. */
static const uint32_t write_us[4] = {3400, 1800, 1800, 3400};
enum { ERASE_ONLY = 1, WRITE_ONLY = 2 };
enum { UNLOCKED_CYCLES = 4, READ_HALT_CYCLES = 4, WRITE_HALT_CYCLES = 2 };
enum { PATH_CAP = 4096, MESSAGE_CAP = PATH_CAP + 200 };

static uint8_t cells[EEPROM_BYTES];
static bool dirty;
static char file[PATH_CAP];

static struct {
    bool busy;
    uint16_t address;
    uint8_t byte;
} writing;

static void show(void)
{
    uint8_t *control = &chip_avr->data[EECR];
    *control = (uint8_t)((*control & ~EEPE) | (writing.busy ? EEPE : 0));
    chip_level(LEVEL_EEPROM, !writing.busy && (*control & EERIE));
}

static uint16_t address(void)
{
    return (uint16_t)((chip_avr->data[EEARL] | chip_avr->data[EEARH] << 8) % EEPROM_BYTES);
}

static void lock(uint64_t when)
{
    (void)when;
    chip_avr->data[EECR] &= (uint8_t)~EEMPE;
}

static void begin_write(uint8_t mode)
{
    writing.busy = true;
    writing.address = address();
    uint8_t old = cells[writing.address], data = chip_avr->data[EEDR];
    writing.byte = mode == ERASE_ONLY ? 0xFF : mode == WRITE_ONLY ? old & data : data;
    lock(0);
    events_cancel(EVENT_EEPROM_LOCK);
    events_at(EVENT_EEPROM_DONE, chip_now() + (uint64_t)write_us[mode] * (F_CPU_HZ / 1000000u));
    chip_halt(WRITE_HALT_CYCLES);
}

static void done(uint64_t when)
{
    (void)when;
    writing.busy = false;
    cells[writing.address] = writing.byte;
    dirty = true;
    chip_figures.eeprom_writes++;
    show();
}

static void write_control(avr_t *avr, avr_io_addr_t register_address, uint8_t value, void *param)
{
    (void)param;
    uint8_t before = avr->data[register_address];
    bool unlocked = before & EEMPE;
    uint8_t mode = (writing.busy ? before : value) & EEPM;
    avr->data[register_address] = (uint8_t)((value & (EERIE | EEMPE)) | mode | (before & (EEPE | EEMPE)));
    if ((value & EEMPE) && !unlocked) {
        events_at(EVENT_EEPROM_LOCK, chip_now() + UNLOCKED_CYCLES + 1);
    }
    if ((value & EEPE) && unlocked && !writing.busy) {
        begin_write((uint8_t)(mode >> EEPM_SHIFT));
    } else if ((value & EERE) && !writing.busy) {
        avr->data[EEDR] = cells[address()];
        chip_halt(READ_HALT_CYCLES);
    }
    show();
}

void eeprom_build(void)
{
    memset(cells, 0xFF, sizeof cells);
    events_call(EVENT_EEPROM_DONE, done);
    events_call(EVENT_EEPROM_LOCK, lock);
    chip_on_write(EECR, write_control);
}

void eeprom_reset(bool power_was_cut)
{
    if (writing.busy && power_was_cut) {
        events_cancel(EVENT_EEPROM_DONE);
        writing.busy = false;
        cells[writing.address] = (uint8_t)random_bits();
        dirty = true;
    }
    events_cancel(EVENT_EEPROM_LOCK);
    show();
}

/* ---- the file ------------------------------------------------------------------------------------------------- */

static const char *complaint(const char *what, const char *path)
{
    static char text[MESSAGE_CAP];
    snprintf(text, sizeof text, "%s %s: %s", what, path, strerror(errno));
    return text;
}

const char *eeprom_open(const char *path)
{
    static char text[MESSAGE_CAP];
    struct stat info;
    if (strlen(path) + sizeof ".new" > sizeof file) {
        return "the path of the EEPROM file is too long";
    }
    if (stat(path, &info) == 0) {
        if (!S_ISREG(info.st_mode)) {
            snprintf(text, sizeof text, "the EEPROM file %s is no file", path);
            return text;
        }
        if (access(path, W_OK) != 0) { /* renaming would overwrite it all the same */
            return complaint("cannot write the EEPROM file", path);
        }
    }
    FILE *in = fopen(path, "rb");
    if (!in && errno != ENOENT) {
        return complaint("cannot read the EEPROM file", path);
    }
    if (in) {
        uint8_t extra;
        size_t count = fread(cells, 1, sizeof cells, in);
        bool failed = ferror(in) != 0;
        bool more = fread(&extra, 1, 1, in) == 1;
        fclose(in);
        if (failed) {
            errno = EIO;
            return complaint("cannot read the EEPROM file", path);
        }
        if (count != sizeof cells || more) {
            snprintf(text, sizeof text, "the EEPROM file %s has not %u bytes; it is left as it is", path,
                     (unsigned)sizeof cells);
            return text;
        }
    }
    strcpy(file, path);
    dirty = !in;
    return eeprom_save();
}

const char *eeprom_save(void)
{
    static char temporary[PATH_CAP];
    if (!dirty || !file[0]) {
        return NULL;
    }
    snprintf(temporary, sizeof temporary, "%.*s.new", (int)(sizeof temporary - sizeof ".new"), file);
    int out = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0) {
        return complaint("cannot write the EEPROM file", temporary);
    }
    bool written = write(out, cells, sizeof cells) == (ssize_t)sizeof cells && fsync(out) == 0;
    if (close(out) != 0 || !written || rename(temporary, file) != 0) {
        const char *why = complaint("cannot write the EEPROM file", file);
        unlink(temporary);
        return why;
    }
    dirty = false;
    return NULL;
}
