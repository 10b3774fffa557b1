/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Measures and searches the memory of every operation of every KEM.
 *
 *   memory_check BACKEND [--no-wipe] [--level 1|3|5] [--batches]
 *
 * Each operation runs on a stack of its own that was painted before, with its working memory on
 * that stack or in a painted workspace. One line for each tells, in bytes: the stack that it
 * touched; the workspace that the KEM states; how deep the functions below the entry point went
 * before the stack was wiped; how often the heap was used; and what was left behind:
 *
 *   secret    some 16 bytes in a row of a seed, of the secret key or of the shared secret
 *   traces    memory that is not the same after a call with other secrets and the same addresses;
 *             so it depends on a secret, on whichever (errors, inverses, counters, ...)
 *   none      neither
 *
 * --no-wipe leaves out the wiping of the stack, to show that the search finds something then.
 * --level takes the KEMs of one NIST category alone. --batches takes batches instead of single
 * operations.
 */
#define _GNU_SOURCE
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "base/wipe.h"
#include "codekem.h"
#include "residue.h"
#include "codekem_legacy.h"

#define STACK_BYTES ((size_t)2 << 20)
#define WORKSPACE_BYTES ((size_t)1 << 20)
#define CASES 3 /* runs of an operation, each with other secrets */

#define BATCH 3

enum operation {
  KEYPAIR,
  ENCAPS,
  DECAPS,
  CHECK,
  KEYPAIR_BATCH,
  ENCAPS_BATCH,
  DECAPS_BATCH,
  OPERATION_COUNT
};
static const char *const operation_names[] = {
    "keypair", "encaps", "decaps", "check", "keypair-batch", "encaps-batch", "decaps-batch"};

static const uint8_t paint[8] = {0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5};

/* What an operation reads and writes, always at the same addresses; batches have BATCH items. */
static struct {
  uint8_t keypair_seed[BATCH * CODEKEM_LEGACY_MAX_KEYPAIR_SEED];
  uint8_t encaps_seed[BATCH * CODEKEM_MAX_ENCAPS_SEED];
  uint8_t public_key[BATCH * CODEKEM_LEGACY_MAX_PUBLIC_KEY];
  uint8_t secret_key[BATCH * CODEKEM_LEGACY_MAX_SECRET_KEY];
  uint8_t ciphertext[BATCH * CODEKEM_LEGACY_MAX_CIPHERTEXT];
  uint8_t shared_secret[BATCH * CODEKEM_LEGACY_MAX_SHARED_SECRET];
} data;

/* The operation that runs. */
static struct {
  const codekem_kem *kem;
  enum operation operation;
  bool in_workspace;
  codekem_status status;
} job;

static alignas(64) uint8_t stack[STACK_BYTES];
static alignas(64) uint8_t workspace[WORKSPACE_BYTES];
static uint8_t first_stack[STACK_BYTES];
static uint8_t first_workspace[WORKSPACE_BYTES];
static uint8_t *stack_top;      /* the stack pointer when the operation was called */
static size_t depth_before_wipe;
static bool wipe_stack = true;
static ucontext_t main_context;
static ucontext_t job_context;
static size_t heap_calls;

/* --- The heap: these functions replace those of libc ------------------------------------------ */

#pragma GCC visibility push(default) /* so that libraries call them, too */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

void *malloc(size_t size) {
  heap_calls += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  heap_calls += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  heap_calls += 1;
  return __libc_realloc(old, size);
}

void free(void *old) {
  heap_calls += 1;
  __libc_free(old);
}

#pragma GCC visibility pop

/* --- The stack -------------------------------------------------------------------------------- */

/* Returns the lowest byte of the stack that was written, rounded down to a multiple of 8. */
static uint8_t *lowest_touched(void) {
  size_t i = 0;

  while (i < STACK_BYTES && memcmp(stack + i, paint, sizeof paint) == 0) {
    i += sizeof paint;
  }
  return stack + i;
}

void __real_codekem_secure_wipe_stack(void);
void __wrap_codekem_secure_wipe_stack(void);

