/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Calls the provider through OpenSSL's EVP interface, in a library context of its own: exchanges,
 * keys in and out, and bad input. usage: provider_check FOLDER-WITH-THE-MODULE [shares] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERY "provider=codekem"
#define LARGEST 32768
#define SMALL_STACK (64 * 1024)

static const char *const names[] = {"BIKE-L1",     "BIKE-L3",     "BIKE-L5",     "HQC-1",
                                    "HQC-3",       "HQC-5",       "p256_bikel1", "x25519_bikel1",
                                    "p384_bikel3", "x448_bikel3", "p521_bikel5", "p256_hqc1",
                                    "x25519_hqc1", "p384_hqc3",   "x448_hqc3",   "p521_hqc5"};
#define NAMES (sizeof names / sizeof names[0])
#define PURE 6
static const char *const groups[PURE] = {"bikel1", "bikel3", "bikel5", "hqc1", "hqc3", "hqc5"};

static OSSL_LIB_CTX *library;

/* --- Helpers ---------------------------------------------------------------------------------- */

static EVP_PKEY *generate(const char *name) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, name, QUERY);
  EVP_PKEY *key = NULL;

  assert_non_null(context);
  assert_int_equal(EVP_PKEY_keygen_init(context), 1);
  assert_int_equal(EVP_PKEY_generate(context, &key), 1);
  EVP_PKEY_CTX_free(context);
  return key;
}

/* Returns a key with the public half of another, as TLS sends it; NULL if it is refused. */
static EVP_PKEY *public_key(const char *name, const unsigned char *bytes, size_t length) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, name, QUERY);
  EVP_PKEY *key = NULL;

  assert_non_null(context);
  assert_int_equal(EVP_PKEY_paramgen_init(context), 1);
  assert_int_equal(EVP_PKEY_CTX_set_group_name(context, name), 1);
  assert_int_equal(EVP_PKEY_paramgen(context, &key), 1);
  EVP_PKEY_CTX_free(context);
  if (EVP_PKEY_set1_encoded_public_key(key, bytes, length) != 1) {
    EVP_PKEY_free(key);
    return NULL;
  }
  return key;
}

static int encapsulate(EVP_PKEY *key, unsigned char *ciphertext, size_t *ciphertext_length,
                       unsigned char *secret, size_t *secret_length) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, QUERY);
  int result;

  assert_non_null(context);
  result = EVP_PKEY_encapsulate_init(context, NULL) == 1 &&
           EVP_PKEY_encapsulate(context, ciphertext, ciphertext_length, secret, secret_length) == 1;
  EVP_PKEY_CTX_free(context);
  return result;
}

static int decapsulate(EVP_PKEY *key, unsigned char *secret, size_t *secret_length,
                       const unsigned char *ciphertext, size_t ciphertext_length) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, QUERY);
  int result;

  assert_non_null(context);
  result = EVP_PKEY_decapsulate_init(context, NULL) == 1 &&
           EVP_PKEY_decapsulate(context, secret, secret_length, ciphertext, ciphertext_length) == 1;
  EVP_PKEY_CTX_free(context);
  return result;
}

/* Checks that the first error has this reason, in words, and clears the queue. */
static void expect_error(const char *reason) {
  const char *text = ERR_reason_error_string(ERR_peek_error());

  if (text == NULL || strcmp(text, reason) != 0) {
    print_error("expected \"%s\", got \"%s\"\n", reason, text == NULL ? "nothing" : text);
    ERR_print_errors_fp(stderr);
    fail();
  }
  ERR_clear_error();
}

static size_t get_bytes(EVP_PKEY *key, const char *param, unsigned char *bytes) {
  size_t length = 0;

  assert_int_equal(EVP_PKEY_get_octet_string_param(key, param, bytes, LARGEST, &length), 1);
  return length;
}

/* Makes a key from its parts; a part of length 0 is left out. */
static EVP_PKEY *from_parts(const char *name, unsigned char *pub, size_t pub_length,
                            unsigned char *priv, size_t priv_length, unsigned char *seed,
                            size_t seed_length) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, name, QUERY);
  EVP_PKEY *key = NULL;
  OSSL_PARAM params[4];
  size_t count = 0;

  if (pub_length != 0) {
    params[count++] = OSSL_PARAM_construct_octet_string("pub", pub, pub_length);
  }
  if (priv_length != 0) {
    params[count++] = OSSL_PARAM_construct_octet_string("priv", priv, priv_length);
  }
  if (seed_length != 0) {
    params[count++] = OSSL_PARAM_construct_octet_string("seed", seed, seed_length);
  }
  params[count] = OSSL_PARAM_construct_end();
  assert_int_equal(EVP_PKEY_fromdata_init(context), 1);
  if (EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, params) != 1) {
    key = NULL;
  }
  EVP_PKEY_CTX_free(context);
  return key;
}

