/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs what implementations of Classic McEliece have leaked in, on secrets that a checker watches;
 * see secrets.h.
 *
 *   mceliece_leaks BACKEND KEM|all PART [LEAK]
 *
 * Prints "KEM PART done" and returns 0 if it ended as it should. With all, every KEM of the library
 * runs, one after the other; their keys come from standard input, because to make them under a
 * checker takes long. What the checker finds is reported by the checker. Built with PLANTED, it
 * leaks as LEAK says (mceliece_planted.c), which the checker must report.
 */
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem_mceliece.h"
#include "secrets.h"
#if defined(PLANTED)
#include "mceliece_planted.h"
#endif

#define MEMORY_BYTES (4 << 20)

static const codekem_kem *kem;
static bool keys_are_given;
static alignas(64) uint8_t memory[MEMORY_BYTES];
static alignas(64) uint8_t kept[MEMORY_BYTES];
static uint8_t public_key[CODEKEM_MCELIECE_MAX_PUBLIC_KEY];
static uint8_t derived[CODEKEM_MCELIECE_MAX_PUBLIC_KEY];
static uint8_t secret_key[CODEKEM_MCELIECE_MAX_SECRET_KEY];
static uint8_t expanded[CODEKEM_MCELIECE_MAX_SECRET_KEY];
static uint8_t ciphertext[CODEKEM_MCELIECE_MAX_CIPHERTEXT];
static uint8_t shared_secret[32], other[32];

static void expect(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "mceliece_leaks: %s\n", what);
    exit(2);
  }
}

/* A source of randomness whose bytes are secret. */
static bool secret_bytes(void *context, uint8_t *out, size_t length) {
  uint32_t *state = context;

  for (size_t i = 0; i < length; i++) {
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    out[i] = (uint8_t)(*state >> 24);
  }
  mark_secret(out, length);
  return true;
}

/* Requires that the result came out secret: otherwise the marks were lost, and nothing was checked.
 */
static void open_result(void *buffer, size_t length) {
  expect(count_secret_bytes(buffer, length) >= length / 4 * 3, "the marks were lost on the way");
  mark_public(buffer, length);
}

static void make_pair(bool watched) {
  uint32_t state = 1;
  uint8_t seed[32];

  if (keys_are_given) {
    expect(!watched, "only what takes keys can be watched with keys that are given");
    return;
  }
  secret_bytes(&state, seed, sizeof seed);
  if (!watched) {
    mark_public(seed, sizeof seed);
  }
  expect(codekem_kem_keypair_workspace(kem, public_key, secret_key, seed, memory, sizeof memory) ==
             CODEKEM_OK,
         "no key pair");
  if (watched) {
    /* All but the pivots, of which some are known. */
    open_result(secret_key, kem->length_secret_key);
    expect(count_secret_bytes(public_key, kem->length_public_key) == 0, "T is public");
  }
}

static void encapsulate(bool watched) {
  uint32_t state = 2;

  expect(codekem_mceliece_encaps_random(kem, ciphertext, shared_secret, public_key, secret_bytes,
                                        &state, memory, sizeof memory) == CODEKEM_OK,
         "no encapsulation");
  if (watched) {
    open_result(ciphertext, kem->length_ciphertext);
    open_result(shared_secret, sizeof shared_secret);
  }
  mark_public(ciphertext, sizeof ciphertext);
  mark_public(shared_secret, sizeof shared_secret);
}

static void keypair(void) {
  make_pair(true);
}

static void encaps(void) {
  make_pair(false);
  encapsulate(true);
}

static void pieces(void) {
  codekem_mceliece_encapsulation state;
  uint32_t random = 2;

  make_pair(false);
  encapsulate(false);
  memcpy(other, shared_secret, sizeof other);
  expect(codekem_mceliece_encaps_begin(kem, &state, secret_bytes, &random) == CODEKEM_OK, "begin");
  for (size_t done = 0; done < kem->length_public_key; done += 10007) {
    const size_t left = kem->length_public_key - done;

    expect(codekem_mceliece_encaps_absorb(&state, public_key + done, left < 10007 ? left : 10007) ==
               CODEKEM_OK,
           "absorb");
  }
  expect(codekem_mceliece_encaps_end(&state, ciphertext, shared_secret) == CODEKEM_OK, "end");
  open_result(shared_secret, sizeof shared_secret);
  expect(memcmp(other, shared_secret, sizeof other) == 0, "another secret in pieces");
}

/* Both: a genuine ciphertext, and one that does not decode, must look alike. */
static void decaps(void) {
  make_pair(false);
  encapsulate(false);
  for (int damaged = 0; damaged < 2; damaged++) {
    ciphertext[3] ^= (uint8_t)damaged;
    mark_secret(secret_key, kem->length_secret_key);
    mark_secret(ciphertext, 90); /* not its end, where the unused bits may be */
    expect(codekem_kem_decaps_workspace(kem, other, ciphertext, secret_key, memory,
                                        sizeof memory) == CODEKEM_OK,
           "no decapsulation");
    open_result(other, sizeof other);
    mark_public(ciphertext, 90);
    expect((memcmp(other, shared_secret, sizeof other) == 0) == (damaged == 0), "wrong verdict");
  }
}

