/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks the parts of the decoder: thresholds for every weight, and the counters of every back end
 * against `reference`. Whole decodings are in tests/kat, with vectors/bike/decoder.json.
 *
 * usage: test_decoder [LEVELS]    counters of so many levels only, for a slow processor */
#include "unit_test.h"

#include "bike/bike.h"
#include "bike/counters.h"
#include "sparse/sparse.h"
#include "bike/decoder.h"

static _Alignas(64) uint64_t scratch[BIKE_COUNT_SCRATCH_WORDS(LARGEST_R_BITS)];
static struct element syndrome, expected, expected_low, got, got_low;

static const struct bike_params *const levels[] = {&ckem_bike_level1, &ckem_bike_level3,
                                                   &ckem_bike_level5};
static size_t counted_levels = sizeof levels / sizeof levels[0];

static void threshold_is_exact_for_every_weight(void **unused) {
  static const struct {
    uint64_t constant, slope;
    uint32_t minimum;
  } decimal[] = {{1353000000, 697220, 36}, {1525880000, 526500, 52}, {1787850000, 402312, 69}};

  (void)unused;
  for (size_t i = 0; i < 3; i++) {
    for (uint32_t weight = 0; weight <= levels[i]->ring->r_bits; weight++) {
      const uint64_t exact = (decimal[i].constant + decimal[i].slope * weight) / 100000000;
      const uint32_t want = exact < decimal[i].minimum ? decimal[i].minimum : (uint32_t)exact;
      assert_int_equal(ckem_bike_threshold(levels[i], weight), want);
    }
  }
}

/* The smallest weights with a threshold [BIKE, S7.3], typed in from the specification. */
static void threshold_steps_where_the_specification_says(void **unused) {
  static const struct {
    size_t level;
    uint32_t threshold, weight;
  } steps[] = {{0, 37, 3367},  {0, 38, 3510},  {0, 39, 3654},  {0, 98, 12116},  {0, 99, 12259},
               {1, 53, 7169},  {1, 54, 7359},  {1, 55, 7549},  {1, 144, 24453}, {1, 145, 24643},
               {2, 70, 12956}, {2, 71, 13205}, {2, 72, 13453}, {2, 181, 40547}, {2, 182, 40795}};

  (void)unused;
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    const struct bike_params *params = levels[steps[i].level];
    assert_int_equal(ckem_bike_threshold(params, steps[i].weight), steps[i].threshold);
    assert_int_equal(ckem_bike_threshold(params, steps[i].weight - 1), steps[i].threshold - 1);
  }
}

static void masked_threshold_follows_from_the_weight(void **unused) {
  (void)unused;
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(levels[i]->masked_threshold, (levels[i]->key_weight + 1) / 2 + 1);
  }
}

/* Counters of s = {0, 2, 3} and {0, 1, 4} for r = 13 [BIKE, S15], one threshold after the other. */
static void reference_counts_match_the_specification(void **unused) {
  static const struct gf2x_ring toy = {.r_bits = 13, .words = 1, .stride = 8, .bytes = 2};
  static const uint32_t counts[13] = {1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 0, 1, 2};
  static const uint32_t support[] = {0, 1, 4};

  (void)unused;
  memset(&syndrome, 0, sizeof syndrome);
  syndrome.words[0] = 1 << 0 | 1 << 2 | 1 << 3;
  for (uint32_t threshold = 0; threshold <= 3; threshold++) {
    ckem_bike_counters_reference.count_unsatisfied(&toy, got.words, threshold, got_low.words, 1,
                                                   syndrome.words, support, 3, scratch);
    for (uint32_t j = 0; j < 13; j++) {
      assert_int_equal(got.words[0] >> j & 1, counts[j] >= threshold);
      assert_int_equal(got_low.words[0] >> j & 1, counts[j] >= 1);
    }
  }
}

static void check_counts(const struct backend *backend, const struct bike_params *params,
                         const uint32_t *support, uint32_t threshold, uint32_t threshold_low) {
  const struct gf2x_ring *ring = params->ring;
  uint32_t ordered[SPARSE_MAX_POSITIONS];

  memcpy(ordered, support, params->key_weight * sizeof *ordered);
  if (ckem_bike_counters_of(backend)->order_support != NULL) {
    ckem_bike_counters_of(backend)->order_support(ring, ordered, params->key_weight);
  }
  ckem_bike_counters_reference.count_unsatisfied(ring, expected.words, threshold,
                                                 expected_low.words, threshold_low, syndrome.words,
                                                 support, params->key_weight, scratch);
  memset(&got, 0xFF, sizeof got);
  memset(&got_low, 0xFF, sizeof got_low);
  ckem_bike_counters_of(backend)->count_unsatisfied(ring, got.words, threshold, got_low.words,
                                                    threshold_low, syndrome.words, ordered,
                                                    params->key_weight, scratch);
  assert_elements_equal(ring, got.words, expected.words);
  assert_elements_equal(ring, got_low.words, expected_low.words);

  memset(&got, 0xFF, sizeof got);
  ckem_bike_counters_of(backend)->count_unsatisfied(
      ring, got.words, threshold, NULL, 0, syndrome.words, ordered, params->key_weight, scratch);
  assert_elements_equal(ring, got.words, expected.words);
}