/* --- Exchanges -------------------------------------------------------------------------------- */

static void both_sides_get_the_same_secret(void **state) {
  static unsigned char share[LARGEST], ciphertext[LARGEST];
  unsigned char alice[128], bob[128];

  (void)state;
  for (size_t i = 0; i < NAMES; i++) {
    EVP_PKEY *key = generate(names[i]);
    const size_t share_length = get_bytes(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, share);
    EVP_PKEY *peer = public_key(names[i], share, share_length);
    size_t ciphertext_length = 0;
    size_t alice_length = 0;
    size_t bob_length = sizeof bob;

    assert_non_null(peer);
    assert_int_equal(encapsulate(peer, NULL, &ciphertext_length, NULL, &alice_length), 1);
    assert_in_range(ciphertext_length, 1573, LARGEST);
    assert_in_range(alice_length, 32, sizeof alice);
    assert_int_equal(ciphertext_length, (size_t)EVP_PKEY_get_size(key));
    assert_int_equal(encapsulate(peer, ciphertext, &ciphertext_length, alice, &alice_length), 1);
    assert_int_equal(decapsulate(key, bob, &bob_length, ciphertext, ciphertext_length), 1);
    assert_int_equal(alice_length, bob_length);
    assert_memory_equal(alice, bob, alice_length);

    /* Again: other randomness, another secret. */
    assert_int_equal(encapsulate(peer, ciphertext, &ciphertext_length, alice, &alice_length), 1);
    assert_memory_not_equal(alice, bob, alice_length);

    /* A changed ciphertext gives another secret. */
    ciphertext[ciphertext_length - 40] ^= 1;
    assert_int_equal(decapsulate(key, bob, &bob_length, ciphertext, ciphertext_length), 1);
    assert_memory_not_equal(alice, bob, alice_length);
    EVP_PKEY_free(peer);
    EVP_PKEY_free(key);
  }
}

static void wrong_lengths_are_refused(void **state) {
  static unsigned char share[LARGEST], ciphertext[LARGEST];
  unsigned char secret[128];

  (void)state;
  for (size_t i = 0; i < NAMES; i++) {
    EVP_PKEY *key = generate(names[i]);
    const size_t share_length = get_bytes(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, share);
    const size_t wrong_shares[] = {1, share_length - 1, share_length + 1, LARGEST};
    size_t ciphertext_length = LARGEST;
    size_t secret_length = sizeof secret;

    for (size_t j = 0; j < sizeof wrong_shares / sizeof wrong_shares[0]; j++) {
      assert_null(public_key(names[i], share, wrong_shares[j]));
      expect_error("wrong length");
    }
    assert_int_equal(encapsulate(key, ciphertext, &ciphertext_length, secret, &secret_length), 1);
    for (size_t j = 0; j < 3; j++) {
      const size_t wrong[] = {1, ciphertext_length - 1, ciphertext_length + 1};
      secret_length = sizeof secret;
      assert_int_equal(decapsulate(key, secret, &secret_length, ciphertext, wrong[j]), 0);
      expect_error("wrong length");
    }
    secret_length = 31;
    assert_int_equal(decapsulate(key, secret, &secret_length, ciphertext, ciphertext_length), 0);
    expect_error("the buffer for the result is too small");
    EVP_PKEY_free(key);
  }
}

static void malformed_shares_are_refused(void **state) {
  static unsigned char share[LARGEST], ciphertext[LARGEST];
  unsigned char secret[128];

  (void)state;
  for (size_t i = 0; i < NAMES; i++) {
    EVP_PKEY *key = generate(names[i]);
    const size_t length = get_bytes(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, share);
    size_t ciphertext_length = LARGEST;
    size_t secret_length = sizeof secret;

    share[length - 1] |= 0x80; /* an unused bit in all six encodings */
    assert_null(public_key(names[i], share, length));
    expect_error("not a valid public key of the KEM");
    share[length - 1] &= 0x7F;
    if (names[i][0] == 'p') {
      share[10] ^= 1; /* no point of the curve */
      assert_null(public_key(names[i], share, length));
      ERR_clear_error();
      assert_int_equal(encapsulate(key, ciphertext, &ciphertext_length, secret, &secret_length), 1);
      ciphertext[0] = 7; /* the hybrid form of a point */
      assert_int_equal(decapsulate(key, secret, &secret_length, ciphertext, ciphertext_length), 0);
      expect_error("not a valid share of the classical key exchange");
    } else if (names[i][0] == 'x') {
      EVP_PKEY *peer;
      memset(share, 0, 32); /* a point of small order: the secret would be zero */
      if (strncmp(names[i], "x448", 4) == 0) {
        memset(share, 0, 56);
      }
      peer = public_key(names[i], share, length);
      assert_non_null(peer);
      assert_int_equal(encapsulate(peer, ciphertext, &ciphertext_length, secret, &secret_length),
                       0);
      ERR_clear_error();
      EVP_PKEY_free(peer);
    }
    EVP_PKEY_free(key);
  }
}

