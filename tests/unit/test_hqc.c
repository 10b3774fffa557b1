/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks the codes and the sampling of HQC: the examples of the specification, every back end
 * against `reference`, and every number of errors that the Reed-Solomon codes correct. */
#include "unit_test.h"

#include "hqc/gf256.h"
#include "hqc/hqc.h"
#include "hqc/codes.h"
#include "hqc/sampling.h"
#include "keccak/keccak.h"

static const struct hqc_params *const levels[] = {&ckem_hqc_level1, &ckem_hqc_level3,
                                                  &ckem_hqc_level5};
#define LEVEL_COUNT (sizeof levels / sizeof levels[0])
#define MAX_CODE_WORDS (2 * 5 * 90)

static void field_matches_the_specification(void **state) {
  static const uint8_t powers[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80,
                                   0x1d, 0x3a, 0x74, 0xe8, 0xcd, 0x87, 0x13, 0x26};
  uint64_t power = 1;

  (void)state;
  for (size_t i = 0; i < sizeof powers; i++) {
    assert_int_equal(power, powers[i]);
    power = gf256_times_x(power);
  }
  assert_int_equal(gf256_mul(0x53, 0xCA), 0x8F);
  assert_int_equal(gf256_mul(0xFF, 0xFF), 0xE2);
  assert_int_equal(gf256_mul(0x53, 0x8C), 1);
  assert_int_equal(gf256_mul(0xFF, 0xFD), 1);
  assert_int_equal(gf256_mul(gf256_spread(0x53), 0xCA01CA00CA02CAFF) & 0xFF00FF00FF00FF00,
                   0x8F008F008F008F00);
}

static void products_and_zero_masks_hold_for_every_element(void **state) {
  (void)state;
  for (unsigned a = 0; a < 256; a++) {
    const uint64_t both = (uint64_t)a << 8 | 0x5A;
    /* (x + 1) a = x a + a, in every place */
    assert_int_equal(gf256_mul(both, gf256_spread(3)), gf256_times_x(both) ^ both);
    assert_int_equal(gf256_keep_if_zero(UINT64_C(0xC0FFEE), both), a == 0 ? 0xC0FF00 : 0xC00000);
  }
}

static void reed_muller_words_match_the_specification(void **state) {
  static const struct {
    uint8_t symbol;
    uint64_t word[2];
  } examples[] = {
      {0x00, {0, 0}},
      {0x01, {UINT64_C(0xAAAAAAAAAAAAAAAA), UINT64_C(0xAAAAAAAAAAAAAAAA)}},
      {0x08, {UINT64_C(0xFF00FF00FF00FF00), UINT64_C(0xFF00FF00FF00FF00)}},
      {0x20, {UINT64_C(0xFFFFFFFF00000000), UINT64_C(0xFFFFFFFF00000000)}},
      {0x40, {0, UINT64_MAX}},
      {0x80, {UINT64_MAX, UINT64_MAX}},
      {0x5A, {UINT64_C(0xCC3333CCCC3333CC), UINT64_C(0x33CCCC3333CCCC33)}},
      {0xFF, {UINT64_C(0x9669699669969669), UINT64_C(0x6996966996696996)}},
  };

  (void)state;
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    uint64_t word[4];
    ckem_reed_muller_encode(word, &examples[i].symbol, 1, 2);
    assert_memory_equal(word, examples[i].word, 16);
    assert_memory_equal(word + 2, examples[i].word, 16);
  }
}

static void reed_solomon_parity_matches_the_specification(const struct backend *backend) {
  /* The first bytes of the parity of the message 00 01 02 ... [HQC, A.4]. */
  static const uint8_t parity[LEVEL_COUNT][8] = {
      {0x2f, 0xc3, 0xa6, 0x89, 0xf1, 0xc3, 0x39, 0xad},
      {0xc6, 0xac, 0xe9, 0xb5, 0x8d, 0xc2, 0x85, 0x73},
      {0x36, 0x92, 0x48, 0x13, 0xbe, 0xb0, 0xf2, 0x48},
  };

  for (size_t level = 0; level < LEVEL_COUNT; level++) {
    const struct reed_solomon *code = levels[level]->outer_code;
    uint8_t message[HQC_MAX_MESSAGE_BYTES];
    uint8_t codeword[REED_SOLOMON_MAX_LENGTH];
    uint8_t expected[REED_SOLOMON_MAX_LENGTH];

    for (uint8_t i = 0; i < sizeof message; i++) {
      message[i] = i;
    }
    ckem_hqc_codes_of(backend)->reed_solomon_encode(code, codeword, message);
    assert_memory_equal(codeword, parity[level], sizeof parity[level]);
    ckem_hqc_codes_reference.reed_solomon_encode(code, expected, message);
    assert_memory_equal(codeword, expected, code->length);
  }
}

