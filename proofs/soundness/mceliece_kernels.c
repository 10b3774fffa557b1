/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The mathematics of Classic McEliece alone, in the least memory that its headers grant.
 *
 * M, N and T are m, n and t of a parameter set. Inputs are constant arrays with unknown contents,
 * outputs and scratch memory uninitialised arrays of exactly the sizes promised.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "benes/benes.h"
#include "benes/benes_words.h"
#include "bitmatrix/bitmatrix.h"
#include "gf2m/gf2m.h"
#include "mceliece/mceliece_ops.h"
#include "mceliece/params.h"
#include "recurrence/recurrence.h"

/* --- What others take by specification (-eva-use-spec), with its code --- */

/*@ requires m: m == M;
    requires a: \initialized(a + (0 .. M - 1));
    requires b: \initialized(b + (0 .. M - 1));
    requires out: \valid(out + (0 .. M - 1));
    requires apart: (out == a || \separated(out + (0 .. M - 1), a + (0 .. M - 1))) &&
        \separated(out + (0 .. M - 1), b + (0 .. M - 1));
    assigns out[0 .. M - 1] \from a[0 .. M - 1], b[0 .. M - 1];
    ensures set: \initialized(out + (0 .. M - 1)); */
static inline void product_portable(unsigned m, uint64_t out[], const uint64_t a[],
                                    const uint64_t b[]);

#include "gf2m/gf2m_portable.c"

/* One word of each plane, 8 words from one to the next. */
#define TWELVE_PLANES(p) \
  p[0], p[8], p[16], p[24], p[32], p[40], p[48], p[56], p[64], p[72], p[80], p[88]
#if M == 12
#define BUTTERFLY butterfly_12_portable
#define BUTTERFLY_TRANSPOSED butterfly_transposed_12_portable
#define PLANES TWELVE_PLANES
#else
#define BUTTERFLY butterfly_13_portable
#define BUTTERFLY_TRANSPOSED butterfly_transposed_13_portable
#define PLANES(p) TWELVE_PLANES(p), p[96]
#endif

/*@ predicate is_word(uint64_t *planes) =
      \valid(planes + (0 .. 8 * (M - 1))) &&
      \forall integer b; 0 <= b < M ==> \initialized(planes + 8 * b); */

/*@ requires lo: is_word(lo);
    requires hi: is_word(hi);
    requires gamma: \initialized(gamma + (0 .. 8 * (M - 1)));
    requires apart: lo != hi;
    assigns PLANES(lo), PLANES(hi) \from PLANES(lo), PLANES(hi), PLANES(gamma), add;
    ensures lo: is_word(lo);
    ensures hi: is_word(hi); */
static void BUTTERFLY(uint64_t *lo, uint64_t *hi, const uint64_t *gamma, uint32_t add);

/*@ requires lo: is_word(lo);
    requires hi: is_word(hi);
    requires gamma: \initialized(gamma + (0 .. 8 * (M - 1)));
    requires apart: lo != hi;
    assigns PLANES(lo), PLANES(hi) \from PLANES(lo), PLANES(hi), PLANES(gamma), add;
    ensures lo: is_word(lo);
    ensures hi: is_word(hi); */
static void BUTTERFLY_TRANSPOSED(uint64_t *lo, uint64_t *hi, const uint64_t *gamma, uint32_t add);

/*@ requires row_bytes: row_bytes == MCELIECE_ROW_BYTES(M, N, T);
    requires row: \initialized(row + (0 .. row_bytes - 1));
    requires partner: \initialized(partner + (0 .. row_bytes - 1));
    assigns \result \from row[0 .. row_bytes - 1], partner[0 .. row_bytes - 1]; */
static uint64_t fold_row_portable(const uint8_t *row, size_t row_bytes, const uint8_t *partner);

#include "mceliece/mceliece_ops_portable.c"

#define Q (1 << M)
#define FIELD (M == 12 ? &ckem_gf2m_12 : &ckem_gf2m_13)
#define ROWS (M * T)
#define WORDS GF2M_FIELD_WORDS(M)
#define BLOCKS GF2M_FIELD_BLOCKS(M)

extern const uint64_t any_vector[WORDS];
extern const uint64_t any_other_vector[WORDS];
extern const uint64_t any_bits[Q / 64];
extern const uint64_t any_block[GF2M_BLOCK_WORDS(M)];
extern const uint64_t any_ratio[GF2M_BLOCK_WORDS(M)];
extern const uint16_t any_numbers[Q];
extern const uint16_t any_coefficients[T + 1];
extern const uint16_t any_sequence[2 * T];
extern const uint8_t any_control[BENES_CONTROL_BYTES(M)];
extern const uint64_t any_network[BENES_NETWORK_WORDS(M)];
extern const uint64_t any_panel[BITMATRIX_PANEL_WORDS(ROWS)];
extern const uint16_t any_positions[T];
extern const uint8_t any_rows[512 * MCELIECE_ROW_BYTES(M, N, T)];
extern const uint8_t any_partner[MCELIECE_PARTNER_BYTES];

