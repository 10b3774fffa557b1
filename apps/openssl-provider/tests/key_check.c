/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads, checks and writes keys in a thread with little stack, and makes keys where the default
 * properties name the provider. usage: ckem_key_check FOLDER-WITH-THE-MODULE */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define QUERY "provider=codekem"
#define LARGEST 32768
#define LITTLE_STACK (128 * 1024) /* what a thread has with musl */

static const char *const names[] = {"BIKE-L1", "BIKE-L3", "BIKE-L5", "HQC-1", "HQC-3", "HQC-5"};
#define NAMES (sizeof names / sizeof names[0])

static const char *folder;

/* A library context with the default provider and this one. */
struct loaded {
  OSSL_LIB_CTX *library;
  OSSL_PROVIDER *standard;
  OSSL_PROVIDER *own;
};

/* Loads the providers, with default properties that are set before or after; NULL for none. */
static struct loaded load(const char *before, const char *after) {
  struct loaded loaded = {OSSL_LIB_CTX_new(), NULL, NULL};

  assert_non_null(loaded.library);
  assert_int_equal(OSSL_PROVIDER_set_default_search_path(loaded.library, folder), 1);
  assert_true(before == NULL || EVP_set_default_properties(loaded.library, before) == 1);
  loaded.standard = OSSL_PROVIDER_load(loaded.library, "default");
  loaded.own = OSSL_PROVIDER_load(loaded.library, "codekem");
  assert_non_null(loaded.standard);
  assert_non_null(loaded.own);
  assert_true(after == NULL || EVP_set_default_properties(loaded.library, after) == 1);
  return loaded;
}

static void unload(struct loaded *loaded) {
  OSSL_PROVIDER_unload(loaded->own);
  OSSL_PROVIDER_unload(loaded->standard);
  OSSL_LIB_CTX_free(loaded->library);
}

static EVP_PKEY *generate(OSSL_LIB_CTX *library, const char *name) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, name, QUERY);
  EVP_PKEY *key = NULL;

  if (context != NULL && EVP_PKEY_keygen_init(context) == 1) {
    (void)EVP_PKEY_generate(context, &key);
  }
  EVP_PKEY_CTX_free(context);
  return key;
}

/* Returns the key without its seed, so that reading it has the secret key to check. */
static EVP_PKEY *without_seed(OSSL_LIB_CTX *library, const char *name, EVP_PKEY *key) {
  static unsigned char secret[LARGEST]; /* one thread at a time */
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, name, QUERY);
  EVP_PKEY *copy = NULL;
  size_t length = 0;
  OSSL_PARAM params[2];

  if (EVP_PKEY_get_octet_string_param(key, "priv", secret, sizeof secret, &length) == 1) {
    params[0] = OSSL_PARAM_construct_octet_string("priv", secret, length);
    params[1] = OSSL_PARAM_construct_end();
    if (context != NULL && EVP_PKEY_fromdata_init(context) == 1) {
      (void)EVP_PKEY_fromdata(context, &copy, EVP_PKEY_KEYPAIR, params);
    }
  }
  EVP_PKEY_CTX_free(context);
  return copy;
}

/* Returns the key that is read from what PEM is written of it. */
static EVP_PKEY *by_pem(OSSL_LIB_CTX *library, EVP_PKEY *key) {
  BIO *memory = BIO_new(BIO_s_mem());
  EVP_PKEY *read = NULL;

  if (memory != NULL &&
      PEM_write_bio_PrivateKey_ex(memory, key, NULL, NULL, 0, NULL, NULL, library, QUERY) == 1) {
    read = PEM_read_bio_PrivateKey_ex(memory, NULL, NULL, NULL, library, QUERY);
  }
  BIO_free(memory);
  return read;
}

static int check_pair(OSSL_LIB_CTX *library, EVP_PKEY *key) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, QUERY);
  const int good = context != NULL && EVP_PKEY_pairwise_check(context) == 1 &&
                   EVP_PKEY_private_check(context) == 1 && EVP_PKEY_public_check(context) == 1;

  EVP_PKEY_CTX_free(context);
  return good;
}

/* All that is done to a key in files; returns 0 if something fails. */
static int use_keys(OSSL_LIB_CTX *library) {
  int good = 1;

  for (size_t i = 0; good && i < NAMES; i++) {
    EVP_PKEY *key = generate(library, names[i]);
    EVP_PKEY *seedless = without_seed(library, names[i], key);
    EVP_PKEY *read = seedless == NULL ? NULL : by_pem(library, seedless);
    EVP_PKEY *again = key == NULL ? NULL : by_pem(library, key);

    good = read != NULL && again != NULL && EVP_PKEY_eq(read, key) == 1 &&
           EVP_PKEY_eq(again, key) == 1 && check_pair(library, read) && check_pair(library, again);
    EVP_PKEY_free(again);
    EVP_PKEY_free(read);
    EVP_PKEY_free(seedless);
    EVP_PKEY_free(key);
  }
  return good;
}

static void *use_keys_in_thread(void *library) {
  return use_keys(library) ? NULL : library;
}

static void keys_need_little_stack(void **state) {
  struct loaded loaded = load(NULL, NULL);
  pthread_attr_t attributes;
  pthread_t thread;
  void *returned = NULL;

  (void)state;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, LITTLE_STACK), 0);
  assert_int_equal(pthread_create(&thread, &attributes, use_keys_in_thread, loaded.library), 0);
  assert_int_equal(pthread_join(thread, &returned), 0);
  assert_null(returned);
  (void)pthread_attr_destroy(&attributes);
  unload(&loaded);
}

/* "provider=codekem" among the default properties says where KEMs come from; random bytes may come
 * from elsewhere. The classical half of a hybrid is OpenSSL's own, whose key generation then finds
 * no generator: an error in words. */
static void check_with_properties(const char *before, const char *after) {
  struct loaded loaded = load(before, after);

  for (size_t i = 0; i < NAMES; i++) {
    EVP_PKEY *key = generate(loaded.library, names[i]);
    ERR_print_errors_fp(stderr);
    assert_non_null(key);
    assert_int_equal(check_pair(loaded.library, key), 1);
    EVP_PKEY_free(key);
  }
  assert_null(generate(loaded.library, "x25519_hqc1"));
  assert_string_equal(ERR_reason_error_string(ERR_peek_last_error()),
                      "the classical key exchange failed");
  ERR_clear_error();
  unload(&loaded);
}

static void default_properties_may_name_the_provider(void **state) {
  (void)state;
  check_with_properties(QUERY, NULL);
  check_with_properties(NULL, QUERY);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_need_little_stack),
      cmocka_unit_test(default_properties_may_name_the_provider),
  };

  if (argc != 2) {
    (void)fputs("usage: key_check FOLDER-WITH-THE-MODULE\n", stderr);
    return 2;
  }
  folder = argv[1];
  return cmocka_run_group_tests(tests, NULL, NULL);
}
