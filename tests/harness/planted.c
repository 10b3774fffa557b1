/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Leaks on purpose, by name; the watchers must see each. The results stay right.
 *
 * The linker puts these functions in front of those that choose an implementation, and of those
 * through which secrets pass (--wrap). Most are leaks that implementations of Classic McEliece have
 * had.
 */
#include <stdlib.h>
#include <string.h>

#include "benes/benes.h"
#include "bitmatrix/bitmatrix.h"
#include "gf2m/gf2m.h"
#include "gf2x/gf2x.h"
#include "mceliece/decoder.h"
#include "mceliece/mceliece_ops.h"
#include "recurrence/recurrence.h"
#include "sofia/sofia.h"
#include "sort/sort.h"
#include "watcher.h"

static const char *planted = "";
static size_t planted_t; /* of the sets that leak, of "t=96" */
static volatile uint8_t sink[256];

static bool is_planted(const char *name) {
  return strcmp(planted, name) == 0;
}

bool harness_plant(const char *name) {
  static const char *const names[] = {
      "leak1",   "leak2",    "branch",           "locator",
      "verdict", "swaps",    "sorted_positions", "skipped_zeros",
      "places",  "ordering", "control_bits",     "matrix_bits",
      "support",
  };

  if (strncmp(name, "t=", 2) == 0) {
    planted = name;
    planted_t = strtoul(name + 2, NULL, 10);
    return planted_t != 0;
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(names[i], name) == 0) {
      planted = name;
      return true;
    }
  }
  return false;
}

/* --- All KEMs -----------------------------------------------------------------------------------
 * Every operation of BIKE and HQC passes a secret through these. leak1: a branch on a secret bit;
 * leak2: a table that secret bits index. leak_by_division is for the look at the disassembly. */

void __real_ckem_gf2x_encode(const struct gf2x_ring *ring, uint8_t *out, const uint64_t *a);
void __real_ckem_gf2x_decode(const struct gf2x_ring *ring, uint64_t *out, const uint8_t *in);
void __wrap_ckem_gf2x_encode(const struct gf2x_ring *ring, uint8_t *out, const uint64_t *a);
void __wrap_ckem_gf2x_decode(const struct gf2x_ring *ring, uint64_t *out, const uint8_t *in);
uint32_t leak_by_division(uint32_t secret, uint32_t divisor);

static void leak(uint64_t secret) {
  if (is_planted("leak1") && (secret & 1) != 0) {
    sink[8] = 1; /* volatile, so the compiler keeps the branch */
  }
  if (is_planted("leak2")) {
    sink[9] = sink[secret % sizeof sink];
  }
}

void __wrap_ckem_gf2x_encode(const struct gf2x_ring *ring, uint8_t *out, const uint64_t *a) {
  leak(a[0]);
  __real_ckem_gf2x_encode(ring, out, a);
}

void __wrap_ckem_gf2x_decode(const struct gf2x_ring *ring, uint64_t *out, const uint8_t *in) {
  leak(in[0]);
  __real_ckem_gf2x_decode(ring, out, in);
}

uint32_t leak_by_division(uint32_t secret, uint32_t divisor) {
  return secret / divisor;
}

/* --- SOFIA --------------------------------------------------------------------------------------
 * branch: on a secret byte. */

void __wrap_ckem_sofia_add_scaled(uint8_t *out, unsigned alpha, const uint8_t *x, const uint8_t *y);
void __real_ckem_sofia_add_scaled(uint8_t *out, unsigned alpha, const uint8_t *x, const uint8_t *y);

void __wrap_ckem_sofia_add_scaled(uint8_t *out, unsigned alpha, const uint8_t *x,
                                  const uint8_t *y) {
  if (is_planted("branch") && x[0] == 0) {
    sink[10] += 1;
  }
  __real_ckem_sofia_add_scaled(out, alpha, x, y);
}

/* --- Classic McEliece: decapsulation ---------------------------------------------------------- */

