/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Does what tests/hybrid_program.py asks for, one line after the other: it also runs on emulated
 * processors and under sanitizers. Buffers have exactly the lengths needed.
 *
 * usage: hybrid_check BACKEND
 *
 * A line is a letter, the name of a KEM, that of a group, and a number; the bytes that it announces
 * follow it. Answers are bytes; but for i and x, the first is the status.
 *   i                lengths of public key, secret key, ciphertext, shared secret and both seeds,
 *                    each a little-endian number of 32 bits; then 64 bytes with the label
 *   k                seed to public key, secret key
 *   e LENGTH         public key, randomness[LENGTH] of a source to ciphertext, shared secret; with
 *                    LENGTH 0, from the seed that follows
 *   d                ciphertext, secret key to shared secret
 *   c                secret key; checks it
 *   p                secret key to public key
 *   u                public key; checks it
 *   y                ciphertext; checks it
 *   x                scalar, point to what X25519 makes of them
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "hybrid_check"
#include "../exact_buffers.h"
#include "codekem_hybrid.h"
#include "hybrid/x25519.h"
#if defined(CODEKEM_HAVE_P256)
#include "p256_openssl.h"
#endif

static codekem_hybrid hybrid;
static const codekem_kem *const kem = &hybrid.kem;

static void run_lengths(void) {
  const size_t lengths[] = {kem->length_public_key,   kem->length_secret_key,
                            kem->length_ciphertext,   kem->length_shared_secret,
                            kem->length_keypair_seed, kem->length_encaps_seed};

  put_numbers(lengths, sizeof lengths / sizeof lengths[0]);
  put(hybrid.label, sizeof hybrid.label);
}

static void run_keypair(void) {
  uint8_t *seed = get(kem->length_keypair_seed);
  uint8_t *public_key = allocate(kem->length_public_key);
  uint8_t *secret_key = allocate(kem->length_secret_key);

  put_status(codekem_kem_keypair_with(kem, public_key, secret_key, CODEKEM_OPTIONS(.seed = seed)));
  give(public_key, kem->length_public_key);
  give(secret_key, kem->length_secret_key);
  free(seed);
}

static void run_encaps(size_t random_length) {
  uint8_t *public_key = get(kem->length_public_key);
  uint8_t *random = get(random_length > 0 ? random_length : kem->length_encaps_seed);
  uint8_t *ciphertext = allocate(kem->length_ciphertext);
  uint8_t *secret = allocate(kem->length_shared_secret);
  struct stream stream = {random, random_length};

  put_status(random_length > 0 ? codekem_kem_encaps_with(kem, ciphertext, secret, public_key,
                                                         CODEKEM_OPTIONS(.random = draw,
                                                                         .random_context = &stream))
                               : codekem_kem_encaps_with(kem, ciphertext, secret, public_key,
                                                         CODEKEM_OPTIONS(.seed = random)));
  give(ciphertext, kem->length_ciphertext);
  give(secret, kem->length_shared_secret);
  free(random);
  free(public_key);
}

static void run_decaps(void) {
  uint8_t *ciphertext = get(kem->length_ciphertext);
  uint8_t *secret_key = get(kem->length_secret_key);
  uint8_t *secret = allocate(kem->length_shared_secret);

  put_status(codekem_kem_decaps(kem, secret, ciphertext, secret_key));
  give(secret, kem->length_shared_secret);
  free(secret_key);
  free(ciphertext);
}

static void run_derive(void) {
  uint8_t *secret_key = get(kem->length_secret_key);
  uint8_t *public_key = allocate(kem->length_public_key);

  put_status(codekem_kem_derive_public_key(kem, public_key, secret_key));
  give(public_key, kem->length_public_key);
  free(secret_key);
}

static void run_check(codekem_status (*check)(const codekem_kem *kem, const uint8_t *bytes),
                      size_t length) {
  uint8_t *bytes = get(length);

  put_status(check(kem, bytes));
  free(bytes);
}

static void run_x25519(void) {
  uint8_t *scalar = get(X25519_BYTES);
  uint8_t *point = get(X25519_BYTES);

  ckem_x25519(point, scalar, point);
  give(point, X25519_BYTES);
  free(scalar);
}

static void run_line(char letter, size_t number) {
  switch (letter) {
    case 'i':
      run_lengths();
      break;
    case 'k':
      run_keypair();
      break;
    case 'e':
      run_encaps(number);
      break;
    case 'd':
      run_decaps();
      break;
    case 'c':
      run_check(codekem_kem_check_secret_key, kem->length_secret_key);
      break;
    case 'p':
      run_derive();
      break;
    case 'u':
      run_check(codekem_kem_check_public_key, kem->length_public_key);
      break;
    case 'y':
      run_check(codekem_kem_check_ciphertext, kem->length_ciphertext);
      break;
    case 'x':
      run_x25519();
      break;
    default:
      fail("unknown request");
  }
  if (fflush(stdout) != 0) {
    fail("cannot write");
  }
}

/* Returns false if this program lacks the group. */
static bool find_group(codekem_hybrid_group *group, const char *name) {
  *group = codekem_hybrid_x25519();
#if defined(CODEKEM_HAVE_P256)
  if (strcmp(name, "P256") == 0) {
    *group = p256_openssl();
  }
#endif
  return strcmp(name, group->name) == 0;
}

int main(int argc, char **argv) {
  char line[80];
  char letter;
  char name[32];
  char group_name[16];
  unsigned long number;
  codekem_hybrid_group group;

  if (argc != 2) {
    fail("usage: hybrid_check BACKEND");
  }
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fail("the processor lacks this back end");
  }
  while (fgets(line, sizeof line, stdin) != NULL) {
    if (sscanf(line, "%c %31s %15s %lu", &letter, name, group_name, &number) != 4) {
      fail("this line is no request");
    }
    if (!find_group(&group, group_name)) {
      fail("this program lacks the group");
    }
    if (codekem_hybrid_make(&hybrid, codekem_kem_find(name), &group) != CODEKEM_OK) {
      fail("no such hybrid");
    }
    run_line(letter, number);
  }
  return 0;
}
