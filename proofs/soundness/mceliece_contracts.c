/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The contracts of what the operations of Classic McEliece build on, in place of the portable code:
 * each demands what mceliece_kernels.c and its like grant the real one, and sets its outputs and
 * its scratch memory to anything. M, N and T are m, n and t of a parameter set.
 */
#include <__fc_builtin.h>
#include <stdbool.h>
#include <stdint.h>

#include "benes/benes.h"
#include "bitmatrix/bitmatrix.h"
#include "gf2m/gf2m.h"
#include "mceliece/mceliece_ops.h"
#include "mceliece/params.h"
#include "recurrence/recurrence.h"
#include "sort/sort.h"

#define Q (1 << M)
#define FIELD (M == 12 ? &ckem_gf2m_12 : &ckem_gf2m_13)
#define ROWS (M * T)
#define SIZE BITMATRIX_PADDED(ROWS)
#define BLOCKS (SIZE / 64)
#define BLOCK GF2M_BLOCK_WORDS(M)
#define WORDS GF2M_FIELD_WORDS(M)
#define SCRATCH GF2M_SCRATCH_WORDS(M)

extern const struct mceliece_params PARAMS;

static void set_anything(void *memory, size_t length) {
  Frama_C_make_unknown((char *)memory, length);
}

/* Leaves anything in words[count], initialised or, as far as it was not, still uninitialised. */
static void use_scratch(uint64_t *words, size_t count) {
  if (Frama_C_interval(0, 1) != 0) {
    set_anything(words, count * sizeof *words);
  }
}

/* --- Vectors over the field --- */

static void pack(const struct gf2m_field *field, uint64_t *out, const uint16_t *in, size_t count) {
  //@ assert field: field == FIELD;
  //@ assert count: count == GF2M_BLOCK_ELEMENTS;
  //@ assert in: \initialized(in + (0 .. GF2M_BLOCK_ELEMENTS - 1));
  //@ assert out: \valid(out + (0 .. BLOCK - 1));
  //@ assert apart: \separated(out + (0 .. BLOCK - 1), in + (0 .. GF2M_BLOCK_ELEMENTS - 1));
  set_anything(out, BLOCK * sizeof *out);
}

static void unpack(const struct gf2m_field *field, uint16_t *out, const uint64_t *in,
                   size_t count) {
  //@ assert field: field == FIELD;
  //@ assert count: count == Q;
  //@ assert in: \initialized(in + (0 .. WORDS - 1));
  //@ assert out: \valid(out + (0 .. Q - 1));
  //@ assert apart: \separated(out + (0 .. Q - 1), in + (0 .. WORDS - 1));
  set_anything(out, Q * sizeof *out);
}

/* One block, in place. */
static void multiply_block(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                           const uint64_t *b, size_t blocks) {
  //@ assert field: field == FIELD;
  //@ assert in_place: blocks == 1 && out == a;
  //@ assert a: \valid(out + (0 .. BLOCK - 1)) && \initialized(out + (0 .. BLOCK - 1));
  //@ assert b: \initialized(b + (0 .. BLOCK - 1));
  //@ assert apart: \separated(out + (0 .. BLOCK - 1), b + (0 .. BLOCK - 1));
  set_anything(out, BLOCK * sizeof *out);
}

static void square(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                   size_t blocks) {
  //@ assert field: field == FIELD;
  //@ assert blocks: blocks == GF2M_FIELD_BLOCKS(M);
  //@ assert in_place: out == a;
  //@ assert a: \valid(out + (0 .. WORDS - 1)) && \initialized(out + (0 .. WORDS - 1));
  set_anything(out, WORDS * sizeof *out);
}

static void invert(const struct gf2m_field *field, uint64_t *out, const uint64_t *a, size_t blocks,
                   uint64_t *scratch) {
  //@ assert scratch: \valid(scratch + (0 .. SCRATCH - 1));
  //@ assert apart: \separated(scratch + (0 .. SCRATCH - 1), out + (0 .. WORDS - 1));
  square(field, out, a, blocks);
  use_scratch(scratch, SCRATCH);
}

/* Where values, or weights, are the scratch memory it is all of it. */
static void evaluate(const struct gf2m_field *field, uint64_t *values, const uint16_t *f,
                     size_t count, uint64_t *scratch) {
  //@ assert field: field == FIELD;
  //@ assert count: count == T + 1;
  //@ assert f: \initialized(f + (0 .. T));
  //@ assert values: \valid(values + (0 .. WORDS - 1));
  //@ assert scratch: \valid(scratch + (0 .. SCRATCH - 1));
  /*@ assert apart: \separated(values + (0 .. WORDS - 1), f + (0 .. T)) &&
        \separated(scratch + (0 .. SCRATCH - 1), f + (0 .. T)) &&
        (values == scratch ||
         \separated(scratch + (0 .. SCRATCH - 1), values + (0 .. WORDS - 1))); */
  use_scratch(scratch, SCRATCH);
  set_anything(values, WORDS * sizeof *values);
}

