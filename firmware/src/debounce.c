#include "debounce.h"

debounced_t debounce(debounced_t state, uint8_t raw, uint8_t elapsed_ms, uint8_t settle_ms)
{
    uint8_t step_ms = elapsed_ms < DEBOUNCE_READING_MAX_MS ? elapsed_ms : DEBOUNCE_READING_MAX_MS;
    if (raw == state.stable) {
        if (state.agreed_ms <= step_ms) {
            return debounce_at_rest(raw);
        }
        state.agreed_ms = (uint8_t)(state.agreed_ms - step_ms);
        state.read_candidate = 0;
        return state;
    }
    state.read_candidate = 1;
    if (raw != state.candidate) {
        state.candidate = raw & 7u;
        state.agreed_ms = 0;
        return state;
    }
    if (state.agreed_ms + step_ms >= settle_ms) {
        return debounce_at_rest(raw);
    }
    state.agreed_ms = (uint8_t)(state.agreed_ms + step_ms);
    return state;
}
