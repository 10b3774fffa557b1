/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compares the ring arithmetic of every back end with `reference`, for every ring. */
#include "unit_test.h"

static _Alignas(64) uint64_t scratch[GF2X_INVERT_SCRATCH_WORDS(LARGEST_R_BITS)];
static struct element a, b, c, d, expected, got;

/* --- Edge inputs: the places where word arithmetic goes wrong --------------------------------- */

enum {
  EDGE_ZERO,
  EDGE_ONE,
  EDGE_ALL_ONES,
  EDGE_WORD_BORDER_LOW,  /* x^63 */
  EDGE_WORD_BORDER_HIGH, /* x^64 */
  EDGE_VECTOR_BORDER_LOW,
  EDGE_VECTOR_BORDER_HIGH,
  EDGE_LAST_WORD, /* the lowest coefficient of the last word */
  EDGE_TOP,       /* x^(r-1) */
  EDGE_BELOW_TOP,
  EDGE_ENDS, /* 1 + x^(r-1) */
  EDGE_EVERY_WORD,
  EDGE_ALTERNATING,
  EDGE_COUNT
};

static void edge_element(const struct gf2x_ring *ring, uint64_t *out, int edge) {
  const uint32_t r = ring->r_bits;
  static const uint32_t border[] = {
      [EDGE_ONE] = 0,
      [EDGE_WORD_BORDER_LOW] = 63,
      [EDGE_WORD_BORDER_HIGH] = 64,
      [EDGE_VECTOR_BORDER_LOW] = 511,
      [EDGE_VECTOR_BORDER_HIGH] = 512,
  };

  memset(out, 0, ring->stride * sizeof *out);
  switch (edge) {
    case EDGE_ZERO:
      break;
    case EDGE_ALL_ONES:
      for (uint32_t j = 0; j < r; j++) {
        set_bit(out, j);
      }
      break;
    case EDGE_LAST_WORD:
      set_bit(out, r / 64 * 64);
      break;
    case EDGE_TOP:
      set_bit(out, r - 1);
      break;
    case EDGE_BELOW_TOP:
      set_bit(out, r - 2);
      break;
    case EDGE_ENDS:
      set_bit(out, 0);
      set_bit(out, r - 1);
      break;
    case EDGE_EVERY_WORD:
      for (uint32_t j = 63; j < r; j += 64) {
        set_bit(out, j);
      }
      break;
    case EDGE_ALTERNATING:
      for (uint32_t j = 0; j < r; j += 2) {
        set_bit(out, j);
      }
      break;
    default:
      set_bit(out, border[edge]);
  }
}

/* --- Products --------------------------------------------------------------------------------- */

static void check_mul(const struct gf2x_ring *ring) {
  const struct backend *backend;
  size_t index = 0;

  ckem_gf2x_reference.mul(ring, expected.words, a.words, b.words, scratch);
  while ((backend = next_compared_backend(&index)) != NULL) {
    memset(&got, 0xFF, sizeof got);
    backend->gf2x->mul(ring, got.words, a.words, b.words, scratch);
    assert_elements_equal(ring, got.words, expected.words);
  }
}

static void mul_on_random(void **unused) {
  uint64_t state = 1;

  (void)unused;
  for (size_t i = 0; i < RING_COUNT; i++) {
    random_element(all_rings[i], a.words, &state);
    random_element(all_rings[i], b.words, &state);
    check_mul(all_rings[i]);
  }
}

static void mul_on_edges(void **unused) {
  (void)unused;
  for (size_t i = 0; i < RING_COUNT; i++) {
    for (int first = 0; first < EDGE_COUNT; first++) {
      edge_element(all_rings[i], a.words, first);
      /* All pairs only in the smallest ring: the reference is slow. */
      for (int second = first; second < EDGE_COUNT; second += i == 0 ? 1 : 5) {
        edge_element(all_rings[i], b.words, second);
        check_mul(all_rings[i]);
      }
    }
  }
}

