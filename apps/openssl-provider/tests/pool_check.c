/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks the pools of keys from within: each key is used once and wiped, none survives a fork or
 * its age, threads do not share any; and that only keys for TLS come from them. */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <codekem_provider.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/openssl-provider/pool.h"
#include "apps/openssl-provider/provider.h"

#define SIZE 8
#define STRENGTH 128
#define SECRET_PREFIX 32 /* bytes of a secret key that no other one begins with */

/* --- What the linker puts before functions of OpenSSL and of the provider --------------------- */

static bool random_fails;
static int pool_calls;

int __real_RAND_priv_bytes_ex(OSSL_LIB_CTX *context, unsigned char *bytes, size_t length,
                              unsigned strength);
int __wrap_RAND_priv_bytes_ex(OSSL_LIB_CTX *context, unsigned char *bytes, size_t length,
                              unsigned strength);
bool __real_ckem_pool_take(struct pool_place *place, const struct provider *provider,
                           unsigned strength, uint8_t *public_key, uint8_t *secret_key,
                           uint8_t *seed);
bool __wrap_ckem_pool_take(struct pool_place *place, const struct provider *provider,
                           unsigned strength, uint8_t *public_key, uint8_t *secret_key,
                           uint8_t *seed);

int __wrap_RAND_priv_bytes_ex(OSSL_LIB_CTX *context, unsigned char *bytes, size_t length,
                              unsigned strength) {
  return random_fails ? 0 : __real_RAND_priv_bytes_ex(context, bytes, length, strength);
}

bool __wrap_ckem_pool_take(struct pool_place *place, const struct provider *provider,
                           unsigned strength, uint8_t *public_key, uint8_t *secret_key,
                           uint8_t *seed) {
  pool_calls++;
  return __real_ckem_pool_take(place, provider, strength, public_key, secret_key, seed);
}

/* --- What the tests share --------------------------------------------------------------------- */

struct pair {
  uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_MAX_SECRET_KEY];
  uint8_t seed[CODEKEM_MAX_KEYPAIR_SEED];
};

static const struct provider no_provider; /* of the default library context, without error queue */

static const codekem_kem *kem(void) {
  const codekem_kem *found = codekem_kem_find("BIKE-L1");

  assert_non_null(found);
  return found;
}

static struct pool_place open_pool(unsigned seconds) {
  struct pool_place place;

  ckem_pool_open(&place, kem(), SIZE, seconds);
  assert_non_null(place.kem); /* Linux 4.14 has what it takes */
  return place;
}

static bool take(struct pool_place *place, struct pair *pair) {
  memset(pair, 0, sizeof *pair);
  return __real_ckem_pool_take(place, &no_provider, STRENGTH, pair->public_key, pair->secret_key,
                               pair->seed);
}

static bool holds(const struct pool_place *place, const uint8_t *bytes, size_t length) {
  const uint8_t *memory = place->memory;

  for (size_t i = 0; i + length <= place->length; i++) {
    if (memcmp(memory + i, bytes, length) == 0) {
      return true;
    }
  }
  return false;
}

static bool all_zero(const void *memory, size_t length) {
  const uint8_t *bytes = memory;
  uint8_t any = 0;

  for (size_t i = 0; i < length; i++) {
    any |= bytes[i];
  }
  return any == 0;
}

/* Takes keys until some are left. */
static void leave_some(struct pool_place *place) {
  struct pair pair;

  do {
    assert_true(take(place, &pair));
  } while (place->pool->ready < 3);
}

/* --- The tests -------------------------------------------------------------------------------- */

static void keys_are_used_once_and_wiped(void **state) {
  (void)state;
  enum { COUNT = 4 * SIZE };
  static struct pair pairs[COUNT];
  struct pool_place place = open_pool(60);

  for (size_t i = 0; i < COUNT; i++) {
    struct pair want;
    assert_true(take(&place, &pairs[i]));
    assert_false(holds(&place, pairs[i].secret_key, SECRET_PREFIX));
    assert_false(holds(&place, pairs[i].seed, sizeof pairs[i].seed / 2));
    assert_false(holds(&place, pairs[i].public_key, SECRET_PREFIX));
    /* A single call with the same seed gives the same pair. */
    assert_int_equal(codekem_kem_keypair_with(kem(), want.public_key, want.secret_key,
                                              CODEKEM_OPTIONS(.seed = pairs[i].seed)),
                     CODEKEM_OK);
    assert_memory_equal(pairs[i].public_key, want.public_key, kem()->length_public_key);
    assert_memory_equal(pairs[i].secret_key, want.secret_key, kem()->length_secret_key);
    for (size_t j = 0; j < i; j++) {
      assert_memory_not_equal(pairs[i].public_key, pairs[j].public_key, kem()->length_public_key);
    }
  }
  ckem_pool_close(&place);
  assert_null(place.kem);
  assert_false(take(&place, &pairs[0])); /* without a pool there is no key */
}

