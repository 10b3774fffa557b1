/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Benes networks: control bits of every back end are those of the reference, networks do what they
 * say, and back. */
#include "benes/benes.h"
#include "unit_test.h"

#define MOST (1U << BENES_MAX_M)

static uint16_t pi[MOST], found[MOST];
static uint8_t control[BENES_CONTROL_BYTES(BENES_MAX_M)], expected[sizeof control];
static _Alignas(64) uint64_t network[BENES_NETWORK_WORDS(BENES_MAX_M)];
static _Alignas(64) uint64_t scratch[BENES_SCRATCH_WORDS(BENES_MAX_M)];
static _Alignas(64) uint64_t data[MOST / 64], original[MOST / 64];

static void random_permutation(size_t n, uint64_t *state) {
  for (size_t i = 0; i < n; i++) {
    const size_t j = (size_t)(next_random(state) % (i + 1));
    pi[i] = pi[j];
    pi[j] = (uint16_t)i;
  }
}

/* Permutations with a simple rule. */
static void special_permutation(size_t n, unsigned kind) {
  for (size_t i = 0; i < n; i++) {
    pi[i] = (uint16_t)(kind == 0   ? i
                       : kind == 1 ? n - 1 - i
                       : kind == 2 ? (i + 1) % n
                       : kind == 3 ? (i + n / 2) % n
                       : kind == 4 ? i ^ 1
                                   : (5 * i + 3) % n);
  }
}

static bool bit_of(const uint64_t *words, size_t i) {
  return (words[i / 64] >> (i % 64) & 1) != 0;
}

/* m = 2: all 24 permutations against the network, run by hand. */
static void all_small(const struct backend *backend) {
  const struct benes_ops *ops = ckem_benes_ops_of(backend);

  for (unsigned code = 0; code < 256; code++) {
    uint16_t a[4] = {0, 1, 2, 3};
    unsigned layer = 0;
    uint16_t seen = 0;
    for (unsigned i = 0; i < 4; i++) {
      pi[i] = (uint16_t)(code >> (2 * i) & 3);
      seen = (uint16_t)(seen | 1U << pi[i]);
    }
    if (seen != 15) {
      continue;
    }
    ops->find_control_bits(2, control, pi, scratch);
    for (unsigned d = 1; layer < 3; layer++, d = layer == 1 ? 2 : 1) {
      for (unsigned k = 0; k < 2; k++) {
        const unsigned j = d == 1 ? 2 * k : k;
        if ((control[0] >> (2 * layer + k) & 1) != 0) {
          const uint16_t t = a[j];
          a[j] = a[j + d];
          a[j + d] = t;
        }
      }
    }
    assert_memory_equal(a, pi, sizeof a);
  }
}

/* Known answers for 16 and 32 numbers. */
static void known_bits(const struct backend *backend) {
  static const uint16_t pi_4[16] = {2, 8, 15, 4, 5, 3, 1, 11, 13, 12, 0, 9, 14, 6, 10, 7};
  static const uint8_t bits_4[7] = {0x2A, 0xD8, 0x40, 0x61, 0x87, 0x3F, 0x9F};
  static const uint16_t pi_5[32] = {5,  0,  25, 26, 22, 9,  21, 13, 16, 23, 10, 4, 29, 30, 2,  28,
                                    11, 31, 3,  1,  27, 12, 19, 6,  15, 7,  18, 8, 17, 20, 24, 14};
  static const uint8_t bits_5[18] = {0xB2, 0x0D, 0x10, 0x21, 0xA0, 0x72, 0x00, 0x36, 0xC6,
                                     0x79, 0x5E, 0x91, 0xF6, 0xE8, 0x5C, 0x72, 0xF7, 0x0C};

  ckem_benes_ops_of(backend)->find_control_bits(4, control, pi_4, scratch);
  assert_memory_equal(control, bits_4, sizeof bits_4);
  ckem_benes_ops_of(backend)->find_control_bits(5, control, pi_5, scratch);
  assert_memory_equal(control, bits_5, sizeof bits_5);
}

static void same_control_bits(void **unused) {
  uint64_t state = 1;

  (void)unused;
  for (unsigned m = 1; m <= BENES_MAX_M; m++) {
    const size_t n = (size_t)1 << m;
    for (unsigned kind = 0; kind < 8; kind++) {
      const struct backend *backend;
      size_t index = 0;
      if (kind < 6) {
        special_permutation(n, kind);
      } else {
        random_permutation(n, &state);
      }
      memset(expected, 0xFF, sizeof expected);
      ckem_benes_reference.find_control_bits(m, expected, pi, scratch);
      while (m < 12 || kind >= 5 ? (backend = next_compared_backend(&index)) != NULL : false) {
        memset(control, 0xFF, sizeof control);
        memset(scratch, 0xFF, sizeof scratch);
        ckem_benes_ops_of(backend)->find_control_bits(m, control, pi, scratch);
        assert_memory_equal(control, expected, sizeof control);
      }
    }
  }
}

static void networks(const struct backend *backend) {
  const struct benes_ops *ops = ckem_benes_ops_of(backend);
  uint64_t state = 2;

  for (unsigned m = 9; m <= BENES_MAX_M; m++) {
    const size_t n = (size_t)1 << m;
    random_permutation(n, &state);
    ckem_benes_reference.find_control_bits(m, control, pi, scratch);
    ops->prepare(m, network, control);
    ops->permutation(m, found, network, scratch);
    assert_memory_equal(found, pi, n * sizeof pi[0]);
    for (size_t w = 0; w < n / 64; w++) {
      original[w] = next_random(&state);
    }
    memcpy(data, original, sizeof data);
    ops->apply(m, data, network);
    for (size_t r = 0; r < n; r++) {
      assert_true(bit_of(data, r) == bit_of(original, pi[r]));
    }
    ops->apply_reversed(m, data, network);
    assert_memory_equal(data, original, n / 8);
    /* any control bits make a network */
    for (size_t i = 0; i < BENES_CONTROL_BYTES(m); i++) {
      control[i] = (uint8_t)next_random(&state);
    }
    ops->prepare(m, network, control);
    ops->permutation(m, found, network, scratch);
    ckem_benes_reference.prepare(m, network, control);
    ckem_benes_reference.permutation(m, pi, network, scratch);
    assert_memory_equal(found, pi, n * sizeof pi[0]);
  }
}

EACH_BACKEND(all_small)
EACH_BACKEND(known_bits)
EACH_BACKEND(networks)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_small_each),
      cmocka_unit_test(known_bits_each),
      cmocka_unit_test(same_control_bits),
      cmocka_unit_test(networks_each),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