static void random_support(const struct bike_params *params, uint32_t *support, uint64_t *state) {
  uint32_t words[SPARSE_MAX_POSITIONS];

  for (size_t i = 0; i < params->key_weight; i++) {
    words[i] = (uint32_t)next_random(state);
  }
  ckem_sparse_reference.pick_distinct(support, words, params->key_weight, params->ring->r_bits);
}

/* Sets about one coefficient in 2^sparseness; 0 sets all. */
static void random_syndrome(const struct gf2x_ring *ring, int sparseness, uint64_t *state) {
  struct element more;

  memset(&syndrome, 0, sizeof syndrome);
  memset(syndrome.words, 0xFF, 8 * (size_t)(ring->words - 1));
  syndrome.words[ring->words - 1] = (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  for (int i = 0; i < sparseness; i++) {
    random_element(ring, more.words, state);
    for (size_t k = 0; k < ring->stride; k++) {
      syndrome.words[k] &= more.words[k];
    }
  }
}

static void counts_match_the_reference(const struct backend *backend) {
  uint64_t state = 1;
  uint32_t support[SPARSE_MAX_POSITIONS];

  for (size_t level = 0; level < counted_levels; level++) {
    const struct bike_params *params = levels[level];
    const uint32_t d = params->key_weight;
    for (int sparseness = 0; sparseness <= 3; sparseness++) {
      const uint32_t typical = sparseness == 0 ? d : d >> sparseness;
      random_support(params, support, &state);
      random_syndrome(params->ring, sparseness, &state);
      check_counts(backend, params, support, typical, typical - 3);
      check_counts(backend, params, support, typical + 2, typical + 1);
    }
    /* Thresholds that nothing and that everything reaches; 182 is the largest that occurs. */
    check_counts(backend, params, support, 182, d + 1);
    check_counts(backend, params, support, 1, 0);
  }
}

/* With a syndrome of ones, where a single bit that is lost shows, and one of random bits. */
static void check_edges(const struct backend *backend, const struct bike_params *params,
                        const uint32_t *support, uint64_t *state) {
  const uint32_t d = params->key_weight;

  random_syndrome(params->ring, 0, state);
  check_counts(backend, params, support, d + 1, d);
  random_syndrome(params->ring, 1, state);
  check_counts(backend, params, support, d / 2, d / 2 - 3);
}

/* Shifts by every amount that word and vector arithmetic could get wrong. */
static void counts_match_at_edge_positions(const struct backend *backend) {
  uint64_t state = 2;
  uint32_t support[SPARSE_MAX_POSITIONS];

  for (size_t level = 0; level < counted_levels; level++) {
    const struct bike_params *params = levels[level];
    const uint32_t r = params->ring->r_bits;
    for (uint32_t i = 0; i < params->key_weight; i++) {
      support[i] = i % 2 == 0 ? i / 2 : r - 1 - i / 2; /* 0, r - 1, 1, r - 2, ... */
    }
    check_edges(backend, params, support, &state);
    for (uint32_t i = 0; i < params->key_weight; i++) {
      support[i] = i * 64 % r + i % 3; /* around word borders */
    }
    check_edges(backend, params, support, &state);
  }
}

/* Supports that hardly have as many pairs with one first stage as back end avx512 counts on: of
 * their positions in 1024 places, where such pairs are, the number is odd but in two neighbours.
 * The first of these ends with position number 32, where a vector of 32 numbers ends. */
static void counts_match_with_few_pairs(const struct backend *backend) {
  uint64_t state = 3;
  uint32_t support[SPARSE_MAX_POSITIONS];

  for (size_t level = 0; level < counted_levels; level++) {
    const struct bike_params *params = levels[level];
    const uint32_t classes = (params->ring->r_bits + 1023) / 1024;
    const uint32_t most = params->key_weight - 31 - 2 - 2 - (classes - 4);
    uint32_t count = 0;
    for (uint32_t c = 0; c < classes; c++) {
      const uint32_t some = c == 0 ? 31 : c < 3 ? 2 : c == 3 ? most : 1;
      for (uint32_t i = 0; i < some; i++) {
        support[count++] = 1024 * c + i * (1023 / some);
      }
    }
    assert_int_equal(count, params->key_weight);
    assert_int_equal(most % 2, 1);
    check_edges(backend, params, support, &state);
  }
}

EACH_BACKEND_BUT_REFERENCE(counts_match_the_reference)
EACH_BACKEND_BUT_REFERENCE(counts_match_at_edge_positions)
EACH_BACKEND_BUT_REFERENCE(counts_match_with_few_pairs)

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threshold_is_exact_for_every_weight),
      cmocka_unit_test(threshold_steps_where_the_specification_says),
      cmocka_unit_test(masked_threshold_follows_from_the_weight),
      cmocka_unit_test(reference_counts_match_the_specification),
      cmocka_unit_test(counts_match_the_reference_each),
      cmocka_unit_test(counts_match_at_edge_positions_each),
      cmocka_unit_test(counts_match_with_few_pairs_each),
  };

  if (argc > 1 && argv[1][0] >= '1' && argv[1][0] <= '3') {
    counted_levels = (size_t)(argv[1][0] - '0');
  }
  return cmocka_run_group_tests_name("decoder", tests, NULL, NULL);
}
