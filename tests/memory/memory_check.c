/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Measures and searches the memory of every operation of every KEM.
 *
 *   memory_check BACKEND [--no-wipe] [--keep-registers] [--level 1|3|5] [--batches]
 *                [--kem NAME] [--dit]
 *
 * Prints a line for each, as watch.h says. --no-wipe leaves out the wiping of stack and registers,
 * --keep-registers that of registers alone. --level takes the KEMs of one NIST category alone,
 * --batches batches instead of single operations, --kem one KEM, which may be of Classic McEliece;
 * without it, those are left out. --dit: this processor has PSTATE.DIT, whatever the system says.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wipe.h"
#include "kem_data.h"
#include "residue.h"
#include "watch.h"
#if defined(CODEKEM_HAVE_LEGACY)
#include "codekem_legacy.h"
#endif
#if defined(CODEKEM_HAVE_MCELIECE)
#include "codekem_mceliece.h"
#endif

#define EXCHANGES (WATCH_CASES + BATCH - 1)

struct kem_data data;
const codekem_kem *kem;

static struct {
  uint8_t keypair_seed[MOST_SEED], encaps_seed[MOST_SEED];
  uint8_t public_key[MOST_PUBLIC_KEY], secret_key[MOST_SECRET_KEY];
  uint8_t ciphertext[MOST_CIPHERTEXT], shared_secret[MOST_SHARED_SECRET];
} exchanges[EXCHANGES];
static const struct kem_operation *operation;
static bool is_batch;

static size_t items(void) {
  return is_batch ? BATCH : 1;
}

/* --- The calls -------------------------------------------------------------------------------- */

/* A source that gives the seeds from *context on, one for each request. */
static bool random_keypair(void *context, uint8_t *out, size_t length) {
  const uint8_t **next = context;

  memset(out, 0, length);
  memcpy(out, *next, kem->length_keypair_seed);
  *next += kem->length_keypair_seed;
  return true;
}

static bool random_encaps(void *context, uint8_t *out, size_t length) {
  const uint8_t **next = context;

  memset(out, 0, length);
  memcpy(out, *next, kem->length_encaps_seed);
  *next += kem->length_encaps_seed;
  return true;
}

#define WORKSPACE(name)                    \
  static size_t name##_workspace(void) {   \
    return kem->length_##name##_workspace; \
  }                                        \
  static_assert(1, "so that a semicolon may follow")

WORKSPACE(keypair);
WORKSPACE(encaps);
WORKSPACE(decaps);
WORKSPACE(check);
WORKSPACE(keypair_batch);
WORKSPACE(encaps_batch);
WORKSPACE(decaps_batch);

static size_t no_workspace(void) {
  return 0;
}

#define CALL(name, ...)              \
  static codekem_status name(void) { \
    return __VA_ARGS__;              \
  }                                  \
  static_assert(1, "so that a semicolon may follow")

/* On the stack: with a source of randomness, which is one step more than with a seed. */
static codekem_status keypair_on_stack(void) {
  const uint8_t *seeds = data.keypair_seed;
  return codekem_kem_keypair_random(kem, data.public_key, data.secret_key, random_keypair, &seeds);
}

static codekem_status encaps_on_stack(void) {
  const uint8_t *seeds = data.encaps_seed;
  return codekem_kem_encaps_random(kem, data.ciphertext, data.shared_secret, data.public_key,
                                   random_encaps, &seeds);
}

CALL(decaps_on_stack,
     codekem_kem_decaps(kem, data.shared_secret, data.ciphertext, data.secret_key));
CALL(check_on_stack, codekem_kem_check_secret_key(kem, data.secret_key));
CALL(check_public, codekem_kem_check_public_key(kem, data.public_key));
CALL(check_ciphertext, codekem_kem_check_ciphertext(kem, data.ciphertext));

CALL(keypair_in_workspace,
     codekem_kem_keypair_workspace(kem, data.public_key, data.secret_key, data.keypair_seed,
                                   watch_workspace, keypair_workspace()));
CALL(encaps_in_workspace,
     codekem_kem_encaps_workspace(kem, data.ciphertext, data.shared_secret, data.public_key,
                                  data.encaps_seed, watch_workspace, encaps_workspace()));
CALL(decaps_in_workspace,
     codekem_kem_decaps_workspace(kem, data.shared_secret, data.ciphertext, data.secret_key,
                                  watch_workspace, decaps_workspace()));
CALL(check_in_workspace, codekem_kem_check_secret_key_workspace(
                             kem, data.secret_key, watch_workspace, check_workspace()));
CALL(derive_in_workspace,
     codekem_kem_derive_public_key_workspace(kem, data.public_key, data.secret_key, watch_workspace,
                                             check_workspace()));

static codekem_status keypairs_on_stack(void) {
  const uint8_t *seeds = data.keypair_seed;
  return codekem_kem_keypair_batch_random(kem, BATCH, data.public_key, data.secret_key,
                                          random_keypair, &seeds);
}

