/* GPL-3.0-or-later. Owns the words of a request; everything it does is done by the parts of the chip. */
#include "requests.h"

#include <stdlib.h>
#include <string.h>

#include "adc.h"
#include "atmega2560.h"
#include "chip.h"
#include "eeprom.h"
#include "table.h"
#include "requests_readers.h"
#include "uart.h"
#include "words.h"

enum {
    CYCLES_PER_US = F_CPU_HZ / 1000000u,
    RUN_US_MAX = 10000000, /* a caller that waits longer cannot tell a long run from a hang */
    PEEK_MAX = 4096,
    TX_LINE_MAX = 1024,    /* bytes in one tx line */
    SAVE_US = 1000000,     /* a changed EEPROM reaches its file within a second of board time */
};

static elf_firmware_t *symbols;
static uint64_t saved_cycle;

/* ---- time and the line ---------------------------------------------------------------------------------------- */

static void tell_said(void)
{
    const said_t *said;
    uint32_t count = uart_said(&said);
    /* A pause is a gap in which another character could have been: its middle is then two characters away. */
    uint64_t pause = 2 * uart_character_cycles();
    for (uint32_t from = 0; from < count;) {
        uint32_t to = from + 1;
        while (to < count && to - from < TX_LINE_MAX && said[to].cycle - said[to - 1].cycle < pause) {
            to++;
        }
        fprintf(words_out, "tx %llu ", (unsigned long long)(said[to - 1].cycle / CYCLES_PER_US));
        for (; from < to; from++) {
            fprintf(words_out, "%02x", said[from].byte);
        }
        fputc('\n', words_out);
    }
}

static bool crash_report(void)
{
    fprintf(words_out, "error the firmware crashed at PC 0x%05x: %s\n", chip_crash_pc(), chip_crash_why());
    return true;
}

static bool run(words_t words)
{
    long us;
    if (!words_whole(words.word[1], 0, RUN_US_MAX, &us)) {
        return words_refuse("run takes microseconds from 0 to 10000000");
    }
    if (chip_crashed()) {
        return crash_report();
    }
    bool lives = chip_run((uint64_t)us * CYCLES_PER_US);
    tell_said();
    if (chip_now() - saved_cycle >= (uint64_t)SAVE_US * CYCLES_PER_US) {
        saved_cycle = chip_now();
        const char *why = eeprom_save();
        if (why) {
            return words_refuse(why);
        }
    }
    if (!lives) {
        return crash_report();
    }
    fprintf(words_out, "ok %llu\n", (unsigned long long)(chip_now() / CYCLES_PER_US));
    return true;
}

static bool rx(words_t words)
{
    static uint8_t bytes[RX_CAP];
    size_t length = strlen(words.word[1]);
    if (length % 2 || length / 2 > RX_CAP) {
        return words_refuse("rx takes at most 4096 bytes, two hex digits each");
    }
    for (size_t index = 0; index < length / 2; index++) {
        int high = words_digit(words.word[1][2 * index]), low = words_digit(words.word[1][2 * index + 1]);
        if (high < 0 || low < 0) {
            return words_refuse("rx takes hex digits");
        }
        bytes[index] = (uint8_t)(high << 4 | low);
    }
    bool fits = uart_receive(bytes, (uint32_t)(length / 2));
    return fits ? words_agree() : words_refuse("too many bytes are on their way");
}

