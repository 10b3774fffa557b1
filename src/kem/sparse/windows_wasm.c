/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finding windows; see windows_wasm.h. */
#include "sparse/windows_wasm.h"

#include <assert.h>
#include <string.h>

#include "base/ct.h"

#if defined(CODEKEM_HAVE_WASM)

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define VECTOR_BITS 128

/* Choices among three, until at most CHAIN times CHAIN vectors are left to choose among. */
#define CHAIN 8
#define MAX_REACH (3 * CHAIN * CHAIN)

/* one where mask is 1, zero where it is 0 */
ALWAYS_INLINE v128_t choose(v128_t mask, v128_t one, v128_t zero) {
  return wasm_v128_bitselect(one, zero, mask);
}

/* What is read behind the vectors that a window may touch is never chosen. */

/* out[count] = the vectors of in from number 0, from `distance` on under mask1, or from twice that
 * on under mask2. */
static void move_third_wasm(v128_t *out, const v128_t *in, size_t count, size_t distance,
                            uint32_t mask1, uint32_t mask2) {
  const v128_t far = wasm_u32x4_splat(mask1);
  const v128_t farther = wasm_u32x4_splat(mask2);

  for (size_t k = 0; k < count; k++) {
    out[k] = choose(farther, in[k + 2 * distance], choose(far, in[k + distance], in[k]));
  }
}

/* A chain of vectors that are `stride` apart, on its way through three choices. */
struct chain {
  const v128_t *ahead;
  size_t stride;
  v128_t mask4, mask2, mask1;
  v128_t x[4]; /* the next vectors of the chain */
  v128_t y[2]; /* the last ones, after the choice with distance 4 */
};

/* Returns the next vector after the choices with distances 4 and 2; i counts them, modulo 4. */
ALWAYS_INLINE v128_t advance(struct chain *chain, size_t i) {
  const v128_t next = *chain->ahead;
  const v128_t y = choose(chain->mask4, next, chain->x[i % 4]);
  const v128_t z = choose(chain->mask2, y, chain->y[i % 2]);

  chain->ahead += chain->stride;
  chain->x[i % 4] = next;
  chain->y[i % 2] = y;
  return z;
}

/* a[k] = a[k + stride number] for k < count and number below 8. */
static __attribute__((noinline)) void move_chains_wasm(v128_t *a, size_t count, size_t stride,
                                                       uint32_t number) {
  for (size_t start = 0; start < stride; start++) {
    struct chain chain = {
        .ahead = a + start,
        .stride = stride,
        .mask4 = wasm_u32x4_splat(ct_mask_bit_u32(number >> 2)),
        .mask2 = wasm_u32x4_splat(ct_mask_bit_u32(number >> 1)),
        .mask1 = wasm_u32x4_splat(ct_mask_bit_u32(number)),
    };
    v128_t *out = a + start;
    v128_t z;

    for (size_t i = 0; i < 4; i++) {
      chain.x[i] = *chain.ahead;
      chain.ahead += stride;
    }
    chain.y[0] = chain.y[1] = chain.x[0];
    (void)advance(&chain, 0);
    (void)advance(&chain, 1);
    z = advance(&chain, 2);
    for (size_t k = start; k < count; k += 4 * stride) {
#pragma clang loop unroll(full)
      for (size_t i = 3; i < 7; i++) {
        const v128_t next = advance(&chain, i);
        *out = choose(chain.mask1, next, z);
        out += stride;
        z = next;
      }
    }
  }
}

/* Adds to sum[count] the vectors of a from byte `byte`, below 16, and bit `bit`, 1 to 8, on. */
static void add_moved_wasm(v128_t *sum, const v128_t *a, size_t count, uint32_t byte,
                           uint32_t bit) {
  const v128_t lanes = wasm_u8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  /* Lanes from 16 on, and below 0, give nothing. */
  const v128_t here = wasm_i8x16_add(lanes, wasm_u8x16_splat((uint8_t)byte));
  const v128_t behind = wasm_i8x16_sub(here, wasm_u8x16_const_splat(16));
  v128_t next = a[1];
  v128_t low = wasm_v128_or(wasm_i8x16_swizzle(a[0], here), wasm_i8x16_swizzle(next, behind));

  for (size_t k = 0; k < count; k++) {
    const v128_t last = a[k + 2];
    const v128_t high =
        wasm_v128_or(wasm_i8x16_swizzle(next, here), wasm_i8x16_swizzle(last, behind));
    const v128_t across = wasm_i64x2_shuffle(low, high, 1, 2);
    const v128_t shifted = wasm_v128_or(wasm_u64x2_shr(low, bit), wasm_i64x2_shl(across, 64 - bit));
    sum[k] = wasm_v128_xor(sum[k], shifted);
    low = high;
    next = last;
  }
}

void ckem_windows_of_wasm(struct windows *windows, const struct gf2x_ring *ring, const uint64_t *a,
                          uint64_t *memory) {
  const size_t top = ring->words - 1;
  const unsigned used = ring->r_bits % 64; /* not 0, because r is an odd prime */

  windows->reach = (ring->r_bits - 1) / VECTOR_BITS + 1;
  windows->count = (ring->words + 1) / 2 + 2;
  windows->total = windows->reach + windows->count;
  windows->twice = (v128_t *)(void *)memory;
  windows->moved = windows->twice + windows->total;
  assert(windows->reach > CHAIN * CHAIN);
  memset(memory, 0, windows->total * sizeof *windows->twice);
  memcpy(memory, a, ring->words * sizeof *a);
  for (size_t i = 0; i < ring->words; i++) {
    memory[top + i] |= a[i] << used;
    memory[top + i + 1] = a[i] >> (64 - used);
  }
}

void ckem_windows_add_wasm(const struct windows *windows, uint64_t *sum, uint32_t before) {
  const v128_t *from = windows->twice;
  v128_t *moved = windows->moved;
  uint32_t distance = before / VECTOR_BITS; /* that is left to go */
  uint32_t reach = windows->reach;          /* distance is below it */

  do {
    const uint32_t third =
        reach > MAX_REACH ? (reach + 2) / 3 : CHAIN * ((reach + 3 * CHAIN - 1) / (3 * CHAIN));
    const uint32_t mask1 = ~ct_mask_less_u32(distance, third);
    const uint32_t mask2 = ~ct_mask_less_u32(distance, 2 * third);
    move_third_wasm(moved, from, windows->count + third - 1, third, mask1, mask2);
    distance -= (third & mask1) + (third & mask2);
    reach = third;
    from = moved;
  } while (reach > CHAIN * CHAIN);
  const uint32_t stride = reach / CHAIN;
  const uint32_t number = distance * (65536 / stride + 1) >> 16; /* distance / stride */
  move_chains_wasm(moved, windows->count + stride - 1, stride, number);
  move_chains_wasm(moved, windows->count, 1, distance - number * stride);
  add_moved_wasm((v128_t *)(void *)sum, moved, windows->count - 2, before / 8 % 16, before % 8 + 1);
}

#endif
