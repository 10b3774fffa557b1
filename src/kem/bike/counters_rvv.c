/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bit-sliced counters with the vectors of RISC-V (base/rvv.h).
 *
 * As in counters_portable.c, the syndrome is rotated by each index of the support, by choices
 * between a vector and the same vector a power of two of words further on, and the rotated vectors
 * are added bit by bit: four of them into the lowest two planes, the carries of four such sums into
 * the others. What a rotation shifts within words is shifted while it is added.
 */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "base/isa.h"
#include "base/rvv.h"
#include "bike/counters.h"

#if defined(CODEKEM_HAVE_RVV)

#define PLANES 8 /* counters below 256 */
#define QUAD 4   /* rotated syndromes that are added together */

/* The largest power of two below words: the longest step of a rotation. */
static uint32_t longest_step_rvv(const struct gf2x_ring *ring) {
  uint32_t step = 1;

  while (2 * step < ring->words) {
    step *= 2;
  }
  return step;
}

/* out[j] = syndrome[j mod r] for j < 2 r, then zeros. */
static void extend_syndrome_rvv(const struct gf2x_ring *ring, uint64_t *out, size_t out_words,
                                const uint64_t *syndrome) {
  const size_t n = ring->words;
  const unsigned shift = ring->r_bits % 64; /* not 0, because r is an odd prime */

  memset(out, 0, out_words * sizeof *out);
  memcpy(out, syndrome, n * sizeof *out);
  out[n - 1] |= syndrome[0] << shift;
  for (size_t i = 0; i + 1 < n; i++) {
    out[n + i] = syndrome[i] >> (64 - shift) | syndrome[i + 1] << shift;
  }
  out[2 * n - 1] = syndrome[n - 1] >> (64 - shift);
}

/* out[i] = in[i + distance] where mask is all ones, in[i] where it is zero; out may be in. */
static void choose_shifted_rvv(uint64_t *out, const uint64_t *in, size_t n, size_t distance,
                               uint64_t mask) {
  const uint64_t *further = in + distance;
  size_t step;

  __asm__ volatile(
      RVV_BEGIN
      "1: vsetvli %[step], %[n], e64, m8, ta, ma\n\t"
      "vle64.v v0, (%[in])\n\t"
      "vle64.v v8, (%[further])\n\t"
      "vxor.vv v8, v8, v0\n\t"
      "vand.vx v8, v8, %[mask]\n\t"
      "vxor.vv v0, v0, v8\n\t"
      "vse64.v v0, (%[out])\n\t"
      "sub %[n], %[n], %[step]\n\t"
      "slli %[step], %[step], 3\n\t"
      "add %[in], %[in], %[step]\n\t"
      "add %[further], %[further], %[step]\n\t"
      "add %[out], %[out], %[step]\n\t"
      "bnez %[n], 1b" RVV_END
      : [step] "=&r"(step), [n] "+&r"(n), [in] "+&r"(in), [further] "+&r"(further), [out] "+&r"(out)
      : [mask] "r"(mask)
      : RVV_CLOBBERS);
}

/* out[n] = extended[position / 64 ...], n words. */
static void move_words_rvv(uint64_t *out, const uint64_t *extended, size_t n, uint32_t longest,
                           uint32_t position) {
  choose_shifted_rvv(out, extended, n + longest, longest,
                     ~ct_mask_zero_u64(position / 64 & longest));
  for (uint32_t distance = longest / 2; distance > 0; distance /= 2) {
    choose_shifted_rvv(out, out, n + distance, distance,
                       ~ct_mask_zero_u64(position / 64 & distance));
  }
}

/* v8 = the next words of a moved syndrome, shifted to their places; by v12. */
#define LOAD_SHIFTED(number)               \
  "vle64.v v8, (%[moved" number            \
  "])\n\t"                                 \
  "addi %[place], %[moved" number          \
  "], 8\n\t"                               \
  "vle64.v v12, (%[place])\n\t"            \
  "vsrl.vx v8, v8, %[right" number         \
  "]\n\t"                                  \
  "vsll.vi v12, v12, 1\n\t"                \
  "vsll.vx v12, v12, %[left" number        \
  "]\n\t"                                  \
  "add %[moved" number "], %[moved" number \
  "], %[step]\n\t"                         \
  "vor.vv v8, v8, v12\n\t"

/* Adds three bits of one weight: the sum stays in a, the carry goes to a register of its own; uses
 * b. If a = b the carry is a, else it is c. */
#define FULL_ADD(a, b, c, carry)     \
  "vxor.vv " carry ", " a ", " c     \
  "\n\t"                             \
  "vxor.vv " b ", " a ", " b         \
  "\n\t"                             \
  "vand.vv " carry ", " carry ", " b \
  "\n\t"                             \
  "vxor.vv " carry ", " carry ", " a \
  "\n\t"                             \
  "vxor.vv " a ", " b ", " c "\n\t"

