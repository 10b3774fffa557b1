/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks the samplers of BIKE: small worked examples of the specification [BIKE, S15], and every
 * back end against `reference`; and that of HQC with a stream that is stuck. */
#include "unit_test.h"

#include "bike/bike.h"
#include "bike/sampling.h"
#include "hqc/sampling.h"

static _Alignas(64) uint8_t seed[BIKE_SEED_BYTES];
static struct element expected, got;

static void open_prf(struct bike_prf *prf, const struct backend *backend) {
  for (size_t i = 0; i < sizeof seed; i++) {
    seed[i] = (uint8_t)i;
  }
  assert_true(ckem_bike_sha3.prf_open(prf, backend->keccak, seed));
}

static void prf_words_match_the_specification(const struct backend *backend) {
  static const uint32_t words[] = {0x887cf069, 0x0280ce40, 0x3909b34d, 0x5b3d2c88,
                                   0xb3989cbc, 0x13451ee3, 0x9bcad2eb, 0xd3cd0345};
  struct bike_prf prf;
  uint32_t drawn[8];

  open_prf(&prf, backend);
  assert_true(ckem_bike_sha3.prf_words(&prf, drawn, 8));
  ckem_bike_sha3.prf_close(&prf);
  assert_memory_equal(drawn, words, sizeof words);

  /* In several requests, the same stream. */
  open_prf(&prf, backend);
  assert_true(ckem_bike_sha3.prf_words(&prf, drawn, 1));
  assert_true(ckem_bike_sha3.prf_words(&prf, drawn + 1, 2));
  assert_true(ckem_bike_sha3.prf_words(&prf, drawn + 3, 5));
  ckem_bike_sha3.prf_close(&prf);
  assert_memory_equal(drawn, words, sizeof words);
}

static void biased_sampler_matches_the_specification(const struct backend *backend) {
  static const uint32_t five_of_20[] = {14, 7, 6, 3, 12};
  static const uint32_t nine_of_12[] = {0, 1, 8, 3, 9, 5, 6, 7, 10};
  struct bike_prf prf;
  uint32_t positions[9];

  open_prf(&prf, backend);
  assert_true(ckem_bike_sample_biased(backend->sparse, &ckem_bike_sha3, &prf, positions, 5, 20));
  ckem_bike_sha3.prf_close(&prf);
  assert_memory_equal(positions, five_of_20, sizeof five_of_20);

  open_prf(&prf, backend);
  assert_true(ckem_bike_sample_biased(backend->sparse, &ckem_bike_sha3, &prf, positions, 9, 12));
  ckem_bike_sha3.prf_close(&prf);
  assert_memory_equal(positions, nine_of_12, sizeof nine_of_12);
}

static void rejection_samplers_match_the_specification(const struct backend *backend) {
  static const uint32_t five_of_20[] = {9, 0, 13, 8, 3};
  static const uint32_t nine_of_12[] = {9, 0, 8, 3, 11, 5, 4, 1, 2};
  /* Twelve words give only eight positions. */
  static const uint32_t short_of_12[] = {9, 0, 8, 3, 11, 5, 4, 1, SPARSE_NO_POSITION};
  struct bike_prf prf;
  uint32_t positions[9];

  open_prf(&prf, backend);
  assert_true(ckem_bike_sample_rejection(&ckem_bike_sha3, &prf, positions, 5, 20));
  ckem_bike_sha3.prf_close(&prf);
  assert_memory_equal(positions, five_of_20, sizeof five_of_20);

  open_prf(&prf, backend);
  assert_true(ckem_bike_sample_rejection(&ckem_bike_sha3, &prf, positions, 9, 12));
  ckem_bike_sha3.prf_close(&prf);
  assert_memory_equal(positions, nine_of_12, sizeof nine_of_12);

  open_prf(&prf, backend);
  assert_true(ckem_bike_sample_fixed_draws(&ckem_bike_sha3, &prf, positions, 9, 12, 12));
  ckem_bike_sha3.prf_close(&prf);
  assert_memory_equal(positions, short_of_12, sizeof short_of_12);

  /* With draws to spare the two agree. */
  open_prf(&prf, backend);
  assert_true(ckem_bike_sample_fixed_draws(&ckem_bike_sha3, &prf, positions, 9, 12, 60));
  ckem_bike_sha3.prf_close(&prf);
  assert_memory_equal(positions, nine_of_12, sizeof nine_of_12);
}