void __wrap_codekem_secure_wipe_stack(void) {
  const uint8_t *here = __builtin_frame_address(0);
  const uint8_t *lowest = lowest_touched();
  const size_t depth = here > lowest ? (size_t)(here - lowest) : 0;

  /* Of several calls (a sampler may wipe, too) the deepest counts. */
  depth_before_wipe = depth > depth_before_wipe ? depth : depth_before_wipe;
  if (wipe_stack) {
    __real_codekem_secure_wipe_stack();
  }
}

/* --- One operation ---------------------------------------------------------------------------- */

static bool is_batch(void) {
  return job.operation >= KEYPAIR_BATCH;
}

static size_t items(void) {
  return is_batch() ? BATCH : 1;
}

/* A source that gives the seeds from *context on, one for each request. */
static bool random_from(void *context, uint8_t *out, size_t length) {
  const uint8_t **next = context;
  const size_t seed_length = job.operation == KEYPAIR || job.operation == KEYPAIR_BATCH
                                 ? job.kem->length_keypair_seed
                                 : job.kem->length_encaps_seed;

  memset(out, 0, length);
  memcpy(out, *next, seed_length);
  *next += seed_length;
  return true;
}

static codekem_status run_in_workspace(void) {
  const codekem_kem *kem = job.kem;

  switch (job.operation) {
    case KEYPAIR:
      return codekem_kem_keypair_workspace(kem, data.public_key, data.secret_key, data.keypair_seed,
                                           workspace, kem->length_keypair_workspace);
    case ENCAPS:
      return codekem_kem_encaps_workspace(kem, data.ciphertext, data.shared_secret, data.public_key,
                                          data.encaps_seed, workspace,
                                          kem->length_encaps_workspace);
    case DECAPS:
      return codekem_kem_decaps_workspace(kem, data.shared_secret, data.ciphertext, data.secret_key,
                                          workspace, kem->length_decaps_workspace);
    case KEYPAIR_BATCH:
      return codekem_kem_keypair_batch_workspace(kem, BATCH, data.public_key, data.secret_key,
                                                 data.keypair_seed, workspace,
                                                 kem->length_keypair_batch_workspace);
    case ENCAPS_BATCH:
      return codekem_kem_encaps_batch_workspace(kem, BATCH, data.ciphertext, data.shared_secret,
                                                data.public_key, kem->length_public_key,
                                                data.encaps_seed, workspace,
                                                kem->length_encaps_batch_workspace);
    case DECAPS_BATCH:
      return codekem_kem_decaps_batch_workspace(kem, BATCH, data.shared_secret, data.ciphertext,
                                                data.secret_key, kem->length_secret_key, workspace,
                                                kem->length_decaps_batch_workspace);
    default:
      return codekem_kem_check_secret_key_workspace(kem, data.secret_key, workspace,
                                                    kem->length_check_workspace);
  }
}

static codekem_status run_on_stack(void) {
  const codekem_kem *kem = job.kem;
  const uint8_t *keypair_seeds = data.keypair_seed;
  const uint8_t *encaps_seeds = data.encaps_seed;

  switch (job.operation) {
    case KEYPAIR:
      return codekem_kem_keypair_random(kem, data.public_key, data.secret_key, random_from,
                                        &keypair_seeds);
    case ENCAPS:
      return codekem_kem_encaps_random(kem, data.ciphertext, data.shared_secret, data.public_key,
                                       random_from, &encaps_seeds);
    case DECAPS:
      return codekem_kem_decaps(kem, data.shared_secret, data.ciphertext, data.secret_key);
    case KEYPAIR_BATCH:
      return codekem_kem_keypair_batch_random(kem, BATCH, data.public_key, data.secret_key,
                                              random_from, &keypair_seeds);
    case ENCAPS_BATCH:
      return codekem_kem_encaps_batch_random(kem, BATCH, data.ciphertext, data.shared_secret,
                                             data.public_key, kem->length_public_key, random_from,
                                             &encaps_seeds);
    case DECAPS_BATCH:
      return codekem_kem_decaps_batch(kem, BATCH, data.shared_secret, data.ciphertext,
                                      data.secret_key, kem->length_secret_key);
    default:
      return codekem_kem_check_secret_key(kem, data.secret_key);
  }
}

