/* Commands of a host for tests, each with its answer.
 *
 * Owns tokens and waiting for answers. Must not know any rule of the commands.
 */
#ifndef TW_TEST_ORDERS_H
#define TW_TEST_ORDERS_H

#include <stddef.h>
#include <stdint.h>

#include "messages.h"

enum { ZERO = 1, N_WEAK, N_STRONG, S_WEAK, S_STRONG, SAVE, FORGET };

/* A token that was not used before. */
uint8_t order_token(void);

/* Says a command and returns the board's RESULT to it. */
tw_result_t ordered(uint8_t type, const void *payload, size_t size);

tw_result_t param(uint8_t op, uint8_t key, uint32_t value);
tw_result_t calibrate(uint8_t step, uint8_t sensor);

/* What the board believes of a sensor. */
tw_calibration_row_t levels(uint8_t sensor);

/* The class of a sensor in a snapshot of now. */
uint8_t class_of(uint8_t sensor);

/* A reset of the board; a host that finds it again. */
void reset(void);

/* STATUS.settings. */
uint8_t settings(void);

#endif
