/* What survives a power cut: one record in two EEPROM slots, and a count of boots.
 *
 * Owns the slots, their version, sequence numbers and checksums, and writing one byte at a time in the background.
 * Must not know what the record means, the host or the wire.
 *
 * The slots are written in turn, so that a power cut in a write costs only the newest record. A slot's version is
 * written last: before its first record is complete, a slot is still blank.
 */
#ifndef TW_STORE_H
#define TW_STORE_H

#include <stdbool.h>
#include <stdint.h>

/* What was found at the start. The values of TW_SETTINGS_*: STORED, NONE, DAMAGED, OTHER_VERSION. */
typedef uint8_t store_found_t;

/* Reads the newest sound record of this version into `record` (untouched when there is none), counts this boot, and
 * remembers where the record lives: what is stored later is read from there. The EEPROM must be ready. */
store_found_t store_start(uint8_t *record, uint16_t size, uint8_t version);

/* How many times the board has started, this time included. */
uint32_t store_boots(void);

/* Whether this boot's number is stored, so that no later boot will have the same. */
bool store_boots_stored(void);

/* Begins to store the record as it is now; begins anew when a write was under way. */
void store_begin(void);

/* Bytes still to be written at most; 0 when everything is stored. */
uint16_t store_unwritten_bytes(void);

/* Writes one byte if there is one to write and the EEPROM and the line allow it. */
void store_step(void);

#endif