static codekem_status encapsulations_on_stack(void) {
  const uint8_t *seeds = data.encaps_seed;
  return codekem_kem_encaps_batch_random(kem, BATCH, data.ciphertext, data.shared_secret,
                                         data.public_key, kem->length_public_key, random_encaps,
                                         &seeds);
}

static codekem_status keypairs_random_workspace(void) {
  const uint8_t *seeds = data.keypair_seed;
  return codekem_kem_keypair_batch_random_workspace(kem, BATCH, data.public_key, data.secret_key,
                                                    random_keypair, &seeds, watch_workspace,
                                                    keypair_batch_workspace());
}

CALL(decapsulations_on_stack,
     codekem_kem_decaps_batch(kem, BATCH, data.shared_secret, data.ciphertext, data.secret_key,
                              kem->length_secret_key));
CALL(keypairs_in_workspace, codekem_kem_keypair_batch_workspace(
                                kem, BATCH, data.public_key, data.secret_key, data.keypair_seed,
                                watch_workspace, keypair_batch_workspace()));
CALL(encapsulations_in_workspace,
     codekem_kem_encaps_batch_workspace(kem, BATCH, data.ciphertext, data.shared_secret,
                                        data.public_key, kem->length_public_key, data.encaps_seed,
                                        watch_workspace, encaps_batch_workspace()));
CALL(decapsulations_in_workspace,
     codekem_kem_decaps_batch_workspace(kem, BATCH, data.shared_secret, data.ciphertext,
                                        data.secret_key, kem->length_secret_key, watch_workspace,
                                        decaps_batch_workspace()));

static const struct kem_operation single[] = {
    {"keypair", "stack", keypair_on_stack, keypair_workspace, NEW_KEYS, NULL},
    {"keypair", "workspace", keypair_in_workspace, keypair_workspace, NEW_KEYS, NULL},
    {"encaps", "stack", encaps_on_stack, encaps_workspace, ONE_KEY, NULL},
    {"encaps", "workspace", encaps_in_workspace, encaps_workspace, ONE_KEY, NULL},
    {"decaps", "stack", decaps_on_stack, decaps_workspace, NEW_KEYS, NULL},
    {"decaps", "workspace", decaps_in_workspace, decaps_workspace, NEW_KEYS, NULL},
    {"check", "stack", check_on_stack, check_workspace, NEW_KEYS, NULL},
    {"check", "workspace", check_in_workspace, check_workspace, NEW_KEYS, NULL},
    {"derive", "workspace", derive_in_workspace, check_workspace, NEW_KEYS, NULL},
    {"check-public", "workspace", check_public, no_workspace, ALL_THE_SAME, NULL},
    {"check-ciphertext", "workspace", check_ciphertext, no_workspace, ALL_THE_SAME, NULL},
};

static const struct kem_operation batches[] = {
    {"keypair-batch", "stack", keypairs_on_stack, keypair_batch_workspace, NEW_KEYS, NULL},
    {"keypair-batch", "workspace", keypairs_in_workspace, keypair_batch_workspace, NEW_KEYS, NULL},
    {"keypair-batch-random", "workspace", keypairs_random_workspace, keypair_batch_workspace,
     NEW_KEYS, NULL},
    {"encaps-batch", "stack", encapsulations_on_stack, encaps_batch_workspace, ONE_KEY, NULL},
    {"encaps-batch", "workspace", encapsulations_in_workspace, encaps_batch_workspace, ONE_KEY,
     NULL},
    {"decaps-batch", "stack", decapsulations_on_stack, decaps_batch_workspace, NEW_KEYS, NULL},
    {"decaps-batch", "workspace", decapsulations_in_workspace, decaps_batch_workspace, NEW_KEYS,
     NULL},
};

/* --- What they read --------------------------------------------------------------------------- */

static void require(codekem_status status) {
  if (status != CODEKEM_OK) {
    fprintf(stderr, "memory_check: preparation failed: %s\n", codekem_status_text(status));
    exit(2);
  }
}

/* Fills out with bytes that differ from exchange to exchange. */
static void fill(uint8_t *out, size_t length, uint32_t state) {
  for (size_t i = 0; i < length; i++) {
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    out[i] = (uint8_t)(state >> 24);
  }
}

static void make_exchanges(void) {
  for (uint32_t i = 0; i < EXCHANGES; i++) {
    fill(exchanges[i].keypair_seed, sizeof exchanges[i].keypair_seed, 1000 + i);
    fill(exchanges[i].encaps_seed, sizeof exchanges[i].encaps_seed, 2000 + i);
    require(codekem_kem_keypair_workspace(kem, exchanges[i].public_key, exchanges[i].secret_key,
                                          exchanges[i].keypair_seed, watch_workspace,
                                          sizeof watch_workspace));
    require(codekem_kem_encaps_workspace(kem, exchanges[i].ciphertext, exchanges[i].shared_secret,
                                         exchanges[i].public_key, exchanges[i].encaps_seed,
                                         watch_workspace, sizeof watch_workspace));
  }
}

