/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Uses a provider whose table (large.def) has a made-up KEM with a public key of a megabyte, which
 * its secret key does not hold: in files, in operations, and not as a TLS group. No security is
 * meant. usage: large_keys CONFIGURATION    a file for OpenSSL that activates "codekem" and
 * "default" */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <codekem_provider.h>
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "kem.h"

#define QUERY "provider=codekem"
#define LITTLE_STACK (128 * 1024)
#define SEED_BYTES 32
#define PUBLIC_BYTES 1357824 /* of Classic McEliece 8192128 */
#define SECRET_BYTES 14120
#define CIPHERTEXT_BYTES 208
#define WORKSPACE_BYTES (2 * PUBLIC_BYTES) /* a multiple of 64 */

const codekem_kem *__real_codekem_kem_find(const char *name);
const codekem_kem *__wrap_codekem_kem_find(const char *name);

/* --- The made-up KEM: everything is a stream of bytes from a seed
 * --------------------------------- */

static void stream(uint8_t *out, size_t length, const uint8_t *seed, uint8_t what) {
  uint32_t state = what;

  for (size_t i = 0; i < length; i++) {
    state = state * 1664525 + 1013904223 + seed[i % SEED_BYTES];
    out[i] = (uint8_t)(state >> 24);
  }
}

static void make_secret(uint8_t *secret_key, const uint8_t *seed) {
  memcpy(secret_key, seed, SEED_BYTES);
  stream(secret_key + SEED_BYTES, SECRET_BYTES - SEED_BYTES, seed, 1);
}

static codekem_status large_keypair(const struct kem_call *call, struct arena arena) {
  memset(arena.next, 0x55, 8 * arena.words_left); /* all of the memory must be there */
  make_secret(call->out.secret_key, call->in.seed);
  stream(call->out.public_key, PUBLIC_BYTES, call->in.seed, 2);
  return CODEKEM_OK;
}

static codekem_status large_derive(const struct kem_call *call, struct arena arena) {
  memset(arena.next, 0x55, 8 * arena.words_left);
  stream(call->out.public_key, PUBLIC_BYTES, call->in.secret_key, 2);
  return CODEKEM_OK;
}

static codekem_status large_check(const struct kem_call *call, struct arena arena) {
  uint8_t *again = (uint8_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(SECRET_BYTES));

  make_secret(again, call->in.secret_key);
  return memcmp(again, call->in.secret_key, SECRET_BYTES) == 0 ? CODEKEM_OK
                                                               : CODEKEM_ERROR_SECRET_KEY;
}

static codekem_status large_encaps(const struct kem_call *call, struct arena arena) {
  (void)arena;
  stream(call->out.ciphertext, CIPHERTEXT_BYTES, call->in.seed, 3);
  for (size_t i = 0; i < SEED_BYTES; i++) {
    call->out.ciphertext[i] = call->in.seed[i] ^ call->in.public_key[PUBLIC_BYTES - 1 - i];
    call->out.shared_secret[i] = call->in.seed[i];
  }
  return CODEKEM_OK;
}

static codekem_status large_decaps(const struct kem_call *call, struct arena arena) {
  uint8_t *public_key = (uint8_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(PUBLIC_BYTES));

  stream(public_key, PUBLIC_BYTES, call->in.secret_key, 2);
  for (size_t i = 0; i < SEED_BYTES; i++) {
    call->out.shared_secret[i] = call->in.ciphertext[i] ^ public_key[PUBLIC_BYTES - 1 - i];
  }
  return CODEKEM_OK;
}

static bool large_good(const void *variant, const uint8_t *bytes) {
  (void)variant;
  (void)bytes;
  return true;
}

static const struct kem_operations operations = {
    .keypair = large_keypair,
    .encaps = large_encaps,
    .decaps = large_decaps,
    .check_secret_key = large_check,
    .derive_public_key = large_derive,
    .good_public_key = large_good,
    .good_ciphertext = large_good,
};
static const struct kem_stacks no_stacks = {0};
static const struct codekem_kem_internal internal = {
    .operations = &operations,
    .stacks = &no_stacks,
    .keypair_request = SEED_BYTES,
    .encaps_request = SEED_BYTES,
};
static const codekem_kem large = {
    .method_name = "Large",
    .claimed_nist_level = 5,
    .length_public_key = PUBLIC_BYTES,
    .length_secret_key = SECRET_BYTES,
    .length_ciphertext = CIPHERTEXT_BYTES,
    .length_shared_secret = SEED_BYTES,
    .length_keypair_seed = SEED_BYTES,
    .length_encaps_seed = SEED_BYTES,
    .length_keypair_workspace = WORKSPACE_BYTES,
    .length_encaps_workspace = WORKSPACE_BYTES,
    .length_decaps_workspace = WORKSPACE_BYTES,
    .length_check_workspace = WORKSPACE_BYTES,
    .internal = &internal,
};

