/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What codekem_hybrid_make refuses, groups that fail, and batches. For vectors: tests/hybrid. */
#include "unit_test.h"

#include "codekem_hybrid.h"

#define COUNT 3
#define PUBLIC_KEY (CODEKEM_MAX_PUBLIC_KEY + CODEKEM_HYBRID_MAX_ELEMENT)
#define SECRET_KEY (CODEKEM_MAX_SECRET_KEY + PUBLIC_KEY + 64)
#define CIPHERTEXT (CODEKEM_MAX_CIPHERTEXT + CODEKEM_HYBRID_MAX_ELEMENT)

static codekem_hybrid hybrid;
static uint8_t public_keys[COUNT * PUBLIC_KEY], secret_keys[COUNT * SECRET_KEY];
static uint8_t ciphertexts[COUNT * CIPHERTEXT], secrets[COUNT * 32];

static const codekem_kem *hqc(void) {
  return codekem_kem_find("HQC-1");
}

static bool is_zero(const void *memory, size_t length) {
  const uint8_t *bytes = memory;
  uint8_t all = 0;

  for (size_t i = 0; i < length; i++) {
    all |= bytes[i];
  }
  return all == 0;
}

static void require_refusal(const codekem_hybrid_group *group, codekem_status status) {
  memset(&hybrid, 1, sizeof hybrid);
  assert_int_equal(codekem_hybrid_make(&hybrid, hqc(), group), status);
  assert_true(is_zero(&hybrid, sizeof hybrid));
}

static void what_does_not_fit_is_refused(void **state) {
  const codekem_hybrid_group good = codekem_hybrid_x25519();
  codekem_hybrid_group group = good;

  (void)state;
  assert_int_equal(codekem_hybrid_make(NULL, hqc(), &good), CODEKEM_ERROR_NULL);
  assert_int_equal(codekem_hybrid_make(&hybrid, NULL, &good), CODEKEM_ERROR_NULL);
  require_refusal(NULL, CODEKEM_ERROR_NULL);
  group.name = NULL;
  require_refusal(&group, CODEKEM_ERROR_NULL);
  group = good;
  group.element = NULL;
  require_refusal(&group, CODEKEM_ERROR_NULL);
  group = good;
  group.secret = NULL;
  require_refusal(&group, CODEKEM_ERROR_NULL);
  group = good;
  group.name = "a name that is longer than the hybrid has room for it";
  require_refusal(&group, CODEKEM_ERROR_OPTIONS);
  group = good;
  group.length_element = CODEKEM_HYBRID_MAX_ELEMENT + 1;
  require_refusal(&group, CODEKEM_ERROR_OPTIONS);
  const size_t lengths[] = {0, 16, 33, CODEKEM_HYBRID_MAX_GROUP_SEED + 32};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    group = good;
    group.length_seed = lengths[i];
    require_refusal(&group, CODEKEM_ERROR_OPTIONS);
  }
}

static int calls_left; /* of a group that then fails */

static bool make_element(void *context, uint8_t *element, const uint8_t *scalar) {
  const codekem_hybrid_group *inner = context;

  return calls_left-- > 0 && inner->element(NULL, element, scalar);
}

static bool make_secret(void *context, uint8_t *secret, const uint8_t *element,
                        const uint8_t *scalar) {
  const codekem_hybrid_group *inner = context;

  return calls_left-- > 0 && inner->secret(NULL, secret, element, scalar);
}

static codekem_status encaps_after(int calls) {
  calls_left = calls;
  memset(ciphertexts, 1, sizeof ciphertexts);
  return codekem_kem_encaps(&hybrid.kem, ciphertexts, secrets, public_keys);
}

