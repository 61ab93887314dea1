/* What a table senses and how that is told: the contract that each kind of board keeps.
 *
 * Owns nothing but the contract. table_hall.c keeps it for a table with Hall sensors, table_tags.c for one with tag
 * readers and buttons; one of them is built in. Everything here returns at once.
 */
#ifndef TW_TABLE_H
#define TW_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "messages.h"
#include "outbox.h"
#include "params.h"

/* A message that was written: its type and bytes of payload. No bytes: there is nothing to say. */
typedef struct {
    uint8_t type;
    uint8_t size;
} table_said_t;

/* What this kind of board can have set and stores. */
const params_kind_t *table_params(void);

/* Begins to sense; the parameters are loaded. */
void table_start(void);

/* Senses what is due. The board's time: nothing told later is earlier. */
uint32_t table_step(void);

/* Whether the board knows what lies there. */
bool table_ready(void);

/* A parameter has another value. */
void table_params_changed(void);

/* ---- what is said of it --------------------------------------------------------------------------------------- */

/* Fills in kind, counts and features. */
void table_describe(tw_hello_t *hello);

/* Full scans since the start; wraps. */
uint16_t table_scans(void);

/* Fills in what STATUS says of sensing; scan_overruns counts from the start of the line. */
void table_refresh(tw_status_t *status);

/* Writes the rows behind STATUS; how many. */
uint8_t table_write_readers(tw_reader_row_t *rows);

/* Writes a batch or a snapshot that is due. The message begins with `nonce`. */
table_said_t table_write_due(outbox_due_t due, void *payload, uint32_t nonce, uint32_t now_ms);

/* A host asks for all of it. Writes what is to be said at once, if anything. */
table_said_t table_retell(void *payload, uint32_t nonce, uint32_t now_ms);

/* ---- orders that only one kind of table knows ----------------------------------------------------------------- */

/* How an order ended: TW_RESULT_CODE_*, and what RESULT says besides. */
typedef struct {
    uint8_t code;
    uint32_t value;
} table_result_t;

/* How far an order is. */
typedef enum {
    TABLE_CONCLUDED, /* *result is set */
    TABLE_AT_WORK,   /* table_work goes on with it */
    TABLE_SAID,      /* its answer was written, and is not kept: whoever asks again has it done again */
} table_order_t;

/* Begins what a command asks: its message type and its payload, which stays where it is. Not TABLE_SAID. */
table_order_t table_obey(uint8_t type, const uint8_t *bytes, table_result_t *result);

/* Goes on with it; *said is set with TABLE_SAID. */
table_order_t table_work(uint8_t type, const uint8_t *bytes, void *payload, table_said_t *said,
                         table_result_t *result);

/* Gives up what is under way. */
void table_abandon(void);

#endif
