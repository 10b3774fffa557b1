/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements with the 128-bit vectors of WebAssembly.
 *
 * There is no carry-less multiplication, and products that are put together from other instructions
 * take longer than to add, for each position p of the sparse factor, x^p times the dense one, which
 * is a window on it (windows_wasm.h).
 */
#include "base/intrinsics.h"
#include "sparse/sparse.h"
#include "sparse/windows_wasm.h"

#if defined(CODEKEM_HAVE_WASM)

#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/unroll.h"

#define VECTOR_BITS 128
#define LANES wasm_u8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

/* Clears the coefficients from r on. */
static void clear_padding(const struct gf2x_ring *ring, uint64_t *a) {
  a[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(a + ring->words, 0, (ring->stride - ring->words) * sizeof *a);
}

static void multiply_wasm(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                          const uint32_t *positions, size_t count, uint64_t *scratch) {
  struct windows windows;

  windows_of_wasm(&windows, ring, a, scratch);
  memset(out, 0, ring->stride * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    windows_add_wasm(&windows, out, ring->r_bits - 1 - positions[i]);
  }
  clear_padding(ring, out);
}

static void pick_distinct_wasm(uint32_t *positions, const uint32_t *words, size_t count,
                               uint32_t length) {
  sparse_portable.pick_distinct(positions, words, count, length);
}

/* Every position meets every vector, four vectors at a time. */
static void set_positions_wasm(const struct gf2x_ring *ring, uint64_t *out,
                               const uint32_t *positions, size_t count, uint32_t first) {
  v128_t one_of[SPARSE_MAX_POSITIONS];
  uint32_t vector_of[SPARSE_MAX_POSITIONS];

  assert(count <= SPARSE_MAX_POSITIONS);
  for (size_t i = 0; i < count; i++) {
    /* A position below first becomes a huge one that no vector matches. */
    const uint32_t position = positions[i] - first;
    const v128_t byte = wasm_u8x16_splat((uint8_t)(position / 8 % 16));
    vector_of[i] = position / VECTOR_BITS;
    one_of[i] =
        wasm_v128_and(wasm_i8x16_eq(LANES, byte), wasm_u8x16_splat((uint8_t)(1U << position % 8)));
  }
  for (size_t k = 0; k < ring->stride / 2; k += 4) {
    v128_t sum[4] = {wasm_i8x16_const_splat(0)};
    sum[1] = sum[2] = sum[3] = sum[0];
    for (size_t i = 0; i < count; i++) {
      const v128_t vector = wasm_v128_load32_splat(&vector_of[i]);
      UNROLL
      for (size_t j = 0; j < 4; j++) {
        const v128_t same = wasm_i32x4_eq(vector, wasm_u32x4_splat((uint32_t)(k + j)));
        sum[j] = wasm_v128_or(sum[j], wasm_v128_and(same, one_of[i]));
      }
    }
    UNROLL
    for (size_t j = 0; j < 4; j++) {
      wasm_v128_store(out + 2 * (k + j), sum[j]);
    }
  }
  clear_padding(ring, out);
}

const struct sparse_ops sparse_wasm = {
    .name = "wasm",
    .pick_distinct = pick_distinct_wasm,
    .set_positions = set_positions_wasm,
    .multiply = multiply_wasm,
};

#endif