/* x^j times x^k is x^(j + k mod r): no reference needed, so a wrong oracle would show. */
static void mul_of_monomials(const struct backend *backend) {
  uint64_t state = 2;
  const int repeats = backend->gf2x == &ckem_gf2x_reference ? 2 : 20; /* it is slow */

  for (size_t i = 0; i < RING_COUNT; i++) {
    const struct gf2x_ring *ring = all_rings[i];
    for (int repeat = 0; repeat < repeats; repeat++) {
      const uint32_t j = (uint32_t)(next_random(&state) % ring->r_bits);
      const uint32_t k = (uint32_t)(next_random(&state) % ring->r_bits);
      memset(&a, 0, sizeof a);
      memset(&b, 0, sizeof b);
      memset(&expected, 0, sizeof expected);
      set_bit(a.words, j);
      set_bit(b.words, k);
      set_bit(expected.words, (j + k) % ring->r_bits);
      backend->gf2x->mul(ring, got.words, a.words, b.words, scratch);
      assert_elements_equal(ring, got.words, expected.words);
    }
  }
}

static void mul_in_place(const struct backend *backend) {
  uint64_t state = 3;

  for (size_t i = 0; i < RING_COUNT; i++) {
    const struct gf2x_ring *ring = all_rings[i];
    random_element(ring, a.words, &state);
    random_element(ring, b.words, &state);
    backend->gf2x->mul(ring, expected.words, a.words, b.words, scratch);
    got = a;
    backend->gf2x->mul(ring, got.words, got.words, b.words, scratch);
    assert_elements_equal(ring, got.words, expected.words);
    got = b;
    backend->gf2x->mul(ring, got.words, a.words, got.words, scratch);
    assert_elements_equal(ring, got.words, expected.words);

    backend->gf2x->square_times(ring, expected.words, a.words, 1, scratch);
    got = a;
    backend->gf2x->mul(ring, got.words, got.words, got.words, scratch);
    assert_elements_equal(ring, got.words, expected.words);
  }
}

static void check_mul_add(const struct gf2x_ring *ring) {
  const struct backend *backend;
  size_t index = 0;

  ckem_gf2x_reference.mul_add(ring, expected.words, a.words, b.words, c.words, d.words, scratch);
  while ((backend = next_compared_backend(&index)) != NULL) {
    memset(&got, 0xFF, sizeof got);
    backend->gf2x->mul_add(ring, got.words, a.words, b.words, c.words, d.words, scratch);
    assert_elements_equal(ring, got.words, expected.words);
  }
}

static void mul_add_on_random_and_edges(void **unused) {
  uint64_t state = 4;
  (void)unused;

  for (size_t i = 0; i < RING_COUNT; i++) {
    const struct gf2x_ring *ring = all_rings[i];
    for (int edge = 0; edge < EDGE_COUNT; edge += i == 0 ? 1 : 3) { /* the reference is slow */
      edge_element(ring, a.words, edge);
      random_element(ring, b.words, &state);
      edge_element(ring, c.words, (edge + 5) % EDGE_COUNT);
      random_element(ring, d.words, &state);
      check_mul_add(ring);
    }
    random_element(ring, a.words, &state);
    random_element(ring, c.words, &state);
    check_mul_add(ring);
    c = a; /* the same product twice cancels */
    d = b;
    check_mul_add(ring);
    assert_int_equal(ckem_gf2x_reference.weight(ring, got.words), 0);
  }
}

static void mul_add_in_place(const struct backend *backend) {
  uint64_t state = 5;
  struct element *inputs[] = {&a, &b, &c, &d};

  for (size_t i = 0; i < RING_COUNT; i++) {
    const struct gf2x_ring *ring = all_rings[i];
    for (size_t k = 0; k < 4; k++) {
      random_element(ring, inputs[k]->words, &state);
    }
    backend->gf2x->mul_add(ring, expected.words, a.words, b.words, c.words, d.words, scratch);
    for (size_t k = 0; k < 4; k++) {
      const uint64_t *in[4] = {a.words, b.words, c.words, d.words};
      got = *inputs[k];
      in[k] = got.words;
      backend->gf2x->mul_add(ring, got.words, in[0], in[1], in[2], in[3], scratch);
      assert_elements_equal(ring, got.words, expected.words);
    }
  }
}

