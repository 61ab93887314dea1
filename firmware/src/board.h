/* The whole board: what is done in which order.
 *
 * Owns the order alone. Must not know what any part does.
 */
#ifndef TW_BOARD_H
#define TW_BOARD_H

void board_start(void);

/* One turn of the main loop; bounded, so that the next row of the scan finds room. */
void board_step(void);

#endif