static void power_sums(const struct gf2m_field *field, uint16_t *sums, const uint64_t *weights,
                       size_t count, uint64_t *scratch) {
  //@ assert field: field == FIELD;
  //@ assert count: count == T || count == 2 * T;
  //@ assert weights: \initialized(weights + (0 .. WORDS - 1));
  //@ assert scratch: \valid(scratch + (0 .. SCRATCH - 1)) && scratch == weights;
  //@ assert sums: \valid(sums + (0 .. count - 1));
  //@ assert apart: \separated(sums + (0 .. count - 1), scratch + (0 .. SCRATCH - 1));
  use_scratch(scratch, SCRATCH);
  set_anything(sums, count * sizeof *sums);
}

static void select(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                   const uint64_t *bits, size_t blocks) {
  //@ assert field: field == FIELD;
  //@ assert blocks: blocks == GF2M_FIELD_BLOCKS(M);
  //@ assert a: \initialized(a + (0 .. WORDS - 1));
  //@ assert bits: \initialized(bits + (0 .. Q / 64 - 1));
  //@ assert out: \valid(out + (0 .. WORDS - 1));
  /*@ assert apart: \separated(out + (0 .. WORDS - 1), a + (0 .. WORDS - 1)) &&
        \separated(out + (0 .. WORDS - 1), bits + (0 .. Q / 64 - 1)); */
  set_anything(out, WORDS * sizeof *out);
}

static void zeros(const struct gf2m_field *field, uint64_t *bits, const uint64_t *a,
                  size_t blocks) {
  //@ assert field: field == FIELD;
  //@ assert blocks: blocks == GF2M_FIELD_BLOCKS(M);
  //@ assert a: \initialized(a + (0 .. WORDS - 1));
  //@ assert bits: \valid(bits + (0 .. Q / 64 - 1));
  //@ assert apart: \separated(bits + (0 .. Q / 64 - 1), a + (0 .. WORDS - 1));
  set_anything(bits, Q / 64 * sizeof *bits);
}

static void power_rows(const struct gf2m_field *field, uint64_t *rows, size_t stride,
                       const uint64_t *first, const uint64_t *ratio, size_t count) {
  //@ assert field: field == FIELD;
  //@ assert shape: stride == GF2M_PLANE_WORDS && count == T;
  //@ assert first: \initialized(first + (0 .. BLOCK - 1));
  //@ assert ratio: \initialized(ratio + (0 .. BLOCK - 1));
  //@ assert rows: \valid(rows + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1));
  /*@ assert apart:
        \separated(rows + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1), first + (0 .. BLOCK - 1)) &&
        \separated(rows + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1), ratio + (0 .. BLOCK - 1)); */
  set_anything(rows, BITMATRIX_PANEL_WORDS(ROWS) * sizeof *rows);
}

const struct gf2m_ops ckem_gf2m_portable = {
    .name = "contracts",
    .pack = pack,
    .unpack = unpack,
    .multiply = multiply_block,
    .square = square,
    .invert = invert,
    .evaluate = evaluate,
    .power_sums = power_sums,
    .select = select,
    .zeros = zeros,
    .power_rows = power_rows,
};

/* --- Networks --- */

static void find_control_bits(unsigned m, uint8_t *control, const uint16_t *pi, uint64_t *scratch) {
  //@ assert m: m == M;
  //@ assert pi: \initialized(pi + (0 .. Q - 1));
  //@ assert control: \valid(control + (0 .. BENES_CONTROL_BYTES(M) - 1));
  //@ assert scratch: \valid(scratch + (0 .. BENES_SCRATCH_WORDS(M) - 1));
  /*@ assert apart:
        \separated(control + (0 .. BENES_CONTROL_BYTES(M) - 1), pi + (0 .. Q - 1)) &&
        \separated(scratch + (0 .. BENES_SCRATCH_WORDS(M) - 1), pi + (0 .. Q - 1)) &&
        \separated(scratch + (0 .. BENES_SCRATCH_WORDS(M) - 1),
                   control + (0 .. BENES_CONTROL_BYTES(M) - 1)); */
  use_scratch(scratch, BENES_SCRATCH_WORDS(M));
  set_anything(control, BENES_CONTROL_BYTES(M));
}

static void prepare(unsigned m, uint64_t *network, const uint8_t *control) {
  //@ assert m: m == M;
  //@ assert control: \initialized(control + (0 .. BENES_CONTROL_BYTES(M) - 1));
  //@ assert network: \valid(network + (0 .. BENES_NETWORK_WORDS(M) - 1));
  set_anything(network, BENES_NETWORK_WORDS(M) * sizeof *network);
}