static bool host_baud(words_t words)
{
    long baud;
    if (!words_whole(words.word[1], 0, 2000000, &baud) || (baud > 0 && baud < 300)) {
        return words_refuse("host-baud takes 0, or 300 to 2000000");
    }
    uart_host_baud((uint32_t)baud);
    fprintf(words_out, "ok %u\n", uart_baud());
    return true;
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

static bool sensor_of(words_t words, long *sensor)
{
    return words_whole(words.word[1], 0, WIRING_SENSOR_COUNT - 1, sensor);
}

static bool sensor_value(words_t words, long low, long high, void (*set)(uint8_t, int))
{
    long sensor, counts;
    if (!sensor_of(words, &sensor) || !words_whole(words.word[2], low, high, &counts)) {
        return words_refuse("a sensor is 0 to 200, counts go up to 1023");
    }
    set((uint8_t)sensor, (int)counts);
    return words_agree();
}

static bool field(words_t words)
{
    return sensor_value(words, -TABLE_COUNTS_MAX, TABLE_COUNTS_MAX, table_field);
}

static bool zero(words_t words)
{
    return sensor_value(words, 0, TABLE_COUNTS_MAX, table_zero);
}

static bool sensor_state(words_t words, sensor_state_t state)
{
    long sensor;
    if (!sensor_of(words, &sensor)) {
        return words_refuse("a sensor is 0 to 200");
    }
    table_state((uint8_t)sensor, state);
    return words_agree();
}

static bool make_short(words_t words)
{
    return sensor_state(words, SENSOR_SHORT);
}

static bool make_open(words_t words)
{
    return sensor_state(words, SENSOR_OPEN);
}

static bool mend(words_t words)
{
    return sensor_state(words, SENSOR_WELL);
}

static bool noise(words_t words)
{
    double counts;
    if (!words_real(words.word[1], 0, 200, &counts)) {
        return words_refuse("noise takes counts from 0 to 200");
    }
    table_noise(counts);
    return words_agree();
}

static bool settle(words_t words)
{
    double us;
    if (!words_real(words.word[1], 0, 1000, &us)) {
        return words_refuse("settle takes microseconds from 0 to 1000");
    }
    table_settle(us);
    return words_agree();
}

static bool supply(words_t words)
{
    long mv;
    if (!words_whole(words.word[1], 2700, 5500, &mv)) {
        return words_refuse("supply takes millivolts from 2700 to 5500");
    }
    adc_supply_mv((uint32_t)mv);
    return words_agree();
}

/* ---- the chip ------------------------------------------------------------------------------------------------- */

static bool reset(words_t words)
{
    static const struct {
        const char *name;
        reset_t cause;
    } causes[] = {{"power", RESET_POWER}, {"external", RESET_EXTERNAL}, {"brownout", RESET_BROWNOUT}};
    for (size_t index = 0; index < sizeof causes / sizeof *causes; index++) {
        if (!strcmp(words.word[1], causes[index].name)) {
            chip_reset(causes[index].cause);
            const char *why = eeprom_save();
            return why ? words_refuse(why) : words_agree();
        }
    }
    return words_refuse("reset takes power, external or brownout");
}

static bool hang(words_t words)
{
    (void)words;
    chip_hang();
    return words_agree();
}

static bool pins(words_t words)
{
    (void)words;
    pins_t now = table_pins();
    fprintf(words_out, "ok {\"players\": %u, \"green\": %d, \"red\": %d, \"tone_hz\": %u}\n", now.players, now.green,
            now.red, now.tone_hz);
    return true;
}

static bool symbol_address(const char *name, uint32_t *address)
{
    for (uint32_t index = 0; symbols && index < symbols->symbolcount; index++) {
        if (!strcmp(symbols->symbol[index]->symbol, name)) {
            *address = symbols->symbol[index]->addr & 0xFFFFu;
            return symbols->symbol[index]->addr >= 0x800000u;
        }
    }
    return false;
}

static bool peek(words_t words)
{
    uint32_t address;
    long count;
    if (!symbol_address(words.word[1], &address)) {
        return words_refuse("the firmware has no such symbol in RAM");
    }
    if (!words_whole(words.word[2], 1, PEEK_MAX, &count) || address + count > RAM_END + 1) {
        return words_refuse("peek takes 1 to 4096 bytes within RAM");
    }
    fputs("ok ", words_out);
    for (long index = 0; index < count; index++) {
        fprintf(words_out, "%02x", chip_avr->data[address + index]);
    }
    fputc('\n', words_out);
    return true;
}

/* The firmware paints the RAM that nothing uses at boot; what still has the paint was never reached. */
static uint32_t stack_free(void)
{
    uint32_t bottom;
    if (!symbol_address("_end", &bottom)) {
        return 0;
    }
    uint32_t address = bottom;
    while (address <= RAM_END && chip_avr->data[address] == chip_avr->data[bottom]) {
        address++;
    }
    return address - bottom;
}

static bool figures(words_t words)
{
    const figures_t *f = &chip_figures;
    if (words.count == 2 && strcmp(words.word[1], "reset")) {
        return words_refuse("figures takes reset, or nothing");
    }
    uint64_t cycles = chip_now() - f->reset_cycle;
    fprintf(words_out,
            "ok {\"now_us\": %llu, \"cycles\": %llu, \"asleep_cycles\": %llu, \"irq_off_max_us\": %.2f, "
            "\"irq_off_max_pc\": %u, \"settle_min_us\": %.2f, \"hold_to_move_min_us\": %.2f, "
            "\"interrupts\": %llu, \"scans\": %llu, \"adc_conversions\": %llu, "
            "\"tx_bytes\": %llu, \"rx_bytes\": %llu, \"rx_overruns\": %llu, \"garbled_bytes\": %llu, "
            "\"eeprom_writes\": %llu, \"resets\": %llu, \"stack_free\": %u}\n",
            (unsigned long long)(chip_now() / CYCLES_PER_US), (unsigned long long)cycles,
            (unsigned long long)f->asleep, (double)f->irq_off_max / CYCLES_PER_US, f->irq_off_max_pc,
            (double)f->settle_min / CYCLES_PER_US, (double)f->hold_to_move_min / CYCLES_PER_US,
            (unsigned long long)f->interrupts, (unsigned long long)f->scans, (unsigned long long)f->conversions,
            (unsigned long long)f->bytes_sent, (unsigned long long)f->bytes_heard, (unsigned long long)f->overruns,
            (unsigned long long)f->bytes_garbled, (unsigned long long)f->eeprom_writes,
            (unsigned long long)f->resets, stack_free());
    if (words.count == 2) {
        chip_figures = (figures_t){.reset_cycle = chip_now()};
    }
    return true;
}

static bool quit(words_t words)
{
    (void)words;
    const char *why = eeprom_save();
    if (why) {
        words_refuse(why);
    } else {
        words_agree();
    }
    return false;
}

/* ---- the table of words --------------------------------------------------------------------------------------- */

static const verb_t verbs[] = {
    {"run", 1, 1, run},          {"rx", 1, 1, rx},           {"host-baud", 1, 1, host_baud},
    {"field", 2, 2, field},      {"zero", 2, 2, zero},       {"noise", 1, 1, noise},
    {"settle", 1, 1, settle},    {"supply", 1, 1, supply},   {"short", 1, 1, make_short},
    {"open", 1, 1, make_open},   {"mend", 1, 1, mend},       {"reset", 1, 1, reset},
    {"hang", 0, 0, hang},
    {"pins", 0, 0, pins},        {"peek", 2, 2, peek},       {"figures", 0, 1, figures},
    {"quit", 0, 0, quit},
};

static const verb_t *find_in(const verb_t *table, size_t count, const char *verb)
{
    for (size_t index = 0; index < count; index++) {
        if (!strcmp(verb, table[index].verb)) {
            return &table[index];
        }
    }
    return NULL;
}

static const verb_t *find(const char *verb)
{
    const verb_t *found = find_in(verbs, sizeof verbs / sizeof *verbs, verb);
    return found ? found : find_in(reader_verbs, READER_VERBS_COUNT, verb);
}

void requests_know_symbols(elf_firmware_t *firmware)
{
    symbols = firmware;
}

bool requests_answer(char *line, FILE *to)
{
    words_out = to;
    words_t words = {0};
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        if (words.count == WORDS_CAP) {
            return words_refuse("too many words");
        }
        words.word[words.count++] = word;
    }
    const verb_t *verb = words.count ? find(words.word[0]) : NULL;
    if (!verb) {
        return words_refuse("unknown request; there are run, rx, host-baud, field, zero, noise, settle, supply, short, "
                            "open, mend, tag, untag, misread, doze, reader, version, button, readers, reset, hang, pins, "
                            "peek, figures, quit");
    }
    if (words.count - 1 < verb->least || words.count - 1 > verb->most) {
        fprintf(words_out, "error wrong number of words for %s\n", verb->verb);
        return true;
    }
    return verb->answer(words);
}
