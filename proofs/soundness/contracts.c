/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The contracts of the heavy operations, as a back end; see contracts.h. */
#include "contracts.h"

#include <__fc_builtin.h>
#include <stddef.h>
#include <stdint.h>

#include "bike/counters.h"
#include "gf2x/gf2x.h"
#include "keccak/keccak.h"
#include "levels.h"
#include "sparse/sparse.h"

#if defined(HQC)
#include "hqc/hqc.h"
#include "hqc/codes.h"
#include "hqc/reed_muller.h"
#endif

#define STRIDE GF2X_STRIDE(R_BITS)

const struct backend portable = {
    .name = "portable",
    .id = BACKEND_PORTABLE,
    .gf2x = &ckem_gf2x_portable,
    .keccak = &ckem_keccak_portable,
    .sparse = &ckem_sparse_portable,
};

/* Leaves anything in words[count], initialised or, as far as it was not, still uninitialised. */
static void use_scratch(uint64_t *words, size_t count) {
  if (Frama_C_interval(0, 1) != 0) {
    Frama_C_make_unknown((char *)words, count * sizeof *words);
  }
}

static void set_element(uint64_t *out) {
  Frama_C_make_unknown((char *)out, STRIDE * sizeof *out);
}

static void mul(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a, const uint64_t *b,
                uint64_t *scratch) {
  //@ assert ring: ring == &RING;
  //@ assert a: \initialized(a + (0 .. STRIDE - 1));
  //@ assert b: \initialized(b + (0 .. STRIDE - 1));
  //@ assert out: \valid(out + (0 .. STRIDE - 1));
  //@ assert scratch: \valid(scratch + (0 .. GF2X_MUL_SCRATCH_WORDS(R_BITS) - 1));
  //@ assert out_a: out == a || \separated(out + (0 .. STRIDE - 1), a + (0 .. STRIDE - 1));
  //@ assert out_b: out == b || \separated(out + (0 .. STRIDE - 1), b + (0 .. STRIDE - 1));
  //@ assert distinct: a != b;
  /*@ assert apart:
        \separated(scratch + (0 .. GF2X_MUL_SCRATCH_WORDS(R_BITS) - 1), out + (0 .. STRIDE - 1)) &&
        \separated(scratch + (0 .. GF2X_MUL_SCRATCH_WORDS(R_BITS) - 1), a + (0 .. STRIDE - 1)) &&
        \separated(scratch + (0 .. GF2X_MUL_SCRATCH_WORDS(R_BITS) - 1), b + (0 .. STRIDE - 1)); */
  use_scratch(scratch, GF2X_MUL_SCRATCH_WORDS(R_BITS));
  set_element(out);
}

static void mul_add(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                    const uint64_t *b0, const uint64_t *a1, const uint64_t *b1, uint64_t *scratch) {
  //@ assert ring: ring == &RING;
  //@ assert a0: \initialized(a0 + (0 .. STRIDE - 1));
  //@ assert b0: \initialized(b0 + (0 .. STRIDE - 1));
  //@ assert a1: \initialized(a1 + (0 .. STRIDE - 1));
  //@ assert b1: \initialized(b1 + (0 .. STRIDE - 1));
  //@ assert out: \valid(out + (0 .. STRIDE - 1));
  //@ assert scratch: \valid(scratch + (0 .. GF2X_SCRATCH_WORDS(R_BITS) - 1));
  /*@ assert out_apart:
        \separated(out + (0 .. STRIDE - 1), a0 + (0 .. STRIDE - 1)) &&
        \separated(out + (0 .. STRIDE - 1), b0 + (0 .. STRIDE - 1)) &&
        \separated(out + (0 .. STRIDE - 1), a1 + (0 .. STRIDE - 1)) &&
        \separated(out + (0 .. STRIDE - 1), b1 + (0 .. STRIDE - 1)); */
  /*@ assert apart:
        \separated(scratch + (0 .. GF2X_SCRATCH_WORDS(R_BITS) - 1), out + (0 .. STRIDE - 1)) &&
        \separated(scratch + (0 .. GF2X_SCRATCH_WORDS(R_BITS) - 1), a0 + (0 .. STRIDE - 1)) &&
        \separated(scratch + (0 .. GF2X_SCRATCH_WORDS(R_BITS) - 1), b0 + (0 .. STRIDE - 1)) &&
        \separated(scratch + (0 .. GF2X_SCRATCH_WORDS(R_BITS) - 1), a1 + (0 .. STRIDE - 1)) &&
        \separated(scratch + (0 .. GF2X_SCRATCH_WORDS(R_BITS) - 1), b1 + (0 .. STRIDE - 1)); */
  use_scratch(scratch, GF2X_SCRATCH_WORDS(R_BITS));
  set_element(out);
}