static void apply(unsigned m, uint64_t *data, const uint64_t *network) {
  //@ assert m: m == M;
  //@ assert data: \valid(data + (0 .. Q / 64 - 1)) && \initialized(data + (0 .. Q / 64 - 1));
  //@ assert network: \initialized(network + (0 .. BENES_NETWORK_WORDS(M) - 1));
  /*@ assert apart:
        \separated(data + (0 .. Q / 64 - 1), network + (0 .. BENES_NETWORK_WORDS(M) - 1)); */
  set_anything(data, Q / 64 * sizeof *data);
}

static void permutation(unsigned m, uint16_t *pi, const uint64_t *network, uint64_t *scratch) {
  //@ assert m: m == M;
  //@ assert network: \initialized(network + (0 .. BENES_NETWORK_WORDS(M) - 1));
  //@ assert pi: \valid(pi + (0 .. Q - 1));
  //@ assert scratch: \valid(scratch + (0 .. BENES_SCRATCH_WORDS(M) - 1));
  /*@ assert apart:
        \separated(pi + (0 .. Q - 1), network + (0 .. BENES_NETWORK_WORDS(M) - 1)) &&
        \separated(pi + (0 .. Q - 1), scratch + (0 .. BENES_SCRATCH_WORDS(M) - 1)) &&
        \separated(network + (0 .. BENES_NETWORK_WORDS(M) - 1),
                   scratch + (0 .. BENES_SCRATCH_WORDS(M) - 1)); */
  use_scratch(scratch, BENES_SCRATCH_WORDS(M));
  set_anything(pi, Q * sizeof *pi);
}

const struct benes_ops ckem_benes_portable = {
    .name = "contracts",
    .find_control_bits = find_control_bits,
    .prepare = prepare,
    .apply = apply,
    .apply_reversed = apply,
    .permutation = permutation,
};

/* --- Matrices --- */

#define LEFT (SIZE * (BLOCKS + 1))

static void load(uint32_t rows, bool window, uint64_t *left, uint32_t first,
                 const uint64_t *panel) {
  //@ assert rows: rows == ROWS;
  //@ assert first: first % 512 == 0 && first < ROWS + (window ? 32 : 0);
  //@ assert left: \valid(left + (0 .. BITMATRIX_LEFT_WORDS(ROWS) - 1));
  //@ assert begun: first == 0 || \initialized(left + (0 .. LEFT - 1));
  //@ assert panel: \initialized(panel + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1));
  /*@ assert apart: \separated(left + (0 .. BITMATRIX_LEFT_WORDS(ROWS) - 1),
                               panel + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1)); */
  set_anything(left, LEFT * sizeof *left);
}

/* What factor promises solve: in how many rows each block looked for pivots. They stand behind the
 * matrix and the places, as the portable code has them. */
static uint16_t *reach_of(const uint64_t *factors) {
  return (uint16_t *)(factors + SIZE * BLOCKS) + SIZE;
}

static bool factor(uint32_t rows, bool window, uint64_t *factors, uint64_t *pivots, uint64_t *left,
                   uint64_t *scratch) {
  //@ assert rows: rows == ROWS;
  //@ assert left: \valid(left + (0 .. LEFT - 1)) && \initialized(left + (0 .. LEFT - 1));
  //@ assert factors: \valid(factors + (0 .. BITMATRIX_FACTORS_WORDS(ROWS) - 1));
  //@ assert scratch: \valid(scratch + (0 .. BITMATRIX_SCRATCH_WORDS(ROWS) - 1));
  //@ assert pivots: \valid(pivots);
  /*@ assert apart:
        \separated(scratch + (0 .. BITMATRIX_SCRATCH_WORDS(ROWS) - 1), left + (0 .. LEFT - 1)) &&
        \separated(factors + (0 .. BITMATRIX_FACTORS_WORDS(ROWS) - 1), left + (0 .. LEFT - 1)) &&
        \separated(factors + (0 .. BITMATRIX_FACTORS_WORDS(ROWS) - 1),
                   scratch + (0 .. BITMATRIX_SCRATCH_WORDS(ROWS) - 1)); */
  set_anything(left, LEFT * sizeof *left);
  use_scratch(scratch, BITMATRIX_SCRATCH_WORDS(ROWS));
  set_anything(pivots, sizeof *pivots);
  if (Frama_C_interval(0, 1) == 0) {
    use_scratch(factors, BITMATRIX_FACTORS_WORDS(ROWS));
    return false;
  }
  set_anything(factors, SIZE * BLOCKS * sizeof *factors + SIZE * sizeof(uint16_t));
  for (size_t k = 0; k < BLOCKS; k++) {
    const size_t rest = SIZE - 64 * k;
    reach_of(factors)[k] = (uint16_t)(Frama_C_interval(0, 1) != 0 && rest >= 128 ? 128 : rest);
  }
  return true;
}