/* The sizes that occur (keys and errors of each level), and small ones. */
static const struct {
  size_t count;
  uint32_t length;
} sizes[] = {{71, 12323},
             {103, 24659},
             {137, 40973},
             {134, 2 * 12323},
             {199, 2 * 24659},
             {264, 2 * 40973},
             {1, 1},
             {1, 40973},
             {16, 16},
             {17, 40},
             {SPARSE_MAX_POSITIONS, SPARSE_MAX_POSITIONS}};

static void check_pick_distinct(const struct backend *backend, const uint32_t *words, size_t size) {
  uint32_t want[SPARSE_MAX_POSITIONS];
  uint32_t positions[SPARSE_MAX_POSITIONS];

  ckem_sparse_reference.pick_distinct(want, words, sizes[size].count, sizes[size].length);
  backend->sparse->pick_distinct(positions, words, sizes[size].count, sizes[size].length);
  assert_memory_equal(positions, want, sizes[size].count * sizeof want[0]);
  for (size_t i = 0; i < sizes[size].count; i++) {
    assert_true(positions[i] < sizes[size].length);
    for (size_t j = 0; j < i; j++) {
      assert_int_not_equal(positions[i], positions[j]);
    }
  }
}

static void pick_distinct_matches_the_reference(const struct backend *backend) {
  uint64_t state = 1;
  uint32_t words[SPARSE_MAX_POSITIONS];

  for (size_t size = 0; size < sizeof sizes / sizeof sizes[0]; size++) {
    for (int repeat = 0; repeat < 20; repeat++) {
      for (size_t i = 0; i < SPARSE_MAX_POSITIONS; i++) {
        /* From all different to nearly all equal, so that duplicates abound. */
        words[i] = (uint32_t)(next_random(&state) >> (32 + repeat));
      }
      check_pick_distinct(backend, words, size);
    }
    memset(words, 0, sizeof words);
    check_pick_distinct(backend, words, size);
    memset(words, 0xFF, sizeof words);
    check_pick_distinct(backend, words, size);
  }
}

static void check_set_positions(const struct backend *backend, const struct gf2x_ring *ring,
                                const uint32_t *positions, size_t count, uint32_t first) {
  ckem_sparse_reference.set_positions(ring, expected.words, positions, count, first);
  memset(&got, 0xFF, sizeof got);
  backend->sparse->set_positions(ring, got.words, positions, count, first);
  assert_elements_equal(ring, got.words, expected.words);
}

static void set_positions_matches_the_reference(const struct backend *backend) {
  uint64_t state = 2;

  for (size_t i = 0; i < RING_COUNT; i++) {
    const struct gf2x_ring *ring = all_rings[i];
    const uint32_t r = ring->r_bits;
    const uint32_t edges[] = {0, 1,     63,     64,     511,         512,       r - 1,
                              r, r + 1, r + 63, r + 64, r / 64 * 64, 2 * r - 1, SPARSE_NO_POSITION};
    const size_t edge_count = sizeof edges / sizeof edges[0];
    uint32_t words[SPARSE_MAX_POSITIONS];
    uint32_t positions[SPARSE_MAX_POSITIONS];

    check_set_positions(backend, ring, edges, edge_count, 0);
    check_set_positions(backend, ring, edges, edge_count, r);
    for (size_t k = 0; k < edge_count; k++) {
      check_set_positions(backend, ring, edges + k, 1, 0);
      check_set_positions(backend, ring, edges + k, 1, r);
    }
    for (size_t k = 0; k < SPARSE_MAX_POSITIONS; k++) {
      words[k] = (uint32_t)next_random(&state);
    }
    ckem_sparse_reference.pick_distinct(positions, words, 264, 2 * r);
    check_set_positions(backend, ring, positions, 264, 0);
    check_set_positions(backend, ring, positions, 264, r);
    check_set_positions(backend, ring, positions, 0, 0);
  }
}

