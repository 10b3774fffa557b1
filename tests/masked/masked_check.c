/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Does what tests/masked_program.py asks for, one line after the other: it also runs on emulated
 * processors and under sanitizers. Buffers have exactly the lengths needed.
 *
 * usage: masked_check BACKEND
 *
 * A line is a letter, the name of a KEM, and a number; the bytes that it announces follow it.
 * Values in shares are given and written as they are, share after share. Answers are bytes; but for
 * i, the first is the status.
 *   i                shares; lengths of public key, secret key in shares, plain secret key,
 *                    ciphertext, seed of a key pair and of an encapsulation, workspace: numbers of
 *                    32 bits, little-endian
 *   k                seed to public key, secret key
 *   m                plain secret key to secret key
 *   r                secret key to secret key, refreshed
 *   e                public key, seed to ciphertext, shared secret
 *   d                ciphertext, secret key to shared secret; then the bytes of masks that were
 *                    asked for, a number as above
 *   f N              the same with a source of masks that fails after N bytes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "masked_check"
#include "../exact_buffers.h"
#include "codekem_masked.h"

static const codekem_masked_kem *kem;

/* A source of masks that counts, and may fail. */
struct source {
  uint64_t state;
  size_t given;
  size_t most;
};

static bool give_masks(void *context, uint8_t *out, size_t length) {
  struct source *source = context;

  if (length > source->most - source->given) {
    return false;
  }
  source->given += length;
  for (size_t i = 0; i < length; i++) {
    source->state ^= source->state << 13;
    source->state ^= source->state >> 7;
    source->state ^= source->state << 17;
    out[i] = (uint8_t)(source->state >> 32);
  }
  return true;
}

static void run_lengths(void) {
  const size_t lengths[] = {
      kem->shares,
      kem->kem->length_public_key,
      kem->length_secret_key,
      kem->kem->length_secret_key,
      kem->kem->length_ciphertext,
      kem->kem->length_keypair_seed,
      kem->kem->length_encaps_seed,
      kem->length_workspace,
  };

  put_numbers(lengths, sizeof lengths / sizeof lengths[0]);
}

/* A workspace that is where it has to be. */
static codekem_masked_options options_in(uint8_t **memory) {
  codekem_masked_options options = {.size = sizeof options};
  uintptr_t first;

  *memory = allocate(kem->length_workspace + CODEKEM_WORKSPACE_ALIGNMENT);
  first = (uintptr_t)*memory;
  options.workspace = *memory + (0 - first) % CODEKEM_WORKSPACE_ALIGNMENT;
  options.workspace_length = kem->length_workspace;
  return options;
}

static void run_keypair(void) {
  uint8_t *seed = get(kem->shares * kem->kem->length_keypair_seed);
  uint8_t *public_key = allocate(kem->kem->length_public_key);
  uint8_t *secret_key = allocate(kem->length_secret_key);
  const codekem_masked_options options = {.size = sizeof options, .seed = seed};

  put_status(codekem_masked_keypair(kem, public_key, secret_key, &options));
  give(public_key, kem->kem->length_public_key);
  give(secret_key, kem->length_secret_key);
  free(seed);
}

static void run_import(void) {
  uint8_t *plain = get(kem->kem->length_secret_key);
  uint8_t *secret_key = allocate(kem->length_secret_key);

  put_status(codekem_masked_import_key(kem, secret_key, plain, NULL));
  give(secret_key, kem->length_secret_key);
  free(plain);
}

static void run_refresh(void) {
  uint8_t *secret_key = get(kem->length_secret_key);

  put_status(codekem_masked_refresh_key(kem, secret_key, NULL));
  give(secret_key, kem->length_secret_key);
}

static void run_encaps(void) {
  uint8_t *public_key = get(kem->kem->length_public_key);
  uint8_t *seed = get(kem->shares * kem->kem->length_encaps_seed);
  uint8_t *ciphertext = allocate(kem->kem->length_ciphertext);
  uint8_t *secret = allocate(kem->length_shared_secret);
  const codekem_masked_options options = {.size = sizeof options, .seed = seed};

  put_status(codekem_masked_encaps(kem, ciphertext, secret, public_key, &options));
  give(ciphertext, kem->kem->length_ciphertext);
  give(secret, kem->length_shared_secret);
  free(seed);
  free(public_key);
}

static void run_decaps(size_t most) {
  uint8_t *ciphertext = get(kem->kem->length_ciphertext);
  uint8_t *secret_key = get(kem->length_secret_key);
  uint8_t *secret = allocate(kem->length_shared_secret);
  struct source source = {UINT64_C(88172645463325252), 0, most};
  uint8_t *memory;
  codekem_masked_options options = options_in(&memory);

  options.masks = give_masks;
  options.masks_context = &source;
  put_status(codekem_masked_decaps(kem, secret, ciphertext, secret_key, &options));
  give(secret, kem->length_shared_secret);
  put_numbers(&source.given, 1);
  free(memory);
  free(secret_key);
  free(ciphertext);
}

static void run_line(char letter, size_t number) {
  switch (letter) {
    case 'i':
      run_lengths();
      break;
    case 'k':
      run_keypair();
      break;
    case 'm':
      run_import();
      break;
    case 'r':
      run_refresh();
      break;
    case 'e':
      run_encaps();
      break;
    case 'd':
      run_decaps(SIZE_MAX);
      break;
    case 'f':
      run_decaps(number);
      break;
    default:
      fail("unknown request");
  }
  if (fflush(stdout) != 0) {
    fail("cannot write");
  }
}

int main(int argc, char **argv) {
  char line[80];
  char letter;
  char name[32];
  unsigned long number;

  if (argc != 2) {
    fail("usage: masked_check BACKEND");
  }
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fail("the processor lacks this back end");
  }
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (sscanf(line, "%c %31s %lu", &letter, name, &number) != 3) {
      fail("this line is no request");
    }
    kem = codekem_masked_find(name);
    if (kem == NULL) {
      fail("no such KEM in shares");
    }
    run_line(letter, number);
  }
  return 0;
}
