/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Raising to the power 2^k on the Cortex-M4: the method of gf2x_power.h with 32-bit words.
 *
 * The matrices are not written down: tiles of 32 x 32 bits are read from the element, transposed
 * and stored as rows of the transposed matrix, which has only as many tiles as it needs. All
 * positions depend on r and k only.
 */
#include <assert.h>
#include <string.h>

#include "base/isa.h"
#include "base/unroll.h"
#include "gf2x/gf2x_power.h"
#include "gf2x/m4/gf2x_m4.h"

#if defined(CODEKEM_HAVE_M4)

/* Returns 32 bits of a from bit position on. */
static inline uint32_t read_bits(const uint32_t *a, uint32_t position) {
  const uint32_t *word = a + position / 32;
  const unsigned shift = position % 32;

  return word[0] >> shift | word[1] << 1 << (31 - shift);
}

/* Adds words[count] to a from bit position on. */
static void add_bits_m4(uint32_t *a, uint32_t position, const uint32_t *words, uint32_t count) {
  uint32_t *to = a + position / 32;
  const unsigned shift = position % 32;
  uint32_t before = 0;

  for (uint32_t i = 0; i < count; i++) {
    to[i] |= words[i] << shift | before;
    before = words[i] >> 1 >> (31 - shift);
  }
  to[count] |= before;
}

/* Exchanges the bits of a that are size places above those of b that mask selects. */
static inline void exchange(uint32_t *a, uint32_t *b, unsigned size, uint32_t mask) {
  const uint32_t exchanged = (*a >> size ^ *b) & mask;

  *b ^= exchanged;
  *a ^= exchanged << size;
}

/* Transposes a tile and stores its rows distance words apart, by exchanging the off-diagonal blocks
 * of size 16, 8, 4 in eight rows at a time, then of 2 and 1 in four [Warren, 7-3]. */
static void store_transposed_m4(uint32_t *out, uint32_t distance, uint32_t tile[32]) {
  uint32_t rows[8];

  for (uint32_t first = 0; first < 4; first++) {
    UNROLL
    for (uint32_t i = 0; i < 8; i++) {
      rows[i] = tile[first + 4 * i];
    }
    UNROLL
    for (uint32_t i = 0; i < 4; i++) {
      exchange(&rows[i], &rows[i + 4], 16, 0x0000FFFF);
    }
    UNROLL
    for (uint32_t i = 0; i < 4; i++) {
      exchange(&rows[i + (i & 2)], &rows[i + (i & 2) + 2], 8, 0x00FF00FF);
    }
    UNROLL
    for (uint32_t i = 0; i < 4; i++) {
      exchange(&rows[2 * i], &rows[2 * i + 1], 4, 0x0F0F0F0F);
    }
    UNROLL
    for (uint32_t i = 0; i < 8; i++) {
      tile[first + 4 * i] = rows[i];
    }
  }
  for (uint32_t first = 0; first < 32; first += 4) {
    UNROLL
    for (uint32_t i = 0; i < 4; i++) {
      rows[i] = tile[first + i];
    }
    exchange(&rows[0], &rows[2], 2, 0x33333333);
    exchange(&rows[1], &rows[3], 2, 0x33333333);
    exchange(&rows[0], &rows[1], 1, 0x55555555);
    exchange(&rows[2], &rows[3], 1, 0x55555555);
    UNROLL
    for (uint32_t i = 0; i < 4; i++) {
      *out = rows[i];
      out += distance;
    }
  }
}

/* A matrix in an element: row number i is columns bits from bit (start + i step) mod modulus on. */
struct rows {
  uint32_t count;
  uint32_t columns;
  uint32_t start; /* of the first row */
  uint32_t step;
  uint32_t modulus;
};

/* Row number c of the transposed matrix is (count + 31) / 32 words of out. */
static void transpose_rows_m4(uint32_t *out, const uint32_t *a, const struct rows *rows) {
  const uint32_t distance = (rows->count + 31) / 32;
  uint32_t start = rows->start;
  uint32_t starts[32];
  uint32_t tile[32];

  for (uint32_t block = 0; block < distance; block++) {
    const uint32_t left = rows->count - 32 * block;
    const uint32_t count = left < 32 ? left : 32;
    for (uint32_t i = 0; i < count; i++) {
      starts[i] = start;
      start += rows->step;
      start -= start >= rows->modulus ? rows->modulus : 0;
    }
    for (uint32_t c = 0; c < rows->columns; c += 32) {
      for (uint32_t i = 0; i < count; i++) {
        tile[i] = read_bits(a, starts[i] + c);
      }
      memset(tile + count, 0, (32 - count) * sizeof *tile);
      store_transposed_m4(out + c * distance + block, distance, tile);
    }
  }
}

