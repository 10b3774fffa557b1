/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Measures the stack of every operation of SOFIA and looks for secrets in what it leaves behind.
 *
 *   sofia_memory BACKEND [--no-wipe]
 *
 * One line for each operation and place of its memory (stack, workspace): the bytes of stack that
 * it touched, and the pieces of 16 bytes of a secret that are left on the stack or in the
 * workspace: of the secret key, of what it expands to, of the halves that the signature hides.
 * --no-wipe leaves out the wiping of the stack, so that the depth below is seen, too.
 */
#define _GNU_SOURCE
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "base/wipe.h"
#include "codekem_sofia.h"
#include "sofia/sofia.h"

#define STACK_BYTES ((size_t)1 << 20)
#define PAINT 0xA5
#define PIECE 16

static alignas(64) uint8_t stack[STACK_BYTES];
static alignas(64) uint8_t workspace[CODEKEM_SOFIA_SIGN_WORKSPACE];
static uint8_t public_key[CODEKEM_SOFIA_PUBLIC_KEY], secret_key[CODEKEM_SOFIA_SECRET_KEY];
static uint8_t signature[CODEKEM_SOFIA_SIGNATURE];
static const uint8_t message[500] = {1, 2, 3};
static bool no_wipe;

void __real_codekem_secure_wipe_stack(void);
void __wrap_codekem_secure_wipe_stack(void);
void __wrap_codekem_secure_wipe_stack(void) {
  if (!no_wipe) {
    __real_codekem_secure_wipe_stack();
  }
}

static codekem_sofia_status keypair_on_stack(void) {
  return codekem_sofia_keypair_derand(public_key, secret_key, secret_key);
}
static codekem_sofia_status keypair_in_workspace(void) {
  return codekem_sofia_keypair_workspace(public_key, secret_key, secret_key, workspace,
                                         CODEKEM_SOFIA_KEYPAIR_WORKSPACE);
}
static codekem_sofia_status sign_on_stack(void) {
  return codekem_sofia_sign(signature, message, sizeof message, secret_key);
}
static codekem_sofia_status sign_in_workspace(void) {
  return codekem_sofia_sign_workspace(signature, message, sizeof message, secret_key, workspace,
                                      sizeof workspace);
}
static codekem_sofia_status verify_on_stack(void) {
  return codekem_sofia_verify(message, sizeof message, signature, sizeof signature, public_key);
}
static codekem_sofia_status verify_in_workspace(void) {
  return codekem_sofia_verify_workspace(message, sizeof message, signature, sizeof signature,
                                        public_key, workspace, sizeof workspace);
}

static const struct {
  const char *name;
  codekem_sofia_status (*run)(void);
} jobs[] = {
    {"keypair stack", keypair_on_stack}, {"keypair workspace", keypair_in_workspace},
    {"sign stack", sign_on_stack},       {"sign workspace", sign_in_workspace},
    {"verify stack", verify_on_stack},   {"verify workspace", verify_in_workspace},
};
static size_t job;
static codekem_sofia_status status;
static ucontext_t caller, callee;

static void run_job(void) {
  status = jobs[job].run();
}

/* The secrets that are searched for: the key, what it expands to, and both halves of rounds. */
static uint8_t secrets[4 * 32 + 2 * 32 * 8];

static void make_secrets(void) {
  const struct keccak_ops *ops = &keccak_portable;
  uint8_t randomness[SOFIA_ROUNDS * 32];
  struct keccak_sponge sponge;

  memcpy(secrets, secret_key, 32);
  shake128(ops, secrets + 32, 96, secret_key, 32);
  memcpy(secrets + 32, secrets, 32); /* the seed of F is public */
  keccak_init(&sponge, ops, SHAKE128_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  keccak_absorb(&sponge, secrets + 96, 32);
  keccak_absorb(&sponge, message, sizeof message);
  keccak_finish(&sponge);
  keccak_squeeze(&sponge, randomness, sizeof randomness);
  for (size_t i = 0; i < 8; i++) { /* r0 and r1 of some rounds; the signature opens one of them */
    const uint8_t *r0 = randomness + 32 * i * 50;
    memcpy(secrets + 128 + 64 * i, r0, 32);
    sofia_add_scaled(secrets + 160 + 64 * i, 1, r0, secrets + 64);
  }
}

static size_t pieces_in(const uint8_t *memory, size_t length) {
  size_t found = 0;

  for (size_t i = 0; i + PIECE <= sizeof secrets; i += PIECE) {
    found += memmem(memory, length, secrets + i, PIECE) != NULL;
  }
  return found;
}

static void measure(void) {
  memset(stack, PAINT, sizeof stack);
  memset(workspace, PAINT, sizeof workspace);
  (void)getcontext(&callee);
  callee.uc_stack.ss_sp = stack;
  callee.uc_stack.ss_size = sizeof stack;
  callee.uc_link = &caller;
  makecontext(&callee, run_job, 0);
  (void)swapcontext(&caller, &callee);
  if (status != CODEKEM_SOFIA_OK) {
    fprintf(stderr, "sofia_memory: %s: %s\n", jobs[job].name, codekem_sofia_status_text(status));
    exit(1);
  }
  size_t untouched = 0;
  while (stack[untouched] == PAINT) {
    untouched += 1;
  }
  printf("%s %zu %zu\n", jobs[job].name, sizeof stack - untouched,
         pieces_in(stack, sizeof stack) + pieces_in(workspace, sizeof workspace));
}

int main(int argc, char **argv) {
  if (argc < 2 || codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "sofia_memory: no such back end here\n");
    return 2;
  }
  no_wipe = argc > 2 && strcmp(argv[2], "--no-wipe") == 0;
  for (size_t i = 0; i < sizeof secret_key; i++) {
    secret_key[i] = (uint8_t)(17 * i + 3);
  }
  make_secrets();
  for (job = 0; job < sizeof jobs / sizeof jobs[0]; job++) {
    measure();
  }
  return 0;
}
