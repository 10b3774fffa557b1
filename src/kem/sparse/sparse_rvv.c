/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sparse ring elements with the vectors of RISC-V (base/rvv.h): every position meets every entry or
 * word, by masks, as in sparse_portable.c. */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/isa.h"
#include "base/rvv.h"
#include "sparse/sparse.h"

#if defined(CODEKEM_HAVE_RVV)

/* Returns a mask: position, below 2^31, is in list[count]. */
static uint32_t is_listed_rvv(uint32_t position, const uint32_t *list, size_t count) {
  uint64_t listed;
  size_t step;

  /* The top bit of (difference - 1) & ~difference is set where the difference is 0. */
  __asm__ volatile(
      RVV_BEGIN
      "vsetvli zero, %[most], e32, m8, ta, ma\n\t"
      "vmv.v.i v0, 0\n"
      "1: vsetvli %[step], %[count], e32, m8, tu, ma\n\t"
      "vle32.v v8, (%[list])\n\t"
      "vxor.vx v8, v8, %[position]\n\t"
      "vadd.vi v16, v8, -1\n\t"
      "vnot.v v8, v8\n\t"
      "vand.vv v8, v8, v16\n\t"
      "vor.vv v0, v0, v8\n\t"
      "sub %[count], %[count], %[step]\n\t"
      "slli %[step], %[step], 2\n\t"
      "add %[list], %[list], %[step]\n\t"
      "bnez %[count], 1b\n\t"
      "vsetvli zero, %[most], e32, m8, ta, ma\n\t"
      "vmv.v.i v8, 0\n\t"
      "vredor.vs v8, v0, v8\n\t"
      "vmv.x.s %[listed], v8" RVV_END
      : [step] "=&r"(step), [count] "+&r"(count), [list] "+&r"(list), [listed] "=&r"(listed)
      : [position] "r"(position), [most] "r"((size_t)SPARSE_MAX_POSITIONS)
      : RVV_CLOBBERS);
  return ct_mask_bit_u32((uint32_t)listed >> 31);
}

static void pick_distinct_rvv(uint32_t *positions, const uint32_t *words, size_t count,
                              uint32_t length) {
  for (size_t i = count; i-- > 0;) {
    const uint32_t index = (uint32_t)i;
    const uint64_t product = (uint64_t)words[i] * (length - index);
    const uint32_t position = index + (uint32_t)(product >> 32);
    const uint32_t duplicate = is_listed_rvv(position, positions + i + 1, count - i - 1);

    positions[i] = ct_select_u32(duplicate, index, position);
  }
}

/* Sets the words out[n] to the sums of the bits that belong to them. */
static void collect_words_rvv(uint64_t *out, size_t n, const uint64_t *word_of,
                              const uint64_t *bit_of, size_t count) {
  size_t step, word, left;
  uint64_t first = 0;
  const uint64_t *next_word, *next_bit;
  uint64_t bit;

  /* A difference of 0 less 1 borrows through all bits; words are below 2^32. */
  __asm__ volatile(
      RVV_BEGIN
      "1: vsetvli %[step], %[n], e64, m8, ta, ma\n\t"
      "vid.v v0\n\t"
      "vadd.vx v0, v0, %[first]\n\t"
      "vmv.v.i v8, 0\n\t"
      "mv %[left], %[count]\n\t"
      "mv %[next_word], %[word_of]\n\t"
      "mv %[next_bit], %[bit_of]\n"
      "2: ld %[word], (%[next_word])\n\t"
      "ld %[bit], (%[next_bit])\n\t"
      "vxor.vx v16, v0, %[word]\n\t"
      "vadd.vi v16, v16, -1\n\t"
      "addi %[left], %[left], -1\n\t"
      "vsra.vx v16, v16, %[top]\n\t"
      "addi %[next_word], %[next_word], 8\n\t"
      "vand.vx v16, v16, %[bit]\n\t"
      "addi %[next_bit], %[next_bit], 8\n\t"
      "vor.vv v8, v8, v16\n\t"
      "bnez %[left], 2b\n\t"
      "vse64.v v8, (%[out])\n\t"
      "sub %[n], %[n], %[step]\n\t"
      "add %[first], %[first], %[step]\n\t"
      "slli %[step], %[step], 3\n\t"
      "add %[out], %[out], %[step]\n\t"
      "bnez %[n], 1b" RVV_END
      : [step] "=&r"(step), [word] "=&r"(word), [bit] "=&r"(bit), [left] "=&r"(left),
        [next_word] "=&r"(next_word), [next_bit] "=&r"(next_bit), [n] "+&r"(n),
        [first] "+&r"(first), [out] "+&r"(out)
      : [count] "r"(count), [word_of] "r"(word_of), [bit_of] "r"(bit_of), [top] "r"(63L)
      : RVV_CLOBBERS);
}

static void set_positions_rvv(const struct gf2x_ring *ring, uint64_t *out,
                              const uint32_t *positions, size_t count, uint32_t first) {
  uint64_t word_of[SPARSE_MAX_POSITIONS];
  uint64_t bit_of[SPARSE_MAX_POSITIONS];

  assert(count <= SPARSE_MAX_POSITIONS);
  memset(out, 0, ring->stride * sizeof *out);
  if (count == 0) {
    return;
  }
  for (size_t i = 0; i < count; i++) {
    /* A position below first becomes a huge one that no word matches. */
    const uint32_t position = positions[i] - first;
    word_of[i] = position / 64;
    bit_of[i] = UINT64_C(1) << position % 64;
  }
  collect_words_rvv(out, ring->words, word_of, bit_of, count);
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
}

const struct sparse_ops ckem_sparse_rvv = {
    .name = "rvv",
    .pick_distinct = pick_distinct_rvv,
    .set_positions = set_positions_rvv,
};

#endif