/* y[u] = a[e u mod r]: the columns of the rows of e bits of a, one behind the other. */
static void gather_m4(const struct gf2x_ring *ring, uint32_t e, uint32_t *y, const uint32_t *a,
                      uint32_t *matrix) {
  const uint32_t r = ring->r_bits;
  const uint32_t count = (r + e - 1) / e;
  const uint32_t words = (count + 31) / 32;
  const struct rows rows = {count, e, 0, e, UINT32_MAX};
  uint32_t column = 0;
  uint32_t u = 0;

  transpose_rows_m4(matrix, a, &rows);
  for (uint32_t pass = 0; pass < e; pass++) {
    const uint32_t length = (r - column + e - 1) / e;
    add_bits_m4(y, u, matrix + column * words, words);
    u += length;
    column = column + length * e - r;
  }
}

/* out[d u mod r] = y[u] or y[-u]: the columns of the rows of d bits of out are parts of y. */
static void scatter_m4(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                       uint32_t *out, const uint32_t *y, uint32_t *matrix) {
  const uint32_t r = ring->r_bits;
  const uint32_t count = (r + plan->d - 1) / plan->d;
  const uint32_t words = (plan->d + 31u) / 32;
  /* Column c starts at c / d mod r, or ends there. */
  const struct rows rows = {plan->d, count, plan->negative ? r - (count - 1) : 0,
                            plan->negative ? r - plan->d_inverse : plan->d_inverse, r};

  transpose_rows_m4(matrix, y, &rows);
  for (uint32_t t = 0; t < count; t++) {
    add_bits_m4(out, plan->d * t, matrix + (plan->negative ? count - 1 - t : t) * words, words);
  }
}

/* Clears the bits from r on. */
static void end_element_m4(const struct gf2x_ring *ring, uint32_t *a, uint32_t words) {
  const uint32_t last = ring->r_bits / 32;

  a[last] &= (UINT32_C(1) << (ring->r_bits % 32)) - 1;
  memset(a + last + 1, 0, (words - last - 1) * sizeof *a);
}

/* Returns the words of a transposed matrix with so many rows of so many bits, in whole tiles. */
static inline uint32_t tiles_words(uint32_t rows, uint32_t columns) {
  return (rows + 31) / 32 * 32 * ((columns + 31) / 32);
}

void ckem_gf2x_power_apply_m4(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                              uint64_t *out, const uint64_t *a, uint64_t *scratch) {
  const uint32_t stride = 2 * ring->stride;
  const uint32_t side = ring->r_bits / (plan->d < plan->e ? plan->d : plan->e) + 1;
  const uint32_t y_words = stride + side / 32 + 3; /* columns are read behind the end */
  uint32_t *y = (uint32_t *)(void *)scratch;
  uint32_t *matrix = y + y_words;
  uint32_t *words = (uint32_t *)(void *)out;

  /* The last row of either matrix goes on behind the end of an element. */
  assert(32 * stride >= ring->r_bits + plan->d + 96 && 32 * stride >= ring->r_bits + plan->e + 96);
  /* The matrices are whole tiles. */
  assert(y_words + tiles_words(plan->e, (ring->r_bits + plan->e - 1) / plan->e) <=
         GF2X_POWER_SCRATCH_M4(ring->r_bits));
  assert(y_words + tiles_words((ring->r_bits + plan->d - 1) / plan->d, plan->d) <=
         GF2X_POWER_SCRATCH_M4(ring->r_bits));
  memset(y, 0, y_words * sizeof *y);
  gather_m4(ring, plan->e, y, (const uint32_t *)(const void *)a, matrix);
  end_element_m4(ring, y, y_words);
  add_bits_m4(y, ring->r_bits, y, side / 32 + 2);
  memset(words, 0, stride * sizeof *words);
  scatter_m4(ring, plan, words, y, matrix);
  end_element_m4(ring, words, stride);
}

#endif
