/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks of batches through the entry points, whatever the back end: sources of randomness,
 * strides, missing buffers. tests/kat/conformance.c compares them with single calls, on every back
 * end. */
#include "unit_test.h"

#include <stdlib.h>

#include "base/random.h"

#define MAX_COUNT 5
#define GAP 5 /* bytes between keys with a stride of their own */

/* The buffers of a batch, and those of the single calls. */
struct buffers {
  const codekem_kem *kem;
  uint8_t *keypair_seeds, *encaps_seeds;
  uint8_t *public_keys, *secret_keys, *ciphertexts, *shared_secrets;
  uint8_t *want_public_keys, *want_secret_keys, *want_ciphertexts, *want_shared_secrets;
};

static uint8_t *allocate(size_t length) {
  uint8_t *memory = calloc(length, 1);

  assert_non_null(memory);
  return memory;
}

static uint8_t *random_bytes(size_t length) {
  uint8_t *memory = allocate(length);

  assert_true(ckem_random_from_system(NULL, memory, length));
  return memory;
}

static struct buffers open_buffers(const codekem_kem *kem) {
  const size_t n = MAX_COUNT;
  struct buffers b = {
      .kem = kem,
      .keypair_seeds = random_bytes(n * kem->length_keypair_seed),
      .encaps_seeds = random_bytes(n * kem->length_encaps_seed),
      .public_keys = allocate(n * kem->length_public_key),
      .secret_keys = allocate(n * kem->length_secret_key),
      .ciphertexts = allocate(n * kem->length_ciphertext),
      .shared_secrets = allocate(n * kem->length_shared_secret),
      .want_public_keys = allocate(n * kem->length_public_key),
      .want_secret_keys = allocate(n * kem->length_secret_key),
      .want_ciphertexts = allocate(n * kem->length_ciphertext),
      .want_shared_secrets = allocate(n * kem->length_shared_secret),
  };

  return b;
}

static void close_buffers(struct buffers *b) {
  free(b->keypair_seeds);
  free(b->encaps_seeds);
  free(b->public_keys);
  free(b->secret_keys);
  free(b->ciphertexts);
  free(b->shared_secrets);
  free(b->want_public_keys);
  free(b->want_secret_keys);
  free(b->want_ciphertexts);
  free(b->want_shared_secrets);
}

/* What single calls make of the first count seeds. */
static void make_single(const struct buffers *b, size_t count) {
  const codekem_kem *kem = b->kem;

  for (size_t i = 0; i < count; i++) {
    assert_int_equal(codekem_kem_keypair_with(
                         kem, b->want_public_keys + i * kem->length_public_key,
                         b->want_secret_keys + i * kem->length_secret_key,
                         CODEKEM_OPTIONS(.seed = b->keypair_seeds + i * kem->length_keypair_seed)),
                     CODEKEM_OK);
  }
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(codekem_kem_encaps_with(
                         kem, b->want_ciphertexts + i * kem->length_ciphertext,
                         b->want_shared_secrets + i * kem->length_shared_secret,
                         b->want_public_keys + i * kem->length_public_key,
                         CODEKEM_OPTIONS(.seed = b->encaps_seeds + i * kem->length_encaps_seed)),
                     CODEKEM_OK);
  }
}

static void assert_same(const uint8_t *have, const uint8_t *want, size_t count, size_t length) {
  assert_memory_equal(have, want, count * length);
}

static const codekem_kem *small_kem(void) {
  const codekem_kem *kem = codekem_kem_find("BIKE-L1");

  return kem != NULL ? kem : codekem_kem_at(0);
}

/* A source that gives count requests from a list of bytes, and then fails. */
struct source {
  const uint8_t *bytes;
  size_t length; /* of a seed */
  size_t left;
};

static bool from_list(void *context, uint8_t *out, size_t length) {
  struct source *source = context;

  if (source->left == 0) {
    return false;
  }
  assert_true(length >= source->length);
  memset(out, 0xEE, length);
  memcpy(out, source->bytes, source->length);
  source->bytes += source->length;
  source->left--;
  return true;
}