/* Changes count different bytes of a word. */
static void add_errors(const struct reed_solomon *code, uint8_t *word, uint32_t count,
                       uint64_t *random) {
  bool changed[REED_SOLOMON_MAX_LENGTH] = {false};

  while (count > 0) {
    const uint32_t j = (uint32_t)(next_random(random) % code->length);
    if (!changed[j]) {
      changed[j] = true;
      word[j] ^= (uint8_t)(1 + next_random(random) % 255);
      count -= 1;
    }
  }
}

static void reed_solomon_corrects_every_number_of_errors(const struct backend *backend) {
  uint64_t random = 1;

  for (size_t level = 0; level < LEVEL_COUNT; level++) {
    const struct reed_solomon *code = levels[level]->outer_code;
    for (uint32_t count = 0; count <= code->delta; count++) {
      for (int repeat = 0; repeat < 8; repeat++) {
        uint8_t message[HQC_MAX_MESSAGE_BYTES];
        uint8_t decoded[HQC_MAX_MESSAGE_BYTES];
        uint8_t word[REED_SOLOMON_MAX_LENGTH];
        for (size_t i = 0; i < sizeof message; i++) {
          message[i] = (uint8_t)next_random(&random);
        }
        ckem_hqc_codes_of(backend)->reed_solomon_encode(code, word, message);
        add_errors(code, word, count, &random);
        ckem_hqc_codes_of(backend)->reed_solomon_decode(code, decoded, word);
        assert_memory_equal(decoded, message, code->message_bytes);
      }
    }
  }
}

static void reed_solomon_survives_too_many_errors(const struct backend *backend) {
  uint64_t random = 2;

  for (size_t level = 0; level < LEVEL_COUNT; level++) {
    const struct reed_solomon *code = levels[level]->outer_code;
    for (int repeat = 0; repeat < 100; repeat++) {
      uint8_t word[REED_SOLOMON_MAX_LENGTH];
      uint8_t decoded[HQC_MAX_MESSAGE_BYTES + 1];
      for (size_t i = 0; i < sizeof word; i++) {
        word[i] = (uint8_t)(repeat == 0 ? 0xFF : next_random(&random));
      }
      decoded[code->message_bytes] = 0xA5;
      ckem_hqc_codes_of(backend)->reed_solomon_decode(code, decoded, word);
      assert_int_equal(decoded[code->message_bytes], 0xA5);
    }
  }
}

static void check_reed_muller(const struct backend *backend, const uint64_t *in, size_t count,
                              size_t copies) {
  uint8_t expected[REED_SOLOMON_MAX_LENGTH];
  uint8_t symbols[REED_SOLOMON_MAX_LENGTH];

  ckem_hqc_codes_reference.reed_muller_decode(expected, in, count, copies);
  ckem_hqc_codes_of(backend)->reed_muller_decode(symbols, in, count, copies);
  assert_memory_equal(symbols, expected, count);
}

static void reed_muller_decodes_to_the_nearest(const struct backend *backend) {
  static uint64_t in[MAX_CODE_WORDS];
  uint64_t random = 3;

  for (size_t copies = 3; copies <= 5; copies += 2) {
    uint8_t all[64];
    for (unsigned first = 0; first < 256; first += sizeof all) {
      for (unsigned i = 0; i < sizeof all; i++) {
        all[i] = (uint8_t)(first + i);
      }
      uint8_t symbols[sizeof all];
      ckem_reed_muller_encode(in, all, sizeof all, copies);
      ckem_hqc_codes_of(backend)->reed_muller_decode(symbols, in, sizeof all, copies);
      assert_memory_equal(symbols, all, sizeof all);
    }
    for (int sparsity = 0; sparsity < 4; sparsity++) {
      /* Random words, and words with fewer and fewer ones: many ties. */
      for (size_t i = 0; i < MAX_CODE_WORDS; i++) {
        in[i] = next_random(&random);
        for (int j = 0; j < sparsity * 2; j++) {
          in[i] &= next_random(&random);
        }
      }
      check_reed_muller(backend, in, 90, copies);
    }
    memset(in, 0, sizeof in);
    in[0] = UINT64_MAX; /* half of one copy */
    in[2 * copies] = UINT64_C(0x00000000FFFFFFFF);
    in[4 * copies] = 1;
    check_reed_muller(backend, in, 4, copies);
  }
}

