/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Operations in rings take no more memory than gf2x_memory.h states, and are right in it, for the
 * library's rings and for those that a new level may have. */
#include "unit_test.h"

static _Alignas(64) uint64_t scratch[GF2X_SCRATCH_WORDS(GF2X_MAX_R_BITS)];
static struct element a, b, c, d, expected, got;

/* Words behind the memory of an operation that must stay as they were. */
#define GUARD_WORDS 4096
static _Alignas(64) uint64_t exact[GF2X_SCRATCH_WORDS(GF2X_MAX_R_BITS) + GUARD_WORDS];

static uint64_t *guarded(size_t words) {
  memset(exact + words, 0xA5, GUARD_WORDS * sizeof *exact);
  return exact;
}

static void assert_guarded(size_t words, const struct gf2x_ring *ring, const char *operation) {
  for (size_t i = words; i < words + GUARD_WORDS; i++) {
    if (exact[i] != UINT64_C(0xA5A5A5A5A5A5A5A5)) {
      fail_msg("%s of %u bits writes behind its memory", operation, (unsigned)ring->r_bits);
    }
  }
}

/* Sets a to three monomials and b to random coefficients, and adds their product to sum. */
static void add_simple_product(const struct gf2x_ring *ring, uint64_t *sum, uint64_t *factor_a,
                               uint64_t *factor_b, uint64_t *state) {
  memset(factor_a, 0, ring->stride * sizeof *factor_a);
  random_element(ring, factor_b, state);
  for (int i = 0; i < 3; i++) {
    const uint32_t shift = (uint32_t)(next_random(state) % ring->r_bits);
    factor_a[shift / 64] ^= UINT64_C(1) << shift % 64;
    for (uint32_t j = 0, k = shift; j < ring->r_bits; j++, k++) {
      k = k < ring->r_bits ? k : 0;
      sum[k / 64] ^= (factor_b[j / 64] >> j % 64 & 1) << k % 64;
    }
  }
}

/* Each operation in no more memory than is stated. */
static void check_in_exact_memory(const struct gf2x_ops *gf2x, const struct gf2x_ring *ring,
                                  uint64_t *state) {
  const uint32_t r = ring->r_bits;

  memset(&expected, 0, sizeof expected);
  add_simple_product(ring, expected.words, a.words, b.words, state);
  gf2x->mul(ring, got.words, a.words, b.words, guarded(GF2X_MUL_SCRATCH_WORDS(r)));
  assert_guarded(GF2X_MUL_SCRATCH_WORDS(r), ring, "mul");
  assert_elements_equal(ring, got.words, expected.words);
  add_simple_product(ring, expected.words, c.words, d.words, state);
  gf2x->mul_add(ring, got.words, a.words, b.words, c.words, d.words,
                guarded(GF2X_ADD_SCRATCH_WORDS(r)));
  assert_guarded(GF2X_ADD_SCRATCH_WORDS(r), ring, "mul_add");
  assert_elements_equal(ring, got.words, expected.words);
  ckem_gf2x_reference.square_times(ring, expected.words, b.words, 3, scratch);
  gf2x->square_times(ring, b.words, b.words, 3, guarded(GF2X_SCRATCH_WORDS(r)));
  assert_guarded(GF2X_SCRATCH_WORDS(r), ring, "square_times");
  assert_elements_equal(ring, b.words, expected.words);
}

static void memory_is_enough(const struct backend *backend) {
  uint64_t state = 1;

  for (size_t i = 0; i < RING_COUNT; i++) {
    check_in_exact_memory(backend->gf2x, all_rings[i], &state);
  }
}

/* Rings that no scheme has, of lengths that the header promises memory for: around the borders
 * where back ends cut elements, and some between. */
static void memory_is_enough_for_other_rings(const struct backend *backend) {
  uint64_t state = 1;

  for (uint32_t words = GF2X_MIN_R_BITS / 64 + 1; 64 * words <= GF2X_MAX_R_BITS; words++) {
    const uint32_t offset = next_random(&state) % 2 == 0 ? 3 : 5;
    const uint32_t r_bits = 64 * (words - 1) + 8 * (uint32_t)(next_random(&state) % 8) + offset;
    const struct gf2x_ring ring = {.r_bits = r_bits,
                                   .words = words,
                                   .stride = GF2X_STRIDE(r_bits),
                                   .bytes = GF2X_BYTES(r_bits)};
    const bool longest = 64 * (words + 4) > GF2X_MAX_R_BITS;
    if (GF2X_HAS_MEMORY(r_bits) && (words % 64 <= 4 || words % 13 == 0 || longest)) {
      check_in_exact_memory(backend->gf2x, &ring, &state);
    }
  }
}

EACH_BACKEND(memory_is_enough)
EACH_BACKEND_BUT_REFERENCE(memory_is_enough_for_other_rings)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_enough_each),
      cmocka_unit_test(memory_is_enough_for_other_rings_each),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