static bool all_zero(const uint8_t *bytes, size_t length) {
  uint8_t any = 0;

  for (size_t i = 0; i < length; i++) {
    any |= bytes[i];
  }
  return any == 0;
}

/* The source is asked in order; if it fails for one, there is no result of any. */
static void sources_of_randomness_are_asked_in_order(void **state) {
  (void)state;
  const codekem_kem *kem = small_kem();
  struct buffers b = open_buffers(kem);
  const size_t n = 5;

  make_single(&b, n);
  for (size_t missing = 0; missing < 2; missing++) {
    struct source keys = {b.keypair_seeds, kem->length_keypair_seed, n - missing};
    struct source messages = {b.encaps_seeds, kem->length_encaps_seed, n - missing};
    const codekem_status want = missing == 0 ? CODEKEM_OK : CODEKEM_ERROR_RANDOM;
    assert_int_equal(
        codekem_kem_keypair_batch(kem, n, b.public_keys, b.secret_keys,
                                  CODEKEM_OPTIONS(.random = from_list, .random_context = &keys)),
        want);
    assert_int_equal(
        codekem_kem_encaps_batch(kem, n, b.ciphertexts, b.shared_secrets, b.want_public_keys,
                                 kem->length_public_key,
                                 CODEKEM_OPTIONS(.random = from_list, .random_context = &messages)),
        want);
    if (missing == 0) {
      assert_same(b.public_keys, b.want_public_keys, n, kem->length_public_key);
      assert_same(b.secret_keys, b.want_secret_keys, n, kem->length_secret_key);
      assert_same(b.ciphertexts, b.want_ciphertexts, n, kem->length_ciphertext);
      assert_same(b.shared_secrets, b.want_shared_secrets, n, kem->length_shared_secret);
    } else {
      assert_true(all_zero(b.public_keys, n * kem->length_public_key));
      assert_true(all_zero(b.secret_keys, n * kem->length_secret_key));
      assert_true(all_zero(b.ciphertexts, n * kem->length_ciphertext));
      assert_true(all_zero(b.shared_secrets, n * kem->length_shared_secret));
    }
  }
  close_buffers(&b);
}

/* More keys than seeds are drawn at a time, and no two alike; an exchange with all of them. */
static void batches_from_the_system_exchange(void **state) {
  (void)state;
  const codekem_kem *kem = small_kem();
  const size_t n = 67;
  uint8_t *public_keys = allocate(n * kem->length_public_key);
  uint8_t *secret_keys = allocate(n * kem->length_secret_key);
  uint8_t *ciphertexts = allocate(n * kem->length_ciphertext);
  uint8_t *sent = allocate(n * kem->length_shared_secret);
  uint8_t *received = allocate(n * kem->length_shared_secret);

  assert_int_equal(codekem_kem_keypair_batch(kem, n, public_keys, secret_keys, NULL), CODEKEM_OK);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(codekem_kem_check_secret_key(kem, secret_keys + i * kem->length_secret_key),
                     CODEKEM_OK);
    for (size_t j = 0; j < i; j++) {
      assert_memory_not_equal(public_keys + i * kem->length_public_key,
                              public_keys + j * kem->length_public_key, kem->length_public_key);
    }
  }
  assert_int_equal(codekem_kem_encaps_batch(kem, n, ciphertexts, sent, public_keys,
                                            kem->length_public_key, NULL),
                   CODEKEM_OK);
  assert_int_equal(codekem_kem_decaps_batch(kem, n, received, ciphertexts, secret_keys,
                                            kem->length_secret_key, NULL),
                   CODEKEM_OK);
  assert_same(received, sent, n, kem->length_shared_secret);
  free(public_keys);
  free(secret_keys);
  free(ciphertexts);
  free(sent);
  free(received);
}

