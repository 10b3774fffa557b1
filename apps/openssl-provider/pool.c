/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key pairs for TLS, made in batches, in memory that a fork wipes. */
#define _GNU_SOURCE /* MADV_WIPEONFORK, CLOCK_BOOTTIME */
#include "pool.h"

#include <openssl/crypto.h>
#include <string.h>

#if !defined(_WIN32)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "provider.h"

/* --- What systems do -------------------------------------------------------------------------- */

/* Returns zeroed memory that is zeroed again in the child of a fork, or NULL. */
static void *take_memory(size_t length) {
#if defined(MADV_WIPEONFORK) || defined(INHERIT_ZERO)
  void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED) {
    return NULL;
  }
#if defined(MADV_WIPEONFORK)
  const bool wiped = madvise(memory, length, MADV_WIPEONFORK) == 0;
#else
  const bool wiped = minherit(memory, length, INHERIT_ZERO) == 0;
#endif
#if defined(MADV_DONTDUMP)
  (void)madvise(memory, length, MADV_DONTDUMP);
#endif
  if (!wiped) {
    (void)munmap(memory, length);
    return NULL;
  }
  return memory;
#else
  (void)length;
  return NULL;
#endif
}

static void give_memory_back(void *memory, size_t length) {
#if defined(_WIN32)
  (void)memory;
  (void)length;
#else
  (void)munmap(memory, length);
#endif
}

static long this_process(void) {
#if defined(_WIN32)
  return 0;
#else
  return (long)getpid();
#endif
}

/* Returns seconds that go on while the machine sleeps, where there is such a clock. */
static time_t seconds_now(void) {
#if defined(CLOCK_BOOTTIME)
  struct timespec now;

  if (clock_gettime(CLOCK_BOOTTIME, &now) == 0) {
    return now.tv_sec;
  }
#endif
  return time(NULL);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* Rounds up to where working memory may begin. */
static size_t aligned(size_t length) {
  return (length + CODEKEM_WORKSPACE_ALIGNMENT - 1) / CODEKEM_WORKSPACE_ALIGNMENT *
         CODEKEM_WORKSPACE_ALIGNMENT;
}

void ckem_pool_open(struct pool_place *place, const codekem_kem *kem, size_t size,
                    unsigned seconds) {
  const size_t public_keys = aligned(sizeof(struct pool));
  const size_t secret_keys = public_keys + aligned(size * kem->length_public_key);
  const size_t seeds = secret_keys + aligned(size * kem->length_secret_key);
  const size_t workspace = seeds + aligned(size * kem->length_keypair_seed);
  const size_t length = workspace + kem->length_keypair_batch_workspace;
  uint8_t *memory = take_memory(length);

  memset(place, 0, sizeof *place);
  if (memory == NULL) {
    return;
  }
  *place = (struct pool_place){
      .kem = kem,
      .size = size,
      .seconds = (time_t)seconds,
      .memory = memory,
      .length = length,
      .pool = (struct pool *)(void *)memory,
      .public_keys = memory + public_keys,
      .secret_keys = memory + secret_keys,
      .seeds = memory + seeds,
      .workspace = memory + workspace,
  };
}

void ckem_pool_close(struct pool_place *place) {
  if (place->kem != NULL) {
    OPENSSL_cleanse(place->memory, place->length);
    give_memory_back(place->memory, place->length);
  }
  memset(place, 0, sizeof *place);
}

/* --- In the pool ------------------------------------------------------------------------------ */

/* Forgets keys from number first on. */
static void wipe_from(const struct pool_place *place, size_t first) {
  const codekem_kem *kem = place->kem;
  const size_t count = place->size - first;

  OPENSSL_cleanse(place->secret_keys + first * kem->length_secret_key,
                  count * kem->length_secret_key);
  OPENSSL_cleanse(place->seeds + first * kem->length_keypair_seed,
                  count * kem->length_keypair_seed);
  OPENSSL_cleanse(place->public_keys + first * kem->length_public_key,
                  count * kem->length_public_key);
}

/* Enters the pool, and wipes what may not be used; false if another thread is in it. */
static bool enter(const struct pool_place *place) {
  struct pool *pool = place->pool;
  int nobody = 0;

  if (!atomic_compare_exchange_strong_explicit(&pool->entered, &nobody, 1, memory_order_acquire,
                                               memory_order_relaxed)) {
    return false;
  }
  const bool other_process = pool->process != this_process();
  const time_t age = pool->ready == 0 ? 0 : seconds_now() - pool->made;
  if (pool->ready > 0 && (other_process || age < 0 || age >= place->seconds)) {
    wipe_from(place, 0);
    pool->ready = 0;
    pool->next_batch = 1;
  }
  return true;
}

static void leave(const struct pool_place *place) {
  atomic_store_explicit(&place->pool->entered, 0, memory_order_release);
}

/* Makes the next batch of keys in an empty pool. */
static bool fill(const struct pool_place *place, const struct provider *provider,
                 unsigned strength) {
  const codekem_kem *kem = place->kem;
  struct pool *pool = place->pool;
  const size_t count = pool->next_batch == 0 ? 1 : pool->next_batch;
  bool good =
      ckem_provider_random(provider, place->seeds, count * kem->length_keypair_seed, strength);

  pool->process = this_process();
  pool->made = seconds_now();
  if (good) {
    const codekem_status status = codekem_kem_keypair_batch(
        kem, count, place->public_keys, place->secret_keys,
        CODEKEM_OPTIONS(.seed = place->seeds, .workspace = place->workspace,
                        .workspace_length = kem->length_keypair_batch_workspace));
    good = CHECK_STATUS(provider, kem->method_name, status);
  }
  if (!good) {
    wipe_from(place, 0);
    return false;
  }
  pool->ready = count;
  pool->next_batch = 2 * count < place->size ? 2 * count : place->size;
  return true;
}

bool ckem_pool_take(struct pool_place *place, const struct provider *provider, unsigned strength,
                    uint8_t *public_key, uint8_t *secret_key, uint8_t *seed) {
  const codekem_kem *kem = place->kem;
  struct pool *pool = place->pool;

  if (kem == NULL || !enter(place)) {
    return false;
  }
  if (pool->ready == 0 && !fill(place, provider, strength)) {
    leave(place);
    return false;
  }
  const size_t last = --pool->ready;
  uint8_t *taken[3] = {place->public_keys + last * kem->length_public_key,
                       place->secret_keys + last * kem->length_secret_key,
                       place->seeds + last * kem->length_keypair_seed};
  memcpy(public_key, taken[0], kem->length_public_key);
  memcpy(secret_key, taken[1], kem->length_secret_key);
  memcpy(seed, taken[2], kem->length_keypair_seed);
  OPENSSL_cleanse(taken[0], kem->length_public_key);
  OPENSSL_cleanse(taken[1], kem->length_secret_key);
  OPENSSL_cleanse(taken[2], kem->length_keypair_seed);
  leave(place);
  return true;
}

void ckem_pool_expire(struct pool_place *place) {
  if (place->kem != NULL && enter(place)) {
    leave(place);
  }
}
