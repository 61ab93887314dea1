/* What a host orders and asks of the board: PARAM, CALIBRATE, SIGNAL, RAW_REQ, CALIBRATION_REQ.
 *
 * Owns the one command under way: it is done once, however often it is said, and answered every time. Must not know
 * frames, numbers of changes or the line.
 */
#ifndef TW_COMMANDS_H
#define TW_COMMANDS_H

#include <stdint.h>

/* An answer that was written: its message type and its bytes. No bytes: there is no answer yet. */
typedef struct {
    uint8_t type;
    uint8_t size;
} commands_answer_t;

/* Forgets the last command, for another host may begin with the same tokens. */
void commands_forget(void);

/* Hears a command of `type` in `size` bytes, of which there are enough, and writes the answer to `payload` (room for
 * the longest one). */
commands_answer_t commands_hear(uint8_t type, const uint8_t *bytes, uint8_t size, void *payload, uint32_t now_ms);

/* Works on a command that takes time, and writes its answer when it has ended. */
commands_answer_t commands_step(void *payload);

#endif
