/* GPL-3.0-or-later. The chip's SPI as a master, for tag readers. */
#ifndef TWIN_SPI_H
#define TWIN_SPI_H

#include <stdint.h>

/* What the devices answer while `byte` is clocked out; with none, the data line rests at 0. */
typedef uint8_t (*spi_exchange_t)(uint8_t byte);

void spi_build(void);
void spi_reset(void);
void spi_connect(spi_exchange_t exchange);

#endif