/* Keys that are further apart than their length, as in an array of structures. */
static void strides_may_have_gaps(void **state) {
  (void)state;
  const codekem_kem *kem = small_kem();
  const size_t n = 3;
  const size_t public_stride = kem->length_public_key + GAP;
  const size_t secret_stride = kem->length_secret_key + GAP;
  struct buffers b = open_buffers(kem);
  uint8_t *public_keys = allocate(n * public_stride);
  uint8_t *secret_keys = allocate(n * secret_stride);

  make_single(&b, n);
  for (size_t i = 0; i < n; i++) {
    memcpy(public_keys + i * public_stride, b.want_public_keys + i * kem->length_public_key,
           kem->length_public_key);
    memcpy(secret_keys + i * secret_stride, b.want_secret_keys + i * kem->length_secret_key,
           kem->length_secret_key);
  }
  assert_int_equal(codekem_kem_encaps_batch(kem, n, b.ciphertexts, b.shared_secrets, public_keys,
                                            public_stride, CODEKEM_OPTIONS(.seed = b.encaps_seeds)),
                   CODEKEM_OK);
  assert_same(b.ciphertexts, b.want_ciphertexts, n, kem->length_ciphertext);
  assert_int_equal(codekem_kem_decaps_batch(kem, n, b.shared_secrets, b.ciphertexts, secret_keys,
                                            secret_stride, NULL),
                   CODEKEM_OK);
  assert_same(b.shared_secrets, b.want_shared_secrets, n, kem->length_shared_secret);
  free(public_keys);
  free(secret_keys);
  close_buffers(&b);
}

static void missing_buffers_are_errors(void **state) {
  (void)state;
  const codekem_kem *kem = small_kem();
  struct buffers b = open_buffers(kem);
  const size_t n = 2;

  assert_int_equal(codekem_kem_keypair_batch(NULL, n, b.public_keys, b.secret_keys, NULL),
                   CODEKEM_ERROR_NULL);
  memset(b.secret_keys, 1, n * kem->length_secret_key);
  assert_int_equal(codekem_kem_keypair_batch(kem, n, NULL, b.secret_keys, NULL),
                   CODEKEM_ERROR_NULL);
  assert_true(all_zero(b.secret_keys, n * kem->length_secret_key));
  memset(b.ciphertexts, 1, n * kem->length_ciphertext);
  memset(b.shared_secrets, 1, n * kem->length_shared_secret);
  assert_int_equal(codekem_kem_encaps_batch(kem, n, b.ciphertexts, b.shared_secrets, NULL, 0, NULL),
                   CODEKEM_ERROR_NULL);
  assert_true(all_zero(b.ciphertexts, n * kem->length_ciphertext));
  assert_true(all_zero(b.shared_secrets, n * kem->length_shared_secret));
  memset(b.shared_secrets, 1, n * kem->length_shared_secret);
  assert_int_equal(codekem_kem_decaps_batch(kem, n, b.shared_secrets, b.ciphertexts, NULL, 0, NULL),
                   CODEKEM_ERROR_NULL);
  assert_true(all_zero(b.shared_secrets, n * kem->length_shared_secret));
  assert_int_equal(codekem_kem_decaps_batch(kem, n, NULL, b.ciphertexts, b.secret_keys, 0, NULL),
                   CODEKEM_ERROR_NULL);
  /* Nothing to do is no error, and touches nothing. */
  memset(b.public_keys, 1, 1);
  assert_int_equal(codekem_kem_keypair_batch(kem, 0, b.public_keys, b.secret_keys, NULL),
                   CODEKEM_OK);
  assert_int_equal(codekem_kem_encaps_batch(kem, 0, NULL, NULL, NULL, 0, NULL), CODEKEM_OK);
  assert_int_equal(codekem_kem_decaps_batch(kem, 0, NULL, NULL, NULL, 0, NULL), CODEKEM_OK);
  assert_int_equal(b.public_keys[0], 1);
  close_buffers(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sources_of_randomness_are_asked_in_order),
      cmocka_unit_test(batches_from_the_system_exchange),
      cmocka_unit_test(strides_may_have_gaps),
      cmocka_unit_test(missing_buffers_are_errors),
  };

  return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
