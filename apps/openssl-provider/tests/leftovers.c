/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lets each allocation fail in turn while keys are made, used and read, and looks for seeds and
 * secret keys in the thread's stack afterwards, in memory that is given back, and in what was
 * forgotten. */
#define _POSIX_C_SOURCE 200809L /* pthread_attr_setstack */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <codekem.h>
#include <codekem_provider.h>
#include <openssl/core.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERY "provider=codekem"
#define STACK_BYTES (256 * 1024)
#define STEP_DISTANCE (64 * 1024)
#define NEEDLE_BYTES 16
#define MOST_ALLOCATIONS 2000

int __wrap_RAND_priv_bytes_ex(OSSL_LIB_CTX *context, unsigned char *out, size_t length,
                              unsigned strength);

static OSSL_LIB_CTX *library;

/* --- What must not be left
 * ------------------------------------------------------------------------ */

/* The provider's random bytes are always the same (the linker lets it call this), so that seeds and
 * what comes of them are known. */
int __wrap_RAND_priv_bytes_ex(OSSL_LIB_CTX *context, unsigned char *out, size_t length,
                              unsigned strength) {
  (void)context;
  (void)strength;
  for (size_t i = 0; i < length; i++) {
    out[i] = (unsigned char)(0xA7 ^ (29 * i));
  }
  return 1;
}

static uint8_t secret_key[CODEKEM_MAX_SECRET_KEY];
static uint8_t needles[2][NEEDLE_BYTES];

/* Fills the needles for a KEM: from the seed, and from a part of the secret key that is not it. */
static void know_secrets(const codekem_kem *kem) {
  static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY];
  uint8_t seed[CODEKEM_MAX_KEYPAIR_SEED];

  (void)__wrap_RAND_priv_bytes_ex(NULL, seed, kem->length_keypair_seed, 0);
  assert_int_equal(codekem_kem_keypair_with(kem, public_key, secret_key,
                                            CODEKEM_OPTIONS(.seed = seed)),
                   CODEKEM_OK);
  memcpy(needles[0], seed, NEEDLE_BYTES);
  memcpy(needles[1],
         secret_key +
             (strncmp(kem->method_name, "HQC", 3) == 0 ? kem->length_secret_key - NEEDLE_BYTES : 0),
         NEEDLE_BYTES);
}

/* Says whether a needle is in memory[length]. */
static bool holds_secret(const void *memory, size_t length) {
  const uint8_t *bytes = memory;

  for (size_t i = 0; i + NEEDLE_BYTES <= length; i++) {
    for (size_t j = 0; j < 2; j++) {
      if (bytes[i] == needles[j][0] && memcmp(bytes + i, needles[j], NEEDLE_BYTES) == 0) {
        return true;
      }
    }
  }
  return false;
}

/* --- Memory of OpenSSL and of the provider
 * --------------------------------------------------------- */

struct block {
  alignas(max_align_t) size_t length;
  struct block *next;
  struct block *previous;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block blocks = {0, &blocks, &blocks};
static bool armed;       /* an operation is being tried */
static size_t countdown; /* the allocation that fails; 0: none */
static bool given_back;  /* memory with a secret was freed */

static void *take(size_t length, const char *file, int line) {
  struct block *block = NULL;

  (void)file;
  (void)line;
  (void)pthread_mutex_lock(&lock);
  if (!armed || countdown == 0 || --countdown != 0) {
    block = malloc(sizeof *block + length);
  }
  if (block != NULL) {
    block->length = length;
    block->next = blocks.next;
    block->previous = &blocks;
    blocks.next->previous = block;
    blocks.next = block;
  }
  (void)pthread_mutex_unlock(&lock);
  return block == NULL ? NULL : block + 1;
}

static void give_back(void *memory, const char *file, int line) {
  struct block *block = memory;

  (void)file;
  (void)line;
  if (memory == NULL) {
    return;
  }
  block--;
  (void)pthread_mutex_lock(&lock);
  given_back = given_back || (armed && holds_secret(memory, block->length));
  block->next->previous = block->previous;
  block->previous->next = block->next;
  (void)pthread_mutex_unlock(&lock);
  free(block);
}

static void *take_again(void *memory, size_t length, const char *file, int line) {
  void *larger = take(length, file, line);

  if (memory != NULL && larger != NULL) {
    const struct block *block = (struct block *)memory - 1;
    memcpy(larger, memory, block->length < length ? block->length : length);
    give_back(memory, file, line);
  }
  return larger;
}

/* --- Operations
 * ------------------------------------------------------------------------------------ */

/* What an operation works on. */
struct work {
  const codekem_kem *kem;
  EVP_PKEY_CTX *context;
  EVP_PKEY *key;
  EVP_PKEY *copy;
};

typedef bool step(struct work *work);

/* Takes a step far down the stack, so that what it leaves there is not written over at once. */
static bool take_step(step *function, struct work *work) {
  volatile bool distance[STEP_DISTANCE];

  distance[0] = function(work);
  return distance[0];
}

static void renew_context(struct work *work) {
  EVP_PKEY_CTX_free(work->context);
  work->context = work->key != NULL
                      ? EVP_PKEY_CTX_new_from_pkey(library, work->key, QUERY)
                      : EVP_PKEY_CTX_new_from_name(library, work->kem->method_name, QUERY);
}

static bool generate(struct work *work) {
  return work->context != NULL && EVP_PKEY_keygen_init(work->context) == 1 &&
         EVP_PKEY_generate(work->context, &work->key) == 1;
}

static bool copy(struct work *work) {
  work->copy = EVP_PKEY_dup(work->key);
  return work->copy != NULL;
}

static bool encapsulate(struct work *work) {
  static unsigned char ciphertext[CODEKEM_MAX_CIPHERTEXT];
  static unsigned char secret[CODEKEM_MAX_SHARED_SECRET];
  size_t ciphertext_length = sizeof ciphertext;
  size_t secret_length = sizeof secret;

  return work->context != NULL && EVP_PKEY_encapsulate_init(work->context, NULL) == 1 &&
         EVP_PKEY_encapsulate(work->context, ciphertext, &ciphertext_length, secret,
                              &secret_length) == 1;
}

static bool import(struct work *work) {
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_octet_string("priv", secret_key, work->kem->length_secret_key),
      OSSL_PARAM_construct_end(),
  };
  return work->context != NULL && EVP_PKEY_fromdata_init(work->context) == 1 &&
         EVP_PKEY_fromdata(work->context, &work->key, EVP_PKEY_KEYPAIR, params) == 1;
}