static void job_main(void) {
  stack_top = __builtin_frame_address(0);
  job.status = job.in_workspace ? run_in_workspace() : run_on_stack();
}

/* Runs the job on the painted stack. */
static void run_job(void) {
  /* Every run starts with the same registers: the operation saves them on its stack. */
  static ucontext_t start;
  static bool have_start;

  if (!have_start && getcontext(&start) != 0) {
    abort();
  }
  have_start = true;
  job_context = start;
  memset(stack, paint[0], sizeof stack);
  memset(workspace, paint[0], sizeof workspace);
  depth_before_wipe = 0;
  heap_calls = 0;
  job_context.uc_stack.ss_sp = stack;
  job_context.uc_stack.ss_size = sizeof stack;
  job_context.uc_link = &main_context;
  makecontext(&job_context, job_main, 0);
  if (swapcontext(&main_context, &job_context) != 0 || job.status != CODEKEM_OK) {
    fprintf(stderr, "memory_check: %s %s failed: %s\n", job.kem->method_name,
            operation_names[job.operation], codekem_status_text(job.status));
    exit(2);
  }
}

/* Fills out with bytes that differ from case to case. */
static void fill(uint8_t *out, size_t length, uint32_t state) {
  for (size_t i = 0; i < length; i++) {
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    out[i] = (uint8_t)(state >> 24);
  }
}

static void require(codekem_status status) {
  if (status != CODEKEM_OK) {
    fprintf(stderr, "memory_check: preparation failed: %s\n", codekem_status_text(status));
    exit(2);
  }
}

/* Makes the inputs of a case: for encaps only the seed changes, for the others the key, too. Every
 * other case decapsulates a ciphertext that is rejected. */
static void prepare(unsigned number) {
  const codekem_kem *kem = job.kem;
  const bool one_key = job.operation == ENCAPS || job.operation == ENCAPS_BATCH;
  const uint32_t key_number = one_key ? 0 : number;

  fill(data.keypair_seed, sizeof data.keypair_seed, 1000 + key_number);
  fill(data.encaps_seed, sizeof data.encaps_seed, 2000 + number);
  for (size_t i = 0; i < items(); i++) {
    uint8_t *public_key = data.public_key + i * kem->length_public_key;
    require(codekem_kem_keypair_derand(kem, public_key,
                                       data.secret_key + i * kem->length_secret_key,
                                       data.keypair_seed + i * kem->length_keypair_seed));
    require(codekem_kem_encaps_derand(kem, data.ciphertext + i * kem->length_ciphertext,
                                      data.shared_secret + i * kem->length_shared_secret,
                                      public_key, data.encaps_seed + i * kem->length_encaps_seed));
  }
  if (number % 2 != 0) {
    fill(data.ciphertext, 64, number);
  }
}

static bool holds_secret(const uint8_t *memory, size_t length) {
  const codekem_kem *kem = job.kem;
  const size_t n = items();

  return residue_contains(memory, length, data.keypair_seed, n * kem->length_keypair_seed) ||
         residue_contains(memory, length, data.encaps_seed, n * kem->length_encaps_seed) ||
         residue_contains(memory, length, data.secret_key, n * kem->length_secret_key) ||
         residue_contains(memory, length, data.shared_secret, n * kem->length_shared_secret);
}

static size_t stated_workspace(void) {
  switch (job.operation) {
    case KEYPAIR:
      return job.kem->length_keypair_workspace;
    case ENCAPS:
      return job.kem->length_encaps_workspace;
    case DECAPS:
      return job.kem->length_decaps_workspace;
    case KEYPAIR_BATCH:
      return job.kem->length_keypair_batch_workspace;
    case ENCAPS_BATCH:
      return job.kem->length_encaps_batch_workspace;
    case DECAPS_BATCH:
      return job.kem->length_decaps_batch_workspace;
    default:
      return job.kem->length_check_workspace;
  }
}