/* The linker lets the provider call this one (CMakeLists.txt). */
const codekem_kem *__wrap_codekem_kem_find(const char *name) {
  return strcmp(name, large.method_name) == 0 ? &large : __real_codekem_kem_find(name);
}

/* --- The provider with it
 * ------------------------------------------------------------------------- */

static OSSL_LIB_CTX *library;
static unsigned char bytes[2 * PUBLIC_BYTES];

static EVP_PKEY *generate(const char *name) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, name, QUERY);
  EVP_PKEY *key = NULL;

  if (context != NULL && EVP_PKEY_keygen_init(context) == 1) {
    (void)EVP_PKEY_generate(context, &key);
  }
  EVP_PKEY_CTX_free(context);
  return key;
}

/* Returns what is read from the PEM of key: public, private, or private without the seed. */
static EVP_PKEY *public_by_pem(EVP_PKEY *key) {
  BIO *memory = BIO_new(BIO_s_mem());
  EVP_PKEY *read = NULL;

  if (PEM_write_bio_PUBKEY_ex(memory, key, library, QUERY) == 1) {
    read = PEM_read_bio_PUBKEY_ex(memory, NULL, NULL, NULL, library, QUERY);
  }
  BIO_free(memory);
  return read;
}

static EVP_PKEY *private_by_pem(EVP_PKEY *key, const EVP_CIPHER *cipher) {
  BIO *memory = BIO_new(BIO_s_mem());
  EVP_PKEY *read = NULL;
  char passphrase[] = "secret";

  if (PEM_write_bio_PrivateKey_ex(memory, key, cipher, (unsigned char *)passphrase,
                                  (int)strlen(passphrase), NULL, NULL, library, QUERY) == 1) {
    read = PEM_read_bio_PrivateKey_ex(memory, NULL, NULL, passphrase, library,
                                      cipher == NULL ? QUERY : NULL);
  }
  BIO_free(memory);
  return read;
}

/* Makes a key of the secret key alone, and of a public key beside it unless that is NULL. */
static EVP_PKEY *from_parts(EVP_PKEY *key, EVP_PKEY *public_half) {
  static unsigned char secret[SECRET_BYTES];
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "Large", QUERY);
  EVP_PKEY *made = NULL;
  OSSL_PARAM params[3];
  size_t count = 0;
  size_t length = 0;

  if (EVP_PKEY_get_octet_string_param(key, "priv", secret, sizeof secret, &length) == 1) {
    params[count++] = OSSL_PARAM_construct_octet_string("priv", secret, length);
  }
  if (public_half != NULL &&
      EVP_PKEY_get_octet_string_param(public_half, "pub", bytes, sizeof bytes, &length) == 1) {
    params[count++] = OSSL_PARAM_construct_octet_string("pub", bytes, length);
  }
  params[count] = OSSL_PARAM_construct_end();
  if (EVP_PKEY_fromdata_init(context) == 1) {
    (void)EVP_PKEY_fromdata(context, &made, EVP_PKEY_KEYPAIR, params);
  }
  EVP_PKEY_CTX_free(context);
  return made;
}

static int check_pair(EVP_PKEY *key) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, QUERY);
  const int good = EVP_PKEY_pairwise_check(context) == 1;

  EVP_PKEY_CTX_free(context);
  return good;
}

static int exchange(EVP_PKEY *public_half, EVP_PKEY *key) {
  unsigned char ciphertext[CIPHERTEXT_BYTES], alice[SEED_BYTES], bob[SEED_BYTES];
  size_t ciphertext_length = sizeof ciphertext;
  size_t alice_length = sizeof alice;
  size_t bob_length = sizeof bob;
  EVP_PKEY_CTX *sender = EVP_PKEY_CTX_new_from_pkey(library, public_half, QUERY);
  EVP_PKEY_CTX *receiver = EVP_PKEY_CTX_new_from_pkey(library, key, QUERY);
  const int good =
      EVP_PKEY_encapsulate_init(sender, NULL) == 1 &&
      EVP_PKEY_encapsulate(sender, ciphertext, &ciphertext_length, alice, &alice_length) == 1 &&
      EVP_PKEY_decapsulate_init(receiver, NULL) == 1 &&
      EVP_PKEY_decapsulate(receiver, bob, &bob_length, ciphertext, ciphertext_length) == 1 &&
      alice_length == bob_length && memcmp(alice, bob, bob_length) == 0;

  EVP_PKEY_CTX_free(sender);
  EVP_PKEY_CTX_free(receiver);
  return good;
}

