/* GPL-3.0-or-later, as is all of this program. What a reader's self-test must give (data sheet 16.1.1). */
#ifndef TWIN_MFRC522_SELFTEST_H
#define TWIN_MFRC522_SELFTEST_H

#include <stdint.h>

/* Sixty-four bytes by what VersionReg shows. A version that nobody has printed a table of gives something else. */
const uint8_t *selftest_of(uint8_t version);

#endif
