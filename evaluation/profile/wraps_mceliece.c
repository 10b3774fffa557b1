/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Puts the accounting of parts.h around the mathematics of Classic McEliece: the functions of each
 * folder are reached through a table of a back end, in front of which the linker puts one with
 * clocks (--wrap). What such a function calls in turn belongs to it.
 */
#include <stddef.h>

#include "benes/benes.h"
#include "bitmatrix/bitmatrix.h"
#include "gf2m/gf2m.h"
#include "mceliece/mceliece_ops.h"
#include "parts.h"
#include "recurrence/recurrence.h"
#include "sort/sort.h"

/* TIMED(part, call) is the body of a function without a result. */
#define TIMED(part, call)             \
  do {                                \
    account_enter(part, KERNEL_REST); \
    call;                             \
    account_leave();                  \
  } while (0)

/* OPS_OF(gf2m) defines the function that the linker puts in front of ckem_gf2m_ops_of; outside of
 * an account it returns the table as it is. Between its braces stands what changes in `timed`. */
#define OPS_OF(name, ...)                                                               \
  const struct name##_ops *__real_ckem_##name##_ops_of(const struct backend *backend);  \
  const struct name##_ops *__wrap_ckem_##name##_ops_of(const struct backend *backend);  \
  const struct name##_ops *__wrap_ckem_##name##_ops_of(const struct backend *backend) { \
    static struct name##_ops timed;                                                     \
                                                                                        \
    real_##name = __real_ckem_##name##_ops_of(backend);                                 \
    if (!account_is_open()) {                                                           \
      return real_##name;                                                               \
    }                                                                                   \
    timed = *real_##name;                                                               \
    __VA_ARGS__;                                                                        \
    return &timed;                                                                      \
  }

/* --- Values at the whole field, syndromes, rows of the matrix --------------------------------- */

static const struct gf2m_ops *real_gf2m;

static void timed_pack(const struct gf2m_field *field, uint64_t *out, const uint16_t *in,
                       size_t count) {
  TIMED(PART_MATRIX, real_gf2m->pack(field, out, in, count));
}

static void timed_power_rows(const struct gf2m_field *field, uint64_t *rows, size_t stride,
                             const uint64_t *first, const uint64_t *ratio, size_t count) {
  TIMED(PART_MATRIX, real_gf2m->power_rows(field, rows, stride, first, ratio, count));
}

static void timed_field_square(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                               size_t blocks) {
  TIMED(PART_VALUES, real_gf2m->square(field, out, a, blocks));
}

static void timed_field_invert(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                               size_t blocks, uint64_t *scratch) {
  TIMED(PART_VALUES, real_gf2m->invert(field, out, a, blocks, scratch));
}

static void timed_evaluate(const struct gf2m_field *field, uint64_t *values, const uint16_t *f,
                           size_t count, uint64_t *scratch) {
  TIMED(PART_VALUES, real_gf2m->evaluate(field, values, f, count, scratch));
}

static void timed_zeros(const struct gf2m_field *field, uint64_t *bits, const uint64_t *a,
                        size_t blocks) {
  TIMED(PART_VALUES, real_gf2m->zeros(field, bits, a, blocks));
}

static void timed_select(const struct gf2m_field *field, uint64_t *out, const uint64_t *a,
                         const uint64_t *bits, size_t blocks) {
  TIMED(PART_SYNDROME, real_gf2m->select(field, out, a, bits, blocks));
}

static void timed_power_sums(const struct gf2m_field *field, uint16_t *sums,
                             const uint64_t *weights, size_t count, uint64_t *scratch) {
  TIMED(PART_SYNDROME, real_gf2m->power_sums(field, sums, weights, count, scratch));
}

OPS_OF(gf2m, timed.pack = timed_pack; timed.power_rows = timed_power_rows;
       timed.square = timed_field_square; timed.invert = timed_field_invert;
       timed.evaluate = timed_evaluate; timed.zeros = timed_zeros; timed.select = timed_select;
       timed.power_sums = timed_power_sums)

/* --- Recurrences: the Goppa polynomial of a key, the locator of errors ------------------------ */