static void prepared(void) {
  make_pair(false);
  encapsulate(false);
  mark_secret(secret_key, kem->length_secret_key);
  expect(codekem_mceliece_prepare_secret_key(kem, kept, sizeof kept, secret_key, memory,
                                             sizeof memory) == CODEKEM_OK,
         "no prepared key");
  mark_secret(ciphertext, 90);
  expect(codekem_mceliece_decaps_prepared(kem, other, ciphertext, kept, memory, sizeof memory) ==
             CODEKEM_OK,
         "no decapsulation");
  open_result(other, sizeof other);
  expect(memcmp(other, shared_secret, sizeof other) == 0, "another secret");
}

static void short_key(void) {
  make_pair(false);
  mark_secret(secret_key, CODEKEM_MCELIECE_SHORT_SECRET_KEY);
  expect(codekem_mceliece_expand_secret_key(kem, expanded, secret_key, memory, sizeof memory) ==
             CODEKEM_OK,
         "no expansion");
  open_result(expanded, kem->length_secret_key);
  mark_public(secret_key, kem->length_secret_key);
  expect(memcmp(expanded, secret_key, kem->length_secret_key) == 0, "another key");
}

static void check(void) {
  make_pair(false);
  mark_secret(secret_key, kem->length_secret_key);
  expect(codekem_kem_check_secret_key_workspace(kem, secret_key, memory, sizeof memory) ==
             CODEKEM_OK,
         "a good key is refused");
}

static void derive(void) {
  make_pair(false);
  mark_secret(secret_key, kem->length_secret_key);
  expect(codekem_kem_derive_public_key_workspace(kem, derived, secret_key, memory, sizeof memory) ==
             CODEKEM_OK,
         "no public key");
  expect(memcmp(derived, public_key, kem->length_public_key) == 0, "another public key");
}

static void rows(void) {
  const size_t bytes = kem->length_public_key / codekem_mceliece_rows(kem);

  make_pair(false);
  mark_secret(secret_key, kem->length_secret_key);
  expect(codekem_mceliece_rows_begin(kem, kept, sizeof kept, secret_key, memory, sizeof memory) ==
             CODEKEM_OK,
         "no rows");
  expect(codekem_mceliece_rows_make(kem, derived, 5, 20, kept) == CODEKEM_OK, "no rows");
  expect(memcmp(derived, public_key + 5 * bytes, 20 * bytes) == 0, "other rows");
}

static bool take_page(void *context, size_t offset, const uint8_t *page, size_t length) {
  size_t *taken = context;

  memcpy(derived + offset, page, length);
  *taken += length;
  return true;
}

/* The plain set of the smallest size: f sets have no pages. */
static void pages(void) {
  const codekem_kem *plain = codekem_mceliece_kem_find("mceliece348864");
  uint8_t seed[32] = {5};
  size_t taken = 0;

  mark_secret(seed, sizeof seed);
  expect(codekem_mceliece_keypair_in_pages(plain, secret_key, seed, 4096, take_page, &taken, memory,
                                           sizeof memory) == CODEKEM_OK,
         "no pages");
  expect(taken == plain->length_public_key, "pages are missing");
}

static const struct {
  const char *name;
  void (*run)(void);
} parts[] = {
    {"keypair", keypair},   {"encaps", encaps},       {"pieces", pieces}, {"decaps", decaps},
    {"prepared", prepared}, {"short_key", short_key}, {"check", check},   {"derive", derive},
    {"rows", rows},         {"pages", pages},
};

static void run_part(const char *name) {
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (strcmp(name, parts[i].name) == 0) {
      parts[i].run();
      printf("%s %s done\n", kem->method_name, name);
      return;
    }
  }
  expect(false, "there is no such part");
}

static void read_keys(void) {
  expect(fread(public_key, 1, kem->length_public_key, stdin) == kem->length_public_key &&
             fread(secret_key, 1, kem->length_secret_key, stdin) == kem->length_secret_key,
         "a key is missing");
}

int main(int argc, char **argv) {
  if (argc != 4 && argc != 5) {
    fprintf(stderr, "usage: mceliece_leaks BACKEND KEM|all PART [LEAK]\n");
    return 1;
  }
  if (codekem_backend_select(argv[1]) != CODEKEM_OK) {
    fprintf(stderr, "mceliece_leaks: back end %s cannot run here\n", argv[1]);
    return 3;
  }
#if defined(PLANTED)
  expect(argc == 5 && mceliece_plant(argv[4]), "there is no such leak");
#endif
  expect(checker_is_running(), "no checker watches");
  if (strcmp(argv[2], "all") == 0) {
    keys_are_given = true;
    for (size_t i = 0; (kem = codekem_mceliece_kem_at(i)) != NULL; i++) {
      read_keys();
      run_part(argv[3]);
      mark_public(secret_key, sizeof secret_key);
    }
    return 0;
  }
  kem = codekem_mceliece_kem_find(argv[2]);
  expect(kem != NULL, "no such KEM");
  run_part(argv[3]);
  return 0;
}
