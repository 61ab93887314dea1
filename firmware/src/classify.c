#include "classify.h"

#include <stdbool.h>

#define COUNTS_MAX 1023u

/* Distances from zero at which a magnet of one pole begins to be near, and to be strong. */
typedef struct {
    uint16_t near;
    uint16_t far;
} edges_t;

static uint16_t or_typical(uint8_t level, uint16_t typical_counts)
{
    return level != 0 ? (uint16_t)(level * CLASSIFY_LEVEL_UNIT_COUNTS) : typical_counts;
}

uint16_t classify_zero(const tw_calibration_row_t *levels)
{
    return levels->zero != 0 ? levels->zero : (uint16_t)CLASSIFY_ZERO_COUNTS;
}

static bool is_south(uint8_t class)
{
    return class >= TW_MAGNET_CLASS_S_WEAK;
}

/* How strong a class is: 0 none, 1 weak, 2 strong. */
static uint8_t rank(uint8_t class)
{
    return is_south(class) ? (uint8_t)(class - TW_MAGNET_CLASS_N_STRONG) : class;
}

static uint16_t at_most(uint16_t counts, uint16_t limit)
{
    return counts < limit ? counts : limit;
}

/* The edges of one pole for a sensor whose class so far has `rank_so_far` of that pole. */
static edges_t edges(const tw_calibration_row_t *levels, uint8_t hysteresis_counts, bool south, uint8_t rank_so_far)
{
    uint16_t weak = or_typical(south ? levels->s_weak : levels->n_weak, CLASSIFY_WEAK_COUNTS);
    uint16_t strong = or_typical(south ? levels->s_strong : levels->n_strong, CLASSIFY_STRONG_COUNTS);
    uint16_t near = weak / 2u;
    uint16_t far = (uint16_t)(weak + strong) / 2u;
    /* A band wider than what lies between two thresholds would hold a class that nothing can end. */
    uint16_t half = hysteresis_counts / 2u;
    uint16_t near_half = at_most(half, near / 2u);
    uint16_t far_half = at_most(half, (uint16_t)(far - near) / 2u);
    near = (uint16_t)(rank_so_far >= 1 ? near - near_half : near + near_half);
    far = (uint16_t)(rank_so_far >= 2 ? far - far_half : far + far_half);
    return (edges_t){.near = near, .far = far};
}

uint8_t classify(uint16_t counts, const tw_calibration_row_t *levels, uint8_t hysteresis_counts, uint8_t so_far)
{
    uint16_t zero = classify_zero(levels);
    bool south = counts < zero;
    uint16_t distance = (uint16_t)(south ? zero - counts : counts - zero);
    edges_t edge = edges(levels, hysteresis_counts, south, is_south(so_far) == south ? rank(so_far) : 0);
    if (distance < edge.near) {
        return TW_MAGNET_CLASS_EMPTY;
    }
    if (distance < edge.far) {
        return south ? TW_MAGNET_CLASS_S_WEAK : TW_MAGNET_CLASS_N_WEAK;
    }
    return south ? TW_MAGNET_CLASS_S_STRONG : TW_MAGNET_CLASS_N_STRONG;
}

static uint16_t below(uint16_t counts, uint16_t distance)
{
    return (uint16_t)(counts > distance ? counts - distance : 0);
}

classify_window_t classify_window(const tw_calibration_row_t *levels, uint8_t hysteresis_counts, uint8_t so_far)
{
    uint16_t zero = classify_zero(levels);
    bool south = is_south(so_far);
    edges_t edge = edges(levels, hysteresis_counts, south, rank(so_far));
    if (so_far == TW_MAGNET_CLASS_EMPTY) {
        edges_t other = edges(levels, hysteresis_counts, true, 0);
        return (classify_window_t){
            .low = below(zero, (uint16_t)(other.near - 1u)),
            .high = (uint16_t)(zero + edge.near - 1u),
        };
    }
    uint16_t from = rank(so_far) == 1 ? edge.near : edge.far;
    if (south) {
        if (from > zero) {
            return (classify_window_t){.low = 1, .high = 0}; /* no reading is that far below */
        }
        uint16_t low = rank(so_far) == 1 ? below(zero, (uint16_t)(edge.far - 1u)) : 0;
        return (classify_window_t){.low = low, .high = (uint16_t)(zero - from)};
    }
    uint16_t high = rank(so_far) == 1 ? (uint16_t)(zero + edge.far - 1u) : (uint16_t)COUNTS_MAX;
    return (classify_window_t){.low = (uint16_t)(zero + from), .high = high};
}