static void *use_keys(void *failed) {
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, "AES-256-CBC", NULL);
  EVP_PKEY *key = generate("Large");
  EVP_PKEY *public_half = key == NULL ? NULL : public_by_pem(key);
  EVP_PKEY *read = key == NULL ? NULL : private_by_pem(key, NULL);
  EVP_PKEY *seedless = key == NULL ? NULL : from_parts(key, NULL);
  EVP_PKEY *encrypted = seedless == NULL ? NULL : private_by_pem(seedless, cipher);
  const int good = public_half != NULL && read != NULL && encrypted != NULL &&
                   EVP_PKEY_eq(public_half, key) == 1 && EVP_PKEY_eq(read, key) == 1 &&
                   EVP_PKEY_eq(encrypted, key) == 1 && check_pair(encrypted) &&
                   exchange(public_half, encrypted) && exchange(encrypted, read);

  EVP_PKEY_free(encrypted);
  EVP_PKEY_free(seedless);
  EVP_PKEY_free(read);
  EVP_PKEY_free(public_half);
  EVP_PKEY_free(key);
  EVP_CIPHER_free(cipher);
  return good ? NULL : failed;
}

static void a_megabyte_goes_everywhere(void **state) {
  static int failed;
  pthread_attr_t attributes;
  pthread_t thread;
  void *returned = NULL;

  (void)state;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, LITTLE_STACK), 0);
  assert_int_equal(pthread_create(&thread, &attributes, use_keys, &failed), 0);
  assert_int_equal(pthread_join(thread, &returned), 0);
  ERR_print_errors_fp(stderr);
  assert_null(returned);
  (void)pthread_attr_destroy(&attributes);
}

static void halves_of_two_keys_are_refused(void **state) {
  EVP_PKEY *key = generate("Large");
  EVP_PKEY *stranger = generate("Large");

  (void)state;
  assert_null(from_parts(key, stranger));
  assert_string_equal(ERR_reason_error_string(ERR_peek_error()),
                      "public and secret key do not belong together");
  ERR_clear_error();
  EVP_PKEY_free(key);
  EVP_PKEY_free(stranger);
}

/* A key that announces more than any of its algorithm has: refused before memory is taken. */
static void longer_keys_are_refused(void **state) {
  EVP_PKEY *key = generate("Large");
  EVP_PKEY *read = NULL;
  OSSL_DECODER_CTX *context = OSSL_DECODER_CTX_new_for_pkey(
      &read, "DER", "SubjectPublicKeyInfo", NULL, EVP_PKEY_PUBLIC_KEY, library, QUERY);
  unsigned char *der = NULL;
  size_t length = (size_t)i2d_PUBKEY(key, &der);
  const unsigned char *start = der;
  const char *text = "";
  int flags = 0;

  (void)state;
  EVP_PKEY_free(key);
  assert_in_range(length, PUBLIC_BYTES, PUBLIC_BYTES + 100);
  assert_int_equal(der[1], 0x83); /* a length of three bytes: der[2] is the first of them */
  der[2] = 0x20;
  assert_int_not_equal(OSSL_DECODER_from_data(context, &start, &length), 1);
  while (strstr(text, "bytes, and keys of its algorithm have") == NULL) {
    assert_int_not_equal(ERR_get_error_all(NULL, NULL, NULL, &text, &flags), 0);
  }
  ERR_clear_error();
  OSSL_DECODER_CTX_free(context);
  OPENSSL_free(der);
}

/* Writes down the names of the groups, in words[...]. */
static int note_group(const OSSL_PARAM params[], void *words) {
  const OSSL_PARAM *name = OSSL_PARAM_locate_const(params, OSSL_CAPABILITY_TLS_GROUP_NAME);

  (void)strcat(words, name->data);
  (void)strcat(words, " ");
  return 1;
}

static void only_what_fits_is_a_group(void **state) {
  OSSL_PROVIDER *own = OSSL_PROVIDER_load(library, "codekem");
  char words[200] = "";

  (void)state;
  assert_int_equal(OSSL_PROVIDER_get_capabilities(own, "TLS-GROUP", note_group, words), 1);
  assert_string_equal(words, "p256_hqc1 x25519_hqc1 p384_hqc3 ");
  OSSL_PROVIDER_unload(own);
}

static void what_the_library_lacks_is_not_offered(void **state) {
  (void)state;
  assert_null(EVP_KEYMGMT_fetch(library, "Absent", QUERY));
  assert_null(EVP_KEM_fetch(library, "p521_absent", QUERY));
  ERR_clear_error();
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_megabyte_goes_everywhere),
      cmocka_unit_test(halves_of_two_keys_are_refused),
      cmocka_unit_test(longer_keys_are_refused),
      cmocka_unit_test(only_what_fits_is_a_group),
      cmocka_unit_test(what_the_library_lacks_is_not_offered),
  };
  int failed;

  library = OSSL_LIB_CTX_new();
  if (argc != 2 || library == NULL ||
      !OSSL_PROVIDER_add_builtin(library, "codekem", codekem_ossl_provider_init) ||
      !OSSL_LIB_CTX_load_config(library, argv[1])) {
    (void)fputs("usage: large_keys CONFIGURATION\n", stderr);
    ERR_print_errors_fp(stderr);
    return 2;
  }
  failed = cmocka_run_group_tests(tests, NULL, NULL);
  OSSL_LIB_CTX_free(library);
  return failed;
}
