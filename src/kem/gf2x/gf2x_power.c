/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Raising to the power 2^k by two bit-matrix transposes. */
#include "gf2x/gf2x_power.h"

#include <assert.h>
#include <string.h>

/* Words read beyond the end of an element: one row of the largest matrix and one for the shift. */
#define PADDING_WORDS (GF2X_POWER_MAX_BLOCKS + 1)

#if !PROFILE_M4_ONLY
/* The memory of every plan is enough: two matrices and two elements. */
#define CHECK_SCRATCH(r_bits, blocks)                                                         \
  static_assert((blocks) <= GF2X_POWER_MAX_BLOCKS, "small matrices");                         \
  static_assert(GF2X_SCRATCH_WORDS(r_bits) >=                                                 \
                    2 * 64 * (blocks) * (blocks) + 2 * (GF2X_STRIDE(r_bits) + PADDING_WORDS), \
                "powers");
GF2X_PLANNED_RINGS(CHECK_SCRATCH)
#endif

const struct gf2x_power_plan *ckem_gf2x_power_find(const struct gf2x_ring *ring, uint32_t k) {
  const struct gf2x_power_plan *found = NULL;

  for (size_t i = 0; i < ring->plan_count; i++) {
    if (ring->plans[i].k <= k && (found == NULL || ring->plans[i].k > found->k)) {
      found = &ring->plans[i];
    }
  }
  return found;
}

/* Exchanges the off-diagonal blocks of size 32, 16, ..., 1 [Warren, Hacker's Delight, 7-3]. */
void ckem_gf2x_transpose(uint64_t out[64], const uint64_t in[64]) {
  uint64_t mask = UINT64_C(0x00000000FFFFFFFF);

  memcpy(out, in, 64 * sizeof *out);
  for (unsigned size = 32; size > 0; size /= 2) {
    for (unsigned block = 0; block < 64; block += 2 * size) {
      for (unsigned row = block; row < block + size; row++) {
        const uint64_t exchanged = (out[row] >> size ^ out[row + size]) & mask;
        out[row + size] ^= exchanged;
        out[row] ^= exchanged << size;
      }
    }
    mask ^= mask << (size / 2);
  }
}

/* Returns 64 bits of a from bit position on. */
static uint64_t read_bits(const uint64_t *a, uint32_t position) {
  const uint64_t *word = a + position / 64;
  const unsigned shift = position % 64;

  return word[0] >> shift | word[1] << 1 << (63 - shift);
}

/* Adds 64 bits to a from bit position on. */
static void add_bits(uint64_t *a, uint32_t position, uint64_t bits) {
  uint64_t *word = a + position / 64;
  const unsigned shift = position % 64;

  word[0] |= bits << shift;
  word[1] |= bits >> 1 >> (63 - shift);
}

/* Matrices are stored by blocks of columns: word t of block c holds columns 64 c .. 64 c + 63 of
 * row t; a block has 64 * blocks rows. */
static void transpose_matrix(uint64_t *out, const uint64_t *in, size_t blocks,
                             gf2x_transpose_function *transpose) {
  for (size_t row = 0; row < blocks; row++) {
    for (size_t column = 0; column < blocks; column++) {
      transpose(out + 64 * (row * blocks + column), in + 64 * (column * blocks + row));
    }
  }
}

/* Reads row number row of a matrix from bit position of a. */
static void read_row(uint64_t *matrix, size_t blocks, size_t row, const uint64_t *a,
                     uint32_t position) {
  for (uint32_t c = 0; c < blocks; c++) {
    matrix[64 * blocks * c + row] = read_bits(a, position + 64 * c);
  }
}

/* Adds row number row of a matrix to a from bit position on. */
static void add_row(uint64_t *a, uint32_t position, const uint64_t *matrix, size_t blocks,
                    size_t row) {
  for (uint32_t c = 0; c < blocks; c++) {
    add_bits(a, position + 64 * c, matrix[64 * blocks * c + row]);
  }
}

