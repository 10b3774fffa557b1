/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Calls the public interface from many threads at once, the very first call included, and compares
 * with one thread. ThreadSanitizer watches in one of the builds (test_units.py). */
#define _POSIX_C_SOURCE 200809L /* for barriers */

#include "unit_test.h"

#include <pthread.h>

#define THREADS 8
#define ROUNDS 3

struct job {
  unsigned number;
  codekem_status status;
  uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_MAX_SECRET_KEY];
  uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
  uint8_t theirs[CODEKEM_MAX_SHARED_SECRET];
  uint8_t ours[CODEKEM_MAX_SHARED_SECRET];
};

static struct job together[THREADS], alone[THREADS];
static pthread_barrier_t start;

static void run_job(struct job *job) {
  const codekem_kem *kem = codekem_kem_at(job->number % codekem_kem_count());
  uint8_t keypair_seed[CODEKEM_MAX_KEYPAIR_SEED];
  uint8_t encaps_seed[CODEKEM_MAX_ENCAPS_SEED];

  memset(keypair_seed, (int)job->number, sizeof keypair_seed);
  memset(encaps_seed, (int)job->number + 100, sizeof encaps_seed);
  for (int round = 0; round < ROUNDS && job->status == CODEKEM_OK; round++) {
    job->status = codekem_kem_keypair_with(kem, job->public_key, job->secret_key,
                                           CODEKEM_OPTIONS(.seed = keypair_seed));
    if (job->status == CODEKEM_OK) {
      job->status = codekem_kem_encaps_with(kem, job->ciphertext, job->theirs, job->public_key,
                                            CODEKEM_OPTIONS(.seed = encaps_seed));
    }
    if (job->status == CODEKEM_OK) {
      job->status = codekem_kem_decaps(kem, job->ours, job->ciphertext, job->secret_key);
    }
  }
}

static void *run_thread(void *job) {
  (void)pthread_barrier_wait(&start);
  run_job(job);
  return NULL;
}

static void threads_agree_with_one_thread(void **unused) {
  pthread_t threads[THREADS];

  (void)unused;
  assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
  for (unsigned i = 0; i < THREADS; i++) {
    together[i].number = alone[i].number = i;
    assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &together[i]), 0);
  }
  for (unsigned i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  }
  for (unsigned i = 0; i < THREADS; i++) {
    run_job(&alone[i]);
    assert_int_equal(alone[i].status, CODEKEM_OK);
    assert_memory_equal(&together[i], &alone[i], sizeof alone[i]);
    assert_memory_equal(alone[i].ours, alone[i].theirs, sizeof alone[i].ours);
  }
}

/* Choosing back ends while others compute changes their speed, never their results. */
static void *choose_backends(void *unused) {
  for (int i = 0; i < 2000; i++) {
    const size_t index = (size_t)i % codekem_backend_count();
    if (codekem_backend_supported(index) && strcmp(codekem_backend_name(index), "reference") != 0 &&
        codekem_backend_select(codekem_backend_name(index)) != CODEKEM_OK) {
      return unused;
    }
  }
  return NULL;
}

static void choosing_back_ends_meanwhile_is_harmless(void **unused) {
  pthread_t chooser;
  static struct job job;
  void *failed = &job;

  (void)unused;
  assert_int_equal(pthread_create(&chooser, NULL, choose_backends, failed), 0);
  run_job(&job);
  assert_int_equal(pthread_join(chooser, &failed), 0);
  assert_null(failed);
  assert_int_equal(job.status, CODEKEM_OK);
  assert_memory_equal(job.ciphertext, alone[0].ciphertext, sizeof job.ciphertext);
  assert_memory_equal(job.ours, alone[0].ours, sizeof job.ours);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_agree_with_one_thread), /* first: races for the choice */
      cmocka_unit_test(choosing_back_ends_meanwhile_is_harmless),
  };

  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
