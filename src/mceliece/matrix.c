/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From the numbers of a seed to the public matrix of a Goppa code [MCE, 5.2 to 5.5]. */
#include "mceliece/matrix.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "mceliece/decoder.h"
#include "recurrence/recurrence.h"
#include "sort/sort.h"

/* Numbers on the way from beta to g. */
struct goppa_memory {
  uint64_t scratch[RECURRENCE_POWERS_WORDS];
  uint16_t elements[MCELIECE_MAX_T];
  uint16_t sequence[2 * MCELIECE_MAX_T];
  uint16_t connection[MCELIECE_MAX_T + 1];
};

static_assert(RECURRENCE_FIND_WORDS <= RECURRENCE_POWERS_WORDS, "one scratch memory for both");
static_assert(sizeof(struct goppa_memory) <= 8 * MCELIECE_ORDER_WORDS(12),
              "MCELIECE_ORDER_WORDS, which callers have");

bool ckem_mceliece_goppa_polynomial(const struct mceliece_params *params,
                                    const struct backend *backend, uint16_t *goppa,
                                    const uint8_t *beta, struct arena arena) {
  const struct gf2m_field *field = ckem_mceliece_field(params);
  const struct recurrence_ops *ops = ckem_recurrence_ops_of(backend);
  struct recurrence_ring ring = {.length = params->t, .terms = params->terms};
  struct goppa_memory *const memory =
      (struct goppa_memory *)arena_take(&arena, ARENA_BYTES_TO_WORDS(sizeof *memory));

  memcpy(ring.low, params->low, sizeof ring.low);
  memcpy(ring.low_value, params->low_value, sizeof ring.low_value);
  for (size_t i = 0; i < params->t; i++) {
    memory->elements[i] =
        (uint16_t)((beta[2 * i] | beta[2 * i + 1] << 8) & (int)(mceliece_field_size(params) - 1));
  }
  ops->power_sequence(field, &ring, memory->sequence, memory->elements, memory->scratch);
  uint64_t found =
      ops->find(field, memory->connection, memory->sequence, params->t, memory->scratch);
  const uint16_t factor = ckem_gf2m_inverse(field, memory->connection[0]);
  for (size_t i = 0; i < params->t; i++) {
    goppa[i] = ckem_gf2m_multiply(field, factor, memory->connection[params->t - i]);
  }
  /* Public: that an attempt failed says nothing about the next one. */
  ct_declassify(&found, sizeof found);
  return found != 0;
}

struct mceliece_columns ckem_mceliece_take_columns(const struct mceliece_params *params,
                                                   struct arena *arena) {
  const size_t bytes = sizeof(uint16_t) * MCELIECE_COLUMN_ENTRIES(params->m);
  struct mceliece_columns columns;

  columns.pi = (uint16_t *)arena_take(arena, ARENA_BYTES_TO_WORDS(bytes));
  columns.point = (uint16_t *)arena_take(arena, ARENA_BYTES_TO_WORDS(bytes));
  columns.inverse = (uint16_t *)arena_take(arena, ARENA_BYTES_TO_WORDS(bytes));
  memset(columns.pi, 0, bytes);
  memset(columns.point, 0, bytes);
  memset(columns.inverse, 0, bytes);
  return columns;
}

/* Sets inverse[i] to 1 / g(point i), in natural order. */
static void invert_goppa(const struct mceliece_params *params, const struct backend *backend,
                         uint16_t *inverse, const uint16_t *goppa, struct arena arena) {
  const struct gf2m_field *field = ckem_mceliece_field(params);
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(backend);
  uint64_t *values = arena_take(&arena, GF2M_FIELD_WORDS(params->m));
  uint64_t *scratch = arena_take(&arena, GF2M_SCRATCH_WORDS(params->m));
  uint16_t coefficients[MCELIECE_MAX_T + 1];

  memcpy(coefficients, goppa, params->t * sizeof *goppa);
  coefficients[params->t] = 1;
  ops->evaluate(field, values, coefficients, params->t + 1, scratch);
  ops->invert(field, values, values, GF2M_FIELD_BLOCKS(params->m), scratch);
  ops->unpack(field, inverse, values, mceliece_field_size(params));
}

bool ckem_mceliece_order_columns(const struct mceliece_params *params,
                                 const struct backend *backend,
                                 const struct mceliece_columns *columns, const uint8_t *ordering,
                                 const uint16_t *goppa, struct arena arena) {
  const struct gf2m_field *field = ckem_mceliece_field(params);
  const uint32_t q = mceliece_field_size(params);
  const unsigned m = params->m;
  uint64_t *keys = arena_take(&arena, q);
  uint32_t repeats = 0;

  invert_goppa(params, backend, columns->inverse, goppa, arena);
  /* The inverse and the place come along with the number that is sorted. */
  for (uint32_t i = 0; i < q; i++) {
    keys[i] = (uint64_t)load_le32(ordering + 4 * (size_t)i) << 2 * m |
              (uint64_t)columns->inverse[i] << m | i;
  }
  ckem_sort_ops_of(backend)->sort_u64(keys, q);
  //@ loop unroll 0;
  for (uint32_t i = 0; i < q; i++) {
    columns->pi[i] = (uint16_t)(keys[i] & (q - 1));
    columns->inverse[i] = (uint16_t)(keys[i] >> m & (q - 1));
    columns->point[i] = ckem_gf2m_point(field, columns->pi[i]);
    repeats |= i == 0 ? 0 : (uint32_t)ct_mask_zero_u64((keys[i] ^ keys[i - 1]) >> 2 * m);
  }
  /* Public: that an attempt failed says nothing about the next one. */
  ct_declassify(&repeats, sizeof repeats);
  return repeats == 0;
}

