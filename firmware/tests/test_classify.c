/* Which class a reading shows. */
#include "check.h"

#include <stdbool.h>

#include "classify.h"

enum { EMPTY, N_WEAK, N_STRONG, S_WEAK, S_STRONG, CLASS_COUNT };

static const tw_calibration_row_t unmeasured;
/* Zero 500; weak 100, strong 300 above; weak 60, strong 200 below. Thresholds: 50 and 200 above, 30 and 130 below. */
static const tw_calibration_row_t measured = {500, 50, 150, 30, 100, 3};

static void a_reading_has_a_class_by_the_class_so_far(void **state)
{
    (void)state;
    static const struct {
        const tw_calibration_row_t *levels;
        uint8_t hysteresis_counts;
        uint8_t so_far;
        uint16_t counts;
        uint8_t class;
    } rows[] = {
        /* typical: thresholds at 44 and 168 counts, 8 more or less */
        {&unmeasured, 16, EMPTY, 512, EMPTY},
        {&unmeasured, 16, EMPTY, 512 + 51, EMPTY},
        {&unmeasured, 16, EMPTY, 512 + 52, N_WEAK},
        {&unmeasured, 16, EMPTY, 512 - 51, EMPTY},
        {&unmeasured, 16, EMPTY, 512 - 52, S_WEAK},
        {&unmeasured, 16, EMPTY, 600, N_WEAK},
        {&unmeasured, 16, EMPTY, 760, N_STRONG},
        {&unmeasured, 16, EMPTY, 424, S_WEAK},
        {&unmeasured, 16, EMPTY, 264, S_STRONG},
        {&unmeasured, 16, N_WEAK, 512 + 36, N_WEAK},
        {&unmeasured, 16, N_WEAK, 512 + 35, EMPTY},
        {&unmeasured, 16, N_WEAK, 512 + 175, N_WEAK},
        {&unmeasured, 16, N_WEAK, 512 + 176, N_STRONG},
        {&unmeasured, 16, N_STRONG, 512 + 160, N_STRONG},
        {&unmeasured, 16, N_STRONG, 512 + 159, N_WEAK},
        {&unmeasured, 16, N_STRONG, 512 + 35, EMPTY},
        {&unmeasured, 16, S_WEAK, 512 - 36, S_WEAK},
        {&unmeasured, 16, S_WEAK, 512 - 35, EMPTY},
        {&unmeasured, 16, S_WEAK, 512 - 176, S_STRONG},
        {&unmeasured, 16, S_STRONG, 512 - 160, S_STRONG},
        {&unmeasured, 16, S_STRONG, 512 - 159, S_WEAK},
        /* the other pole has its full threshold */
        {&unmeasured, 16, N_STRONG, 512 - 51, EMPTY},
        {&unmeasured, 16, S_WEAK, 512 + 52, N_WEAK},
        /* ends of the converter */
        {&unmeasured, 16, EMPTY, 0, S_STRONG},
        {&unmeasured, 16, EMPTY, 1023, N_STRONG},
        /* a sensor's own levels */
        {&measured, 2, EMPTY, 500 + 50, EMPTY},
        {&measured, 2, EMPTY, 500 + 51, N_WEAK},
        {&measured, 2, EMPTY, 500 + 201, N_STRONG},
        {&measured, 2, EMPTY, 500 - 30, EMPTY},
        {&measured, 2, EMPTY, 500 - 31, S_WEAK},
        {&measured, 2, EMPTY, 500 - 131, S_STRONG},
        {&measured, 2, S_STRONG, 500 - 129, S_STRONG},
        {&measured, 2, S_STRONG, 500 - 128, S_WEAK},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t class = classify(rows[i].counts, rows[i].levels, rows[i].hysteresis_counts, rows[i].so_far);
        if (class != rows[i].class) {
            fail_msg("row %u: %u counts after class %u are class %u, not %u", i, rows[i].counts, rows[i].so_far, class,
                     rows[i].class);
        }
    }
}

/* Any levels a sensor can have come to: what calibration accepts, and nothing measured. */
static tw_calibration_row_t some_levels(unsigned seed)
{
    static const uint8_t weak[] = {0, 22, 44, 60, 128, 255};
    static const uint8_t strong[] = {0, 22, 100, 124, 255};
    static const uint16_t zero[] = {0, 1, 300, 480, 545, 700, 1023};
    return (tw_calibration_row_t){
        .zero = zero[seed % 7], .n_weak = weak[seed % 6], .n_strong = strong[seed % 5],
        .s_weak = weak[seed / 6 % 6], .s_strong = strong[seed / 5 % 5],
    };
}

static void the_window_of_a_class_is_where_it_stays(void **state)
{
    (void)state;
    static const uint8_t hysteresis[] = {2, 16, 64};
    for (unsigned seed = 0; seed < 210; seed++) {
        tw_calibration_row_t levels = some_levels(seed);
        uint8_t hysteresis_counts = hysteresis[seed % 3];
        for (uint8_t class = EMPTY; class < CLASS_COUNT; class++) {
            classify_window_t window = classify_window(&levels, hysteresis_counts, class);
            for (uint16_t counts = 0; counts <= 1023; counts++) {
                bool inside = counts >= window.low && counts <= window.high;
                assert_int_equal(inside, classify(counts, &levels, hysteresis_counts, class) == class);
            }
        }
    }
}

static void a_magnet_taken_away_leaves_an_empty_sensor_whatever_its_levels(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 210; seed++) {
        tw_calibration_row_t levels = some_levels(seed);
        for (uint8_t class = EMPTY; class < CLASS_COUNT; class++) {
            assert_int_equal(classify(classify_zero(&levels), &levels, 64, class), EMPTY);
        }
    }
}

static void a_stronger_field_is_never_a_weaker_class(void **state)
{
    (void)state;
    static const int rank[] = {0, 1, 2, -1, -2};
    for (unsigned seed = 0; seed < 210; seed++) {
        tw_calibration_row_t levels = some_levels(seed);
        for (uint8_t so_far = EMPTY; so_far < CLASS_COUNT; so_far++) {
            int before = -2;
            for (uint16_t counts = 0; counts <= 1023; counts++) {
                int now = rank[classify(counts, &levels, 64, so_far)];
                assert_true(now >= before);
                before = now;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reading_has_a_class_by_the_class_so_far),
        cmocka_unit_test(the_window_of_a_class_is_where_it_stays),
        cmocka_unit_test(a_magnet_taken_away_leaves_an_empty_sensor_whatever_its_levels),
        cmocka_unit_test(a_stronger_field_is_never_a_weaker_class),
    };
    return cmocka_run_group_tests_name("classify", tests, NULL, NULL);
}
