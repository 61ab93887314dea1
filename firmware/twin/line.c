/* GPL-3.0-or-later. Owns what a UART's wire looks like at any moment; mismatched rates garble by themselves. */
#include "line.h"

#include <stdlib.h>

static character_t *at(const line_t *line, uint32_t index)
{
    return &line->sent[index % LINE_CAP];
}

void line_build(line_t *line)
{
    line->sent = calloc(LINE_CAP, sizeof *line->sent);
    if (!line->sent) {
        abort();
    }
    line_clear(line);
}

void line_clear(line_t *line)
{
    line->head = line->tail = 0;
    line->free_at = 0;
}

uint32_t line_room(const line_t *line)
{
    return LINE_CAP - (line->tail - line->head);
}

static bool odd_ones(uint8_t byte)
{
    return __builtin_parity(byte);
}

uint64_t line_send(line_t *line, uint8_t byte, format_t format, uint64_t bit, uint64_t now)
{
    uint64_t start = line->free_at > now ? line->free_at : now;
    byte &= (uint8_t)((1u << format.data_bits) - 1u);
    uint16_t bits = (uint16_t)(byte << 1);
    uint8_t count = (uint8_t)(1 + format.data_bits);
    if (format.parity) {
        bits |= (uint16_t)((odd_ones(byte) != format.odd) << count);
        count++;
    }
    bits |= (uint16_t)(((1u << format.stop_bits) - 1u) << count);
    count = (uint8_t)(count + format.stop_bits);
    *at(line, line->tail++) = (character_t){start, bit, bits, count};
    line->free_at = start + count * bit;
    return start;
}

static uint64_t end_of(const character_t *one)
{
    return one->start + one->count * one->bit;
}

static bool level(const line_t *line, uint64_t when)
{
    for (uint32_t index = line->head; index != line->tail; index++) {
        const character_t *one = at(line, index);
        if (when < one->start) {
            return true;
        }
        if (when < end_of(one)) {
            return (one->bits >> ((when - one->start) / one->bit)) & 1u;
        }
    }
    return true;
}

uint64_t line_fall(line_t *line, uint64_t from)
{
    while (line->head != line->tail && end_of(at(line, line->head)) <= from) {
        line->head++;
    }
    for (uint32_t index = line->head; index != line->tail; index++) {
        const character_t *one = at(line, index);
        bool before = true;
        for (uint8_t k = 0; k < one->count; k++) {
            bool now = (one->bits >> k) & 1u;
            uint64_t edge = one->start + k * one->bit;
            if (before && !now && edge >= from) {
                return edge;
            }
            before = now;
        }
    }
    return UINT64_MAX;
}

static uint64_t middle(uint64_t edge, uint64_t bit, uint8_t index)
{
    return edge + index * bit + bit / 2;
}

uint64_t line_stop_sample(format_t format, uint64_t edge, uint64_t bit)
{
    return middle(edge, bit, (uint8_t)(1 + format.data_bits + format.parity));
}

heard_t line_hear(const line_t *line, format_t format, uint64_t edge, uint64_t bit)
{
    heard_t heard = {0, false};
    for (uint8_t k = 0; k < format.data_bits; k++) {
        heard.byte |= (uint8_t)(level(line, middle(edge, bit, (uint8_t)(k + 1))) << k);
    }
    heard.framing_error = !level(line, line_stop_sample(format, edge, bit));
    return heard;
}