static void batches_grow_to_the_size(void **state) {
  (void)state;
  static const size_t left[] = {0, 1, 0, 3, 2, 1, 0, SIZE - 1};
  struct pool_place place = open_pool(60);
  struct pair pair;

  for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
    assert_true(take(&place, &pair));
    assert_int_equal(place.pool->ready, left[i]);
  }
  assert_int_equal(place.pool->next_batch, SIZE);
  ckem_pool_close(&place);
}

/* In the child all of the pool is zero, and it makes keys of its own; the parent's stay. */
static void child_never_has_a_key_of_its_parent(void **state) {
  (void)state;
  struct pool_place place = open_pool(60);
  uint8_t from_child[SIZE][SECRET_PREFIX];
  struct pair pair;
  int channel[2];

  leave_some(&place);
  const size_t ready = place.pool->ready;
  assert_int_equal(pipe(channel), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    bool good = all_zero(place.memory, place.length);
    for (size_t i = 0; i < SIZE; i++) {
      good = good && take(&place, &pair) &&
             write(channel[1], pair.secret_key, SECRET_PREFIX) == SECRET_PREFIX;
    }
    _exit(good ? 0 : 1);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(read(channel[0], from_child, sizeof from_child), sizeof from_child);
  assert_int_equal(place.pool->ready, ready);
  for (size_t i = 0; i < SIZE; i++) {
    assert_false(holds(&place, from_child[i], SECRET_PREFIX));
  }
  assert_true(take(&place, &pair));
  assert_int_equal(place.pool->ready, ready - 1);
  close(channel[0]);
  close(channel[1]);
  ckem_pool_close(&place);
}

/* Keys of another process are not used even where the system did not wipe them. */
static void keys_of_another_process_are_wiped(void **state) {
  (void)state;
  struct pool_place place = open_pool(60);
  uint8_t old[SECRET_PREFIX];
  struct pair pair;

  leave_some(&place);
  memcpy(old, place.secret_keys, sizeof old);
  place.pool->process ^= 1;
  assert_true(take(&place, &pair));
  assert_memory_not_equal(pair.secret_key, old, sizeof old);
  assert_false(holds(&place, old, sizeof old));
  ckem_pool_close(&place);
}

/* A fork while another thread is in the pool: it is not there in the child. */
static void nobody_is_in_the_pool_of_a_child(void **state) {
  (void)state;
  struct pool_place place = open_pool(60);
  struct pair pair;

  place.pool->entered = 1;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    _exit(take(&place, &pair) ? 0 : 1);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_false(take(&place, &pair)); /* here it still is, and nobody waits */
  assert_true(all_zero(&pair, sizeof pair));
  ckem_pool_close(&place);
}

static void old_keys_are_wiped(void **state) {
  (void)state;
  struct pool_place place = open_pool(5);
  uint8_t old[SECRET_PREFIX];
  struct pair pair;

  for (int by_expiry = 0; by_expiry < 2; by_expiry++) {
    leave_some(&place);
    memcpy(old, place.secret_keys, sizeof old);
    place.pool->made -= 4;
    ckem_pool_expire(&place);
    assert_true(place.pool->ready >= 3); /* not yet */
    place.pool->made -= 1;
    if (by_expiry == 1) {
      ckem_pool_expire(&place);
      assert_int_equal(place.pool->ready, 0);
    } else {
      assert_true(take(&place, &pair));
      assert_memory_not_equal(pair.secret_key, old, sizeof old);
    }
    assert_false(holds(&place, old, sizeof old));
    assert_true(place.pool->next_batch <= 2); /* batches begin anew */
  }
  ckem_pool_close(&place);
}

static void failing_randomness_leaves_nothing(void **state) {
  (void)state;
  struct pool_place place = open_pool(60);
  struct pair pair;

  while (place.pool->ready == 0) {
    assert_true(take(&place, &pair));
  }
  while (place.pool->ready > 0) {
    assert_true(take(&place, &pair));
  }
  random_fails = true;
  assert_false(take(&place, &pair));
  random_fails = false;
  assert_int_equal(place.pool->ready, 0);
  assert_true(all_zero(place.public_keys, (size_t)(place.workspace - place.public_keys)));
  assert_true(take(&place, &pair));
  ckem_pool_close(&place);
}

/* --- Threads ---------------------------------------------------------------------------------- */

#define THREADS 4
#define KEYS_OF_THREAD 100

struct taker {
  struct pool_place *place;
  size_t taken;
  uint8_t secrets[KEYS_OF_THREAD][SECRET_PREFIX];
};

static void *take_keys(void *argument) {
  struct taker *taker = argument;

  while (taker->taken < KEYS_OF_THREAD) {
    struct pair pair;
    if (take(taker->place, &pair)) {
      memcpy(taker->secrets[taker->taken++], pair.secret_key, SECRET_PREFIX);
    } else {
      sched_yield(); /* another thread is in the pool */
    }
  }
  return NULL;
}

static int compare(const void *a, const void *b) {
  return memcmp(a, b, SECRET_PREFIX);
}

static void threads_get_different_keys(void **state) {
  (void)state;
  static struct taker takers[THREADS];
  static uint8_t all[THREADS * KEYS_OF_THREAD][SECRET_PREFIX];
  struct pool_place place = open_pool(60);
  pthread_t threads[THREADS];

  for (size_t i = 0; i < THREADS; i++) {
    takers[i].place = &place;
    assert_int_equal(pthread_create(&threads[i], NULL, take_keys, &takers[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    memcpy(all[i * KEYS_OF_THREAD], takers[i].secrets, sizeof takers[i].secrets);
  }
  qsort(all, THREADS * KEYS_OF_THREAD, SECRET_PREFIX, compare);
  for (size_t i = 1; i < THREADS * KEYS_OF_THREAD; i++) {
    assert_memory_not_equal(all[i - 1], all[i], SECRET_PREFIX);
  }
  ckem_pool_close(&place);
}

/* --- The provider ----------------------------------------------------------------------------- */

/* Makes a key of BIKE-L1; with the name of the group, as libssl does, or without. */
static void generate(OSSL_LIB_CTX *context, const char *group) {
  EVP_PKEY_CTX *generation = EVP_PKEY_CTX_new_from_name(context, "BIKE-L1", NULL);
  EVP_PKEY *key = NULL;

  assert_non_null(generation);
  assert_int_equal(EVP_PKEY_keygen_init(generation), 1);
  if (group != NULL) {
    assert_int_equal(EVP_PKEY_CTX_set_group_name(generation, group), 1);
  }
  assert_int_equal(EVP_PKEY_generate(generation, &key), 1);
  EVP_PKEY_free(key);
  EVP_PKEY_CTX_free(generation);
}

static void only_keys_for_tls_come_from_pools(void **state) {
  (void)state;
  char path[] = "/tmp/codekem-pool-XXXXXX";
  const int file = mkstemp(path);
  OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
  static const char text[] =
      "openssl_conf = init\n[init]\nproviders = providers\n"
      "[providers]\ndefault = default_section\ncodekem = codekem_section\n"
      "[default_section]\nactivate = 1\n"
      "[codekem_section]\nactivate = 1\npool.size = 4\npool.seconds = 10\n";

  assert_true(file >= 0);
  assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
  close(file);
  assert_int_equal(OSSL_PROVIDER_add_builtin(context, "codekem", codekem_ossl_provider_init), 1);
  assert_int_equal(OSSL_LIB_CTX_load_config(context, path), 1);
  (void)unlink(path);
  pool_calls = 0;
  generate(context, NULL);
  assert_int_equal(pool_calls, 0);
  for (int i = 1; i <= 9; i++) {
    generate(context, "BIKE-L1");
    assert_int_equal(pool_calls, i);
  }
  OSSL_LIB_CTX_free(context);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_are_used_once_and_wiped),
      cmocka_unit_test(batches_grow_to_the_size),
      cmocka_unit_test(child_never_has_a_key_of_its_parent),
      cmocka_unit_test(keys_of_another_process_are_wiped),
      cmocka_unit_test(nobody_is_in_the_pool_of_a_child),
      cmocka_unit_test(old_keys_are_wiped),
      cmocka_unit_test(failing_randomness_leaves_nothing),
      cmocka_unit_test(threads_get_different_keys),
      cmocka_unit_test(only_keys_for_tls_come_from_pools),
  };

  if (argc > 1) {
    cmocka_set_test_filter(argv[1]);
  }
  return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
