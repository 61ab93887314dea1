/* What can be set: the parameters of a kind of board, stored with whatever else it stores.
 *
 * Owns ranges, defaults, and when all of it is stored. Must not know which parameters a kind has, slots of the EEPROM,
 * what a parameter decides, the host or the wire.
 */
#ifndef TW_PARAMS_H
#define TW_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

/* One parameter: TW_PARAM_KEY_*, and what it may be. */
typedef struct {
    uint8_t key;
    bool power_of_two; /* no other value will do */
    uint16_t least;
    uint16_t most;
    uint16_t usual; /* the default */
} params_range_t;

/* What a kind of board stores: a record that begins with the values of its parameters, in the order of the ranges.
 * Another layout needs another version. */
typedef struct {
    const params_range_t *ranges;
    uint16_t *record;
    uint16_t record_bytes;
    uint8_t count;
    uint8_t version;
} params_kind_t;

/* Loads what is stored; what is not sound or not there is the default, or 0 behind the parameters. */
void params_start(const params_kind_t *kind);

/* What was found stored at the start, or that all that is in use is stored by now: TW_SETTINGS_*. */
uint8_t params_settings(void);

/* Whether there is such a parameter. */
bool params_known(uint8_t key);

/* A parameter's value; the key must be known. */
uint16_t params_get(uint8_t key);

/* Sets a parameter at once and stores it in the background; false when the value is not allowed. */
bool params_set(uint8_t key, uint32_t value);

/* Something behind the parameters has changed. It is stored by the next params_save. */
void params_changed(void);

/* Begins to store what is not stored; how many bytes are still to be written. */
uint16_t params_save(void);

#endif
