/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What calls of codekem-masked refuse, and what they leave then. For vectors: tests/masked. */
#include "unit_test.h"

#include "codekem_masked.h"

static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY], plain[CODEKEM_MAX_SECRET_KEY];
static uint8_t key[CODEKEM_MASKED_MAX_SECRET_KEY], ciphertext[CODEKEM_MAX_CIPHERTEXT];
static uint8_t shares[CODEKEM_MASKED_MAX_SHARED_SECRET], secret[32], expected[32];
static const codekem_masked_kem *kem;

static codekem_masked_options defaults(void) {
  return (codekem_masked_options){.size = sizeof(codekem_masked_options)};
}

static int prepare(void **state) {
  (void)state;
  kem = codekem_masked_find("HQC-1");
  assert_non_null(kem);
  assert_int_equal(codekem_kem_keypair(kem->kem, public_key, plain), CODEKEM_OK);
  assert_int_equal(codekem_kem_encaps(kem->kem, ciphertext, expected, public_key), CODEKEM_OK);
  assert_int_equal(codekem_masked_import_key(kem, key, plain, NULL), CODEKEM_OK);
  return 0;
}

static bool all_zero(const uint8_t *bytes, size_t length) {
  uint8_t all = 0;

  for (size_t i = 0; i < length; i++) {
    all |= bytes[i];
  }
  return all == 0;
}

static codekem_status decaps(const codekem_masked_options *options) {
  memset(shares, 1, sizeof shares);
  return codekem_masked_decaps(kem, shares, ciphertext, key, options);
}

static void require_refused(const codekem_masked_options *options, codekem_status status) {
  assert_int_equal(decaps(options), status);
  assert_true(all_zero(shares, kem->length_shared_secret));
}

static void only_three_names_are_found(void **state) {
  (void)state;
  assert_non_null(codekem_masked_find("HQC-3"));
  assert_non_null(codekem_masked_find("HQC-5"));
  assert_null(codekem_masked_find("HQC-2"));
  assert_null(codekem_masked_find("BIKE-L1"));
  assert_null(codekem_masked_find(NULL));
  assert_int_equal(kem->shares, CODEKEM_MASKED_SHARES);
}

static void null_is_refused(void **state) {
  (void)state;
  assert_int_equal(codekem_masked_decaps(NULL, shares, ciphertext, key, NULL), CODEKEM_ERROR_NULL);
  memset(shares, 1, sizeof shares);
  assert_int_equal(codekem_masked_decaps(kem, shares, NULL, key, NULL), CODEKEM_ERROR_NULL);
  assert_true(all_zero(shares, kem->length_shared_secret));
  assert_int_equal(codekem_masked_decaps(kem, shares, ciphertext, NULL, NULL), CODEKEM_ERROR_NULL);
  assert_int_equal(codekem_masked_encaps(kem, NULL, shares, public_key, NULL), CODEKEM_ERROR_NULL);
  assert_int_equal(codekem_masked_keypair(kem, NULL, key, NULL), CODEKEM_ERROR_NULL);
  assert_int_equal(codekem_masked_import_key(kem, key, NULL, NULL), CODEKEM_ERROR_NULL);
  assert_int_equal(codekem_masked_refresh_key(kem, NULL, NULL), CODEKEM_ERROR_NULL);
  codekem_masked_join(NULL, shares, 32);
  assert_int_equal(prepare(state), 0); /* outputs of what failed are zero */
}

static void options_that_do_not_fit_are_refused(void **state) {
  static uint8_t memory[64];
  codekem_masked_options options = defaults();

  (void)state;
  options.size -= 1;
  require_refused(&options, CODEKEM_ERROR_OPTIONS);
  options = defaults();
  options.seed = memory;
  require_refused(&options, CODEKEM_ERROR_OPTIONS);
  options = defaults();
  options.random_context = memory;
  require_refused(&options, CODEKEM_ERROR_OPTIONS);
  options = defaults();
  options.masks_context = memory;
  require_refused(&options, CODEKEM_ERROR_OPTIONS);
  options = defaults();
  options.workspace_length = 64;
  require_refused(&options, CODEKEM_ERROR_OPTIONS);
  options.workspace = memory;
  require_refused(&options, CODEKEM_ERROR_WORKSPACE);
}

static void a_workspace_is_aligned_and_long_enough(void **state) {
  static _Alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint8_t memory[CODEKEM_MAX_STACK];
  codekem_masked_options options = defaults();

  (void)state;
  options.workspace = memory + 8;
  options.workspace_length = sizeof memory - 8;
  require_refused(&options, CODEKEM_ERROR_WORKSPACE);
  options.workspace = memory;
  options.workspace_length = kem->length_workspace - 1;
  require_refused(&options, CODEKEM_ERROR_WORKSPACE);
  options.workspace_length = kem->length_workspace;
  memset(memory, 1, sizeof memory);
  assert_int_equal(decaps(&options), CODEKEM_OK);
  assert_true(all_zero(memory, kem->length_workspace));
  assert_int_equal(memory[kem->length_workspace], 1);
  codekem_masked_join(secret, shares, sizeof secret);
  assert_memory_equal(secret, expected, sizeof secret);
}

static void buffers_that_overlap_are_refused(void **state) {
  (void)state;
  const uint8_t before = key[100];
  assert_int_equal(codekem_masked_decaps(kem, key + 100, ciphertext, key, NULL),
                   CODEKEM_ERROR_OVERLAP);
  assert_int_equal(key[100], before);
  assert_int_equal(codekem_masked_encaps(kem, ciphertext, ciphertext + 9, public_key, NULL),
                   CODEKEM_ERROR_OVERLAP);
  assert_int_equal(codekem_masked_import_key(kem, plain, plain + 1, NULL), CODEKEM_ERROR_OVERLAP);
}

static int calls_left; /* of a source that then fails */

static bool give(void *context, uint8_t *out, size_t length) {
  (void)context;
  memset(out, 7, length);
  return calls_left-- > 0;
}

static void sources_that_fail_leave_nothing(void **state) {
  codekem_masked_options options = defaults();

  (void)state;
  options.random = give;
  calls_left = 0;
  require_refused(&options, CODEKEM_ERROR_RANDOM);
  for (calls_left = 0; calls_left < 2;) {
    const int calls = calls_left;
    memset(ciphertext, 1, sizeof ciphertext);
    assert_int_equal(codekem_masked_encaps(kem, ciphertext, shares, public_key, &options),
                     CODEKEM_ERROR_RANDOM);
    assert_true(all_zero(ciphertext, kem->kem->length_ciphertext));
    calls_left = calls + 1;
  }
  assert_int_equal(prepare(state), 0);
  options = defaults();
  options.masks = give;
  calls_left = 3;
  assert_int_equal(codekem_masked_refresh_key(kem, key, &options), CODEKEM_ERROR_RANDOM);
  assert_int_equal(decaps(NULL), CODEKEM_OK); /* the key is still good */
  codekem_masked_join(secret, shares, sizeof secret);
  assert_memory_equal(secret, expected, sizeof secret);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_three_names_are_found),
      cmocka_unit_test(null_is_refused),
      cmocka_unit_test(options_that_do_not_fit_are_refused),
      cmocka_unit_test(a_workspace_is_aligned_and_long_enough),
      cmocka_unit_test(buffers_that_overlap_are_refused),
      cmocka_unit_test(sources_that_fail_leave_nothing),
  };

  return cmocka_run_group_tests(tests, prepare, NULL);
}
