/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Small gadgets with every secret, every sharing and every fresh bit (masked_probes.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "masked/gadgets.h"
#include "masked/sponge.h"
#include "masked_probes.h"

#define MOST_BITS 6
#define MOST_VALUES 256

/* Words of two shares; a plane has one word here. */
struct planes {
  masked_word word[2][24];
};

static struct shared shared_planes(struct planes *planes, size_t first) {
  return (struct shared){planes->word[0] + first, 24};
}

/* Puts bits of both shares on planes, a bit each, or on the lanes of one. */
static void put_bits(struct planes *planes, const uint32_t shares[2], size_t bits, bool lanes) {
  memset(planes, 0, sizeof *planes);
  for (size_t s = 0; s < 2; s++) {
    for (size_t i = 0; i < bits; i++) {
      planes->word[s][lanes ? 0 : i] |= masked_at_lane(shares[s] >> i & 1, s, lanes ? i : 0);
    }
  }
}

static void get_bits(uint32_t shares[2], const struct planes *planes, size_t first, size_t bits) {
  for (size_t s = 0; s < 2; s++) {
    shares[s] = 0;
    for (size_t i = 0; i < bits; i++) {
      shares[s] |= (uint32_t)masked_lane(planes->word[s][first + i], s, 0) << i;
    }
  }
}

static struct planes in, out;

#define X(i) shared_planes(&in, (i))
#define Z shared_planes(&out, 0)

static void run_and(void) {
  ckem_masked_and(NULL, Z, X(0), X(1), 1);
}

static uint32_t is_and(uint32_t x) {
  return x & x >> 1 & 1;
}

static void run_or(void) {
  ckem_masked_or(NULL, Z, X(0), X(1), 1);
}

static uint32_t is_or(uint32_t x) {
  return (x | x >> 1) & 1;
}

static void run_refresh(void) {
  out = in;
  ckem_masked_refresh(NULL, Z, 2, 1);
}

static uint32_t is_same(uint32_t x) {
  return x;
}

static void run_mux(void) {
  ckem_masked_mux(NULL, Z, X(0), X(1), X(2), 1, 1);
}

static uint32_t is_mux(uint32_t x) {
  return ((x & 1) != 0 ? x >> 1 : x >> 2) & 1;
}

static void run_add(void) {
  out = in;
  ckem_masked_add(NULL, Z, X(3), 3, 1, false, false);
}

static uint32_t is_add(uint32_t x) {
  return ((x & 7) + (x >> 3)) & 7;
}

static void run_less(void) {
  ckem_masked_less(NULL, Z, X(0), X(3), 3, 1);
}

static uint32_t is_less(uint32_t x) {
  return (x & 7) < x >> 3;
}

static void run_absolute(void) {
  out = in;
  ckem_masked_absolute(NULL, Z, 4, 1);
}

static uint32_t is_absolute(uint32_t x) {
  return x < 8 ? x : (16 - x) % 8 | 8; /* of -8 nothing is promised: 0 */
}

static void run_any(void) {
  out = in;
  ckem_masked_any(NULL, Z, 4, 1);
}

static uint32_t is_any(uint32_t x) {
  return x != 0;
}

static void run_all(void) {
  out = in;
  ckem_masked_all(NULL, Z, 4, 1);
}

static uint32_t is_all(uint32_t x) {
  return x == 15;
}

static void run_fold(void) {
  out = in;
  ckem_masked_fold(NULL, Z, 4);
}

static void run_bit_to_sum(void) {
  masked_word work[4];

  ckem_masked_bit_to_sum(NULL, Z, X(0), 4, 1, work);
}

static void run_sum_to_bits(void) {
  ckem_masked_sum_to_bits(NULL, Z, X(0), 3, 1, shared_planes(&out, 12));
}

/* One row; in the others all is zero, and their fresh bits are not looked at. */
static void run_chi(void) {
  uint64_t rows[2][KECCAK_LANES] = {{0}};
  uint64_t state[2][KECCAK_LANES];

  for (size_t i = 0; i < 5; i++) {
    rows[0][i] = in.word[0][i];
    rows[1][i] = in.word[1][i];
  }
  ckem_masked_chi(NULL, state, rows);
  for (size_t i = 0; i < 5; i++) {
    for (size_t s = 0; s < 2; s++) {
      out.word[s][i] = masked_at_lane(masked_lane((masked_word)state[s][i], s, 0), s, 0);
    }
  }
}

static uint32_t is_chi(uint32_t x) {
  uint32_t z = 0;

  for (unsigned i = 0; i < 5; i++) {
    z |= ((x >> i ^ (~(x >> (i + 1) % 5) & x >> (i + 2) % 5)) & 1) << i;
  }
  return z;
}

/* A gadget for exact runs: bits of its secrets, and of its result. */
struct gadget {
  const char *name;
  void (*run)(void);
  uint32_t (*expected)(uint32_t secrets);
  size_t bits, results;
  bool lanes;    /* secrets are on lanes, not on planes */
  bool uniform;  /* the result is a fresh sharing */
  bool sum_in;   /* the shares add up to the secret */
  bool sum_out;  /* those of the result do */
};

static const struct gadget gadgets[] = {
    {.name = "and", run_and, is_and, 2, 1, .uniform = true},
    {.name = "or", run_or, is_or, 2, 1, .uniform = true},
    {.name = "refresh", run_refresh, is_same, 2, 2, .uniform = true},
    {.name = "mux", run_mux, is_mux, 3, 1, .uniform = true},
    {.name = "add", run_add, is_add, 6, 3},
    {.name = "less", run_less, is_less, 6, 1},
    {.name = "absolute", run_absolute, is_absolute, 4, 4},
    {.name = "any", run_any, is_any, 4, 1, .uniform = true},
    {.name = "all", run_all, is_all, 4, 1, .uniform = true},
    {.name = "fold", run_fold, is_any, 4, 1, .lanes = true, .uniform = true},
    {.name = "bit_to_sum", run_bit_to_sum, is_same, 1, 4, .uniform = true, .sum_out = true},
    {.name = "sum_to_bits", run_sum_to_bits, is_same, 3, 3, .sum_in = true},
    {.name = "chi", run_chi, is_chi, 5, 5, .uniform = true},
};

/* Runs a gadget once; returns whether the result is right, and its share 0. */
static bool run_once(const struct gadget *gadget, uint32_t secret, uint32_t mask, uint64_t fresh,
                     uint32_t *first) {
  const uint32_t ones = (UINT32_C(1) << gadget->bits) - 1;
  const uint32_t result_ones = (UINT32_C(1) << gadget->results) - 1;
  const uint32_t shares[2] = {gadget->sum_in ? (secret - mask) & ones : secret ^ mask, mask};
  uint32_t results[2];

  put_bits(&in, shares, gadget->bits, gadget->lanes);
  memset(&out, 0, sizeof out);
  fresh_bits = fresh;
  fresh_used = 0;
  value_count = 0;
  gadget->run();
  get_bits(results, &out, 0, gadget->results);
  *first = results[0];
  const uint32_t result =
      gadget->sum_out ? (results[0] + results[1]) & result_ones : results[0] ^ results[1];
  return result == (gadget->expected(secret) & result_ones);
}

static void examine(const struct gadget *gadget) {
  const uint32_t secrets = UINT32_C(1) << gadget->bits;
  const uint32_t shapes = UINT32_C(1) << gadget->results;
  uint32_t first;
  size_t wrong = 0;
  size_t leaks = 0;
  size_t uneven = 0;

  run_once(gadget, 0, 0, 0, &first);
  const size_t points = value_count;
  const uint64_t all_fresh = UINT64_C(1) << fresh_used;
  /* How often point p had the value v (its lowest four bits) for each secret. */
  uint32_t *seen = memory_for(points * 16 * secrets, sizeof *seen);
  uint32_t *sharings = memory_for((size_t)shapes * secrets, sizeof *sharings);
  if (points > MOST_VALUES || gadget->bits > MOST_BITS || fresh_used > 16) {
    end_with("this gadget is too large for every case");
  }
  for (uint32_t secret = 0; secret < secrets; secret++) {
    for (uint32_t mask = 0; mask < secrets; mask++) {
      for (uint64_t fresh = 0; fresh < all_fresh; fresh++) {
        wrong += !run_once(gadget, secret, mask, fresh, &first);
        for (size_t p = 0; p < points; p++) {
          /* Bits of share 1 are in the upper half. */
          const size_t value = (probed_values[p] | probed_values[p] >> 32) & 15;
          seen[(p * 16 + value) * secrets + secret] += 1;
        }
        sharings[(size_t)first * secrets + secret] += 1;
      }
    }
  }
  for (size_t p = 0; p < points; p++) {
    bool leaks_here = false;
    for (size_t v = 0; v < 16; v++) {
      const uint32_t *row = seen + (p * 16 + v) * secrets;
      for (uint32_t secret = 1; secret < secrets; secret++) {
        leaks_here = leaks_here || row[secret] != row[0];
      }
    }
    leaks += leaks_here;
  }
  for (size_t i = 0; gadget->uniform && i < (size_t)shapes * secrets; i++) {
    uneven += sharings[i] != all_fresh * secrets / shapes;
  }
  printf("%s %zu %zu %zu %zu\n", gadget->name, points, leaks, wrong, uneven);
  free(seen);
  free(sharings);
}

void examine_gadgets(void) {
  for (size_t i = 0; i < sizeof gadgets / sizeof gadgets[0]; i++) {
    examine(gadgets + i);
  }
}