/* Adds QUAD moved syndromes, shifted by positions[QUAD] modulo 64, to planes 0 and 1; fours takes
 * the carries. */
static void add_quad_rvv(uint64_t *ones, uint64_t *twos, uint64_t *fours, size_t n,
                         uint64_t *const moved[QUAD], const uint64_t shifts[QUAD]) {
  const uint64_t *moved0 = moved[0], *moved1 = moved[1], *moved2 = moved[2], *moved3 = moved[3];
  size_t step, place;

  __asm__ volatile(RVV_BEGIN
                   "1: vsetvli %[step], %[n], e64, m4, ta, ma\n\t"
                   "sub %[n], %[n], %[step]\n\t"
                   "slli %[step], %[step], 3\n\t"
                   "vle64.v v0, (%[ones])\n\t"
                   "vle64.v v4, (%[twos])\n\t"
                   LOAD_SHIFTED("0") "vmv.v.v v16, v8\n\t" LOAD_SHIFTED("1")
                   FULL_ADD("v0", "v16", "v8", "v20")
                   LOAD_SHIFTED("2") "vmv.v.v v16, v8\n\t" LOAD_SHIFTED("3")
                   FULL_ADD("v0", "v16", "v8", "v24")
                   FULL_ADD("v4", "v20", "v24", "v28")
                   "vse64.v v0, (%[ones])\n\t"
                   "vse64.v v4, (%[twos])\n\t"
                   "vse64.v v28, (%[fours])\n\t"
                   "add %[ones], %[ones], %[step]\n\t"
                   "add %[twos], %[twos], %[step]\n\t"
                   "add %[fours], %[fours], %[step]\n\t"
                   "bnez %[n], 1b" RVV_END
                   : [step] "=&r"(step), [place] "=&r"(place), [n] "+&r"(n), [ones] "+&r"(ones),
                     [twos] "+&r"(twos), [fours] "+&r"(fours), [moved0] "+&r"(moved0),
                     [moved1] "+&r"(moved1), [moved2] "+&r"(moved2), [moved3] "+&r"(moved3)
                   : [right0] "r"(shifts[0]), [right1] "r"(shifts[1]), [right2] "r"(shifts[2]),
                     [right3] "r"(shifts[3]), [left0] "r"(63 - shifts[0]),
                     [left1] "r"(63 - shifts[1]), [left2] "r"(63 - shifts[2]),
                     [left3] "r"(63 - shifts[3])
                   : RVV_CLOBBERS);
}

/* Adds a carry to a plane: the sum stays there, the carry is the next one's. By v4. */
#define HALF_ADD(offset)              \
  "add %[place], %[plane], %[" offset \
  "]\n\t"                             \
  "vle64.v v4, (%[place])\n\t"        \
  "vxor.vv v8, v4, v0\n\t"            \
  "vand.vv v0, v4, v0\n\t"            \
  "vse64.v v8, (%[place])\n\t"

/* Adds four carries of quads, distance bytes apart like the planes, to the planes from 2 on. */
static void add_fours_rvv(uint64_t *planes, const uint64_t *fours, size_t n, size_t distance) {
  const uint64_t *four1 = fours + distance / 8;
  const uint64_t *four2 = four1 + distance / 8;
  const uint64_t *four3 = four2 + distance / 8;
  uint64_t *plane = planes + 2 * distance / 8;
  size_t step, place;

  __asm__ volatile(RVV_BEGIN
                   "1: vsetvli %[step], %[n], e64, m4, ta, ma\n\t"
                   "sub %[n], %[n], %[step]\n\t"
                   "slli %[step], %[step], 3\n\t"
                   "add %[place], %[plane], %[distance]\n\t"
                   "vle64.v v0, (%[plane])\n\t"
                   "vle64.v v4, (%[place])\n\t"
                   "vle64.v v8, (%[four0])\n\t"
                   "vle64.v v12, (%[four1])\n\t"
                   FULL_ADD("v0", "v8", "v12", "v20")
                   "vle64.v v8, (%[four2])\n\t"
                   "vle64.v v12, (%[four3])\n\t"
                   FULL_ADD("v0", "v8", "v12", "v24")
                   FULL_ADD("v4", "v20", "v24", "v28")
                   "vse64.v v0, (%[plane])\n\t"
                   "vse64.v v4, (%[place])\n\t"
                   "vmv.v.v v0, v28\n\t"
                   HALF_ADD("distance2") HALF_ADD("distance3") HALF_ADD("distance4")
                   HALF_ADD("distance5")
                   "add %[plane], %[plane], %[step]\n\t"
                   "add %[four0], %[four0], %[step]\n\t"
                   "add %[four1], %[four1], %[step]\n\t"
                   "add %[four2], %[four2], %[step]\n\t"
                   "add %[four3], %[four3], %[step]\n\t"
                   "bnez %[n], 1b" RVV_END
                   : [step] "=&r"(step), [place] "=&r"(place), [n] "+&r"(n), [plane] "+&r"(plane),
                     [four0] "+&r"(fours), [four1] "+&r"(four1), [four2] "+&r"(four2),
                     [four3] "+&r"(four3)
                   : [distance] "r"(distance), [distance2] "r"(2 * distance),
                     [distance3] "r"(3 * distance), [distance4] "r"(4 * distance),
                     [distance5] "r"(5 * distance)
                   : RVV_CLOBBERS);
}