/* Makes the inputs of a case. Every other case decapsulates a ciphertext that is rejected. */
static void prepare(unsigned number) {
  for (size_t i = 0; i < items(); i++) {
    const size_t seeds = i + (operation->inputs == ALL_THE_SAME ? 0 : number);
    const size_t keys = i + (operation->inputs == NEW_KEYS ? number : 0);

    memcpy(data.keypair_seed + i * kem->length_keypair_seed, exchanges[keys].keypair_seed,
           kem->length_keypair_seed);
    memcpy(data.encaps_seed + i * kem->length_encaps_seed, exchanges[seeds].encaps_seed,
           kem->length_encaps_seed);
    memcpy(data.public_key + i * kem->length_public_key, exchanges[keys].public_key,
           kem->length_public_key);
    memcpy(data.secret_key + i * kem->length_secret_key, exchanges[keys].secret_key,
           kem->length_secret_key);
    memcpy(data.ciphertext + i * kem->length_ciphertext, exchanges[keys].ciphertext,
           kem->length_ciphertext);
    memcpy(data.shared_secret + i * kem->length_shared_secret, exchanges[keys].shared_secret,
           kem->length_shared_secret);
  }
  if (number % 2 != 0 && operation->inputs == NEW_KEYS) {
    fill(data.ciphertext, 64, number);
  }
  if (operation->before != NULL) {
    operation->before();
  }
}

static bool holds_secret(const uint8_t *memory, size_t length) {
  const size_t n = items();

  return residue_contains(memory, length, data.keypair_seed, n * kem->length_keypair_seed) ||
         residue_contains(memory, length, data.encaps_seed, n * kem->length_encaps_seed) ||
         residue_contains(memory, length, data.secret_key, n * kem->length_secret_key) ||
         residue_contains(memory, length, data.shared_secret, n * kem->length_shared_secret);
}

static int run(void) {
  return (int)operation->run();
}

static void check_operation(const struct kem_operation *one) {
  const struct watch_job job = {.subject = kem->method_name,
                                .name = one->name,
                                .place = one->place,
                                .workspace = one->workspace(),
                                .prepare = prepare,
                                .run = run,
                                .holds_secret = holds_secret};

  operation = one;
  watch(&job);
}

/* --- All of them ------------------------------------------------------------------------------ */

static void check_kem(void) {
  make_exchanges();
  if (is_batch) {
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
      check_operation(&batches[i]);
    }
    return;
  }
  for (size_t i = 0; i < sizeof single / sizeof single[0]; i++) {
    /* No stack holds what keys of Classic McEliece take to make and to check. */
    if (strcmp(single[i].place, "workspace") == 0 ||
        single[i].workspace() + 16384 <= CODEKEM_MAX_STACK) {
      check_operation(&single[i]);
    }
  }
#if defined(CODEKEM_HAVE_MCELIECE)
  for (size_t i = 0; i < mceliece_operation_count && mceliece_has(i); i++) {
    check_operation(&mceliece_operations[i]);
  }
#endif
}

/* Returns a KEM, those of Classic McEliece the last, or NULL. */
static const codekem_kem *kem_at(size_t index) {
  size_t before = codekem_kem_count();

  if (index < before) {
    return codekem_kem_at(index);
  }
#if defined(CODEKEM_HAVE_LEGACY)
  if (index < before + codekem_legacy_kem_count()) {
    return codekem_legacy_kem_at(index - before);
  }
  before += codekem_legacy_kem_count();
#endif
#if defined(CODEKEM_HAVE_MCELIECE)
  if (index < before + codekem_mceliece_kem_count()) {
    return codekem_mceliece_kem_at(index - before);
  }
#endif
  return NULL;
}

static int usage(void) {
  fprintf(stderr,
          "usage: memory_check BACKEND [--no-wipe] [--keep-registers] [--level 1|3|5] "
          "[--batches] [--kem NAME] [--dit]\n");
  return 2;
}

int main(int argc, char **argv) {
  const char *name = NULL;
  int level = 0;

  if (argc < 2) {
    return usage();
  }
  for (int i = 2; i < argc; i++) {
    if (strcmp(argv[i], "--no-wipe") == 0) {
      watch_wipes = false;
    } else if (strcmp(argv[i], "--keep-registers") == 0) {
      watch_wipes_registers = false;
    } else if (strcmp(argv[i], "--dit") == 0) {
      watch_has_dit = true;
    } else if (strcmp(argv[i], "--batches") == 0) {
      is_batch = true;
    } else if (strcmp(argv[i], "--level") == 0 && i + 1 < argc) {
      i += 1;
      level = atoi(argv[i]);
    } else if (strcmp(argv[i], "--kem") == 0 && i + 1 < argc) {
      i += 1;
      name = argv[i];
    } else {
      return usage();
    }
  }
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "memory_check: back end %s cannot run here\n", argv[1]);
    return 3;
  }
  printf("wiped %d\n", SECURE_WIPE_STACK_BYTES);
  for (size_t i = 0; (kem = kem_at(i)) != NULL; i++) {
    if (name != NULL ? strcmp(name, kem->method_name) == 0
                     : (level == 0 || level == kem->claimed_nist_level) &&
                           strncmp(kem->method_name, "mceliece", 8) != 0) {
      check_kem();
    }
  }
  return 0;
}