static bool check(struct work *work) {
  return work->context != NULL && EVP_PKEY_pairwise_check(work->context) == 1;
}

/* An operation: one step without a key, and one with the key that the first made. */
struct operation {
  const char *name;
  step *first;
  step *second;
};

/* Returns whether both steps succeeded; frees what they made. */
static bool run(const struct operation *operation, const codekem_kem *kem) {
  struct work work = {kem, NULL, NULL, NULL};
  bool good;

  renew_context(&work);
  good = take_step(operation->first, &work);
  if (good) {
    renew_context(&work);
    good = take_step(operation->second, &work);
  }
  EVP_PKEY_CTX_free(work.context);
  EVP_PKEY_free(work.copy);
  EVP_PKEY_free(work.key);
  return good;
}

/* --- Trying them
 * ----------------------------------------------------------------------------------- */

struct trial {
  const struct operation *operation;
  const codekem_kem *kem;
  size_t failing;
  bool succeeded;
};

static void *run_trial(void *argument) {
  struct trial *trial = argument;

  countdown = trial->failing;
  armed = true;
  trial->succeeded = run(trial->operation, trial->kem);
  armed = false;
  ERR_clear_error();
  return NULL;
}

/* Runs one trial on a stack that can be searched. */
static void try_once(struct trial *trial) {
  alignas(4096) static uint8_t stack[STACK_BYTES];
  pthread_attr_t attributes;
  pthread_t thread;
  bool forgotten = false;
  bool on_stack;

  memset(stack, 0, sizeof stack);
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK_BYTES), 0);
  given_back = false;
  assert_int_equal(pthread_create(&thread, &attributes, run_trial, trial), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  (void)pthread_attr_destroy(&attributes);
  on_stack = holds_secret(stack, STACK_BYTES);
  for (const struct block *block = blocks.next; block != &blocks; block = block->next) {
    forgotten = forgotten || holds_secret(block + 1, block->length);
  }
  if (on_stack || given_back || forgotten) {
    print_error("%s of %s, allocation %zu failing: a secret is left%s%s%s\n",
                trial->operation->name, trial->kem->method_name, trial->failing,
                on_stack ? " on the stack" : "", given_back ? " in memory that was freed" : "",
                forgotten ? " in memory that was not freed" : "");
    fail();
  }
}

static void try_all(const struct operation *operation) {
  for (size_t i = 0; i < codekem_kem_count(); i++) {
    const codekem_kem *kem = codekem_kem_at(i);
    struct trial trial = {operation, kem, 0, false};

    if (kem->superseded) {
      continue;
    }
    know_secrets(kem);
    try_once(&trial); /* nothing fails; what OpenSSL keeps is there afterwards */
    assert_true(trial.succeeded);
    do {
      trial.failing++;
      try_once(&trial);
    } while (countdown == 0 && trial.failing < MOST_ALLOCATIONS);
    assert_in_range(trial.failing, 5, MOST_ALLOCATIONS - 1);
  }
}

static void nothing_is_left_of_new_keys(void **state) {
  (void)state;
  try_all(&(struct operation){"making and copying a key", generate, copy});
}

static void nothing_is_left_of_encapsulations(void **state) {
  (void)state;
  try_all(&(struct operation){"encapsulation", generate, encapsulate});
}

static void nothing_is_left_of_imported_keys(void **state) {
  (void)state;
  try_all(&(struct operation){"importing a key", import, check});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_left_of_new_keys),
      cmocka_unit_test(nothing_is_left_of_encapsulations),
      cmocka_unit_test(nothing_is_left_of_imported_keys),
  };

  if (!CRYPTO_set_mem_functions(take, take_again, give_back)) {
    (void)fputs("OpenSSL has taken memory already\n", stderr);
    return 2;
  }
  library = OSSL_LIB_CTX_new();
  if (library == NULL || OSSL_PROVIDER_load(library, "default") == NULL ||
      !OSSL_PROVIDER_add_builtin(library, "codekem", codekem_ossl_provider_init) ||
      OSSL_PROVIDER_load(library, "codekem") == NULL) {
    ERR_print_errors_fp(stderr);
    return 2;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