/* --- Powers and inverses ---------------------------------------------------------------------- */

static void check_square_times(const struct gf2x_ring *ring, uint32_t k) {
  const struct backend *backend;
  size_t index = 0;

  ckem_gf2x_reference.square_times(ring, expected.words, a.words, k, scratch);
  while ((backend = next_compared_backend(&index)) != NULL) {
    memset(&got, 0xFF, sizeof got);
    backend->gf2x->square_times(ring, got.words, a.words, k, scratch);
    assert_elements_equal(ring, got.words, expected.words);
    got = a;
    backend->gf2x->square_times(ring, got.words, got.words, k, scratch);
    assert_elements_equal(ring, got.words, expected.words);
  }
}

static void square_times_for_many_k(void **unused) {
  uint64_t state = 6;

  (void)unused;
  for (size_t i = 0; i < INVERSION_RING_COUNT; i++) {
    const struct gf2x_ring *ring = all_rings[i];
    const uint32_t n = ring->r_bits - 2;

    for (uint32_t k = 1; k <= 70; k++) {
      random_element(ring, a.words, &state);
      check_square_times(ring, k);
    }
    for (uint32_t bit = 1; n >> bit != 0; bit++) { /* what inversion uses */
      random_element(ring, a.words, &state);
      check_square_times(ring, UINT32_C(1) << (bit - 1));
      check_square_times(ring, n & ((UINT32_C(1) << bit) - 1));
    }
    /* Around the multiplicative order r - 1 of 2, where the power is the identity. */
    for (uint32_t k = ring->r_bits - 3; k <= ring->r_bits; k++) {
      check_square_times(ring, k);
    }
    ckem_gf2x_reference.square_times(ring, got.words, a.words, ring->r_bits - 1, scratch);
    assert_elements_equal(ring, got.words, a.words);
  }
}

static void square_times_on_edges(void **unused) {
  static const uint32_t powers[] = {1, 2, 7, 8, 16, 33, 64, 81, 4129};

  (void)unused;
  for (size_t i = 0; i < INVERSION_RING_COUNT; i++) {
    for (int edge = 0; edge < EDGE_COUNT; edge++) {
      edge_element(all_rings[i], a.words, edge);
      for (size_t k = 0; k < sizeof powers / sizeof powers[0]; k++) {
        check_square_times(all_rings[i], powers[k]);
      }
    }
  }
}

static void invert_gives_the_inverse(const struct backend *backend) {
  uint64_t state = 7;
  struct element one = {{1}};
  const bool slow = backend->gf2x == &ckem_gf2x_reference;
  const int repeats = slow ? 1 : 3;

  for (size_t i = 0; i < (slow ? 1 : INVERSION_RING_COUNT); i++) {
    const struct gf2x_ring *ring = all_rings[i];
    for (int repeat = 0; repeat < repeats; repeat++) {
      random_element(ring, a.words, &state);
      if (ckem_gf2x_reference.weight(ring, a.words) % 2 == 0) {
        a.words[0] ^= 1; /* odd weight is invertible */
      }
      ckem_gf2x_invert(backend->gf2x, ring, got.words, a.words, scratch);
      ckem_gf2x_portable.mul(ring, b.words, got.words, a.words, scratch);
      assert_elements_equal(ring, b.words, one.words);
    }
    ckem_gf2x_invert(backend->gf2x, ring, a.words, a.words, scratch);
    assert_elements_equal(ring, a.words, got.words);

    /* (x^j)^-1 = x^(r-j) */
    memset(&a, 0, sizeof a);
    memset(&expected, 0, sizeof expected);
    set_bit(a.words, 65);
    set_bit(expected.words, ring->r_bits - 65);
    ckem_gf2x_invert(backend->gf2x, ring, got.words, a.words, scratch);
    assert_elements_equal(ring, got.words, expected.words);
  }
}

