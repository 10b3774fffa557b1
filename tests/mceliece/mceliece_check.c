/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Does what tests/mceliece_program.py asks for, one line after the other, with nothing but libc: it
 * also runs on emulated processors and under sanitizers. Buffers have exactly the lengths needed.
 *
 * usage: mceliece_check BACKEND
 *
 * A line is a letter, the name of a KEM and numbers; the bytes that it announces follow it. Answers
 * are bytes; but for i, the first is the status.
 *   i                the lengths of public key, secret key, ciphertext, and the number of rows,
 *                    each a little-endian number of 32 bits
 *   k                seed to public key, secret key
 *   e LENGTH         public key, randomness[LENGTH] to ciphertext, secret; drawn as the reference
 *                    implementation does, or, with LENGTH 0, from the seed that follows
 *   a PIECE          public key, seed to ciphertext, secret; in pieces of PIECE bytes
 *   d                ciphertext, secret key to secret; with a prepared key, too
 *   x                short secret key to secret key
 *   c                secret key; checks it
 *   p                secret key to public key
 *   r FIRST COUNT    secret key to rows of the public key
 */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "mceliece_check"
#include "../exact_buffers.h"
#include "codekem_mceliece.h"

static const codekem_kem *kem;

/* An aligned workspace; free it with free_workspace, which demands that it was wiped. */
static void *new_workspace(size_t length) {
  void *workspace = NULL;

  if (posix_memalign(&workspace, CODEKEM_WORKSPACE_ALIGNMENT, length) != 0) {
    fail("out of memory");
  }
  memset(workspace, 0, length);
  return workspace;
}

static void free_workspace(void *workspace, size_t length) {
  const uint8_t *bytes = workspace;
  uint8_t rest = 0;

  for (size_t i = 0; i < length; i++) {
    rest |= bytes[i];
  }
  if (rest != 0) {
    fail("the call leaves something behind");
  }
  free(workspace);
}

static void run_lengths(void) {
  const size_t lengths[] = {kem->length_public_key, kem->length_secret_key, kem->length_ciphertext,
                            codekem_mceliece_rows(kem)};

  put_numbers(lengths, sizeof lengths / sizeof lengths[0]);
}

static void run_keypair(void) {
  const size_t length = kem->length_keypair_workspace;
  uint8_t *seed = get(kem->length_keypair_seed);
  uint8_t *public_key = allocate(kem->length_public_key);
  uint8_t *secret_key = allocate(kem->length_secret_key);
  void *workspace = new_workspace(length);

  put_status(codekem_kem_keypair_with(kem, public_key, secret_key,
                                      CODEKEM_OPTIONS(.seed = seed, .workspace = workspace,
                                                      .workspace_length = length)));
  free_workspace(workspace, length);
  give(public_key, kem->length_public_key);
  give(secret_key, kem->length_secret_key);
  free(seed);
}

static void run_encaps(size_t random_length) {
  const size_t length = kem->length_encaps_workspace;
  uint8_t *public_key = get(kem->length_public_key);
  uint8_t *random = get(random_length > 0 ? random_length : kem->length_encaps_seed);
  uint8_t *ciphertext = allocate(kem->length_ciphertext);
  uint8_t *secret = allocate(kem->length_shared_secret);
  void *workspace = new_workspace(length);
  struct stream stream = {random, random_length};

  put_status(random_length > 0
                 ? codekem_mceliece_encaps_random(kem, ciphertext, secret, public_key, draw,
                                                  &stream, workspace, length)
                 : codekem_kem_encaps_with(kem, ciphertext, secret, public_key,
                                           CODEKEM_OPTIONS(.seed = random, .workspace = workspace,
                                                           .workspace_length = length)));
  free_workspace(workspace, length);
  give(ciphertext, kem->length_ciphertext);
  give(secret, kem->length_shared_secret);
  free(random);
  free(public_key);
}

static void run_pieces(size_t piece) {
  codekem_mceliece_encapsulation state;
  uint8_t *public_key = get(kem->length_public_key);
  uint8_t *seed = get(kem->length_encaps_seed);
  uint8_t *ciphertext = allocate(kem->length_ciphertext);
  uint8_t *secret = allocate(kem->length_shared_secret);

  if (piece == 0 || codekem_mceliece_encaps_begin_derand(kem, &state, seed) != CODEKEM_OK) {
    fail("cannot begin");
  }
  for (size_t done = 0; done < kem->length_public_key; done += piece) {
    const size_t left = kem->length_public_key - done;
    if (codekem_mceliece_encaps_absorb(&state, public_key + done, left < piece ? left : piece) !=
        CODEKEM_OK) {
      fail("cannot absorb");
    }
  }
  put_status(codekem_mceliece_encaps_end(&state, ciphertext, secret));
  give(ciphertext, kem->length_ciphertext);
  give(secret, kem->length_shared_secret);
  free(seed);
  free(public_key);
}