static const struct recurrence_ops *real_recurrence;

static uint64_t timed_find(const struct gf2m_field *field, uint16_t *connection,
                           const uint16_t *sequence, size_t length, uint64_t *scratch) {
  uint64_t found;

  TIMED(PART_RECURRENCE,
        found = real_recurrence->find(field, connection, sequence, length, scratch));
  return found;
}

static void timed_power_sequence(const struct gf2m_field *field, const struct recurrence_ring *ring,
                                 uint16_t *sequence, const uint16_t *beta, uint64_t *scratch) {
  TIMED(PART_RECURRENCE, real_recurrence->power_sequence(field, ring, sequence, beta, scratch));
}

OPS_OF(recurrence, timed.find = timed_find; timed.power_sequence = timed_power_sequence)

/* --- The order of the field, the network ------------------------------------------------------ */

static const struct sort_ops *real_sort;

static void timed_sort_u64(uint64_t *numbers, size_t count) {
  TIMED(PART_ORDERING, real_sort->sort_u64(numbers, count));
}

OPS_OF(sort, timed.sort_u64 = timed_sort_u64)

static const struct benes_ops *real_benes;

static void timed_find_control_bits(unsigned m, uint8_t *control, const uint16_t *pi,
                                    uint64_t *scratch) {
  TIMED(PART_CONTROL_BITS, real_benes->find_control_bits(m, control, pi, scratch));
}

static void timed_prepare(unsigned m, uint64_t *network, const uint8_t *control) {
  TIMED(PART_NETWORK, real_benes->prepare(m, network, control));
}

static void timed_apply(unsigned m, uint64_t *data, const uint64_t *network) {
  TIMED(PART_NETWORK, real_benes->apply(m, data, network));
}

static void timed_apply_reversed(unsigned m, uint64_t *data, const uint64_t *network) {
  TIMED(PART_NETWORK, real_benes->apply_reversed(m, data, network));
}

OPS_OF(benes, timed.find_control_bits = timed_find_control_bits; timed.prepare = timed_prepare;
       timed.apply = timed_apply; timed.apply_reversed = timed_apply_reversed)

/* --- Elimination ------------------------------------------------------------------------------ */

static const struct bitmatrix_ops *real_bitmatrix;

static void timed_load(uint32_t rows, bool window, uint64_t *left, uint32_t first,
                       const uint64_t *panel) {
  TIMED(PART_ELIMINATION, real_bitmatrix->load(rows, window, left, first, panel));
}

static bool timed_factor(uint32_t rows, bool window, uint64_t *factors, uint64_t *pivots,
                         uint64_t *left, uint64_t *scratch) {
  bool good;

  TIMED(PART_ELIMINATION,
        good = real_bitmatrix->factor(rows, window, factors, pivots, left, scratch));
  return good;
}

static void timed_solve(uint32_t rows, const uint64_t *factors, uint64_t *panel,
                        uint64_t *scratch) {
  TIMED(PART_ELIMINATION, real_bitmatrix->solve(rows, factors, panel, scratch));
}

OPS_OF(bitmatrix, timed.load = timed_load; timed.factor = timed_factor; timed.solve = timed_solve)

/* --- Errors and their syndromes by the public key --------------------------------------------- */

static const struct mceliece_ops *real_mceliece;

static uint32_t timed_find_repeat(uint16_t *positions, size_t count) {
  uint32_t repeat;

  TIMED(PART_SAMPLING, repeat = real_mceliece->find_repeat(positions, count));
  return repeat;
}

static void timed_place(uint64_t *error, size_t words, const uint16_t *positions, size_t count) {
  TIMED(PART_SAMPLING, real_mceliece->place(error, words, positions, count));
}

static void timed_multiply_rows(uint8_t *parities, const uint8_t *rows, size_t count,
                                size_t row_bytes, const uint8_t *partner) {
  TIMED(PART_ENCODING, real_mceliece->multiply(parities, rows, count, row_bytes, partner));
}

OPS_OF(mceliece, timed.find_repeat = timed_find_repeat; timed.place = timed_place;
       timed.multiply = timed_multiply_rows)