/* Elements without an inverse do not touch the others. */
static void elements_are_inverted_together(const struct backend *backend) {
  enum { COUNT = 6 };
  static struct element element[COUNT], before[COUNT];
  const struct element one = {{1}};
  uint64_t state = 9;
  const bool slow = backend->gf2x == &ckem_gf2x_reference;

  for (size_t i = 0; i < (slow ? 1 : INVERSION_RING_COUNT); i++) {
    const struct gf2x_ring *ring = all_rings[i];
    for (size_t n = 0; n < COUNT; n++) {
      random_element(ring, element[n].words, &state);
      if (ckem_gf2x_reference.weight(ring, element[n].words) % 2 == 0) {
        element[n].words[0] ^= 1;
      }
    }
    memset(&element[1], 0, sizeof element[1]);
    element[3].words[0] ^= 1; /* even weight */
    edge_element(ring, element[4].words, EDGE_ALL_ONES);
    struct element product = one;
    for (size_t n = 0; n < COUNT; n++) {
      before[n] = product;
      ckem_gf2x_invert_push(backend->gf2x, ring, product.words, element[n].words, b.words, scratch);
    }
    ckem_gf2x_invert(backend->gf2x, ring, product.words, product.words, scratch);
    for (size_t n = COUNT; n-- > 0;) {
      ckem_gf2x_invert_pop(backend->gf2x, ring, got.words, product.words, before[n].words,
                           element[n].words, b.words, scratch);
      ckem_gf2x_portable.mul(ring, expected.words, got.words, element[n].words, scratch);
      if (n == 1 || n == 3 || n == 4) {
        memset(&a, 0, sizeof a);
        assert_elements_equal(ring, got.words, a.words);
      } else {
        assert_elements_equal(ring, expected.words, one.words);
      }
    }
    assert_elements_equal(ring, product.words, one.words);
  }
}

/* --- Weight ----------------------------------------------------------------------------------- */

static void weight_counts_coefficients(const struct backend *backend) {
  uint64_t state = 8;
  const struct gf2x_ops *reference = &ckem_gf2x_reference;
  for (size_t i = 0; i < RING_COUNT; i++) {
    const struct gf2x_ring *ring = all_rings[i];
    for (int edge = 0; edge < EDGE_COUNT; edge++) {
      edge_element(ring, a.words, edge);
      assert_int_equal(backend->gf2x->weight(ring, a.words), reference->weight(ring, a.words));
    }
    edge_element(ring, a.words, EDGE_ALL_ONES);
    assert_int_equal(backend->gf2x->weight(ring, a.words), ring->r_bits);
    random_element(ring, a.words, &state);
    assert_int_equal(backend->gf2x->weight(ring, a.words), reference->weight(ring, a.words));
  }
}

EACH_BACKEND(mul_of_monomials)
EACH_BACKEND(mul_in_place)
EACH_BACKEND(mul_add_in_place)
EACH_BACKEND(invert_gives_the_inverse)
EACH_BACKEND(elements_are_inverted_together)
EACH_BACKEND(weight_counts_coefficients)

/* --- What all back ends share: encoding, addition, the rings ---------------------------------- */

static void ring_lengths_follow_from_r(void **unused) {
  static const uint32_t r_bits[] = {12323, 24659, 40973, 17669, 35851, 57637};

  (void)unused;
  for (size_t i = 0; i < RING_COUNT; i++) {
    assert_int_equal(all_rings[i]->r_bits, r_bits[i]);
    assert_int_equal(all_rings[i]->words, (r_bits[i] + 63) / 64);
    assert_int_equal(all_rings[i]->stride, (r_bits[i] + 511) / 512 * 8);
    assert_int_equal(all_rings[i]->bytes, (r_bits[i] + 7) / 8);
  }
}