static void solve(uint32_t rows, const uint64_t *factors, uint64_t *panel, uint64_t *scratch) {
  //@ assert rows: rows == ROWS;
  //@ assert factors: \initialized(factors + (0 .. SIZE * BLOCKS - 1));
  for (size_t k = 0; k < BLOCKS; k++) {
    const size_t rest = SIZE - 64 * k;
    //@ assert place: \initialized((uint16_t *)(factors + SIZE * BLOCKS) + (0 .. SIZE - 1));
    const uint16_t reach = reach_of(factors)[k];
    //@ assert reach: reach == rest || reach == 128 && 128 <= rest;
  }
  /*@ assert panel: \valid(panel + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1)) &&
        \initialized(panel + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1)); */
  //@ assert scratch: \valid(scratch + (0 .. BITMATRIX_SCRATCH_WORDS(ROWS) - 1));
  /*@ assert apart:
        \separated(scratch + (0 .. BITMATRIX_SCRATCH_WORDS(ROWS) - 1),
                   panel + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1)) &&
        \separated(factors + (0 .. BITMATRIX_FACTORS_WORDS(ROWS) - 1),
                   panel + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1)) &&
        \separated(factors + (0 .. BITMATRIX_FACTORS_WORDS(ROWS) - 1),
                   scratch + (0 .. BITMATRIX_SCRATCH_WORDS(ROWS) - 1)); */
  use_scratch(scratch, BITMATRIX_SCRATCH_WORDS(ROWS));
  set_anything(panel, BITMATRIX_PANEL_WORDS(ROWS) * sizeof *panel);
}

const struct bitmatrix_ops ckem_bitmatrix_portable = {
    .name = "contracts",
    .load = load,
    .factor = factor,
    .solve = solve,
};

/* --- Recurrences --- */

static uint64_t find(const struct gf2m_field *field, uint16_t *connection, const uint16_t *sequence,
                     size_t length, uint64_t *scratch) {
  //@ assert field: field == FIELD;
  //@ assert length: length == T;
  //@ assert sequence: \initialized(sequence + (0 .. 2 * T - 1));
  //@ assert connection: \valid(connection + (0 .. T));
  //@ assert apart: \separated(connection + (0 .. T), sequence + (0 .. 2 * T - 1));
  use_scratch(scratch, RECURRENCE_FIND_WORDS);
  set_anything(connection, (T + 1) * sizeof *connection);
  return Frama_C_interval(0, 1) != 0 ? ~UINT64_C(0) : 0;
}

static void power_sequence(const struct gf2m_field *field, const struct recurrence_ring *ring,
                           uint16_t *sequence, const uint16_t *beta, uint64_t *scratch) {
  //@ assert field: field == FIELD;
  //@ assert ring: ring->length == T && ring->terms == PARAMS.terms;
  for (size_t i = 0; i < 4; i++) {
    //@ assert low: ring->low[i] == PARAMS.low[i] && ring->low_value[i] == PARAMS.low_value[i];
  }
  for (size_t i = 0; i < T; i++) {
    //@ assert beta: \initialized(beta + i) && beta[i] < Q;
  }
  //@ assert sequence: \valid(sequence + (0 .. 2 * T - 1));
  //@ assert apart: \separated(sequence + (0 .. 2 * T - 1), beta + (0 .. T - 1));
  use_scratch(scratch, RECURRENCE_POWERS_WORDS);
  set_anything(sequence, 2 * T * sizeof *sequence);
}

const struct recurrence_ops ckem_recurrence_portable = {
    .name = "contracts",
    .find = find,
    .power_sequence = power_sequence,
};

/* --- Encoding --- */

/* Rows come in groups of 512, then what is left in groups of eight. */
static void multiply(uint8_t *parities, const uint8_t *rows, size_t count, size_t row_bytes,
                     const uint8_t *partner) {
  //@ assert count: 8 <= count <= 512 && count % 8 == 0;
  //@ assert row_bytes: row_bytes == MCELIECE_ROW_BYTES(M, N, T);
  //@ assert rows: \initialized(rows + (0 .. count * row_bytes - 1));
  //@ assert partner: \initialized(partner + (0 .. MCELIECE_PARTNER_BYTES - 1));
  //@ assert parities: \valid(parities + (0 .. count / 8 - 1));
  //@ assert apart: \separated(parities + (0 .. count / 8 - 1), partner + (0 .. row_bytes - 1));
  set_anything(parities, count / 8);
}

const struct mceliece_ops ckem_mceliece_ops_portable = {
    .name = "contracts",
    .multiply = multiply,
};
