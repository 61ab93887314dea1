/* The firmware's codec, debounce and outbox, driven by lines: whoever compares them with another implementation talks
 * to this.
 *
 *   decode HEX...        one line `frame TYPE SEQ ACK PAYLOAD` for each frame (an empty payload is `-`), then
 *                        `ok TOO_LONG TOO_SHORT BAD_COBS BAD_CRC`. Each HEX is a chunk, `-` is an empty one
 *   encode TYPE SEQ ACK HEX          `ok FRAME`
 *   debounce SETTLE_MS RAW:ELAPSED_MS...   from rest at class 0: `ok STABLE...`, one for each reading
 *   outbox STEP...       a new outbox through these steps: push:SENSOR:OLD:NEW:MS, ack:NUMBER, resend:MS, due:MS.
 *                        `ok WORD... RETRIES:OVERFLOWS:OLDEST`, a word for each `due`: `-`, `snapshot:NUMBER`, or
 *                        `events:FIRST:BASE_MS` and `:SENSOR:CLASSES:DT_MS` for each row
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "debounce.h"
#include "frame.h"
#include "outbox.h"

#define LINE_BYTES 200000u

static char line[LINE_BYTES];
static uint8_t bytes[LINE_BYTES / 2];

static size_t parse_hex(const char *text)
{
    size_t count = 0;
    if (strcmp(text, "-") == 0) {
        return 0;
    }
    for (; text[0] != '\0' && text[1] != '\0'; text += 2) {
        char pair[3] = {text[0], text[1], '\0'};
        bytes[count++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return count;
}

static void print_hex(const uint8_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf("%02x", from[i]);
    }
    if (count == 0) {
        printf("-");
    }
}

static void decode(void)
{
    static frame_decoder_t decoder;
    frame_t frame;
    memset(&decoder, 0, sizeof decoder);
    for (const char *chunk = strtok(NULL, " "); chunk != NULL; chunk = strtok(NULL, " ")) {
        size_t count = parse_hex(chunk);
        for (size_t i = 0; i < count; i++) {
            if (frame_receive(&decoder, bytes[i], &frame)) {
                printf("frame %u %u %u ", frame.type, frame.seq, frame.ack);
                print_hex(frame.payload, frame.size);
                printf("\n");
            }
        }
    }
    printf("ok %u %u %u %u\n", decoder.drops[FRAME_TOO_LONG], decoder.drops[FRAME_TOO_SHORT],
           decoder.drops[FRAME_BAD_COBS], decoder.drops[FRAME_BAD_CRC]);
}

static uint8_t parse_byte(void)
{
    const char *word = strtok(NULL, " ");
    return word == NULL ? 0 : (uint8_t)strtoul(word, NULL, 10);
}

static void encode(void)
{
    frame_building_t building;
    uint8_t type = parse_byte();
    uint8_t seq = parse_byte();
    uint8_t ack = parse_byte();
    const char *payload = strtok(NULL, " ");
    size_t size = payload == NULL ? 0 : parse_hex(payload);
    if (size > TW_PAYLOAD_MAX) {
        printf("error a payload of %zu bytes\n", size);
        return;
    }
    memcpy(building.bytes + FRAME_PAYLOAD_AT, bytes, size);
    uint8_t count = frame_seal(&building, type, seq, ack, (uint8_t)size);
    printf("ok ");
    print_hex(building.bytes, count);
    printf("\n");
}

static void replay_debounce(void)
{
    debounced_t state = debounce_at_rest(0);
    uint8_t settle_ms = parse_byte();
    printf("ok");
    for (const char *reading = strtok(NULL, " "); reading != NULL; reading = strtok(NULL, " ")) {
        char *elapsed;
        uint8_t raw = (uint8_t)strtoul(reading, &elapsed, 10);
        state = debounce(state, raw, (uint8_t)strtoul(elapsed + 1, NULL, 10), settle_ms);
        printf(" %u", state.stable);
    }
    printf("\n");
}

static void print_events(void)
{
    struct {
        tw_events_t head;
        tw_event_row_t rows[TW_BATCH_MAX];
    } events;
    changes_write_events(&events, 1);
    printf(" events:%u:%u", events.head.first_number, events.head.base_ms);
    for (unsigned i = 0; i < events.head.count; i++) {
        printf(":%u:%u:%u", events.rows[i].sensor, events.rows[i].classes, events.rows[i].dt_ms);
    }
}

static void take_due(uint32_t now_ms)
{
    switch (outbox_due(now_ms)) {
    case OUTBOX_NOTHING:
        printf(" -");
        return;
    case OUTBOX_BATCH:
        print_events();
        break;
    case OUTBOX_SNAPSHOT:
        printf(" snapshot:%u", outbox_oldest_number() - 1u);
        break;
    }
    outbox_sent(now_ms);
}

static void replay_outbox(void)
{
    changes_start();
    printf("ok");
    for (const char *step = strtok(NULL, " "); step != NULL; step = strtok(NULL, " ")) {
        unsigned long numbers[4] = {0};
        char *at = strchr(step, ':');
        for (unsigned i = 0; i < 4 && at != NULL && *at == ':'; i++) {
            numbers[i] = strtoul(at + 1, &at, 10);
        }
        switch (step[0]) {
        case 'p':
            changes_push((uint8_t)numbers[0], (uint8_t)numbers[1], (uint8_t)numbers[2], (uint32_t)numbers[3]);
            break;
        case 'a':
            outbox_acknowledge((uint32_t)numbers[0]);
            break;
        case 'r':
            outbox_resend((uint32_t)numbers[0]);
            break;
        default:
            take_due((uint32_t)numbers[0]);
            break;
        }
    }
    printf(" %u:%u:%u\n", outbox_retry_count(), outbox_overflow_count(), outbox_oldest_number());
}

static const struct {
    const char *verb;
    void (*obey)(void);
} verbs[] = {{"decode", decode}, {"encode", encode}, {"debounce", replay_debounce}, {"outbox", replay_outbox}};

int main(void)
{
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const char *verb = strtok(line, " ");
        size_t i = 0;
        while (i < sizeof verbs / sizeof *verbs && (verb == NULL || strcmp(verb, verbs[i].verb) != 0)) {
            i++;
        }
        if (i < sizeof verbs / sizeof *verbs) {
            verbs[i].obey();
        } else {
            printf("error unknown verb\n");
        }
        fflush(stdout);
    }
    return 0;
}