static void missing_halves_are_refused(void **state) {
  static unsigned char share[LARGEST];
  unsigned char secret[128];

  (void)state;
  for (size_t i = 0; i < NAMES; i++) {
    EVP_PKEY *key = generate(names[i]);
    const size_t length = get_bytes(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, share);
    EVP_PKEY *peer = public_key(names[i], share, length);
    size_t secret_length = sizeof secret;

    assert_int_equal(decapsulate(peer, secret, &secret_length, share, length), 0);
    expect_error("the key lacks the half that this operation needs");
    EVP_PKEY_free(peer);
    EVP_PKEY_free(key);
  }
}

/* An exchange with every algorithm, as a handshake makes it. Returns NULL, or its argument if the
 * secrets differ. */
static void *exchange_in_thread(void *argument) {
  static unsigned char ciphertext[LARGEST];
  unsigned char alice[128], bob[128];

  for (size_t i = 0; i < NAMES; i++) {
    EVP_PKEY *key = generate(names[i]);
    size_t ciphertext_length = sizeof ciphertext;
    size_t alice_length = sizeof alice;
    size_t bob_length = sizeof bob;
    const int good = encapsulate(key, ciphertext, &ciphertext_length, alice, &alice_length) &&
                     decapsulate(key, bob, &bob_length, ciphertext, ciphertext_length) &&
                     alice_length == bob_length && memcmp(alice, bob, alice_length) == 0;

    EVP_PKEY_free(key);
    if (!good) {
      return argument;
    }
  }
  return NULL;
}

static void little_stack_is_enough(void **state) {
  pthread_attr_t attributes;
  pthread_t thread;
  static int failed;
  void *returned = NULL;

  (void)state;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, SMALL_STACK), 0);
  assert_int_equal(pthread_create(&thread, &attributes, exchange_in_thread, &failed), 0);
  assert_int_equal(pthread_join(thread, &returned), 0);
  assert_null(returned);
  (void)pthread_attr_destroy(&attributes);
}

/* --- Keys ------------------------------------------------------------------------------------- */

static void parts_must_belong_together(void **state) {
  static unsigned char pub[LARGEST], priv[LARGEST], other[LARGEST];
  unsigned char seed[64];

  (void)state;
  for (size_t i = 0; i < PURE; i++) {
    EVP_PKEY *key = generate(names[i]);
    EVP_PKEY *stranger = generate(names[i]);
    const size_t pub_length = get_bytes(key, "pub", pub);
    const size_t priv_length = get_bytes(key, "priv", priv);
    const size_t seed_length = get_bytes(key, "seed", seed);
    EVP_PKEY *copy;

    (void)get_bytes(stranger, "pub", other);
    for (int parts = 1; parts < 8; parts++) { /* every choice of parts is enough */
      copy = from_parts(names[i], pub, (parts & 1) ? pub_length : 0, priv,
                        (parts & 2) ? priv_length : 0, seed, (parts & 4) ? seed_length : 0);
      assert_non_null(copy);
      assert_int_equal(EVP_PKEY_eq(copy, key), 1);
      EVP_PKEY_free(copy);
    }
    assert_null(from_parts(names[i], other, pub_length, priv, priv_length, seed, 0));
    expect_error("public and secret key do not belong together");
    assert_null(from_parts(names[i], other, pub_length, priv, 0, seed, seed_length));
    expect_error("public and secret key do not belong together");
    seed[5] ^= 1;
    assert_null(from_parts(names[i], pub, 0, priv, priv_length, seed, seed_length));
    expect_error("seed and secret key do not belong together");
    seed[5] ^= 1;
    priv[0] ^= 1;
    assert_null(from_parts(names[i], pub, 0, priv, priv_length, seed, 0));
    expect_error("not a valid secret key of the KEM");
    assert_null(from_parts(names[i], pub, 0, priv, priv_length - 1, seed, 0));
    expect_error("wrong length");
    assert_null(from_parts(names[i], pub, 0, priv, 0, seed, seed_length - 1));
    expect_error("wrong length");
    EVP_PKEY_free(stranger);
    EVP_PKEY_free(key);
  }
}

