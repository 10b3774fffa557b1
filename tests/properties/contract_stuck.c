/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A back end whose hashing is stuck, in place of the one in use while contract_stuck_byte says so:
 * what is drawn from a seed by rejection then never comes to an end by itself. The linker puts
 * __wrap_ckem_backend_in_use in front of ckem_backend_in_use. */
#include <string.h>

#include "backends.h"
#include "contract.h"
#include "keccak/keccak.h"

/* More than any call computes, but one that never ends. */
#define MOST_PERMUTATIONS 3000000

int contract_stuck_byte = -1;

static size_t permutations;

static void fill_lanes(uint64_t *lanes, size_t states) {
  permutations += states;
  require(permutations < MOST_PERMUTATIONS, "asks for hashes without end");
  memset(lanes, contract_stuck_byte, states * KECCAK_LANES * sizeof *lanes);
}

static void permute_stuck(uint64_t state[KECCAK_LANES]) {
  fill_lanes(state, 1);
}

static void permute_pair_stuck(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  fill_lanes(first, 1);
  fill_lanes(second, 1);
}

static void permute_many_1(uint64_t *states) {
  fill_lanes(states, 1);
}

static void permute_many_2(uint64_t *states) {
  fill_lanes(states, 2);
}

static void permute_many_4(uint64_t *states) {
  fill_lanes(states, 4);
}

static void permute_many_8(uint64_t *states) {
  fill_lanes(states, 8);
}

const struct backend *__real_ckem_backend_in_use(void);
const struct backend *__wrap_ckem_backend_in_use(void);

const struct backend *__wrap_ckem_backend_in_use(void) {
  const struct backend *real = __real_ckem_backend_in_use();
  static struct keccak_ops keccak;
  static struct backend stuck;

  if (contract_stuck_byte < 0 || real == NULL) {
    permutations = 0;
    return real;
  }
  keccak = *real->keccak;
  keccak.permute = permute_stuck;
  keccak.permute_pair = permute_pair_stuck;
  keccak.absorb = NULL;
  keccak.permute_many = keccak.width == 8   ? permute_many_8
                        : keccak.width == 4 ? permute_many_4
                        : keccak.width == 2 ? permute_many_2
                                            : permute_many_1;
  stuck = *real;
  stuck.keccak = &keccak;
  return &stuck;
}
