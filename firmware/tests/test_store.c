/* Settings that survive a power cut at any moment. */
#include "check.h"

#include <string.h>

#include "hal_native.h"
#include "messages.h"
#include "store.h"

#define VERSION 1u
#define RECORD_BYTES 40u
#define BOOT_CELLS_BYTES 10u

static uint8_t record[RECORD_BYTES];

static void fill(uint8_t seed)
{
    for (uint8_t i = 0; i < RECORD_BYTES; i++) {
        record[i] = (uint8_t)(seed + i * 7u);
    }
}

static bool holds(uint8_t seed)
{
    for (uint8_t i = 0; i < RECORD_BYTES; i++) {
        if (record[i] != (uint8_t)(seed + i * 7u)) {
            return false;
        }
    }
    return true;
}

/* A power cut and what the next boot finds; `record` is 0 where nothing was found. */
static store_found_t boot(void)
{
    native.writes_until_cut = NATIVE_NEVER;
    native.cut = false;
    native.eeprom_ready_ms = 0;
    native.writes = 0;
    memset(record, 0, sizeof record);
    store_found_t found = store_start(record, sizeof record, VERSION);
    for (int i = 0; i < 20; i++) { /* the count of boots */
        store_step();
    }
    return found;
}

static void write_all(void)
{
    store_begin();
    for (int i = 0; i < 200 && !native.cut; i++) {
        store_step();
    }
}

static void store_record(uint8_t seed)
{
    fill(seed);
    write_all();
    assert_int_equal(store_unwritten_bytes(), 0);
}

static void a_blank_chip_holds_nothing(void **state)
{
    (void)state;
    native_new();
    assert_int_equal(boot(), TW_SETTINGS_NONE);
    assert_int_equal(record[5], 0);
}

static void the_newest_record_is_found_however_many_were_written(void **state)
{
    (void)state;
    native_new();
    boot();
    for (unsigned i = 1; i < 300; i++) {
        store_record((uint8_t)i);
        if (i % 7 == 0) {
            assert_int_equal(boot(), TW_SETTINGS_STORED);
            assert_true(holds((uint8_t)i));
        }
    }
}

static void sequence_numbers_may_wrap(void **state)
{
    (void)state;
    native_new();
    boot();
    for (uint32_t i = 0; i < 65536 + 3; i++) {
        memset(record, (int)(i & 0x7F), 1);
        store_begin();
        while (store_unwritten_bytes() > 0) {
            store_step();
        }
        if (i > 65530) {
            uint8_t first = record[0];
            assert_int_equal(boot(), TW_SETTINGS_STORED);
            assert_int_equal(record[0], first);
        }
    }
}

static void a_power_cut_after_any_byte_costs_only_the_newest_record(void **state)
{
    (void)state;
    for (unsigned stored = 0; stored < 4; stored++) { /* blank, one slot, both, both again */
        for (uint32_t writes = 0;; writes++) {
            native_new();
            boot();
            for (unsigned i = 1; i <= stored; i++) {
                store_record((uint8_t)(i * 10));
            }
            native.writes_until_cut = writes;
            fill(200);
            write_all();
            bool cut = native.cut;
            store_found_t found = boot();
            if (!cut) {
                assert_int_equal(found, TW_SETTINGS_STORED);
                assert_true(holds(200));
                assert_true(writes > RECORD_BYTES);
                break;
            }
            assert_int_equal(found, stored == 0 ? TW_SETTINGS_NONE : TW_SETTINGS_STORED);
            assert_true(stored == 0 || holds((uint8_t)(stored * 10)));
            store_record(77); /* and the next write goes through */
            assert_int_equal(boot(), TW_SETTINGS_STORED);
            assert_true(holds(77));
        }
    }
}

static void damage_of_any_byte_of_the_only_record_is_noticed(void **state)
{
    (void)state;
    native_new();
    boot();
    store_record(50);
    uint8_t sound[HAL_EEPROM_BYTES];
    memcpy(sound, native.eeprom, sizeof sound);
    unsigned noticed = 0;
    for (unsigned at = BOOT_CELLS_BYTES; at < HAL_EEPROM_BYTES; at++) {
        memcpy(native.eeprom, sound, sizeof sound);
        native.eeprom[at] ^= 0x10;
        store_found_t found = boot();
        assert_true(found == TW_SETTINGS_STORED ? holds(50) : record[0] == 0);
        noticed += found == TW_SETTINGS_DAMAGED;
    }
    /* The record, its header, and the blank slot's version. */
    assert_in_range(noticed, RECORD_BYTES + 6, RECORD_BYTES + 8);
}