/* Requires that the same comes out of a prepared key. */
static void compare_prepared(const uint8_t *ciphertext, const uint8_t *secret_key,
                             codekem_status status, const uint8_t *secret) {
  const size_t length = kem->length_decaps_workspace;
  const size_t prepared_length = codekem_mceliece_prepared_length(kem);
  void *prepared = new_workspace(prepared_length);
  void *workspace = new_workspace(length);
  uint8_t *again = allocate(kem->length_shared_secret);

  if (codekem_mceliece_prepare_secret_key(kem, prepared, prepared_length, secret_key, workspace,
                                          length) != CODEKEM_OK ||
      codekem_mceliece_decaps_prepared(kem, again, ciphertext, prepared, workspace, length) !=
          status ||
      memcmp(again, secret, kem->length_shared_secret) != 0) {
    fail("a prepared key gives another secret");
  }
  codekem_wipe(prepared, prepared_length);
  free_workspace(workspace, length);
  free_workspace(prepared, prepared_length);
  free(again);
}

static void run_decaps(void) {
  const size_t length = kem->length_decaps_workspace;
  uint8_t *ciphertext = get(kem->length_ciphertext);
  uint8_t *secret_key = get(kem->length_secret_key);
  uint8_t *secret = allocate(kem->length_shared_secret);
  void *workspace = new_workspace(length);
  const codekem_status status =
      codekem_kem_decaps_with(kem, secret, ciphertext, secret_key,
                              CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = length));

  compare_prepared(ciphertext, secret_key, status, secret);
  put_status(status);
  free_workspace(workspace, length);
  give(secret, kem->length_shared_secret);
  free(secret_key);
  free(ciphertext);
}

static void run_expand(void) {
  const size_t length = kem->length_check_workspace;
  uint8_t *short_key = get(CODEKEM_MCELIECE_SHORT_SECRET_KEY);
  uint8_t *secret_key = allocate(kem->length_secret_key);
  void *workspace = new_workspace(length);

  put_status(codekem_mceliece_expand_secret_key(kem, secret_key, short_key, workspace, length));
  free_workspace(workspace, length);
  give(secret_key, kem->length_secret_key);
  free(short_key);
}

static void run_check(void) {
  const size_t length = kem->length_check_workspace;
  uint8_t *secret_key = get(kem->length_secret_key);
  void *workspace = new_workspace(length);

  put_status(codekem_kem_check_secret_key_with(
      kem, secret_key, CODEKEM_OPTIONS(.workspace = workspace, .workspace_length = length)));
  free_workspace(workspace, length);
  free(secret_key);
}

static void run_derive(void) {
  const size_t length = kem->length_check_workspace;
  uint8_t *secret_key = get(kem->length_secret_key);
  uint8_t *public_key = allocate(kem->length_public_key);
  void *workspace = new_workspace(length);

  put_status(codekem_kem_derive_public_key_with(kem, public_key, secret_key,
                                                CODEKEM_OPTIONS(.workspace = workspace,
                                                                .workspace_length = length)));
  free_workspace(workspace, length);
  give(public_key, kem->length_public_key);
  free(secret_key);
}

static void run_rows(size_t first, size_t count) {
  const size_t length = kem->length_check_workspace;
  const size_t rows_length = codekem_mceliece_rows_length(kem);
  const size_t row_bytes = kem->length_public_key / codekem_mceliece_rows(kem);
  uint8_t *secret_key = get(kem->length_secret_key);
  uint8_t *rows = allocate(count * row_bytes);
  void *memory = new_workspace(rows_length);
  void *workspace = new_workspace(length);
  codekem_status status =
      codekem_mceliece_rows_begin(kem, memory, rows_length, secret_key, workspace, length);

  if (status == CODEKEM_OK) {
    status = codekem_mceliece_rows_make(kem, rows, first, count, memory);
  }
  put_status(status);
  free_workspace(workspace, length);
  free(memory);
  give(rows, count * row_bytes);
  free(secret_key);
}

static void run_line(char letter, size_t a, size_t b) {
  switch (letter) {
    case 'i':
      run_lengths();
      break;
    case 'k':
      run_keypair();
      break;
    case 'e':
      run_encaps(a);
      break;
    case 'a':
      run_pieces(a);
      break;
    case 'd':
      run_decaps();
      break;
    case 'x':
      run_expand();
      break;
    case 'c':
      run_check();
      break;
    case 'p':
      run_derive();
      break;
    case 'r':
      run_rows(a, b);
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
  char name[32];

  if (argc != 2) {
    fail("usage: mceliece_check BACKEND");
  }
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "mceliece_check: no back end %s here\n", argv[1]);
    return 77;
  }
  while (fgets(line, sizeof line, stdin) != NULL) {
    size_t a = 0, b = 0;
    char letter = 0;

    if (sscanf(line, "%c %31s %zu %zu", &letter, name, &a, &b) < 2) {
      fail("a line is a letter, a KEM and numbers");
    }
    kem = codekem_mceliece_kem_find(name);
    if (kem == NULL) {
      fail("there is no such KEM");
    }
    run_line(letter, a, b);
  }
  return 0;
}
