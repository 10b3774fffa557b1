/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Measures and searches the memory of every operation of SOFIA.
 *
 *   sofia_memory BACKEND [--no-wipe]
 *
 * Prints a line for each operation and place of its memory, as watch.h says. The secrets that are
 * searched for are the key, what it expands to, and the halves that a signature hides. --no-wipe
 * leaves out the wiping of stack and registers.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "base/wipe.h"
#include "codekem_sofia.h"
#include "sofia/sofia.h"
#include "watch.h"

#define PIECE 16

static uint8_t public_key[CODEKEM_SOFIA_PUBLIC_KEY], secret_key[CODEKEM_SOFIA_SECRET_KEY];
static uint8_t signature[CODEKEM_SOFIA_SIGNATURE];
static const uint8_t message[500] = {1, 2, 3};

static codekem_sofia_status keypair_on_stack(void) {
  return codekem_sofia_keypair_derand(public_key, secret_key, secret_key);
}
static codekem_sofia_status keypair_in_workspace(void) {
  return codekem_sofia_keypair_workspace(public_key, secret_key, secret_key, watch_workspace,
                                         CODEKEM_SOFIA_KEYPAIR_WORKSPACE);
}
static codekem_sofia_status sign_on_stack(void) {
  return codekem_sofia_sign(signature, message, sizeof message, secret_key);
}
static codekem_sofia_status sign_in_workspace(void) {
  return codekem_sofia_sign_workspace(signature, message, sizeof message, secret_key,
                                      watch_workspace, sizeof watch_workspace);
}
static codekem_sofia_status verify_on_stack(void) {
  return codekem_sofia_verify(message, sizeof message, signature, sizeof signature, public_key);
}
static codekem_sofia_status verify_in_workspace(void) {
  return codekem_sofia_verify_workspace(message, sizeof message, signature, sizeof signature,
                                        public_key, watch_workspace, sizeof watch_workspace);
}

static const struct {
  const char *name;
  const char *place;
  size_t workspace;
  codekem_sofia_status (*run)(void);
} operations[] = {
    {"keypair", "stack", CODEKEM_SOFIA_KEYPAIR_WORKSPACE, keypair_on_stack},
    {"keypair", "workspace", CODEKEM_SOFIA_KEYPAIR_WORKSPACE, keypair_in_workspace},
    {"sign", "stack", CODEKEM_SOFIA_SIGN_WORKSPACE, sign_on_stack},
    {"sign", "workspace", CODEKEM_SOFIA_SIGN_WORKSPACE, sign_in_workspace},
    {"verify", "stack", CODEKEM_SOFIA_VERIFY_WORKSPACE, verify_on_stack},
    {"verify", "workspace", CODEKEM_SOFIA_VERIFY_WORKSPACE, verify_in_workspace},
};
static size_t operation;
static uint8_t signatures[WATCH_CASES][CODEKEM_SOFIA_SIGNATURE];
static uint8_t public_keys[WATCH_CASES][CODEKEM_SOFIA_PUBLIC_KEY];

/* The secrets that are searched for: the key, what it expands to, and both halves of rounds. */
static uint8_t secrets[4 * 32 + 2 * 32 * 8];

static void make_secrets(void) {
  const struct keccak_ops *ops = &ckem_keccak_portable;
  uint8_t randomness[SOFIA_ROUNDS * 32];
  struct keccak_sponge sponge;

  memcpy(secrets, secret_key, 32);
  ckem_shake128(ops, secrets + 32, 96, secret_key, 32);
  memcpy(secrets + 32, secrets, 32); /* the seed of F is public */
  ckem_keccak_init(&sponge, ops, SHAKE128_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(&sponge, secrets + 96, 32);
  ckem_keccak_absorb(&sponge, message, sizeof message);
  ckem_keccak_finish(&sponge);
  ckem_keccak_squeeze(&sponge, randomness, sizeof randomness);
  for (size_t i = 0; i < 8; i++) { /* r0 and r1 of some rounds; the signature opens one of them */
    const uint8_t *r0 = randomness + 32 * i * 50;
    memcpy(secrets + 128 + 64 * i, r0, 32);
    ckem_sofia_add_scaled(secrets + 160 + 64 * i, 1, r0, secrets + 64);
  }
}

static size_t pieces_in(const uint8_t *memory, size_t length) {
  size_t found = 0;

  for (size_t i = 0; i + PIECE <= sizeof secrets; i += PIECE) {
    found += memmem(memory, length, secrets + i, PIECE) != NULL;
  }
  return found;
}

static void choose_key(unsigned number) {
  for (size_t i = 0; i < sizeof secret_key; i++) {
    secret_key[i] = (uint8_t)((17 + 2 * number) * i + 3 + number);
  }
  make_secrets();
}

/* Makes the inputs of a case. What a verification reads is public, and always the same. */
static void prepare(unsigned number) {
  const unsigned signer = operations[operation].run == verify_on_stack ||
                                  operations[operation].run == verify_in_workspace
                              ? 0
                              : number;

  choose_key(signer);
  memcpy(public_key, public_keys[signer], sizeof public_key);
  memcpy(signature, signatures[signer], sizeof signature);
}

static int run(void) {
  return (int)operations[operation].run();
}

static bool holds_secret(const uint8_t *memory, size_t length) {
  return operations[operation].run != verify_on_stack &&
         operations[operation].run != verify_in_workspace && pieces_in(memory, length) > 0;
}

int main(int argc, char **argv) {
  if (argc < 2 || codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "sofia_memory: no such back end here\n");
    return 2;
  }
  watch_wipes = argc < 3 || strcmp(argv[2], "--no-wipe") != 0;
  for (unsigned number = 0; number < WATCH_CASES; number++) {
    choose_key(number);
    if (keypair_in_workspace() != CODEKEM_SOFIA_OK || sign_in_workspace() != CODEKEM_SOFIA_OK) {
      fprintf(stderr, "sofia_memory: no signature\n");
      return 2;
    }
    memcpy(public_keys[number], public_key, sizeof public_key);
    memcpy(signatures[number], signature, sizeof signature);
  }
  printf("wiped %d\n", SECURE_WIPE_STACK_BYTES);
  for (operation = 0; operation < sizeof operations / sizeof operations[0]; operation++) {
    const struct watch_job job = {.subject = "SOFIA-4-128",
                                  .name = operations[operation].name,
                                  .place = operations[operation].place,
                                  .workspace = operations[operation].workspace,
                                  .prepare = prepare,
                                  .run = run,
                                  .holds_secret = holds_secret};
    watch(&job);
  }
  return 0;
}
