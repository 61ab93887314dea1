/* GPL-3.0-or-later. The chip's SPI as a master; the readers hang on it. */
#ifndef TWIN_SPI_H
#define TWIN_SPI_H

void spi_build(void);
void spi_reset(void);

#endif