/* Inversion takes these powers: 2^k for the powers of two below its length, and for what is left
 * of it below each of its bits. */
static void square_times(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a, uint32_t k,
                         uint64_t *scratch) {
  int known = 0;

  for (unsigned i = 0; (R_BITS - 2) >> i != 0; i++) {
    const uint32_t power = (uint32_t)1 << i;
    known |= k == power || (((R_BITS - 2) & power) != 0 && k == ((R_BITS - 2) & (power - 1)));
  }
  //@ assert k: known == 1;
  //@ assert ring: ring == &RING;
  //@ assert a: \initialized(a + (0 .. STRIDE - 1));
  //@ assert out: \valid(out + (0 .. STRIDE - 1));
  //@ assert scratch: \valid(scratch + (0 .. GF2X_SCRATCH_WORDS(R_BITS) - 1));
  //@ assert out_a: \separated(out + (0 .. STRIDE - 1), a + (0 .. STRIDE - 1));
  /*@ assert apart:
        \separated(scratch + (0 .. GF2X_SCRATCH_WORDS(R_BITS) - 1), out + (0 .. STRIDE - 1)) &&
        \separated(scratch + (0 .. GF2X_SCRATCH_WORDS(R_BITS) - 1), a + (0 .. STRIDE - 1)); */
  use_scratch(scratch, GF2X_SCRATCH_WORDS(R_BITS));
  set_element(out);
}

/* Real code behind a pointer that the analysis resolves: what is not heavy is analysed as it is. */
static uint32_t weight(const struct gf2x_ring *ring, const uint64_t *a) {
  return ckem_gf2x_portable.weight(ring, a);
}

/* Every list is drawn in place: of a key, or of an error in one half or (BIKE) in both. */
static void pick_distinct(uint32_t *positions, const uint32_t *words, size_t count,
                          uint32_t length) {
  /*@ assert count: count == KEY_WEIGHT && length == R_BITS ||
        count == ERROR_WEIGHT && length == ERROR_LENGTH; */
  //@ assert in_place: positions == words;
  //@ assert words: \initialized(words + (0 .. count - 1));
  //@ assert positions: \valid(positions + (0 .. count - 1));
  Frama_C_make_unknown((char *)positions, count * sizeof *positions);
}

static void set_positions(const struct gf2x_ring *ring, uint64_t *out, const uint32_t *positions,
                          size_t count, uint32_t first) {
  //@ assert ring: ring == &RING;
  /*@ assert count: count == KEY_WEIGHT && first == 0 ||
        count == ERROR_WEIGHT && (first == 0 || first == R_BITS); */
  //@ assert positions: \initialized(positions + (0 .. count - 1));
  //@ assert out: \valid(out + (0 .. STRIDE - 1));
  //@ assert apart: \separated(out + (0 .. STRIDE - 1), positions + (0 .. count - 1));
  set_element(out);
}

static void count_unsatisfied(const struct gf2x_ring *ring, uint64_t *reached, uint32_t threshold,
                              uint64_t *reached_low, uint32_t threshold_low,
                              const uint64_t *syndrome, const uint32_t *support, size_t count,
                              uint64_t *scratch) {
  //@ assert ring: ring == &RING;
  //@ assert count: count == KEY_WEIGHT;
  //@ assert syndrome: \initialized(syndrome + (0 .. STRIDE - 1));
  //@ assert support: \initialized(support + (0 .. KEY_WEIGHT - 1));
  //@ assert reached: \valid(reached + (0 .. STRIDE - 1));
  //@ assert reached_low: reached_low == \null || \valid(reached_low + (0 .. STRIDE - 1));
  //@ assert scratch: \valid(scratch + (0 .. BIKE_COUNT_SCRATCH_WORDS(R_BITS) - 1));
  /*@ assert reached_apart:
        \separated(reached + (0 .. STRIDE - 1), syndrome + (0 .. STRIDE - 1)) &&
        \separated(reached + (0 .. STRIDE - 1), support + (0 .. KEY_WEIGHT - 1)); */
  /*@ assert reached_low_apart: reached_low == \null || (
        \separated(reached_low + (0 .. STRIDE - 1), reached + (0 .. STRIDE - 1)) &&
        \separated(reached_low + (0 .. STRIDE - 1), syndrome + (0 .. STRIDE - 1)) &&
        \separated(reached_low + (0 .. STRIDE - 1), support + (0 .. KEY_WEIGHT - 1)) &&
        \separated(reached_low + (0 .. STRIDE - 1),
                   scratch + (0 .. BIKE_COUNT_SCRATCH_WORDS(R_BITS) - 1))); */
  /*@ assert apart:
        \separated(scratch + (0 .. BIKE_COUNT_SCRATCH_WORDS(R_BITS) - 1),
                   reached + (0 .. STRIDE - 1)) &&
        \separated(scratch + (0 .. BIKE_COUNT_SCRATCH_WORDS(R_BITS) - 1),
                   syndrome + (0 .. STRIDE - 1)) &&
        \separated(scratch + (0 .. BIKE_COUNT_SCRATCH_WORDS(R_BITS) - 1),
                   support + (0 .. KEY_WEIGHT - 1)); */
  use_scratch(scratch, BIKE_COUNT_SCRATCH_WORDS(R_BITS));
  set_element(reached);
  if (reached_low != NULL) {
    set_element(reached_low);
  }
}