/* Lists in which some entries are those of earlier ones, from several begins. */
static void marks_of_repeats_are_right(const struct backend *backend) {
  uint32_t positions[SPARSE_MAX_POSITIONS];
  uint32_t marks[SPARSE_MAX_POSITIONS + 1];

  if (backend->sparse->mark_repeats == NULL) {
    return;
  }
  for (uint32_t count = 1; count < SPARSE_MAX_POSITIONS; count += 1 + count / 7) {
    for (uint32_t i = 0; i < count; i++) {
      positions[i] = i * i * 2654435761U % (2 * count); /* 0 is one of them */
    }
    for (uint32_t begin = 0; begin < count; begin += 1 + count / 5) {
      memset(marks, 0xA5, sizeof marks);
      backend->sparse->mark_repeats(marks, positions, begin, count);
      for (uint32_t i = begin; i < count; i++) {
        bool repeated = false;
        for (uint32_t j = 0; j < i; j++) {
          repeated |= positions[i] == positions[j];
        }
        assert_int_equal(marks[i] >> 31, repeated);
      }
      assert_int_equal(marks[count], 0xA5A5A5A5);
    }
  }
}

EACH_BACKEND(prf_words_match_the_specification)
EACH_BACKEND(biased_sampler_matches_the_specification)
EACH_BACKEND(rejection_samplers_match_the_specification)
EACH_BACKEND_BUT_REFERENCE(pick_distinct_matches_the_reference)
EACH_BACKEND_BUT_REFERENCE(set_positions_matches_the_reference)
EACH_BACKEND(marks_of_repeats_are_right)

static void permute_to_ones(uint64_t state[KECCAK_LANES]) {
  memset(state, 0xFF, KECCAK_LANES * sizeof *state);
}

static void missing_positions_of_hqc_are_zero(void **state) {
  static const struct keccak_ops stuck = {.name = "stuck", .permute = permute_to_ones};
  const struct hqc_variant variant = {.params = &ckem_hqc_level1};
  const struct backend backend = {.sparse = &ckem_sparse_portable};
  struct keccak_sponge stream;
  uint8_t first[HQC_MAX_FIRST_BYTES];
  uint32_t positions[HQC_MAX_WEIGHT];

  (void)state;
  ckem_keccak_init(&stream, &stuck, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_finish(&stream);
  memset(first, 0xFF, sizeof first); /* no candidate is below the bound but for three */
  memset(positions, 0xA5, sizeof positions);
  for (uint32_t i = 0; i < 3; i++) {
    first[3 * i] = (uint8_t)(7 + i);
    first[3 * i + 1] = 0;
    first[3 * i + 2] = 0;
  }
  assert_false(ckem_hqc_sample_rejection_from(&variant, &backend, &stream, first, positions));
  for (uint32_t i = 0; i < variant.params->key_weight; i++) {
    assert_int_equal(positions[i], i < 3 ? 7 + i : 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prf_words_match_the_specification_each),
      cmocka_unit_test(biased_sampler_matches_the_specification_each),
      cmocka_unit_test(rejection_samplers_match_the_specification_each),
      cmocka_unit_test(pick_distinct_matches_the_reference_each),
      cmocka_unit_test(set_positions_matches_the_reference_each),
      cmocka_unit_test(marks_of_repeats_are_right_each),
      cmocka_unit_test(missing_positions_of_hqc_are_zero),
  };

  return cmocka_run_group_tests_name("sampling", tests, NULL, NULL);
}
