/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Takes keys in several threads at once: first from a pool itself, without OpenSSL's locks around
 * it, which order more than the pool may count on; then key shares from one library context, whose
 * pool they share, and from contexts that come and go meanwhile. Built for ThreadSanitizer, with
 * the pool as it is and with races in it (pool_planted.c). The argument names an OpenSSL
 * configuration with a pool. */
#define _POSIX_C_SOURCE 200809L /* for barriers */
#include <codekem_provider.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/openssl-provider/pool.h"
#include "apps/openssl-provider/provider.h"

#define SHARING 4           /* threads with the same context */
#define ALONE 2             /* threads that make contexts of their own */
#define THREADS (SHARING + ALONE)
#define SHARES 16           /* of a thread */
#define SHARES_OF_CONTEXT 4 /* of one that comes and goes */
#define BEGINNING 32        /* bytes of a share of BIKE with which no other one begins */
#define CLASSICAL 32        /* bytes of X25519, in front of it in a hybrid */
#define POOL_SIZE 4
#define POOL_SECONDS 60
#define STRENGTH 128
#define ATTEMPTS 1000000    /* to find the pool empty of other threads */

struct maker {
  struct pool_place *place; /* to take keys from; NULL: make shares */
  OSSL_LIB_CTX *context; /* NULL: make them */
  const char *configuration;
  bool good;
  uint8_t shares[SHARES][BEGINNING];
};

static pthread_barrier_t start;

/* Takes a key from the pool as soon as no other thread is in it. */
static bool take_key(struct pool_place *place, uint8_t *beginning) {
  static const struct provider of_default_context;
  uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_MAX_SECRET_KEY];
  uint8_t seed[CODEKEM_MAX_KEYPAIR_SEED];

  for (int i = 0; i < ATTEMPTS; i++) {
    if (ckem_pool_take(place, &of_default_context, STRENGTH, public_key, secret_key, seed)) {
      memcpy(beginning, public_key, BEGINNING);
      return true;
    }
    (void)sched_yield();
  }
  return false;
}

static void *take_keys(void *argument) {
  struct maker *maker = argument;

  maker->good = true;
  (void)pthread_barrier_wait(&start);
  for (size_t i = 0; i < SHARES && maker->good; i++) {
    maker->good = take_key(maker->place, maker->shares[i]);
    ckem_pool_expire(maker->place);
  }
  return NULL;
}

static OSSL_LIB_CTX *new_context(const char *configuration) {
  OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();

  if (context != NULL &&
      (OSSL_PROVIDER_add_builtin(context, "codekem", codekem_ossl_provider_init) != 1 ||
       OSSL_LIB_CTX_load_config(context, configuration) != 1)) {
    OSSL_LIB_CTX_free(context);
    return NULL;
  }
  return context;
}

/* Makes a key share as libssl does, and keeps the beginning of BIKE's part of it. */
static bool make_share(OSSL_LIB_CTX *context, bool hybrid, uint8_t *beginning) {
  const char *name = hybrid ? "x25519_bikel1" : "BIKE-L1";
  EVP_PKEY_CTX *generation = EVP_PKEY_CTX_new_from_name(context, name, NULL);
  EVP_PKEY *key = NULL;
  unsigned char *share = NULL;
  size_t length = 0;
  const size_t offset = hybrid ? CLASSICAL : 0;

  if (generation != NULL && EVP_PKEY_keygen_init(generation) == 1 &&
      EVP_PKEY_CTX_set_group_name(generation, name) == 1 &&
      EVP_PKEY_generate(generation, &key) == 1) {
    length = EVP_PKEY_get1_encoded_public_key(key, &share);
  }
  const bool good = length >= offset + BEGINNING;
  if (good) {
    memcpy(beginning, share + offset, BEGINNING);
  }
  OPENSSL_free(share);
  EVP_PKEY_free(key);
  EVP_PKEY_CTX_free(generation);
  return good;
}

static void *make_shares(void *argument) {
  struct maker *maker = argument;
  OSSL_LIB_CTX *context = maker->context;

  maker->good = true;
  (void)pthread_barrier_wait(&start);
  for (size_t i = 0; i < SHARES && maker->good; i++) {
    if (maker->context == NULL && i % SHARES_OF_CONTEXT == 0) {
      OSSL_LIB_CTX_free(context);
      context = new_context(maker->configuration);
    }
    maker->good = context != NULL && make_share(context, i % 2 == 1, maker->shares[i]);
  }
  if (maker->context == NULL) {
    OSSL_LIB_CTX_free(context);
  }
  return NULL;
}

static int compare(const void *a, const void *b) {
  return memcmp(a, b, BEGINNING);
}

static bool all_different(const struct maker *makers) {
  static uint8_t all[THREADS * SHARES][BEGINNING];

  for (size_t i = 0; i < THREADS; i++) {
    memcpy(all[i * SHARES], makers[i].shares, sizeof makers[i].shares);
  }
  qsort(all, THREADS * SHARES, BEGINNING, compare);
  for (size_t i = 1; i < THREADS * SHARES; i++) {
    if (memcmp(all[i - 1], all[i], BEGINNING) == 0) {
      return false;
    }
  }
  return true;
}

/* Runs a function in each thread; false if one of them failed or two keys are the same. */
static bool run(void *(*function)(void *), struct maker *makers, const char *what) {
  pthread_t threads[THREADS];
  bool good = true;

  for (size_t i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, function, &makers[i]) != 0) {
      (void)fputs("no thread\n", stderr);
      exit(EXIT_FAILURE);
    }
  }
  for (size_t i = 0; i < THREADS; i++) {
    good = pthread_join(threads[i], NULL) == 0 && makers[i].good && good;
  }
  if (!good || !all_different(makers)) {
    (void)fprintf(stderr, "%s: %s\n", what, good ? "two are the same" : "one is missing");
    return false;
  }
  (void)printf("%d %s of %d threads\n", THREADS * SHARES, what, THREADS);
  return true;
}

static bool keys_of_a_pool(void) {
  static struct maker makers[THREADS];
  struct pool_place place;

  ckem_pool_open(&place, codekem_kem_find("BIKE-L1"), POOL_SIZE, POOL_SECONDS);
  if (place.kem == NULL) {
    (void)fputs("no memory that a fork wipes\n", stderr);
    return false;
  }
  for (size_t i = 0; i < THREADS; i++) {
    makers[i].place = &place;
  }
  const bool good = run(take_keys, makers, "keys");
  ckem_pool_close(&place);
  return good;
}

static bool shares_of_contexts(const char *configuration) {
  static struct maker makers[THREADS];
  OSSL_LIB_CTX *shared = new_context(configuration);

  if (shared == NULL) {
    (void)fputs("no library context with the provider\n", stderr);
    return false;
  }
  for (size_t i = 0; i < THREADS; i++) {
    makers[i].context = i < SHARING ? shared : NULL;
    makers[i].configuration = configuration;
  }
  const bool good = run(make_shares, makers, "shares");
  OSSL_LIB_CTX_free(shared);
  return good;
}

int main(int argc, char **argv) {
  if (argc != 2 || pthread_barrier_init(&start, NULL, THREADS) != 0) {
    (void)fputs("usage: pool_races_0 CONFIGURATION\n", stderr);
    return 2;
  }
  return keys_of_a_pool() && shares_of_contexts(argv[1]) ? EXIT_SUCCESS : EXIT_FAILURE;
}