static void encode_undoes_decode(void **unused) {
  uint64_t state = 9;
  uint8_t bytes[GF2X_BYTES(LARGEST_R_BITS)];
  uint8_t again[GF2X_BYTES(LARGEST_R_BITS)];

  (void)unused;
  for (size_t i = 0; i < RING_COUNT; i++) {
    const struct gf2x_ring *ring = all_rings[i];
    random_element(ring, a.words, &state);
    ckem_gf2x_encode(ring, bytes, a.words);
    for (uint32_t j = 0; j < ring->r_bits; j++) {
      assert_int_equal(bytes[j / 8] >> (j % 8) & 1, a.words[j / 64] >> (j % 64) & 1);
    }
    assert_int_equal(bytes[ring->bytes - 1] >> (ring->r_bits % 8), 0);
    memset(&got, 0xFF, sizeof got);
    ckem_gf2x_decode(ring, got.words, bytes);
    assert_elements_equal(ring, got.words, a.words);
    ckem_gf2x_encode(ring, again, got.words);
    assert_memory_equal(again, bytes, ring->bytes);
  }
}

static void decode_folds_padding_bits(void **unused) {
  uint8_t bytes[GF2X_BYTES(LARGEST_R_BITS)];

  (void)unused;
  for (size_t i = 0; i < RING_COUNT; i++) {
    const struct gf2x_ring *ring = all_rings[i];
    for (uint32_t bit = ring->r_bits; bit < 8 * ring->bytes; bit++) {
      /* On top of 1 + x^(r-1): the padding bit r + i toggles coefficient i, so i = 0 cancels. */
      memset(bytes, 0, sizeof bytes);
      bytes[0] = 1;
      bytes[(ring->r_bits - 1) / 8] = (uint8_t)(1 << ((ring->r_bits - 1) % 8));
      bytes[bit / 8] |= (uint8_t)(1 << (bit % 8));
      memset(&expected, 0, sizeof expected);
      set_bit(expected.words, ring->r_bits - 1);
      expected.words[0] ^= 1 ^ (UINT64_C(1) << (bit - ring->r_bits));
      ckem_gf2x_decode(ring, got.words, bytes);
      assert_elements_equal(ring, got.words, expected.words);
    }
  }
}

static void add_is_xor(void **unused) {
  uint64_t state = 10;

  (void)unused;
  for (size_t i = 0; i < RING_COUNT; i++) {
    const struct gf2x_ring *ring = all_rings[i];
    random_element(ring, a.words, &state);
    random_element(ring, b.words, &state);
    ckem_gf2x_add(ring, got.words, a.words, b.words);
    for (size_t k = 0; k < ring->stride; k++) {
      assert_true(got.words[k] == (a.words[k] ^ b.words[k]));
    }
    ckem_gf2x_add(ring, got.words, got.words, b.words);
    assert_elements_equal(ring, got.words, a.words);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ring_lengths_follow_from_r),
      cmocka_unit_test(encode_undoes_decode),
      cmocka_unit_test(decode_folds_padding_bits),
      cmocka_unit_test(add_is_xor),
      cmocka_unit_test(weight_counts_coefficients_each),
      cmocka_unit_test(mul_of_monomials_each),
      cmocka_unit_test(mul_on_edges),
      cmocka_unit_test(mul_on_random),
      cmocka_unit_test(mul_in_place_each),
      cmocka_unit_test(mul_add_on_random_and_edges),
      cmocka_unit_test(mul_add_in_place_each),
      cmocka_unit_test(square_times_on_edges),
      cmocka_unit_test(square_times_for_many_k),
      cmocka_unit_test(invert_gives_the_inverse_each),
      cmocka_unit_test(elements_are_inverted_together_each),
  };

  return cmocka_run_group_tests_name("gf2x", tests, NULL, NULL);
}
