/* GPL-3.0-or-later. The language the twin is driven in: a line asks, data lines and one `ok` or `error` answer. */
#ifndef TWIN_REQUESTS_H
#define TWIN_REQUESTS_H

#include <stdbool.h>
#include <stdio.h>

#include <simavr/sim_elf.h>

/* Longest line taken: `rx` with RX_CAP bytes in hex, and room for its verb. */
enum { RX_CAP = 4096, REQUEST_CAP = 2 * RX_CAP + 64 };

void requests_know_symbols(elf_firmware_t *firmware);

/* Answers one line (without its end) on `to`; false after `quit`. */
bool requests_answer(char *line, FILE *to);

#endif
