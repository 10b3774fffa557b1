/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs an operation of Classic McEliece between the marks of platform_marks.h, several times with
 * different secrets at the same addresses, as run_operation.c does for the other KEMs.
 *
 *   run_mceliece BACKEND KEM keypair|encaps|decaps|nothing CASES [LEAK]
 *
 * Each case has another key, but for encaps: a public key is public. Random numbers are such that
 * the first attempt succeeds: how many there are is public, and shows. The last of several cases
 * decapsulates a ciphertext that does not decode. Built with PLANTED it leaks as LEAK says
 * (constant_time/mceliece_planted.c). Returns 0, or 2 with a message.
 */
#define _GNU_SOURCE
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codekem_mceliece.h"
#include "platform_marks.h"
#if defined(PLANTED)
#include "mceliece_planted.h"
#endif

#define MEMORY_BYTES (2 << 20)
#define MOST_POSITIONS 128
#define SMALLEST_N 3488

static alignas(64) uint8_t memory[MEMORY_BYTES];
static struct {
  uint8_t seed[32];
  uint8_t positions[2 * 2 * MOST_POSITIONS]; /* two bytes each, all of them in range */
  uint8_t public_key[CODEKEM_MCELIECE_MAX_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_MCELIECE_MAX_SECRET_KEY];
  uint8_t ciphertext[CODEKEM_MCELIECE_MAX_CIPHERTEXT];
  uint8_t shared_secret[32];
} data;

static void require(bool condition, const char *what, const char *detail) {
  if (!condition) {
    fprintf(stderr, "run_mceliece: %s%s\n", what, detail);
    exit(2);
  }
}

static bool give_positions(void *context, uint8_t *out, size_t length) {
  (void)context;
  memcpy(out, data.positions, length);
  return true;
}

static codekem_status run(const codekem_kem *kem, char operation) {
  switch (operation) {
    case 'k':
      return codekem_kem_keypair_workspace(kem, data.public_key, data.secret_key, data.seed, memory,
                                           sizeof memory);
    case 'e':
      return codekem_mceliece_encaps_random(kem, data.ciphertext, data.shared_secret,
                                            data.public_key, give_positions, NULL, memory,
                                            sizeof memory);
    case 'd':
      return codekem_kem_decaps_workspace(kem, data.shared_secret, data.ciphertext, data.secret_key,
                                          memory, sizeof memory);
    default:
      return CODEKEM_OK;
  }
}

/* Fills out with bytes that differ from case to case. */
static void fill(uint8_t *out, size_t length, uint32_t state) {
  for (size_t i = 0; i < length; i++) {
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    out[i] = (uint8_t)(state >> 24);
  }
}

/* Distinct positions that are in range for every set. */
static void draw_positions(unsigned number) {
  uint8_t taken[SMALLEST_N] = {0};
  uint8_t bytes[2];
  uint32_t state = 1000 * number;

  for (size_t i = 0; i < sizeof data.positions / 2;) {
    fill(bytes, sizeof bytes, state++);
    const unsigned position = (bytes[0] | (unsigned)bytes[1] << 8) % SMALLEST_N;
    if (!taken[position]) {
      taken[position] = 1;
      data.positions[2 * i] = (uint8_t)position;
      data.positions[2 * i + 1] = (uint8_t)(position >> 8);
      i++;
    }
  }
}

static void prepare(const codekem_kem *kem, unsigned number, bool same_key, bool spoil) {
  uint32_t state = 100 + (same_key ? 0 : 1000 * number);

  do {
    fill(data.seed, sizeof data.seed, state++);
    require(run(kem, 'k') == CODEKEM_OK, "no key pair", "");
  } while (memcmp(data.seed, data.secret_key, sizeof data.seed) != 0); /* of another attempt */
  draw_positions(number);
  require(run(kem, 'e') == CODEKEM_OK, "no encapsulation", "");
  if (spoil) {
    for (size_t i = 0; i < 64; i++) {
      data.ciphertext[i] ^= 0xFF;
    }
  }
}

/* Runs the operation between the marks. Where the stack begins depends on the environment, and on
 * it how memory is aligned and how libc copies it: so what the operation uses begins at a page. */
__attribute__((noinline)) static codekem_status run_marked(const codekem_kem *kem, char operation) {
  char *top = __builtin_frame_address(0);
  volatile char *unused = __builtin_alloca(4096 + (uintptr_t)top % 4096);

  unused[0] = 0;
  (void)syscall(PLATFORM_MARK, (long)PLATFORM_MARK_BEGIN, unused);
  const codekem_status status = run(kem, operation);
  (void)syscall(PLATFORM_MARK, (long)PLATFORM_MARK_END);
  return status;
}

int main(int argc, char **argv) {
#if defined(PLANTED)
  require(argc == 6 && mceliece_plant(argv[5]), "there is no such leak", "");
#else
  require(argc == 5, "usage: run_mceliece BACKEND KEM keypair|encaps|decaps|nothing CASES", "");
#endif
  const codekem_kem *kem = codekem_mceliece_kem_find(argv[2]);
  const char *operation = argv[3];
  const unsigned cases = (unsigned)strtoul(argv[4], NULL, 10);

  require(codekem_backend_select(argv[1]) == CODEKEM_OK, "this processor cannot run the back end ",
          argv[1]);
  require(kem != NULL, "there is no KEM ", argv[2]);
  require(strcmp(operation, "keypair") == 0 || strcmp(operation, "encaps") == 0 ||
              strcmp(operation, "decaps") == 0 || strcmp(operation, "nothing") == 0,
          "there is no operation ", operation);
  require(cases >= 1 && cases <= 1000, "CASES must be from 1 to 1000, not ", argv[4]);
  for (unsigned i = 0; i < cases; i++) {
    prepare(kem, i, operation[0] == 'e', operation[0] == 'd' && cases > 1 && i + 1 == cases);
    require(run_marked(kem, operation[0]) == CODEKEM_OK, "the operation failed", "");
  }
  return 0;
}