static const struct recurrence_ops *real_recurrence;

/* locator: work that depends on the coefficients that were found. */
static uint64_t find_and_look(const struct gf2m_field *field, uint16_t *connection,
                              const uint16_t *sequence, size_t length, uint64_t *scratch) {
  const uint64_t found = real_recurrence->find(field, connection, sequence, length, scratch);

  for (size_t i = 0; i <= length; i++) {
    if ((connection[i] & 1) != 0) {
      sink[5] = 1;
    }
  }
  return found;
}

const struct recurrence_ops *__real_ckem_recurrence_ops_of(const struct backend *backend);
const struct recurrence_ops *__wrap_ckem_recurrence_ops_of(const struct backend *backend);

const struct recurrence_ops *__wrap_ckem_recurrence_ops_of(const struct backend *backend) {
  static struct recurrence_ops leaky;

  real_recurrence = __real_ckem_recurrence_ops_of(backend);
  leaky = *real_recurrence;
  if (is_planted("locator")) {
    leaky.find = find_and_look;
  }
  return &leaky;
}

static const struct benes_ops *real_benes;

/* swaps: masks that became branches. */
static void apply_by_branches(unsigned m, uint64_t *data, const uint64_t *network) {
  for (size_t i = 0; i < ((size_t)1 << m) / 64; i++) {
    if ((network[i] & 1) != 0) {
      sink[6] = 1;
    }
  }
  real_benes->apply(m, data, network);
}

const struct benes_ops *__real_ckem_benes_ops_of(const struct backend *backend);
const struct benes_ops *__wrap_ckem_benes_ops_of(const struct backend *backend);

const struct benes_ops *__wrap_ckem_benes_ops_of(const struct backend *backend) {
  static struct benes_ops leaky;

  real_benes = __real_ckem_benes_ops_of(backend);
  leaky = *real_benes;
  if (is_planted("swaps")) {
    leaky.apply = apply_by_branches;
  } else if (is_planted("control_bits")) { /* the cycles of a permutation are followed */
    leaky.find_control_bits = ckem_benes_reference.find_control_bits;
  }
  return &leaky;
}

uint64_t __real_ckem_mceliece_decode(const struct mceliece_params *params,
                                     const struct backend *backend, uint64_t *error,
                                     const uint64_t *prepared, const uint8_t *syndrome,
                                     struct arena arena);
uint64_t __wrap_ckem_mceliece_decode(const struct mceliece_params *params,
                                     const struct backend *backend, uint64_t *error,
                                     const uint64_t *prepared, const uint8_t *syndrome,
                                     struct arena arena);

/* verdict: a branch on whether a ciphertext decodes; t=N: the same in sets with that t. */
uint64_t __wrap_ckem_mceliece_decode(const struct mceliece_params *params,
                                     const struct backend *backend, uint64_t *error,
                                     const uint64_t *prepared, const uint8_t *syndrome,
                                     struct arena arena) {
  const uint64_t genuine =
      __real_ckem_mceliece_decode(params, backend, error, prepared, syndrome, arena);

  if ((is_planted("verdict") || params->t == planted_t) && genuine != 0) {
    sink[0] = 1;
  }
  return genuine;
}

/* --- Encapsulation ---------------------------------------------------------------------------- */

static const struct mceliece_ops *real_ops;

