/* GPL-3.0-or-later. Owns the words of a request; everything it does is done by the parts of the chip. */
#include "requests.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adc.h"
#include "atmega2560.h"
#include "chip.h"
#include "eeprom.h"
#include "table.h"
#include "uart.h"

enum {
    CYCLES_PER_US = F_CPU_HZ / 1000000u,
    WORDS_CAP = 4,
    RUN_US_MAX = 10000000, /* a caller that waits longer cannot tell a long run from a hang */
    PEEK_MAX = 4096,
    TX_LINE_MAX = 1024,    /* bytes in one tx line */
    SAVE_US = 1000000,     /* a changed EEPROM reaches its file within a second of board time */
};

static elf_firmware_t *symbols;
static FILE *out;
static uint64_t saved_cycle;

/* ---- reading words -------------------------------------------------------------------------------------------- */

typedef struct {
    int count;
    char *word[WORDS_CAP];
} words_t;

static bool refuse(const char *text)
{
    fprintf(out, "error %s\n", text);
    return true;
}

static bool agree(void)
{
    fputs("ok\n", out);
    return true;
}

static bool whole(const char *word, long low, long high, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(word, &end, 10);
    return *word && !*end && errno == 0 && *value >= low && *value <= high;
}

static bool real(const char *word, double low, double high, double *value)
{
    char *end;
    *value = strtod(word, &end);
    return *word && !*end && isfinite(*value) && *value >= low && *value <= high;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

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
        fprintf(out, "tx %llu ", (unsigned long long)(said[to - 1].cycle / CYCLES_PER_US));
        for (; from < to; from++) {
            fprintf(out, "%02x", said[from].byte);
        }
        fputc('\n', out);
    }
}

static bool crash_report(void)
{
    fprintf(out, "error the firmware crashed at PC 0x%05x: %s\n", chip_crash_pc(), chip_crash_why());
    return true;
}

static bool run(words_t words)
{
    long us;
    if (!whole(words.word[1], 0, RUN_US_MAX, &us)) {
        return refuse("run takes microseconds from 0 to 10000000");
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
            return refuse(why);
        }
    }
    if (!lives) {
        return crash_report();
    }
    fprintf(out, "ok %llu\n", (unsigned long long)(chip_now() / CYCLES_PER_US));
    return true;
}

static bool rx(words_t words)
{
    static uint8_t bytes[RX_CAP];
    size_t length = strlen(words.word[1]);
    if (length % 2 || length / 2 > RX_CAP) {
        return refuse("rx takes at most 4096 bytes, two hex digits each");
    }
    for (size_t index = 0; index < length / 2; index++) {
        int high = digit(words.word[1][2 * index]), low = digit(words.word[1][2 * index + 1]);
        if (high < 0 || low < 0) {
            return refuse("rx takes hex digits");
        }
        bytes[index] = (uint8_t)(high << 4 | low);
    }
    return uart_receive(bytes, (uint32_t)(length / 2)) ? agree() : refuse("too many bytes are on their way");
}

static bool host_baud(words_t words)
{
    long baud;
    if (!whole(words.word[1], 0, 2000000, &baud) || (baud > 0 && baud < 300)) {
        return refuse("host-baud takes 0, or 300 to 2000000");
    }
    uart_host_baud((uint32_t)baud);
    fprintf(out, "ok %u\n", uart_baud());
    return true;
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

static bool sensor_of(words_t words, long *sensor)
{
    return whole(words.word[1], 0, WIRING_SENSOR_COUNT - 1, sensor);
}

static bool sensor_value(words_t words, long low, long high, void (*set)(uint8_t, int))
{
    long sensor, counts;
    if (!sensor_of(words, &sensor) || !whole(words.word[2], low, high, &counts)) {
        return refuse("a sensor is 0 to 200, counts go up to 1023");
    }
    set((uint8_t)sensor, (int)counts);
    return agree();
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
        return refuse("a sensor is 0 to 200");
    }
    table_state((uint8_t)sensor, state);
    return agree();
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
    if (!real(words.word[1], 0, 200, &counts)) {
        return refuse("noise takes counts from 0 to 200");
    }
    table_noise(counts);
    return agree();
}

static bool settle(words_t words)
{
    double us;
    if (!real(words.word[1], 0, 1000, &us)) {
        return refuse("settle takes microseconds from 0 to 1000");
    }
    table_settle(us);
    return agree();
}

static bool supply(words_t words)
{
    long mv;
    if (!whole(words.word[1], 2700, 5500, &mv)) {
        return refuse("supply takes millivolts from 2700 to 5500");
    }
    adc_supply_mv((uint32_t)mv);
    return agree();
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
            return why ? refuse(why) : agree();
        }
    }
    return refuse("reset takes power, external or brownout");
}

static bool hang(words_t words)
{
    (void)words;
    chip_hang();
    return agree();
}

static bool pins(words_t words)
{
    (void)words;
    pins_t now = table_pins();
    fprintf(out, "ok {\"players\": %u, \"green\": %d, \"red\": %d, \"tone_hz\": %u}\n", now.players, now.green,
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
        return refuse("the firmware has no such symbol in RAM");
    }
    if (!whole(words.word[2], 1, PEEK_MAX, &count) || address + count > RAM_END + 1) {
        return refuse("peek takes 1 to 4096 bytes within RAM");
    }
    fputs("ok ", out);
    for (long index = 0; index < count; index++) {
        fprintf(out, "%02x", chip_avr->data[address + index]);
    }
    fputc('\n', out);
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
        return refuse("figures takes reset, or nothing");
    }
    uint64_t cycles = chip_now() - f->reset_cycle;
    fprintf(out,
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
        refuse(why);
    } else {
        agree();
    }
    return false;
}

/* ---- the table of words --------------------------------------------------------------------------------------- */

static const struct {
    const char *verb;
    int least, most; /* words behind it */
    bool (*answer)(words_t words);
} verbs[] = {
    {"run", 1, 1, run},          {"rx", 1, 1, rx},           {"host-baud", 1, 1, host_baud},
    {"field", 2, 2, field},      {"zero", 2, 2, zero},       {"noise", 1, 1, noise},
    {"settle", 1, 1, settle},    {"supply", 1, 1, supply},   {"short", 1, 1, make_short},
    {"open", 1, 1, make_open},   {"mend", 1, 1, mend},       {"reset", 1, 1, reset},
    {"hang", 0, 0, hang},
    {"pins", 0, 0, pins},        {"peek", 2, 2, peek},       {"figures", 0, 1, figures},
    {"quit", 0, 0, quit},
};

void requests_know_symbols(elf_firmware_t *firmware)
{
    symbols = firmware;
}

bool requests_answer(char *line, FILE *to)
{
    out = to;
    words_t words = {0};
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        if (words.count == WORDS_CAP) {
            return refuse("too many words");
        }
        words.word[words.count++] = word;
    }
    for (size_t index = 0; words.count && index < sizeof verbs / sizeof *verbs; index++) {
        if (!strcmp(words.word[0], verbs[index].verb)) {
            if (words.count - 1 < verbs[index].least || words.count - 1 > verbs[index].most) {
                fprintf(out, "error wrong number of words for %s\n", verbs[index].verb);
                return true;
            }
            return verbs[index].answer(words);
        }
    }
    return refuse("unknown request; there are run, rx, host-baud, field, zero, noise, settle, supply, short, open, "
                  "mend, reset, hang, pins, peek, figures, quit");
}
