/* GPL-3.0-or-later. The EEPROM of the chip, and the file that outlives the program. */
#ifndef TWIN_EEPROM_H
#define TWIN_EEPROM_H

#include <stdbool.h>

void eeprom_build(void);
/* A power cut in the middle of a write leaves any byte there; any other reset lets the write end. */
void eeprom_reset(bool power_was_cut);

/* Reads the file, or begins a blank one; otherwise one line why not, and the file is left alone. */
const char *eeprom_open(const char *path);
/* Writes the file when something has changed; NULL, or one line why not. */
const char *eeprom_save(void);

#endif