static void damage_of_any_byte_of_one_of_two_records_costs_at_most_the_newest(void **state)
{
    (void)state;
    native_new();
    boot();
    store_record(50);
    store_record(60);
    uint8_t sound[HAL_EEPROM_BYTES];
    memcpy(sound, native.eeprom, sizeof sound);
    unsigned older = 0;
    for (unsigned at = BOOT_CELLS_BYTES; at < HAL_EEPROM_BYTES; at++) {
        memcpy(native.eeprom, sound, sizeof sound);
        native.eeprom[at] ^= 0x10;
        assert_int_equal(boot(), TW_SETTINGS_STORED);
        assert_true(holds(50) || holds(60));
        older += holds(50);
    }
    assert_in_range(older, RECORD_BYTES + 6, RECORD_BYTES + 7);
}

static void damage_of_both_records_is_said(void **state)
{
    (void)state;
    native_new();
    boot();
    store_record(50);
    store_record(60);
    for (unsigned at = BOOT_CELLS_BYTES; at < HAL_EEPROM_BYTES; at++) {
        native.eeprom[at] ^= native.eeprom[at] == 50 + 7 || native.eeprom[at] == 60 + 7 ? 0x40 : 0;
    }
    assert_int_equal(boot(), TW_SETTINGS_DAMAGED);
    assert_int_equal(record[1], 0);
}

static void rubbish_is_damage_and_no_record_reaches_beyond_the_chip(void **state)
{
    (void)state;
    static const uint8_t rubbish[] = {0x00, 0x01, 0x0F, 0x5A, 0xFE};
    for (unsigned i = 0; i < sizeof rubbish; i++) {
        native_new();
        memset(native.eeprom, rubbish[i], sizeof native.eeprom);
        assert_int_equal(boot(), TW_SETTINGS_DAMAGED);
        store_record(50);
        assert_int_equal(boot(), TW_SETTINGS_STORED);
        assert_true(holds(50));
    }
}

static void a_sound_record_of_another_layout_is_said_to_be_one(void **state)
{
    (void)state;
    native_new();
    boot();
    store_record(50);
    assert_int_equal(store_start(record, RECORD_BYTES - 1, VERSION), TW_SETTINGS_OTHER_VERSION);
    assert_int_equal(boot(), TW_SETTINGS_STORED);
}

static void nothing_is_written_while_bytes_come_in_or_a_write_takes_its_time(void **state)
{
    (void)state;
    native_new();
    boot();
    fill(50);
    store_begin();
    uint32_t before = native.writes;
    native.quiet_ms = 1;
    for (int i = 0; i < 100; i++) {
        store_step();
    }
    assert_int_equal(native.writes, before);
    native.quiet_ms = 20;
    native.eeprom_write_ms = 4;
    for (int i = 0; i < 100; i++) {
        store_step();
    }
    assert_int_equal(native.writes, before + 1);
}

static void bytes_that_are_as_they_should_be_are_not_written_again(void **state)
{
    (void)state;
    native_new();
    boot();
    store_record(50);
    store_record(50);
    uint32_t before = native.writes;
    record[3] ^= 1;
    write_all();
    assert_in_range(native.writes - before, 2, 4); /* one byte, the sequence number and the checksum */
}

static void boots_are_counted_without_a_gap_or_a_repeat(void **state)
{
    (void)state;
    native_new();
    for (uint32_t i = 1; i < 600; i++) {
        boot();
        assert_int_equal(store_boots(), i);
        assert_true(store_boots_stored());
    }
    for (unsigned cell = 0; cell < 2; cell++) { /* one cell lost: the other one knows */
        native.eeprom[cell * 5] ^= 0x80;
        boot();
        assert_in_range(store_boots(), 599, 602);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blank_chip_holds_nothing),
        cmocka_unit_test(the_newest_record_is_found_however_many_were_written),
        cmocka_unit_test(sequence_numbers_may_wrap),
        cmocka_unit_test(a_power_cut_after_any_byte_costs_only_the_newest_record),
        cmocka_unit_test(damage_of_any_byte_of_the_only_record_is_noticed),
        cmocka_unit_test(damage_of_any_byte_of_one_of_two_records_costs_at_most_the_newest),
        cmocka_unit_test(damage_of_both_records_is_said),
        cmocka_unit_test(rubbish_is_damage_and_no_record_reaches_beyond_the_chip),
        cmocka_unit_test(a_sound_record_of_another_layout_is_said_to_be_one),
        cmocka_unit_test(nothing_is_written_while_bytes_come_in_or_a_write_takes_its_time),
        cmocka_unit_test(bytes_that_are_as_they_should_be_are_not_written_again),
        cmocka_unit_test(boots_are_counted_without_a_gap_or_a_repeat),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
