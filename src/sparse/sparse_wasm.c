/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse ring elements with the 128-bit vectors of WebAssembly.
 *
 * There is no carry-less multiplication, and products put together from others take longer than to
 * add a rotated copy of the dense operand for each position of the sparse one. Coefficient k of x^p
 * a is bit k + q of a written twice, one behind the other, for q = r - p. So a copy is a window of
 * r bits that starts at the secret bit q. It is found in steps that do not depend on q: whole
 * vectors by choices between a vector and one farther on, for each bit of the distance, bytes by
 * `swizzle`, bits by a shift.
 */
#include "base/intrinsics.h"
#include "sparse/sparse.h"

#if defined(CODEKEM_HAVE_WASM)

#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/unroll.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define VECTOR_BITS 128
#define LANES wasm_u8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

/* Three bits of a distance are taken in one pass; those above CHAIN_BITS one by one. */
#define CHAIN 3
#define CHAIN_BITS (2 * CHAIN)

/* Clears the coefficients from r on. */
static void clear_padding(const struct gf2x_ring *ring, uint64_t *a) {
  a[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(a + ring->words, 0, (ring->stride - ring->words) * sizeof *a);
}

ALWAYS_INLINE v128_t choose(v128_t mask, v128_t one, v128_t zero) {
  return wasm_v128_bitselect(one, zero, mask);
}

/* A mask for all of a vector from bit number bit of x. */
ALWAYS_INLINE v128_t mask_of_bit(uint32_t x, unsigned bit) {
  return wasm_u32x4_splat(ct_mask_bit_u32(x >> bit));
}

/* out[count] = the vectors of in from the first one or, under the mask, from number distance on;
 * from in[held] on there are none. out may be in. */
static void step(v128_t *out, const v128_t *in, size_t held, size_t count, size_t distance,
                 v128_t mask) {
  size_t k = 0;

  for (; k < count && k + distance < held; k++) {
    out[k] = choose(mask, in[k + distance], in[k]);
  }
  for (; k < count; k++) {
    out[k] = in[k];
  }
}

/* Does the same in place for three distances, 4, 2 and 1 times stride, as three bits of `bits` say.
 * Values stay in registers along chains of vectors that are stride apart. */
static void step_chains(v128_t *a, size_t count, size_t stride, uint32_t bits) {
  const v128_t mask4 = mask_of_bit(bits, 2);
  const v128_t mask2 = mask_of_bit(bits, 1);
  const v128_t mask1 = mask_of_bit(bits, 0);

  for (size_t start = 0; start < stride; start++) {
    v128_t *x = a + start;
    v128_t x0 = x[0], x1 = x[stride], x2 = x[2 * stride], x3 = x[3 * stride];
    v128_t y0, y1, z0, next;
    const v128_t *ahead = x + 4 * stride;

#define ADVANCE(from)                   \
  do {                                  \
    next = *ahead;                      \
    ahead += stride;                    \
    (from) = choose(mask4, next, from); \
  } while (0)
    /* y = x under the first mask; x0 to x3 hold the next four vectors of the chain. */
    v128_t t;
    t = x0;
    ADVANCE(t);
    x0 = next;
    y0 = t;
    t = x1;
    ADVANCE(t);
    x1 = next;
    y1 = t;
    t = x2;
    ADVANCE(t);
    x2 = next;
    z0 = choose(mask2, t, y0);
    y0 = t;
    for (size_t k = start; k < count; k += 4 * stride) {
      v128_t z1;
#define NEXT(xi, ya)            \
  do {                          \
    t = (xi);                   \
    ADVANCE(t);                 \
    (xi) = next;                \
    z1 = choose(mask2, t, ya);  \
    (ya) = t;                   \
    *x = choose(mask1, z1, z0); \
    x += stride;                \
    z0 = z1;                    \
  } while (0)
      NEXT(x3, y1);
      NEXT(x0, y0);
      NEXT(x1, y1);
      NEXT(x2, y0);
#undef NEXT
#undef ADVANCE
    }
  }
}

/* Adds to sum[count] the vectors of a from byte `byte`, below 16, and bit `bit`, 1 to 8, on. */
static void add_window(v128_t *sum, const v128_t *a, size_t count, uint32_t byte, uint32_t bit) {
  const v128_t here = wasm_i8x16_add(LANES, wasm_u8x16_splat((uint8_t)byte));
  const v128_t behind = wasm_i8x16_sub(here, wasm_u8x16_const_splat(16));
  v128_t first = a[0];
  v128_t second = a[1];
  v128_t low = wasm_v128_or(wasm_i8x16_swizzle(first, here), wasm_i8x16_swizzle(second, behind));

  for (size_t k = 0; k < count; k++) {
    const v128_t third = a[k + 2];
    /* Lanes from 16 on, and below 0, give nothing. */
    const v128_t high =
        wasm_v128_or(wasm_i8x16_swizzle(second, here), wasm_i8x16_swizzle(third, behind));
    const v128_t across = wasm_i64x2_shuffle(low, high, 1, 2);
    sum[k] = wasm_v128_xor(sum[k], wasm_v128_or(wasm_u64x2_shr(low, bit),
                                                wasm_i64x2_shl(across, 64 - bit)));
    low = high;
    second = third;
  }
}

/* The memory of a product. */
struct windows {
  size_t reach;   /* a window starts in one of so many vectors */
  size_t count;   /* vectors of a window, and two behind it */
  size_t total;   /* vectors that windows may touch */
  unsigned bits;  /* of the number of a vector in which a window starts */
  v128_t *twice;  /* the dense element, written twice, and then zeros: total */
  v128_t *copy;   /* as many */
};

/* twice = a + x^r a. */
static void write_twice(const struct gf2x_ring *ring, const struct windows *windows,
                        const uint64_t *a) {
  uint64_t *words = (uint64_t *)(void *)windows->twice;
  const size_t top = ring->words - 1;
  const unsigned used = ring->r_bits % 64;

  memset(words, 0, windows->total * sizeof *windows->twice);
  memcpy(words, a, ring->words * sizeof *a);
  for (size_t i = 0; i < ring->words; i++) {
    words[top + i] |= a[i] << used;
    words[top + i + 1] = a[i] >> (64 - used);
  }
}

static void multiply_wasm(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                          const uint32_t *positions, size_t count, uint64_t *scratch) {
  const size_t vectors = (ring->words + 1) / 2;
  struct windows windows;

  windows.reach = (ring->r_bits - 1) / VECTOR_BITS + 1;
  windows.count = vectors + 2;
  windows.total = windows.reach + windows.count;
  windows.bits = 32 - (unsigned)__builtin_clz((uint32_t)windows.reach - 1);
  windows.twice = (v128_t *)(void *)scratch;
  windows.copy = windows.twice + windows.total;
  assert(windows.bits > CHAIN_BITS);
  write_twice(ring, &windows, a);
  memset(out, 0, ring->stride * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    const uint32_t start = ring->r_bits - 1 - positions[i]; /* and one bit more */
    const uint32_t vector = start / VECTOR_BITS;
    const v128_t *from = windows.twice;
    size_t held = windows.total;
    for (unsigned bit = windows.bits; bit-- > CHAIN_BITS;) {
      const size_t distance = (size_t)1 << bit;
      const size_t kept = windows.count + distance - 1;
      const size_t left = kept < held ? kept : held;
      step(windows.copy, from, held, left, distance, mask_of_bit(vector, bit));
      from = windows.copy;
      held = left;
    }
    step_chains(windows.copy, windows.count + (1 << CHAIN) - 1, 1 << CHAIN, vector >> CHAIN);
    step_chains(windows.copy, windows.count, 1, vector);
    add_window((v128_t *)(void *)out, windows.copy, vectors, start / 8 % 16, start % 8 + 1);
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
