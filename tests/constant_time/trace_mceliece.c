/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The operations of Classic McEliece, for trace_compare.c: keypair, encaps, decaps, expand (a short
 * secret key) and rows (of the public key, from the secret key).
 *
 * Each case has another key, but for encaps: a public key is public. Random numbers are such that
 * the first attempt succeeds: how many there are is public, and shows. The last case decapsulates a
 * ciphertext that does not decode. With PLANTED, "decaps+verdict" plants that leak
 * (mceliece_planted.c).
 */
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "codekem_mceliece.h"
#include "trace_operation.h"
#if defined(PLANTED)
#include "mceliece_planted.h"
#endif

#define MEMORY_BYTES (4 << 20)
#define MOST_POSITIONS 128
#define ROWS 8

static alignas(64) uint8_t memory[MEMORY_BYTES], kept[MEMORY_BYTES];
static struct {
  uint8_t seed[32];
  uint8_t positions[2 * 2 * MOST_POSITIONS]; /* two bytes each, all of them in range */
  uint8_t public_key[CODEKEM_MCELIECE_MAX_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_MCELIECE_MAX_SECRET_KEY];
  uint8_t ciphertext[CODEKEM_MCELIECE_MAX_CIPHERTEXT];
  uint8_t shared_secret[32];
} data;

static const codekem_kem *kem;
static char operation; /* k, e, d, x or r */
static bool one_key;

bool trace_choose(const char *scheme, const char *name, bool fixed_key) {
  static const char *const names[] = {"keypair", "encaps", "decaps", "expand", "rows"};
  char first[32] = "";

#if defined(PLANTED)
  const char *leak = strchr(name, '+');

  if (leak != NULL && !mceliece_plant(leak + 1)) {
    return false;
  }
#endif
  (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(name, "+"), name);
  kem = codekem_mceliece_kem_find(scheme);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(first, names[i]) == 0) {
      operation = i == 3 ? 'x' : first[0];
    }
  }
  one_key = fixed_key || operation == 'e';
  return kem != NULL && operation != '\0';
}

static bool give_positions(void *context, uint8_t *out, size_t length) {
  (void)context;
  memcpy(out, data.positions, length);
  return true;
}

static bool encapsulate(void) {
  return codekem_mceliece_encaps_random(kem, data.ciphertext, data.shared_secret, data.public_key,
                                        give_positions, NULL, memory, sizeof memory) == CODEKEM_OK;
}

static bool make_pair(void) {
  return codekem_kem_keypair_workspace(kem, data.public_key, data.secret_key, data.seed, memory,
                                       sizeof memory) == CODEKEM_OK;
}

bool trace_operate(void) {
  switch (operation) {
    case 'k':
      return make_pair();
    case 'e':
      return encapsulate();
    case 'x':
      return codekem_mceliece_expand_secret_key(kem, kept, data.secret_key, memory,
                                                sizeof memory) == CODEKEM_OK;
    case 'r':
      return codekem_mceliece_rows_begin(kem, kept, sizeof kept, data.secret_key, memory,
                                         sizeof memory) == CODEKEM_OK &&
             codekem_mceliece_rows_make(kem, data.public_key, 3, ROWS, kept) == CODEKEM_OK;
    default:
      return codekem_kem_decaps_workspace(kem, data.shared_secret, data.ciphertext, data.secret_key,
                                          memory, sizeof memory) == CODEKEM_OK;
  }
}

/* Distinct positions below 3488, which is in range for every set. */
static void draw_positions(unsigned number) {
  uint8_t taken[3488] = {0};
  uint8_t bytes[2];
  uint32_t state = 1000 * number;

  for (size_t i = 0; i < sizeof data.positions / 2;) {
    trace_fill(bytes, sizeof bytes, state++);
    const unsigned position = (bytes[0] | (unsigned)bytes[1] << 8) % 3488;
    if (!taken[position]) {
      taken[position] = 1;
      data.positions[2 * i] = (uint8_t)position;
      data.positions[2 * i + 1] = (uint8_t)(position >> 8);
      i++;
    }
  }
}

void trace_prepare(unsigned number) {
  uint32_t state = 100 + (one_key ? 0 : 1000 * number);

  do {
    trace_fill(data.seed, sizeof data.seed, state++);
    trace_require(make_pair(), "no key pair");
  } while (memcmp(data.seed, data.secret_key, sizeof data.seed) != 0); /* of another attempt */
  draw_positions(number);
  trace_require(encapsulate(), "no encapsulation");
  if (number == TRACE_CASES - 1) {
    trace_fill(data.ciphertext, 64, number);
  }
}