static int compare_positions(const void *a, const void *b) {
  return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* sorted_positions: a library's sort. */
static uint32_t find_repeat_sorted(uint16_t *positions, size_t count) {
  uint16_t sorted[128];

  memcpy(sorted, positions, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare_positions);
  sink[1] = (uint8_t)sorted[0];
  return real_ops->find_repeat(positions, count);
}

/* t=N: a branch on a position in sets with that t. */
static uint32_t find_repeat_of_t(uint16_t *positions, size_t count) {
  if (count == planted_t && (positions[0] & 1) != 0) {
    sink[7] = 1;
  }
  return real_ops->find_repeat(positions, count);
}

/* skipped_zeros: rows are added up where a byte of the error is not zero. */
static void multiply_without_zeros(uint8_t *parities, const uint8_t *rows, size_t count,
                                   size_t row_bytes, const uint8_t *partner) {
  for (size_t i = 0; i < row_bytes; i++) {
    if (partner[i] != 0) {
      sink[2] ^= rows[i];
    }
  }
  real_ops->multiply(parities, rows, count, row_bytes, partner);
}

const struct mceliece_ops *__real_ckem_mceliece_ops_of(const struct backend *backend);
const struct mceliece_ops *__wrap_ckem_mceliece_ops_of(const struct backend *backend);

const struct mceliece_ops *__wrap_ckem_mceliece_ops_of(const struct backend *backend) {
  static struct mceliece_ops leaky;

  real_ops = __real_ckem_mceliece_ops_of(backend);
  leaky = *real_ops;
  if (is_planted("sorted_positions")) {
    leaky.find_repeat = find_repeat_sorted;
  } else if (planted_t != 0) {
    leaky.find_repeat = find_repeat_of_t;
  } else if (is_planted("skipped_zeros")) {
    leaky.multiply = multiply_without_zeros;
  } else if (is_planted("places")) { /* ones are written where they belong */
    leaky.place = ckem_mceliece_ops_reference.place;
  }
  return &leaky;
}

/* --- Keys ---------------------------------------------------------------------------------------
 * ordering: the field is put into order by a sort that compares and exchanges. */

const struct sort_ops *__real_ckem_sort_ops_of(const struct backend *backend);
const struct sort_ops *__wrap_ckem_sort_ops_of(const struct backend *backend);

const struct sort_ops *__wrap_ckem_sort_ops_of(const struct backend *backend) {
  return is_planted("ordering") ? &ckem_sort_reference : __real_ckem_sort_ops_of(backend);
}

static const struct bitmatrix_ops *real_bitmatrix;

/* matrix_bits: a table that bits of the matrix index, as in the Method of the Four Russians. */
static bool factor_with_tables(uint32_t rows, bool window, uint64_t *factors, uint64_t *pivots,
                               uint64_t *left, uint64_t *scratch) {
  sink[3] ^= sink[left[0] & 0xFF];
  return real_bitmatrix->factor(rows, window, factors, pivots, left, scratch);
}

const struct bitmatrix_ops *__real_ckem_bitmatrix_ops_of(const struct backend *backend);
const struct bitmatrix_ops *__wrap_ckem_bitmatrix_ops_of(const struct backend *backend);

const struct bitmatrix_ops *__wrap_ckem_bitmatrix_ops_of(const struct backend *backend) {
  static struct bitmatrix_ops leaky;

  real_bitmatrix = __real_ckem_bitmatrix_ops_of(backend);
  leaky = *real_bitmatrix;
  if (is_planted("matrix_bits")) {
    leaky.factor = factor_with_tables;
  }
  return &leaky;
}

static const struct gf2m_ops *real_gf2m;

/* support: elements of the support index a table. */
static void pack_with_table(const struct gf2m_field *field, uint64_t *out, const uint16_t *in,
                            size_t count) {
  for (size_t i = 0; i < count; i++) {
    sink[4] ^= sink[in[i] & 0xFF];
  }
  real_gf2m->pack(field, out, in, count);
}

const struct gf2m_ops *__real_ckem_gf2m_ops_of(const struct backend *backend);
const struct gf2m_ops *__wrap_ckem_gf2m_ops_of(const struct backend *backend);

const struct gf2m_ops *__wrap_ckem_gf2m_ops_of(const struct backend *backend) {
  static struct gf2m_ops leaky;

  real_gf2m = __real_ckem_gf2m_ops_of(backend);
  leaky = *real_gf2m;
  if (is_planted("support")) {
    leaky.pack = pack_with_table;
  }
  return &leaky;
}
