/* GPL-3.0-or-later. The converter of the chip. */
#ifndef TWIN_ADC_H
#define TWIN_ADC_H

#include <stdint.h>

void adc_build(void);
void adc_reset(void);
void adc_supply_mv(uint32_t mv);

#endif
