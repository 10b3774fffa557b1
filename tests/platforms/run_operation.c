/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Runs an operation of a KEM between the marks of platform_marks.h, several times with different
 * secrets at the same addresses.
 *
 *   run_operation BACKEND KEM keypair|encaps|decaps|nothing CASES [--fixed-key]
 *
 * BACKEND - leaves the choice to the library; the name of the back end is printed. The last of
 * several cases decapsulates a ciphertext that is rejected. --fixed-key keeps the key and changes
 * the rest, for KEMs whose key generation shows the number of rejected draws. "nothing" measures
 * what the marks themselves cost. Returns 0, or 2 with a message.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codekem_legacy.h"
#include "platform_marks.h"

static struct {
  uint8_t keypair_seed[CODEKEM_LEGACY_MAX_KEYPAIR_SEED];
  uint8_t encaps_seed[CODEKEM_MAX_ENCAPS_SEED];
  uint8_t public_key[CODEKEM_LEGACY_MAX_PUBLIC_KEY];
  uint8_t secret_key[CODEKEM_LEGACY_MAX_SECRET_KEY];
  uint8_t ciphertext[CODEKEM_LEGACY_MAX_CIPHERTEXT];
  uint8_t shared_secret[CODEKEM_LEGACY_MAX_SHARED_SECRET];
} data;

static void require(bool condition, const char *what, const char *detail) {
  if (!condition) {
    fprintf(stderr, "run_operation: %s%s\n", what, detail);
    exit(2);
  }
}

static codekem_status run(const codekem_kem *kem, char operation) {
  switch (operation) {
    case 'k':
      return codekem_kem_keypair_derand(kem, data.public_key, data.secret_key, data.keypair_seed);
    case 'e':
      return codekem_kem_encaps_derand(kem, data.ciphertext, data.shared_secret, data.public_key,
                                       data.encaps_seed);
    case 'd':
      return codekem_kem_decaps(kem, data.shared_secret, data.ciphertext, data.secret_key);
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

static void prepare(const codekem_kem *kem, unsigned number, bool same_key, bool spoil) {
  fill(data.keypair_seed, sizeof data.keypair_seed, 100 + (same_key ? 0 : number));
  fill(data.encaps_seed, sizeof data.encaps_seed, 200 + number);
  require(run(kem, 'k') == CODEKEM_OK && run(kem, 'e') == CODEKEM_OK, "preparation failed", "");
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

/* Finds a KEM of either library. */
static const codekem_kem *find_kem(const char *name) {
  const codekem_kem *kem = codekem_kem_find(name);

#if defined(CODEKEM_HAVE_LEGACY)
  if (kem == NULL) {
    kem = codekem_legacy_kem_find(name);
  }
#endif
  return kem;
}

int main(int argc, char **argv) {
  require(argc == 5 || (argc == 6 && strcmp(argv[5], "--fixed-key") == 0),
          "usage: run_operation BACKEND KEM keypair|encaps|decaps|nothing CASES [--fixed-key]", "");
  const codekem_kem *kem = find_kem(argv[2]);
  const char *operation = argv[3];
  const unsigned cases = (unsigned)strtoul(argv[4], NULL, 10);
  const bool same_key = argc == 6 || operation[0] == 'e';

  require(strcmp(argv[1], "-") == 0 || codekem_backend_select(argv[1]) == CODEKEM_OK,
          "this processor cannot run the back end ", argv[1]);
  require(codekem_backend_current() != NULL,
          "this processor cannot run the back end of CODEKEM_CPU", "");
  printf("%s\n", codekem_backend_current());
  require(kem != NULL, "there is no KEM ", argv[2]);
  require(strcmp(operation, "keypair") == 0 || strcmp(operation, "encaps") == 0 ||
              strcmp(operation, "decaps") == 0 || strcmp(operation, "nothing") == 0,
          "there is no operation ", operation);
  require(cases >= 1 && cases <= 1000, "CASES must be from 1 to 1000, not ", argv[4]);
  for (unsigned i = 0; i < cases; i++) {
    prepare(kem, i, same_key, operation[0] == 'd' && cases > 1 && i + 1 == cases);
    require(run_marked(kem, operation[0]) == CODEKEM_OK, "the operation failed", "");
  }
  return 0;
}