static void copies_are_equal_and_outlive_the_first(void **state) {
  static unsigned char ciphertext[LARGEST];
  unsigned char alice[128], bob[128];

  (void)state;
  for (size_t i = 0; i < NAMES; i++) {
    EVP_PKEY *key = generate(names[i]);
    EVP_PKEY *other = generate(names[i]);
    EVP_PKEY *copy = EVP_PKEY_dup(key);
    size_t ciphertext_length = LARGEST;
    size_t alice_length = sizeof alice;
    size_t bob_length = sizeof bob;

    assert_non_null(copy);
    assert_int_equal(EVP_PKEY_eq(copy, key), 1);
    assert_int_not_equal(EVP_PKEY_eq(copy, other), 1);
    assert_int_equal(encapsulate(key, ciphertext, &ciphertext_length, alice, &alice_length), 1);
    EVP_PKEY_free(key);
    assert_int_equal(decapsulate(copy, bob, &bob_length, ciphertext, ciphertext_length), 1);
    assert_memory_equal(alice, bob, alice_length);
    EVP_PKEY_free(copy);
    EVP_PKEY_free(other);
  }
}

static void keys_say_their_strength(void **state) {
  static const int strengths[] = {128, 192, 256, 128, 192, 256};

  (void)state;
  for (size_t i = 0; i < PURE; i++) {
    EVP_PKEY *key = generate(names[i]);
    assert_int_equal(EVP_PKEY_get_security_bits(key), strengths[i]);
    assert_in_range(EVP_PKEY_get_bits(key), 8 * 1541, 8 * 7237);
    assert_int_equal(EVP_PKEY_is_a(key, names[i]), 1);
    EVP_PKEY_free(key);
  }
}

static void other_groups_are_refused(void **state) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "BIKE-L1", QUERY);

  (void)state;
  assert_int_equal(EVP_PKEY_keygen_init(context), 1);
  assert_int_not_equal(EVP_PKEY_CTX_set_group_name(context, "P-256"), 1);
  expect_error("the group does not belong to this kind of key");
  EVP_PKEY_CTX_free(context);
}

static void property_query_chooses_the_provider(void **state) {
  EVP_KEYMGMT *management = EVP_KEYMGMT_fetch(library, "HQC-1", QUERY);

  (void)state;
  assert_non_null(management);
  assert_string_equal(OSSL_PROVIDER_get0_name(EVP_KEYMGMT_get0_provider(management)), "codekem");
  EVP_KEYMGMT_free(management);
  assert_null(EVP_KEYMGMT_fetch(library, "HQC-1", "provider=default"));
  assert_null(EVP_KEM_fetch(library, "HQC-1", "provider=default"));
  ERR_clear_error();
}

/* Prints a key share of every algorithm, for tests that send it with changes. */
static int print_shares(void) {
  static unsigned char share[LARGEST];

  for (size_t i = 0; i < NAMES; i++) {
    EVP_PKEY *key = generate(names[i]);
    const size_t length = get_bytes(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, share);
    (void)printf("%s ", i < PURE ? groups[i] : names[i]);
    for (size_t j = 0; j < length; j++) {
      (void)printf("%02x", share[j]);
    }
    (void)putchar('\n');
    EVP_PKEY_free(key);
  }
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_sides_get_the_same_secret),
      cmocka_unit_test(wrong_lengths_are_refused),
      cmocka_unit_test(malformed_shares_are_refused),
      cmocka_unit_test(missing_halves_are_refused),
      cmocka_unit_test(little_stack_is_enough),
      cmocka_unit_test(parts_must_belong_together),
      cmocka_unit_test(copies_are_equal_and_outlive_the_first),
      cmocka_unit_test(keys_say_their_strength),
      cmocka_unit_test(other_groups_are_refused),
      cmocka_unit_test(property_query_chooses_the_provider),
  };
  OSSL_PROVIDER *own;
  OSSL_PROVIDER *standard;
  int failed;

  library = OSSL_LIB_CTX_new();
  if (argc < 2 || argc > 3 || library == NULL ||
      !OSSL_PROVIDER_set_default_search_path(library, argv[1])) {
    (void)fputs("usage: provider_check FOLDER-WITH-THE-MODULE [shares]\n", stderr);
    return 2;
  }
  standard = OSSL_PROVIDER_load(library, "default");
  own = OSSL_PROVIDER_load(library, "codekem");
  if (standard == NULL || own == NULL) {
    ERR_print_errors_fp(stderr);
    return 1;
  }
  failed = argc == 3 ? print_shares() : cmocka_run_group_tests(tests, NULL, NULL);
  OSSL_PROVIDER_unload(own);
  OSSL_PROVIDER_unload(standard);
  OSSL_LIB_CTX_free(library);
  return failed;
}
