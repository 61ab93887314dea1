/* GPL-3.0-or-later. Repeatable chance: the same seed gives the same numbers on every computer. */
#ifndef TWIN_RANDOM_H
#define TWIN_RANDOM_H

#include <stdint.h>

void random_seed(uint64_t seed);
uint64_t random_bits(void);

/* A draw from very nearly a normal distribution, in 1/65536 of its sigma: twelve uniform ones summed, so that
 * integers suffice; never beyond six sigma. */
int32_t random_normal(void);

#endif