static void permute(uint64_t state[KECCAK_LANES]) {
  //@ assert state: \initialized(state + (0 .. KECCAK_LANES - 1));
  Frama_C_make_unknown((char *)state, KECCAK_LANES * sizeof *state);
}

static void permute_pair(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  //@ assert apart: \separated(first + (0 .. KECCAK_LANES - 1), second + (0 .. KECCAK_LANES - 1));
  permute(first);
  permute(second);
}

const struct keccak_ops keccak_contracts = {
    .name = "contracts",
    .permute = permute,
    .permute_pair = permute_pair,
    .width = 1,
    .permute_many = permute,
};

static const struct gf2x_ops gf2x_contracts = {
    .name = "contracts",
    .mul = mul,
    .mul_add = mul_add,
    .square_times = square_times,
    .weight = weight,
};

static const struct sparse_ops sparse_contracts = {
    .name = "contracts",
    .pick_distinct = pick_distinct,
    .set_positions = set_positions,
};

static const struct bike_counters bike_contracts = {
    .name = "contracts",
    .count_unsatisfied = count_unsatisfied,
};

const struct backend contracts = {
    .name = "contracts",
    .id = BACKEND_PORTABLE, /* what a scheme has of its own accord is the portable code */
    .gf2x = &gf2x_contracts,
    .keccak = &keccak_contracts,
    .sparse = &sparse_contracts,
};

/* In place of src/kem/bike/counters.c. */
const struct bike_counters *ckem_bike_counters_of(const struct backend *backend) {
  return backend == &contracts ? &bike_contracts : &ckem_bike_counters_portable;
}

#if defined(HQC)
/* --- The codes of HQC --- */

static void reed_muller(uint8_t *symbols, const uint64_t *in, size_t count, size_t copies) {
  //@ assert count: count == CODE_LENGTH && copies == COPIES;
  //@ assert in: \initialized(in + (0 .. 2 * COPIES * CODE_LENGTH - 1));
  //@ assert symbols: \valid(symbols + (0 .. CODE_LENGTH - 1));
  /*@ assert apart: \separated(symbols + (0 .. CODE_LENGTH - 1),
                                in + (0 .. 2 * COPIES * CODE_LENGTH - 1)); */
  Frama_C_make_unknown((char *)symbols, CODE_LENGTH);
}

static void reed_solomon(const struct reed_solomon *code, uint8_t *message,
                         const uint8_t *received) {
  //@ assert code: code == HQC_PARAMS.outer_code;
  //@ assert received: \initialized(received + (0 .. CODE_LENGTH - 1));
  //@ assert message: \valid(message + (0 .. MESSAGE - 1));
  //@ assert apart: \separated(message + (0 .. MESSAGE - 1), received + (0 .. CODE_LENGTH - 1));
  Frama_C_make_unknown((char *)message, MESSAGE);
}

static void reed_solomon_parity(const struct reed_solomon *code, uint8_t *codeword,
                                const uint8_t *message) {
  //@ assert code: code == HQC_PARAMS.outer_code;
  //@ assert message: \initialized(message + (0 .. MESSAGE - 1));
  //@ assert codeword: \valid(codeword + (0 .. CODE_LENGTH - 1));
  //@ assert apart: \separated(message + (0 .. MESSAGE - 1), codeword + (0 .. CODE_LENGTH - 1));
  Frama_C_make_unknown((char *)codeword, CODE_LENGTH);
}

static const struct hqc_codes hqc_contracts = {
    .name = "contracts",
    .reed_muller_decode = reed_muller,
    .reed_solomon_encode = reed_solomon_parity,
    .reed_solomon_decode = reed_solomon,
};

/* In place of src/kem/hqc/codes.c. */
const struct hqc_codes *ckem_hqc_codes_of(const struct backend *backend) {
  return backend == &contracts ? &hqc_contracts : &ckem_hqc_codes_portable;
}
#endif
