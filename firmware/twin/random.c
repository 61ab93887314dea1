/* GPL-3.0-or-later. Owns the one source of chance: xorshift64*, seeded through splitmix64 so that seed 0 is fine. */
#include "random.h"

static uint64_t state;

void random_seed(uint64_t seed)
{
    uint64_t z = seed + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    state = (z ^ (z >> 31)) | 1u;
}

uint64_t random_bits(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du;
}

int32_t random_normal(void)
{
    int32_t sum = 0;
    for (int word = 0; word < 3; word++) {
        uint64_t bits = random_bits();
        for (int part = 0; part < 4; part++, bits >>= 16) {
            sum += (int32_t)(bits & 0xFFFFu);
        }
    }
    return sum - 6 * 65536;
}
