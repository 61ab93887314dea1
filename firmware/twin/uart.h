/* GPL-3.0-or-later. UART0 of the chip, the line to the host, and the host's own UART at the other end. */
#ifndef TWIN_UART_H
#define TWIN_UART_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t cycle; /* when the host had it: in the middle of its stop bit */
    uint8_t byte;
} said_t;

void uart_build(void);
void uart_reset(bool host_gone);

/* Bits a second that the registers give; 0 while the transmitter and the receiver are off. */
uint32_t uart_baud(void);
/* The host's rate; 0 is whatever the board uses. */
void uart_host_baud(uint32_t baud);

/* Queues bytes of the host; false when there is no room for all of them. */
bool uart_receive(const uint8_t *bytes, uint32_t count);

/* What the host heard since the last call; valid until time passes. */
uint32_t uart_said(const said_t **out);
/* Cycles that one character of the board takes. */
uint64_t uart_character_cycles(void);

#endif