/* Compares memory with what the first case left; tells where they differ on standard error. */
static bool differs(const char *where, const uint8_t *first, const uint8_t *now, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (first[i] != now[i]) {
      fprintf(stderr, "memory_check: %s %s: the %s differs %zu bytes below its end\n",
              job.kem->method_name, operation_names[job.operation], where, length - i);
      return true;
    }
  }
  return false;
}

/* What the runs of an operation showed. */
struct findings {
  size_t stack;
  size_t depth;
  size_t heap_calls;
  const char *residue;
};

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/* Looks at the memory after the job of a case. */
static void look(struct findings *findings, unsigned number) {
  const size_t job_heap_calls = heap_calls;
  uint8_t *lowest = lowest_touched();
  const size_t used = (size_t)(stack_top - lowest);
  const size_t start = (size_t)(lowest - stack);
  const size_t work = stated_workspace();

  findings->stack = larger(findings->stack, used);
  findings->depth = larger(findings->depth, depth_before_wipe);
  findings->heap_calls = larger(findings->heap_calls, job_heap_calls);
  if (holds_secret(lowest, used) || holds_secret(workspace, work)) {
    findings->residue = "secret";
  }
  if (number == 0) {
    memcpy(first_stack, stack, sizeof stack);
    memcpy(first_workspace, workspace, sizeof workspace);
  } else if (strcmp(findings->residue, "none") == 0 &&
             (differs("stack", first_stack + start, lowest, used) ||
              differs("workspace", first_workspace, workspace, sizeof workspace))) {
    findings->residue = "traces";
  }
}

static void check_operation(void) {
  struct findings findings = {0, 0, 0, "none"};

  for (unsigned number = 0; number < CASES; number++) {
    prepare(number);
    run_job();
    look(&findings, number);
  }
  printf("%s %s %s stack=%zu workspace=%zu depth=%zu heap=%zu residue=%s\n", job.kem->method_name,
         operation_names[job.operation], job.in_workspace ? "workspace" : "stack", findings.stack,
         stated_workspace(), findings.depth, findings.heap_calls, findings.residue);
}

static const codekem_kem *kem_at(size_t index) {
#if defined(CODEKEM_HAVE_LEGACY)
  if (index >= codekem_kem_count()) {
    return codekem_legacy_kem_at(index - codekem_kem_count());
  }
#endif
  return codekem_kem_at(index);
}

static int usage(void) {
  fprintf(stderr, "usage: memory_check BACKEND [--no-wipe] [--level 1|3|5] [--batches]\n");
  return 2;
}

int main(int argc, char **argv) {
  enum operation first = KEYPAIR;
  int level = 0;

  if (argc < 2) {
    return usage();
  }
  for (int i = 2; i < argc; i++) {
    if (strcmp(argv[i], "--no-wipe") == 0) {
      wipe_stack = false;
    } else if (strcmp(argv[i], "--batches") == 0) {
      first = KEYPAIR_BATCH;
    } else if (strcmp(argv[i], "--level") == 0 && i + 1 < argc) {
      i += 1;
      level = atoi(argv[i]);
    } else {
      return usage();
    }
  }
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "memory_check: back end %s cannot run here\n", argv[1]);
    return 3;
  }
  printf("wiped %d\n", SECURE_WIPE_STACK_BYTES);
  for (size_t i = 0; (job.kem = kem_at(i)) != NULL; i++) {
    if (level != 0 && level != job.kem->claimed_nist_level) {
      continue;
    }
    const enum operation end = first == KEYPAIR ? KEYPAIR_BATCH : OPERATION_COUNT;
    for (job.operation = first; job.operation < end; job.operation++) {
      for (int place = 0; place < 2; place++) {
        job.in_workspace = place == 1;
        check_operation();
      }
    }
  }
  return 0;
}