static void a_group_that_fails_leaves_nothing(void **state) {
  codekem_hybrid_group inner = codekem_hybrid_x25519();
  codekem_hybrid_group group = inner;

  (void)state;
  group.element = make_element;
  group.secret = make_secret;
  group.context = &inner;
  assert_int_equal(codekem_hybrid_make(&hybrid, hqc(), &group), CODEKEM_OK);
  const codekem_kem *kem = &hybrid.kem;
  calls_left = 0;
  memset(secret_keys, 1, kem->length_secret_key);
  assert_int_equal(codekem_kem_keypair(kem, public_keys, secret_keys), CODEKEM_ERROR_INTERNAL);
  assert_true(is_zero(secret_keys, kem->length_secret_key));
  calls_left = 1;
  assert_int_equal(codekem_kem_keypair(kem, public_keys, secret_keys), CODEKEM_OK);
  assert_int_equal(encaps_after(0), CODEKEM_ERROR_INTERNAL);
  assert_true(is_zero(ciphertexts, kem->length_ciphertext));
  assert_int_equal(encaps_after(1), CODEKEM_ERROR_PUBLIC_KEY);
  assert_true(is_zero(ciphertexts, kem->length_ciphertext));
  assert_int_equal(encaps_after(2), CODEKEM_OK);
  calls_left = 0;
  memset(secrets, 1, sizeof secrets);
  assert_int_equal(codekem_kem_decaps(kem, secrets, ciphertexts, secret_keys),
                   CODEKEM_ERROR_CIPHERTEXT);
  assert_true(is_zero(secrets, 32));
  /* The check makes the pair again. */
  assert_int_equal(codekem_kem_check_secret_key(kem, secret_keys), CODEKEM_ERROR_SECRET_KEY);
  calls_left = 1;
  assert_int_equal(codekem_kem_check_secret_key(kem, secret_keys), CODEKEM_OK);
}

static void batches_are_single_calls(void **state) {
  const codekem_hybrid_group group = codekem_hybrid_x25519();
  uint8_t seeds[COUNT * 64];
  uint8_t again[COUNT * 32];

  (void)state;
  assert_int_equal(codekem_hybrid_make(&hybrid, hqc(), &group), CODEKEM_OK);
  const codekem_kem *kem = &hybrid.kem;
  for (size_t i = 0; i < sizeof seeds; i++) {
    seeds[i] = (uint8_t)i;
  }
  assert_int_equal(codekem_kem_keypair_batch(kem, COUNT, public_keys, secret_keys, NULL),
                   CODEKEM_OK);
  assert_int_equal(codekem_kem_encaps_batch(kem, COUNT, ciphertexts, secrets, public_keys,
                                            kem->length_public_key, CODEKEM_OPTIONS(.seed = seeds)),
                   CODEKEM_OK);
  for (size_t i = 0; i < COUNT; i++) {
    static uint8_t one[CIPHERTEXT];

    assert_int_equal(codekem_kem_encaps_with(kem, one, again,
                                             public_keys + i * kem->length_public_key,
                                             CODEKEM_OPTIONS(.seed = seeds + 64 * i)),
                     CODEKEM_OK);
    assert_memory_equal(one, ciphertexts + i * kem->length_ciphertext, kem->length_ciphertext);
    assert_memory_equal(again, secrets + 32 * i, 32);
  }
  assert_int_equal(codekem_kem_decaps_batch(kem, COUNT, again, ciphertexts, secret_keys,
                                            kem->length_secret_key, NULL),
                   CODEKEM_OK);
  assert_memory_equal(again, secrets, sizeof again);
  assert_int_equal(codekem_kem_decaps(kem, ciphertexts, ciphertexts, secret_keys),
                   CODEKEM_ERROR_OVERLAP);
}

/* The options of a decapsulation are those of the KEM. */
static void only_a_hybrid_of_bike_lowers_a_threshold(void **state) {
  const codekem_hybrid_group group = codekem_hybrid_x25519();
  const codekem_options *lower = CODEKEM_OPTIONS(.lower_first_threshold = 1);
  const char *const names[] = {"BIKE-L1", "HQC-1"};

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    uint8_t received[32];

    assert_int_equal(codekem_hybrid_make(&hybrid, codekem_kem_find(names[i]), &group), CODEKEM_OK);
    assert_int_equal(codekem_kem_keypair(&hybrid.kem, public_keys, secret_keys), CODEKEM_OK);
    assert_int_equal(codekem_kem_encaps(&hybrid.kem, ciphertexts, secrets, public_keys),
                     CODEKEM_OK);
    assert_int_equal(codekem_kem_decaps_with(&hybrid.kem, received, ciphertexts, secret_keys,
                                             lower),
                     i == 0 ? CODEKEM_OK : CODEKEM_ERROR_OPTIONS);
    if (i == 0) {
      assert_memory_equal(received, secrets, sizeof received);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(a_group_that_fails_leaves_nothing),
      cmocka_unit_test(batches_are_single_calls),
      cmocka_unit_test(only_a_hybrid_of_bike_lowers_a_threshold),
  };

  return cmocka_run_group_tests_name("hybrid", tests, NULL, NULL);
}
