/* tablewire-twin: the compiled firmware on an ATmega2560 in simavr, driven in lock-step by lines.
 *
 * This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public
 * License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later
 * version. It has to be, because it links libsimavr; the rest of tablewire only speaks to it through pipes, is under
 * the MIT licence, and never contains it.
 *
 * Owns the command line and the two pipes. Time passes only while a `run` is answered.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atmega2560.h"
#include "chip.h"
#include "eeprom.h"
#include "random.h"
#include "requests.h"

static const char usage[] = "usage: tablewire-twin FIRMWARE.elf [--eeprom FILE] [--seed N] [--unmended PART]\n";

static int fail(const char *text)
{
    fprintf(stderr, "tablewire-twin: %s\n", text);
    return 2;
}

static bool within(uint64_t from, uint64_t length, uint64_t size)
{
    return from <= size && length <= size - from;
}

/* The section headers lie in the file, and so does what they name; libelf reads all of it on simavr's word. */
static bool sections_fit(FILE *in, const Elf32_Ehdr *header, uint64_t size)
{
    if (header->e_shentsize != sizeof(Elf32_Shdr) || header->e_shstrndx >= header->e_shnum ||
        !within(header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf32_Shdr), size) ||
        fseek(in, (long)header->e_shoff, SEEK_SET) != 0) {
        return false;
    }
    for (unsigned index = 0; index < header->e_shnum; index++) {
        Elf32_Shdr section;
        if (fread(&section, sizeof section, 1, in) != 1) {
            return false;
        }
        if (section.sh_type != SHT_NOBITS && !within(section.sh_offset, section.sh_size, size)) {
            return false;
        }
    }
    return true;
}

/* simavr trusts what it reads, so that it is a whole program for an AVR is seen first. */
static const char *reject_elf(const char *path)
{
    Elf32_Ehdr header;
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return "it is no file"; /* reading a pipe would wait for ever */
    }
    FILE *in = fopen(path, "rb");
    if (!in) {
        return strerror(errno);
    }
    const char *why = NULL;
    if (fread(&header, sizeof header, 1, in) != 1 || memcmp(header.e_ident, ELFMAG, SELFMAG) ||
        header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_AVR) {
        why = "it is not a program for an AVR (an .elf file of avr-gcc)";
    } else if (!sections_fit(in, &header, (uint64_t)info.st_size)) {
        why = "it has been cut short, or is damaged";
    }
    fclose(in);
    return why;
}

/* Reads a line without its end, at most REQUEST_CAP of it; how long it was, -1 when there is none. */
static long read_line(char *line)
{
    long length = 0;
    int c = getchar();
    if (c == EOF) {
        return -1;
    }
    for (; c != '\n' && c != EOF; c = getchar()) {
        if (length < REQUEST_CAP) {
            line[length] = (char)(c ? c : '?'); /* a zero would end it where the reader does not */
        }
        length++;
    }
    line[length < REQUEST_CAP ? length : REQUEST_CAP] = 0;
    return length;
}

static bool answer_lines(FILE *out)
{
    static char line[REQUEST_CAP + 1];
    bool goes_on = true;
    for (long length; goes_on && (length = read_line(line)) >= 0;) {
        if (length > REQUEST_CAP) {
            fputs("error the line is too long\n", out);
        } else {
            goes_on = requests_answer(line, out);
        }
        fflush(out);
    }
    return goes_on;
}

int main(int argc, char **argv)
{
    static elf_firmware_t firmware;
    const char *elf = NULL, *eeprom = NULL, *unmended = NULL;
    uint64_t seed = 0;
    for (int index = 1; index < argc; index++) {
        bool more = index + 1 < argc;
        if (!strcmp(argv[index], "--eeprom") && more) {
            eeprom = argv[++index];
        } else if (!strcmp(argv[index], "--unmended") && more) {
            unmended = argv[++index];
        } else if (!strcmp(argv[index], "--seed") && more) {
            char *end;
            seed = strtoull(argv[++index], &end, 10);
            if (*end || !*argv[index]) {
                return fail("--seed takes a number");
            }
        } else if (argv[index][0] != '-' && !elf) {
            elf = argv[index];
        } else {
            fputs(usage, stderr);
            return 2;
        }
    }
    if (!elf) {
        fputs(usage, stderr);
        return 2;
    }
    /* Ctrl-C in a terminal is for who drives this program, and whose end closes our input: the EEPROM is saved then. */
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    /* What simavr prints must not get between the answers. */
    FILE *out = fdopen(dup(STDOUT_FILENO), "w");
    if (!out || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        return fail("no output");
    }
    const char *why = reject_elf(elf);
    if (why) {
        fprintf(stderr, "tablewire-twin: %s: %s\n", elf, why);
        return 2;
    }
    random_seed(seed);
    if (!chip_build(unmended)) {
        return fail("--unmended takes uart, adc, eeprom, watchdog or spi");
    }
    if (eeprom && (why = eeprom_open(eeprom))) {
        return fail(why);
    }
    if (elf_read_firmware(elf, &firmware) != 0) {
        return fail("the firmware cannot be loaded");
    }
    avr_load_firmware(chip_avr, &firmware);
    chip_avr->frequency = F_CPU_HZ;
    requests_know_symbols(&firmware);
    chip_reset(RESET_POWER);
    chip_figures = (figures_t){0};
    if (answer_lines(out) && (why = eeprom_save())) {
        return fail(why);
    }
    return 0;
}