static void make_unknown(void *memory, size_t length) {
  Frama_C_make_unknown((char *)memory, length);
}

/* --- Vectors over the field --- */

void analyse_pack(void) {
  uint64_t vector[WORDS];
  uint64_t block[GF2M_BLOCK_WORDS(M)];
  uint16_t numbers[Q];

  ckem_gf2m_portable.pack(FIELD, vector, any_numbers, Q);
  ckem_gf2m_portable.pack(FIELD, block, any_numbers, GF2M_BLOCK_ELEMENTS);
  ckem_gf2m_portable.pack(FIELD, block, any_numbers, 65);
  ckem_gf2m_portable.unpack(FIELD, numbers, any_vector, Q);
  //@ assert vector: \initialized(vector + (0 .. WORDS - 1));
  //@ assert block: \initialized(block + (0 .. GF2M_BLOCK_WORDS(M) - 1));
  //@ assert numbers: \initialized(numbers + (0 .. Q - 1));
  Frama_C_show_each_end();
}

void analyse_vectors(void) {
  uint64_t product[WORDS];
  uint64_t square[WORDS];
  uint64_t selected[WORDS];
  uint64_t zeros[Q / 64];

  ckem_gf2m_portable.multiply(FIELD, product, any_vector, any_other_vector, BLOCKS);
  ckem_gf2m_portable.multiply(FIELD, product, product, any_vector, BLOCKS);
  ckem_gf2m_portable.square(FIELD, square, any_vector, BLOCKS);
  ckem_gf2m_portable.square(FIELD, square, square, BLOCKS);
  ckem_gf2m_portable.select(FIELD, selected, any_vector, any_bits, BLOCKS);
  ckem_gf2m_portable.zeros(FIELD, zeros, any_vector, BLOCKS);
  //@ assert product: \initialized(product + (0 .. WORDS - 1));
  //@ assert square: \initialized(square + (0 .. WORDS - 1));
  //@ assert selected: \initialized(selected + (0 .. WORDS - 1));
  //@ assert zeros: \initialized(zeros + (0 .. Q / 64 - 1));
  Frama_C_show_each_end();
}

/* What the transforms take by specification. */
static void take_butterflies(void) {
  uint64_t lo[8 * (M - 1) + 1];
  uint64_t hi[8 * (M - 1) + 1];

  for (size_t b = 0; b < M; b++) {
    make_unknown(lo + 8 * b, sizeof *lo);
    make_unknown(hi + 8 * b, sizeof *hi);
  }
  BUTTERFLY(lo, hi, any_block, (uint32_t)any_bits[0]);
  BUTTERFLY_TRANSPOSED(lo, hi, any_block, (uint32_t)any_bits[0]);
}

void analyse_products(void) {
  uint64_t in_place[M];
  uint64_t product[M];

  make_unknown(in_place, sizeof in_place);
  product_portable(M, in_place, in_place, any_vector);
  product_portable(M, product, any_vector, any_other_vector);
  take_butterflies();
  //@ assert in_place: \initialized(in_place + (0 .. M - 1));
  //@ assert product: \initialized(product + (0 .. M - 1));
  Frama_C_show_each_end();
}

void analyse_invert(void) {
  uint64_t inverse[WORDS];
  uint64_t in_place[WORDS];
  uint64_t scratch[GF2M_SCRATCH_WORDS(M)];
  uint64_t more_scratch[GF2M_SCRATCH_WORDS(M)];

  ckem_gf2m_portable.invert(FIELD, inverse, any_vector, BLOCKS, scratch);
  make_unknown(in_place, sizeof in_place);
  ckem_gf2m_portable.invert(FIELD, in_place, in_place, BLOCKS, more_scratch);
  //@ assert inverse: \initialized(inverse + (0 .. WORDS - 1));
  Frama_C_show_each_end();
}

void analyse_evaluate(void) {
  uint64_t values[WORDS];
  uint64_t scratch[GF2M_SCRATCH_WORDS(M)];

  ckem_gf2m_portable.evaluate(FIELD, values, any_coefficients, T + 1, scratch);
  //@ assert values: \initialized(values + (0 .. WORDS - 1));
  Frama_C_show_each_end();
}

void analyse_evaluate_in_place(void) {
  uint64_t memory[GF2M_SCRATCH_WORDS(M)];

  ckem_gf2m_portable.evaluate(FIELD, memory, any_coefficients, T + 1, memory);
  //@ assert values: \initialized(memory + (0 .. WORDS - 1));
  Frama_C_show_each_end();
}