/* out[j] = counter j >= threshold, compared from the lowest bit up. */
static void compare_rvv(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *planes,
                        uint32_t threshold) {
  memset(out, 0xFF, ring->words * sizeof *out);
  for (size_t b = 0; b < PLANES; b++) {
    const uint64_t *plane = planes + b * ring->stride;
    uint64_t *reached = out;
    size_t n = ring->words;
    size_t step;

    /* Where the bits differ, the higher number is the one whose bit is set. */
    __asm__ volatile(
        RVV_BEGIN
        "1: vsetvli %[step], %[n], e64, m8, ta, ma\n\t"
        "vle64.v v0, (%[plane])\n\t"
        "vle64.v v8, (%[reached])\n\t"
        "vxor.vx v16, v0, %[limit]\n\t"
        "vxor.vv v0, v0, v8\n\t"
        "vand.vv v0, v0, v16\n\t"
        "vxor.vv v8, v8, v0\n\t"
        "vse64.v v8, (%[reached])\n\t"
        "sub %[n], %[n], %[step]\n\t"
        "slli %[step], %[step], 3\n\t"
        "add %[plane], %[plane], %[step]\n\t"
        "add %[reached], %[reached], %[step]\n\t"
        "bnez %[n], 1b" RVV_END
        : [step] "=&r"(step), [n] "+&r"(n), [plane] "+&r"(plane), [reached] "+&r"(reached)
        : [limit] "r"(ct_mask_bit_u64(threshold >> b))
        : RVV_CLOBBERS);
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

static void count_unsatisfied_rvv(const struct gf2x_ring *ring, uint64_t *reached,
                                  uint32_t threshold, uint64_t *reached_low, uint32_t threshold_low,
                                  const uint64_t *syndrome, const uint32_t *support, size_t weight,
                                  uint64_t *scratch) {
  const size_t stride = ring->stride;
  const size_t n = ring->words;
  const uint32_t longest = longest_step_rvv(ring);
  uint64_t *extended = scratch; /* 3 strides */
  uint64_t *planes = extended + 3 * stride;
  uint64_t *fours = planes + PLANES * stride;
  uint64_t *work = fours + QUAD * stride; /* what is moved, one after the other */
  uint64_t *moved[QUAD];
  uint64_t shifts[QUAD];

  for (size_t v = 0; v < QUAD; v++) {
    moved[v] = work + v * (n + 1);
  }
  assert((size_t)(moved[QUAD - 1] - scratch) + n + 1 + longest <=
         BIKE_COUNT_SCRATCH_WORDS(ring->r_bits));
  extend_syndrome_rvv(ring, extended, 3 * stride, syndrome);
  memset(planes, 0, PLANES * stride * sizeof *planes);
  for (size_t k = 0; k < weight; k += QUAD * QUAD) {
    for (size_t c = 0; c < QUAD; c++) {
      const size_t first = k + QUAD * c;
      if (first >= weight) {
        memset(fours + c * stride, 0, n * sizeof *fours);
        continue;
      }
      /* Each one needs room behind it until it has moved, which the next one then takes. */
      for (size_t v = 0; v < QUAD; v++) {
        const uint32_t position = first + v < weight ? support[first + v] : 0;
        shifts[v] = position % 64;
        if (first + v < weight) {
          move_words_rvv(moved[v], extended, n + 1, longest, position);
        } else {
          memset(moved[v], 0, (n + 1) * sizeof *moved[v]);
        }
      }
      add_quad_rvv(planes, planes + stride, fours + c * stride, n, moved, shifts);
    }
    add_fours_rvv(planes, fours, n, stride * sizeof *planes);
  }
  compare_rvv(ring, reached, planes, threshold);
  if (reached_low != NULL) {
    compare_rvv(ring, reached_low, planes, threshold_low);
  }
}

const struct bike_counters ckem_bike_counters_rvv = {
    .name = "rvv",
    .count_unsatisfied = count_unsatisfied_rvv,
};

#endif
