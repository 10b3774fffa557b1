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

#define VECTOR_BITS 128

/* Clears the coefficients from r on. */
static void clear_padding_wasm(const struct gf2x_ring *ring, uint64_t *a) {
  a[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(a + ring->words, 0, (ring->stride - ring->words) * sizeof *a);
}

static void multiply_wasm(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                          const uint32_t *positions, size_t count, uint64_t *scratch) {
  struct windows windows;

  ckem_windows_of_wasm(&windows, ring, a, scratch);
  memset(out, 0, ring->stride * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    ckem_windows_add_wasm(&windows, out, ring->r_bits - 1 - positions[i]);
  }
  clear_padding_wasm(ring, out);
}

/* Candidates meet four later entries at a time. */
static void pick_distinct_wasm(uint32_t *positions, const uint32_t *words, size_t count,
                               uint32_t length) {
  uint32_t list[SPARSE_MAX_POSITIONS + 3];

  assert(count <= SPARSE_MAX_POSITIONS);
  for (size_t i = 0; i < 3; i++) {
    list[count + i] = SPARSE_NO_POSITION;
  }
  for (size_t i = count; i-- > 0;) {
    const uint32_t index = (uint32_t)i;
    const uint64_t product = (uint64_t)words[i] * (length - index);
    const uint32_t position = index + (uint32_t)(product >> 32);
    v128_t listed = wasm_i32x4_const_splat(0);
    for (size_t j = i + 1; j < count; j += 4) {
      const v128_t later = wasm_v128_load(list + j);
      listed = wasm_v128_or(listed, wasm_i32x4_eq(later, wasm_u32x4_splat(position)));
    }
    const uint64_t either = wasm_u64x2_extract_lane(listed, 0) | wasm_u64x2_extract_lane(listed, 1);
    const uint32_t duplicate = ct_mask_bit_u32((uint32_t)(either | either >> 32));
    list[i] = ct_select_u32(duplicate, index, position);
  }
  memcpy(positions, list, count * sizeof *positions);
}

/* Every position meets every vector, two vectors at a time. */
static void set_positions_wasm(const struct gf2x_ring *ring, uint64_t *out,
                               const uint32_t *positions, size_t count, uint32_t first) {
  const v128_t lanes = wasm_u8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  v128_t one_of[SPARSE_MAX_POSITIONS];
  uint32_t vector_of[SPARSE_MAX_POSITIONS];

  assert(count <= SPARSE_MAX_POSITIONS);
  for (size_t i = 0; i < count; i++) {
    /* A position below first becomes a huge one that no vector matches. */
    const uint32_t position = positions[i] - first;
    const v128_t byte = wasm_u8x16_splat((uint8_t)(position / 8 % 16));
    const v128_t bit = wasm_u8x16_splat((uint8_t)(1U << position % 8));
    vector_of[i] = position / VECTOR_BITS;
    one_of[i] = wasm_v128_and(wasm_i8x16_eq(lanes, byte), bit);
  }
  for (uint32_t k = 0; k < ring->stride / 2; k += 2) {
    v128_t even = wasm_i8x16_const_splat(0);
    v128_t odd = even;
    for (size_t i = 0; i < count; i++) {
      const v128_t vector = wasm_v128_load32_splat(&vector_of[i]);
      const v128_t in_even = wasm_i32x4_eq(vector, wasm_u32x4_splat(k));
      const v128_t in_odd = wasm_i32x4_eq(vector, wasm_u32x4_splat(k + 1));
      even = wasm_v128_or(even, wasm_v128_and(in_even, one_of[i]));
      odd = wasm_v128_or(odd, wasm_v128_and(in_odd, one_of[i]));
    }
    wasm_v128_store(out + 2 * k, even);
    wasm_v128_store(out + 2 * k + 2, odd);
  }
  clear_padding_wasm(ring, out);
}

const struct sparse_ops ckem_sparse_wasm = {
    .name = "wasm",
    .pick_distinct = pick_distinct_wasm,
    .set_positions = set_positions_wasm,
    .multiply = multiply_wasm,
};

#endif