static void open_xof_of_zeros(struct keccak_sponge *stream, const struct backend *backend) {
  static const uint8_t seed_and_domain[33] = {[32] = 1};

  ckem_keccak_init(stream, backend->keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(stream, seed_and_domain, sizeof seed_and_domain);
  ckem_keccak_finish(stream);
}

static void samplers_match_the_specification(const struct backend *backend) {
  static const uint32_t rejection[LEVEL_COUNT][5] = {{4688, 13665, 9591, 15579, 5751},
                                                     {35064, 35665, 26116, 2863, 452},
                                                     {51637, 45599, 30837, 33796, 3027}};
  static const uint32_t fixed[LEVEL_COUNT][5] = {{7677, 17395, 7442, 6049, 1690},
                                                 {15578, 35295, 15099, 12272, 35520},
                                                 {25045, 56743, 24274, 19729, 11595}};
  static const uint8_t uniform_last[LEVEL_COUNT] = {0x0e, 0x03, 0x03};

  for (size_t level = 0; level < LEVEL_COUNT; level++) {
    const struct hqc_params *params = levels[level];
    const struct hqc_variant variant = {params, false};
    struct keccak_sponge stream, other, alone;
    uint32_t positions[HQC_MAX_WEIGHT];
    struct element element, plain;
    uint8_t digest[32], digest_alone[32];
    static uint8_t data[4000];

    open_xof_of_zeros(&stream, backend);
    assert_true(ckem_hqc_sample_rejection(&variant, backend, &stream, positions));
    assert_memory_equal(positions, rejection[level], 16);
    assert_int_equal(positions[params->key_weight - 1], rejection[level][4]);
    open_xof_of_zeros(&stream, backend);
    ckem_hqc_sample_fixed(&variant, backend, &stream, positions, NULL);
    assert_memory_equal(positions, fixed[level], 16);
    assert_int_equal(positions[params->error_weight - 1], fixed[level][4]);
    /* What is absorbed by the way changes nothing, and is absorbed as it would be alone. */
    open_xof_of_zeros(&stream, backend);
    ckem_keccak_init(&other, backend->keccak, SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3);
    alone = other;
    struct keccak_task task = {.sponge = &other, .in = data, .length = 1000 * (level + 1)};
    ckem_hqc_sample_uniform(params, &stream, element.words, &task);
    ckem_keccak_end_task(&task);
    ckem_keccak_absorb(&alone, data, 1000 * (level + 1));
    ckem_keccak_finish(&other);
    ckem_keccak_finish(&alone);
    ckem_keccak_squeeze(&other, digest, sizeof digest);
    ckem_keccak_squeeze(&alone, digest_alone, sizeof digest_alone);
    assert_memory_equal(digest, digest_alone, sizeof digest);
    open_xof_of_zeros(&stream, backend);
    ckem_hqc_sample_uniform(params, &stream, plain.words, NULL);
    assert_memory_equal(plain.words, element.words, sizeof element.words[0] * params->ring->stride);
    const uint32_t last = params->ring->bytes - 1;
    assert_int_equal(element.words[last / 8] >> (8 * (last % 8)), uniform_last[level]);
  }
}

EACH_BACKEND(reed_solomon_parity_matches_the_specification)
EACH_BACKEND(reed_solomon_corrects_every_number_of_errors)
EACH_BACKEND(reed_solomon_survives_too_many_errors)
EACH_BACKEND_BUT_REFERENCE(reed_muller_decodes_to_the_nearest)
EACH_BACKEND(samplers_match_the_specification)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(field_matches_the_specification),
      cmocka_unit_test(products_and_zero_masks_hold_for_every_element),
      cmocka_unit_test(reed_muller_words_match_the_specification),
      cmocka_unit_test(reed_solomon_parity_matches_the_specification_each),
      cmocka_unit_test(reed_solomon_corrects_every_number_of_errors_each),
      cmocka_unit_test(reed_solomon_survives_too_many_errors_each),
      cmocka_unit_test(reed_muller_decodes_to_the_nearest_each),
      cmocka_unit_test(samplers_match_the_specification_each),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