/* T sums, and twice as many; both in the memory of the weights. */
static void sum_powers(size_t count) {
  uint16_t sums[2 * T];
  uint64_t memory[GF2M_SCRATCH_WORDS(M)];

  make_unknown(memory, WORDS * sizeof *memory);
  ckem_gf2m_portable.power_sums(FIELD, sums + (2 * T - count), memory, count, memory);
  //@ assert sums: \initialized(sums + (2 * T - count .. 2 * T - 1));
}

void analyse_power_sums(void) {
  sum_powers(2 * T);
  Frama_C_show_each_end();
}

void analyse_half_power_sums(void) {
  sum_powers(T);
  Frama_C_show_each_end();
}

void analyse_power_rows(void) {
  uint64_t rows[BITMATRIX_PANEL_WORDS(ROWS)];

  ckem_gf2m_portable.power_rows(FIELD, rows, GF2M_PLANE_WORDS, any_block, any_ratio, T);
  //@ assert rows: \initialized(rows + (0 .. BITMATRIX_PANEL_WORDS(ROWS) - 1));
  Frama_C_show_each_end();
}

/* Any elements, of 16 bits: more than the field has. */
void analyse_elements(void) {
  const uint16_t a = any_numbers[0];
  const uint16_t b = any_numbers[1];
  const uint16_t product = ckem_gf2m_multiply(FIELD, a, b);
  const uint16_t inverse = ckem_gf2m_inverse(FIELD, a);
  const uint16_t point = ckem_gf2m_point(FIELD, (uint32_t)any_bits[0]);

  Frama_C_show_each_end(product, inverse, point);
}

/* --- Recurrences --- */

void analyse_find_recurrence(void) {
  uint16_t connection[T + 1];
  _Alignas(64) uint64_t scratch[RECURRENCE_FIND_WORDS];
  const uint64_t found = ckem_recurrence_portable.find(FIELD, connection, any_sequence, T, scratch);

  //@ assert connection: \initialized(connection + (0 .. T));
  Frama_C_show_each_end(found);
}

/* --- Networks --- */

void analyse_network(void) {
  uint64_t network[BENES_NETWORK_WORDS(M)];
  uint64_t data[Q / 64];

  ckem_benes_portable.prepare(M, network, any_control);
  make_unknown(data, sizeof data);
  ckem_benes_portable.apply(M, data, any_network);
  ckem_benes_portable.apply_reversed(M, data, any_network);
  //@ assert network: \initialized(network + (0 .. BENES_NETWORK_WORDS(M) - 1));
  Frama_C_show_each_end();
}

/* What analyse_network has. */
static void apply(unsigned m, uint64_t *data, const uint64_t *network) {
  //@ assert m: m == M;
  //@ assert data: \valid(data + (0 .. Q / 64 - 1)) && \initialized(data + (0 .. Q / 64 - 1));
  //@ assert network: network == &any_network[0];
  make_unknown(data, Q / 64 * sizeof *data);
}

void analyse_permutation(void) {
  uint16_t pi[Q];
  uint64_t scratch[BENES_SCRATCH_WORDS(M)];

  ckem_benes_permutation_by(apply, M, pi, any_network, scratch);
  //@ assert pi: \initialized(pi + (0 .. Q - 1));
  Frama_C_show_each_end();
}

/* --- Matrices --- */

void analyse_move_pivots(void) {
  uint16_t columns[ROWS + 32];

  make_unknown(columns, sizeof columns);
  ckem_bitmatrix_move_pivots(ROWS, any_panel[0], columns);
  Frama_C_show_each_end();
}

/* --- Drawing and encoding --- */

/* The sum of one row, at the end of its array. */
void analyse_fold_row(void) {
  const uint64_t sum =
      fold_row_portable(any_rows + 511 * MCELIECE_ROW_BYTES(M, N, T), MCELIECE_ROW_BYTES(M, N, T),
                        any_partner + (MCELIECE_PARTNER_BYTES - MCELIECE_ROW_BYTES(M, N, T)));

  Frama_C_show_each_end(sum);
}

void analyse_errors(void) {
  uint16_t positions[2 * T];
  uint64_t error[MCELIECE_MAX_N / 64];
  uint8_t parities[512 / 8];
  uint32_t repeat;

  for (unsigned i = 0; i < T; i++) {
    positions[i] = any_positions[i];
  }
  repeat = ckem_mceliece_ops_portable.find_repeat(positions, T);
  ckem_mceliece_ops_portable.place(error, MCELIECE_MAX_N / 64, any_positions, T);
  ckem_mceliece_ops_portable.multiply(parities, any_rows, 512, MCELIECE_ROW_BYTES(M, N, T),
                                      any_partner);
  ckem_mceliece_ops_portable.multiply(parities, any_rows, 8, MCELIECE_ROW_BYTES(M, N, T),
                                      any_partner);
  //@ assert error: \initialized(error + (0 .. MCELIECE_MAX_N / 64 - 1));
  //@ assert parities: \initialized(parities + (0 .. 512 / 8 - 1));
  Frama_C_show_each_end(repeat);
}