/* Clears the bits from r on and, with cyclic set, continues the element behind its end. */
static void end_element(const struct gf2x_ring *ring, uint64_t *a, int cyclic) {
  const size_t last = ring->words - 1;
  const unsigned used_bits = ring->r_bits % 64; /* not 0, because r is an odd prime */

  a[last] &= (UINT64_C(1) << used_bits) - 1;
  memset(a + ring->words, 0, (ring->stride + PADDING_WORDS - ring->words) * sizeof *a);
  if (cyclic) {
    for (size_t i = 0; i < PADDING_WORDS + 1; i++) {
      add_bits(a, ring->r_bits + 64 * (uint32_t)i, a[i]);
    }
  }
}

/* y[u] = a[e u mod r] */
static void gather_columns(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                           gf2x_transpose_function *transpose, uint64_t *y, const uint64_t *a,
                           uint64_t *matrix, uint64_t *transposed) {
  const size_t blocks = plan->blocks;
  const uint32_t rows = (ring->r_bits + plan->e - 1) / plan->e;
  uint32_t column = 0;
  uint32_t u = 0;

  memset(matrix, 0, 64 * blocks * blocks * sizeof *matrix);
  /* For the proof of memory safety, here and below: what has values already needs no unrolling. */
  //@ loop unroll 0;
  for (uint32_t t = 0; t < rows; t++) {
    read_row(matrix, blocks, t, a, plan->e * t);
  }
  transpose_matrix(transposed, matrix, blocks, transpose);
  memset(y, 0, (ring->stride + PADDING_WORDS) * sizeof *y);
  for (uint32_t pass = 0; pass < plan->e; pass++) {
    const uint32_t length = (ring->r_bits - column + plan->e - 1) / plan->e;
    add_row(y, u, transposed, blocks, column);
    u += length;
    column = column + length * plan->e - ring->r_bits;
  }
}

/* out[d u mod r] = y[u] or y[-u] */
static void scatter_columns(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                            gf2x_transpose_function *transpose, uint64_t *out, const uint64_t *y,
                            uint64_t *matrix, uint64_t *transposed) {
  const size_t blocks = plan->blocks;
  const uint32_t rows = (ring->r_bits + plan->d - 1) / plan->d;
  uint32_t w = 0;

  memset(matrix, 0, 64 * blocks * blocks * sizeof *matrix);
  //@ loop unroll 0;
  for (uint32_t c = 0; c < plan->d; c++) {
    const uint32_t start = plan->negative ? (2 * ring->r_bits - w - (rows - 1)) % ring->r_bits : w;
    read_row(matrix, blocks, c, y, start);
    w = (w + plan->d_inverse) % ring->r_bits;
  }
  transpose_matrix(transposed, matrix, blocks, transpose);
  memset(out, 0, (ring->stride + PADDING_WORDS) * sizeof *out);
  //@ loop unroll 0;
  for (uint32_t t = 0; t < rows; t++) {
    add_row(out, plan->d * t, transposed, blocks, plan->negative ? rows - 1 - t : t);
  }
}

void ckem_gf2x_power_apply(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                           gf2x_transpose_function *transpose, uint64_t *out, const uint64_t *a,
                           uint64_t *scratch) {
  const size_t matrix_words = 64 * (size_t)plan->blocks * plan->blocks;
  uint64_t *matrix = scratch;
  uint64_t *transposed = matrix + matrix_words;
  uint64_t *padded = transposed + matrix_words;
  uint64_t *y = padded + ring->stride + PADDING_WORDS;

  memcpy(padded, a, ring->stride * sizeof *padded);
  memset(padded + ring->stride, 0, PADDING_WORDS * sizeof *padded);
  gather_columns(ring, plan, transpose, y, padded, matrix, transposed);
  end_element(ring, y, 1);
  scatter_columns(ring, plan, transpose, padded, y, matrix, transposed);
  end_element(ring, padded, 0);
  memcpy(out, padded, ring->stride * sizeof *out);
}
