/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bit-sliced counters with the 128-bit vectors of WebAssembly: the syndrome, rotated by each index
 * of the support, which is a window on it (windows_wasm.h), is added to planes, plane b holding bit
 * b of every counter.
 */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "bike/counters.h"
#include "sparse/windows_wasm.h"

#if defined(CODEKEM_HAVE_WASM)

#define PLANES 8 /* counters below 256 */
#define GROUP 8  /* rotated syndromes that are added together */

/* Adds three bits of one weight: the sum stays in *a, the carry has twice the weight. */
static inline v128_t full_add(v128_t *a, v128_t b, v128_t c) {
  const v128_t half = wasm_v128_xor(*a, b);
  const v128_t carry = wasm_v128_bitselect(c, *a, half); /* if a = b, the carry is a */

  *a = wasm_v128_xor(half, c);
  return carry;
}

/* Adds GROUP vectors of n to the counters: a tree of carry-save adders, then a carry through the
 * upper planes. planes[b * n + i], group[v * n + i]. */
static void add_group_wasm(size_t n, v128_t *planes, const v128_t *group) {
  for (size_t i = 0; i < n; i++) {
    v128_t *plane = planes + i;
    const v128_t *v = group + i;
    v128_t ones = plane[0];
    v128_t twos = plane[n];
    v128_t fours = plane[2 * n];
    const v128_t twos0 = full_add(&ones, v[0], v[n]);
    const v128_t twos1 = full_add(&ones, v[2 * n], v[3 * n]);
    const v128_t fours0 = full_add(&twos, twos0, twos1);
    const v128_t twos2 = full_add(&ones, v[4 * n], v[5 * n]);
    const v128_t twos3 = full_add(&ones, v[6 * n], v[7 * n]);
    const v128_t fours1 = full_add(&twos, twos2, twos3);
    v128_t carry = full_add(&fours, fours0, fours1);

    plane[0] = ones;
    plane[n] = twos;
    plane[2 * n] = fours;
    for (size_t b = 3; b < PLANES; b++) {
      const v128_t next = wasm_v128_and(plane[b * n], carry);
      plane[b * n] = wasm_v128_xor(plane[b * n], carry);
      carry = next;
    }
  }
}

/* out[j] = counter j >= threshold, compared from the lowest bit up. */
static void compare_wasm(const struct gf2x_ring *ring, uint64_t *out, const v128_t *planes,
                         uint32_t threshold) {
  const size_t n = ring->stride / 2;
  v128_t limit[PLANES];

  for (size_t b = 0; b < PLANES; b++) {
    limit[b] = wasm_u32x4_splat(ct_mask_bit_u32(threshold >> b));
  }
  for (size_t i = 0; i < n; i++) {
    v128_t reached = wasm_u32x4_const_splat(UINT32_MAX);
    for (size_t b = 0; b < PLANES; b++) {
      const v128_t bits = planes[b * n + i];
      /* Where the bits differ, the higher number is the one whose bit is set. */
      reached = wasm_v128_bitselect(bits, reached, wasm_v128_xor(bits, limit[b]));
    }
    wasm_v128_store(out + 2 * i, reached);
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

/* The windows of an element take four elements and eight words. */
static_assert(BIKE_COUNT_STRIDES(GF2X_MIN_R_BITS) >= 4 + GROUP + PLANES, "scratch memory");

static void count_unsatisfied_wasm(const struct gf2x_ring *ring, uint64_t *reached,
                                   uint32_t threshold, uint64_t *reached_low,
                                   uint32_t threshold_low, const uint64_t *syndrome,
                                   const uint32_t *support, size_t weight, uint64_t *scratch) {
  const size_t n = ring->stride / 2;
  uint64_t *group = scratch + WINDOWS_WORDS(ring->r_bits);
  uint64_t *planes = group + GROUP * ring->stride;
  struct windows windows;

  ckem_windows_of_wasm(&windows, ring, syndrome, scratch);
  memset(planes, 0, PLANES * ring->stride * sizeof *planes);
  for (size_t k = 0; k < weight; k += GROUP) {
    memset(group, 0, GROUP * ring->stride * sizeof *group);
    for (size_t v = 0; v < GROUP && k + v < weight; v++) {
      /* The window from bit r on is the one from bit 0 on. */
      const uint32_t position = support[k + v];
      const uint32_t start = position + (ring->r_bits & ct_mask_zero_u32(position));
      ckem_windows_add_wasm(&windows, group + v * ring->stride, start - 1);
    }
    add_group_wasm(n, (v128_t *)(void *)planes, (const v128_t *)(const void *)group);
  }
  compare_wasm(ring, reached, (const v128_t *)(const void *)planes, threshold);
  if (reached_low != NULL) {
    compare_wasm(ring, reached_low, (const v128_t *)(const void *)planes, threshold_low);
  }
}

const struct bike_counters ckem_bike_counters_wasm = {
    .name = "wasm",
    .count_unsatisfied = count_unsatisfied_wasm,
};

#endif