void ckem_mceliece_fill_columns(const struct mceliece_params *params, const struct backend *backend,
                                const struct mceliece_columns *columns, const uint16_t *goppa,
                                struct arena arena) {
  const struct gf2m_field *field = ckem_mceliece_field(params);
  const uint32_t q = mceliece_field_size(params);
  const unsigned m = params->m;
  uint64_t *keys = arena_take(&arena, q);

  invert_goppa(params, backend, columns->inverse, goppa, arena);
  /* The inverse of point pi(r) belongs to r: sort by pi, join, sort back. */
  for (uint32_t r = 0; r < q; r++) {
    keys[r] = (uint64_t)columns->pi[r] << m | r;
  }
  ckem_sort_ops_of(backend)->sort_u64(keys, q);
  //@ loop unroll 0;
  for (uint32_t i = 0; i < q; i++) {
    keys[i] = (keys[i] & (q - 1)) << m | columns->inverse[i];
  }
  ckem_sort_ops_of(backend)->sort_u64(keys, q);
  //@ loop unroll 0;
  for (uint32_t r = 0; r < q; r++) {
    columns->inverse[r] = (uint16_t)(keys[r] & (q - 1));
    columns->point[r] = ckem_gf2m_point(field, columns->pi[r]);
  }
}

void ckem_mceliece_write_panel(const struct mceliece_params *params, const struct backend *backend,
                               uint64_t *panel, const struct mceliece_columns *columns,
                               size_t first, struct arena arena) {
  const struct gf2m_field *field = ckem_mceliece_field(params);
  const struct gf2m_ops *ops = ckem_gf2m_ops_of(backend);
  uint64_t *inverse = arena_take(&arena, GF2M_BLOCK_WORDS(params->m));
  uint64_t *point = arena_take(&arena, GF2M_BLOCK_WORDS(params->m));

  ops->pack(field, inverse, columns->inverse + first, GF2M_BLOCK_ELEMENTS);
  ops->pack(field, point, columns->point + first, GF2M_BLOCK_ELEMENTS);
  ops->power_rows(field, panel, GF2M_PLANE_WORDS, inverse, point, params->t);
}

bool ckem_mceliece_factor(const struct mceliece_params *params, const struct backend *backend,
                          bool semi_systematic, uint64_t *factors, uint64_t *pivots,
                          const struct mceliece_columns *columns, uint64_t *panel,
                          struct arena arena) {
  const struct bitmatrix_ops *ops = ckem_bitmatrix_ops_of(backend);
  const uint32_t rows = (uint32_t)mceliece_rows(params);
  const size_t width = rows + (semi_systematic ? MCELIECE_MU : 0);
  uint64_t *left = arena_take(&arena, BITMATRIX_LEFT_WORDS(rows));
  uint64_t *scratch = arena_take(&arena, BITMATRIX_SCRATCH_WORDS(rows));

  for (size_t first = 0; first < width; first += BITMATRIX_PANEL_COLUMNS) {
    ckem_mceliece_write_panel(params, backend, panel, columns, first, arena);
    ops->load(rows, semi_systematic, left, (uint32_t)first, panel);
  }
  if (!ops->factor(rows, semi_systematic, factors, pivots, left, scratch)) {
    return false;
  }
  if (semi_systematic) {
    ckem_bitmatrix_move_pivots(rows, *pivots, columns->pi);
    ckem_bitmatrix_move_pivots(rows, *pivots, columns->point);
    ckem_bitmatrix_move_pivots(rows, *pivots, columns->inverse);
  }
  return true;
}

/* Copies a panel into the public key, where T's columns from first on belong. */
static void copy_panel(const struct mceliece_params *params, uint8_t *public_key, uint64_t *panel,
                       size_t first) {
  const size_t row_bytes = mceliece_row_bytes(params);
  const size_t unused = 8 * row_bytes - mceliece_columns(params);
  const size_t start = first / 8;
  const size_t length = row_bytes - start < 64 ? row_bytes - start : 64;

  for (size_t row = 0; row < mceliece_rows(params); row++) {
    uint64_t *words = panel + BITMATRIX_PANEL_WORDS(row);
    uint8_t *out = public_key + row * row_bytes + start;

    //@ loop unroll 0;
    for (size_t i = 0; i < 8; i++) {
      store_le64((uint8_t *)(words + i), words[i]); /* in place */
    }
    memcpy(out, words, length);
    if (start + length == row_bytes) {
      out[length - 1] &= (uint8_t)(0xFF >> unused);
    }
    /* Public: the public key. */
    ct_declassify(out, length);
  }
}

bool ckem_mceliece_make_public_key(const struct mceliece_params *params,
                                   const struct backend *backend, bool semi_systematic,
                                   uint8_t *public_key, uint64_t *pivots,
                                   const struct mceliece_columns *columns, struct arena arena) {
  const struct bitmatrix_ops *ops = ckem_bitmatrix_ops_of(backend);
  const uint32_t rows = (uint32_t)mceliece_rows(params);
  uint64_t *factors = arena_take(&arena, BITMATRIX_FACTORS_WORDS(rows));
  uint64_t *panel = arena_take(&arena, BITMATRIX_PANEL_WORDS(rows));

  if (!ckem_mceliece_factor(params, backend, semi_systematic, factors, pivots, columns, panel,
                            arena)) {
    return false;
  }
  uint64_t *scratch = arena_take(&arena, BITMATRIX_SCRATCH_WORDS(rows));
  for (size_t first = rows; first < params->n; first += BITMATRIX_PANEL_COLUMNS) {
    ckem_mceliece_write_panel(params, backend, panel, columns, first, arena);
    ops->solve(rows, factors, panel, scratch);
    copy_panel(params, public_key, panel, first - rows);
  }
  return true;
}
