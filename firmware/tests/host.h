/* A host for tests: it says messages to the pretended chip and reads what the board says.
 *
 * Owns frames of the host and finding those of the board. Must not know any rule of the session.
 */
#ifndef TW_TEST_HOST_H
#define TW_TEST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages.h"

/* One message of the board. */
typedef struct {
    uint8_t type;
    uint8_t seq;
    uint8_t ack;
    uint8_t size;
    union {
        uint8_t bytes[TW_PAYLOAD_MAX];
        tw_hello_t hello;
        tw_events_t events;
        tw_snapshot_t snapshot;
        tw_status_t status;
        tw_raw_t raw;
        tw_result_t result;
        tw_calibration_t calibration;
    };
} heard_t;

/* Says a message to the board, numbered as the next one. */
void host_say(uint8_t type, const void *payload, size_t size);

/* The next message of the board that was not taken yet; false when there is none. */
bool host_take(heard_t *heard);

/* Takes messages until one of `type` comes; false when there is none. */
bool host_take_type(uint8_t type, heard_t *heard);

/* How many messages of `type` the board has said; takes all. */
unsigned host_count(uint8_t type);

/* Forgets what was heard, and begins to number from 0. */
void host_new(void);

/* A row of EVENTS. */
const tw_event_row_t *host_row(const heard_t *heard, unsigned index);

/* A class in a SNAPSHOT. */
uint8_t host_class(const heard_t *heard, unsigned sensor);

/* A chip out of the box and a host that has said hello: whatever the board said on that is taken. */
void host_met(void);

void host_hello(void);
void host_ack(uint32_t number);

#endif
