/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bit-sliced counters on 64-bit words in plain C.
 *
 * The counters of all positions are added at once: the syndrome is rotated by each index of the
 * support, and the rotated vectors are summed bit by bit into planes, plane b holding bit b of
 * every counter. A rotation by a secret amount is a cascade of selections between a vector and the
 * same vector a power of two further on.
 */
#include <string.h>

#include "base/ct.h"
#include "base/isa.h"
#include "bike/counters.h"

#define PLANES 8 /* counters below 256 */
#define GROUP 8  /* vectors that are added together */

/* The smallest power of two that is at least words: the largest word shift, doubled. */
static uint32_t rotation_reach_portable(const struct gf2x_ring *ring) {
  uint32_t reach = 1;

  while (reach < ring->words) {
    reach *= 2;
  }
  return reach;
}

/* out[j] = a[j mod r] for as many bits as a rotation can reach; the rest is zero. */
static void extend_cyclically_portable(const struct gf2x_ring *ring, uint64_t *out,
                                       size_t out_words, const uint64_t *a) {
  const size_t n = ring->words;
  const unsigned shift = ring->r_bits % 64; /* not 0, because r is an odd prime */

  memset(out, 0, out_words * sizeof *out);
  memcpy(out, a, n * sizeof *out);
  out[n - 1] |= a[0] << shift;
  for (size_t i = 0; i + 1 < n; i++) {
    out[n + i] = a[i] >> (64 - shift) | a[i + 1] << shift;
  }
  out[2 * n - 1] = a[n - 1] >> (64 - shift);
}

#if ISA_WORDS_OF_32_BITS

/* Words of 32 bits here: the last step of a rotation shifts words by a secret amount. All others
 * are made three at a time along chains of words, so that a word is loaded and stored once for
 * three choices. */
typedef uint32_t word;

/* Returns b where mask is set, else a. */
static inline word choose(word a, word b, word mask) {
  return a ^ ((a ^ b) & mask);
}

/* The choices for distances 4 h, 2 h and h along the words h apart: masks, and what is known of the
 * next words. */
struct chain {
  word mask[3];
  word x[4]; /* words 3 to 6 */
  word y[2]; /* words 1 and 2 after the first choice */
  word z;    /* word 0 after the second one */
};

static inline struct chain make_chain(size_t h, uint32_t total) {
  struct chain c;

  for (size_t b = 0; b < 3; b++) {
    c.mask[b] = ct_mask_zero_u32(total & (uint32_t)(4 * h >> b)) ^ UINT32_MAX;
  }
  return c;
}

static inline void start_chain(struct chain *chain, const word *in, size_t h) {
  struct chain c = *chain;

  for (size_t k = 0; k < 4; k++) {
    c.x[k] = in[(k + 3) * h];
  }
  const word y_0 = choose(in[0], in[4 * h], c.mask[0]);
  c.y[0] = choose(in[h], in[5 * h], c.mask[0]);
  c.y[1] = choose(in[2 * h], in[6 * h], c.mask[0]);
  c.z = choose(y_0, c.y[1], c.mask[1]);
  *chain = c;
}

/* Returns the next word after all three choices; next is the word seven further on, and k counts
 * the words modulo 4. */
static inline word follow_chain(struct chain *c, word next, unsigned k) {
  const word y = choose(c->x[k], next, c->mask[0]);
  const word z = choose(c->y[k % 2], y, c->mask[1]);
  const word result = choose(c->z, z, c->mask[2]);

  c->x[k] = next;
  c->y[k % 2] = y;
  c->z = z;
  return result;
}

/* Moves at least words by those of the distances 4 h, 2 h and h that are in total, in place: up to
 * 4 h words more, and 11 h more are read. */
static void move_words_portable(word *out, const word *in, size_t words, size_t h, uint32_t total) {
  struct chain c = make_chain(h, total);

  for (size_t column = 0; column < h; column++) {
    start_chain(&c, in + column, h);
    for (size_t i = column; i < words; i += 4 * h) {
      out[i] = follow_chain(&c, in[i + 7 * h], 0);
      out[i + h] = follow_chain(&c, in[i + 8 * h], 1);
      out[i + 2 * h] = follow_chain(&c, in[i + 9 * h], 2);
      out[i + 3 * h] = follow_chain(&c, in[i + 10 * h], 3);
    }
  }
}

/* Bits shift to shift + 31 of low and high, one behind the other. */
static inline word shift_in(word low, word high, unsigned shift) {
  return low >> shift | high << 1 << (31 - shift);
}

/* The same for distances 4, 2 and 1, and for bits: out[j] = in[j + amount % 256]. */
static void move_bits_portable(uint64_t *out, size_t words, const word *in, uint32_t amount) {
  const unsigned shift = amount % 32;
  struct chain c = make_chain(1, amount / 32);

  start_chain(&c, in, 1);
  word before = follow_chain(&c, in[7], 0);

  for (size_t i = 0; i < words; i += 2, in += 4) {
    const word second = follow_chain(&c, in[8], 1);
    const word third = follow_chain(&c, in[9], 2);
    const word fourth = follow_chain(&c, in[10], 3);
    const word fifth = follow_chain(&c, in[11], 0);
    out[i] = shift_in(before, second, shift) | (uint64_t)shift_in(second, third, shift) << 32;
    out[i + 1] = shift_in(third, fourth, shift) | (uint64_t)shift_in(fourth, fifth, shift) << 32;
    before = fifth;
  }
}

/* out[i] = in[i + distance] if total has the bit distance, a power of two, else in[i], for
 * i < words; out may be in. */
static void move_once_portable(word *out, const word *in, size_t words, uint32_t distance,
                               uint32_t total) {
  const word mask = ct_mask_zero_u32(total & distance) ^ UINT32_MAX;

  for (size_t i = 0; i < words; i++) {
    out[i] = choose(in[i], in[i + distance], mask);
  }
}

/* The words of a[words], lowest first, in its place. */
static void cut_words_portable(uint64_t *a, size_t words) {
  word *out = (word *)(void *)a;

  for (size_t i = 0; i < words; i++) {
    const uint64_t both = a[i];
    out[2 * i] = (word)both;
    out[2 * i + 1] = (word)(both >> 32);
  }
}

/* out[j] = extended[j + amount]; work: 2 strides, which have any values. */
static void rotate_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *extended,
                            uint32_t amount, uint32_t reach, uint64_t *work) {
  const size_t n = 2 * (size_t)ring->words + 1; /* what the last step needs */
  const word *in = (const word *)(const void *)extended;
  word *moved = (word *)(void *)work;
  uint32_t distance = reach; /* half of the reach in words of 32 bits */

  for (; (distance & 0x24924924) == 0; distance /= 2) { /* until it is 4 times a power of 8 */
    move_once_portable(moved, in, n + distance, distance, amount / 32);
    in = moved;
  }
  for (; distance > 4; distance /= 8) {
    move_words_portable(moved, in, n + distance / 4, distance / 4, amount / 32);
    in = moved;
  }
  move_bits_portable(out, ring->words, in, amount);
}

#else

/* out[i] = in[i + distance] if total has the bit distance, a power of two, else in[i], for
 * i < words; out may be in. */
static void select_shifted_portable(uint64_t *out, const uint64_t *in, size_t words,
                                    uint32_t distance, uint32_t total) {
  const uint64_t mask = ~ct_mask_zero_u64(total & distance);

  for (size_t i = 0; i < words; i++) {
    out[i] = in[i] ^ ((in[i] ^ in[i + distance]) & mask);
  }
}

/* out[j] = extended[j + amount]; work: 2 strides. */
static void rotate_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *extended,
                            uint32_t amount, uint32_t reach, uint64_t *work) {
  const size_t n = ring->words;
  const unsigned shift = amount % 64;
  uint32_t distance = reach / 2;

  select_shifted_portable(work, extended, n + distance, distance, amount / 64);
  for (distance /= 2; distance > 0; distance /= 2) {
    select_shifted_portable(work, work, n + distance, distance, amount / 64);
  }
  for (size_t i = 0; i < n; i++) {
    out[i] = ct_shift_right_u64(work[i], shift) | ct_shift_left_u64(work[i + 1] << 1, 63 - shift);
  }
}

#endif

/* Adds three bits of one weight: the sum stays in *a, the carry has twice the weight. */
static inline uint64_t full_add(uint64_t *a, uint64_t b, uint64_t c) {
  const uint64_t half = *a ^ b;
  const uint64_t carry = (*a & b) | (half & c);

  *a = half ^ c;
  return carry;
}

/* Adds GROUP vectors to the counters: a tree of carry-save adders, then a carry through the upper
 * planes. planes[b * stride + i], group[v * stride + i]. */
static void add_group_portable(size_t words, size_t stride, uint64_t *planes,
                               const uint64_t *group) {
  /* For the proof of memory safety, here and below: what is only read, or has values already, needs
   * no unrolling. */
  //@ loop unroll 0;
  for (size_t i = 0; i < words; i++) {
    uint64_t *plane = planes + i;
    const uint64_t *v = group + i;
    const uint64_t twos0 = full_add(&plane[0], v[0 * stride], v[1 * stride]);
    const uint64_t twos1 = full_add(&plane[0], v[2 * stride], v[3 * stride]);
    const uint64_t twos2 = full_add(&plane[0], v[4 * stride], v[5 * stride]);
    const uint64_t twos3 = full_add(&plane[0], v[6 * stride], v[7 * stride]);
    const uint64_t fours0 = full_add(&plane[1 * stride], twos0, twos1);
    const uint64_t fours1 = full_add(&plane[1 * stride], twos2, twos3);
    uint64_t carry = full_add(&plane[2 * stride], fours0, fours1);
    for (size_t b = 3; b < PLANES; b++) {
      const uint64_t next = plane[b * stride] & carry;
      plane[b * stride] ^= carry;
      carry = next;
    }
  }
}

/* out[j] = counter j >= threshold, compared from the highest bit down. */
static void compare_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *planes,
                             uint32_t threshold) {
  uint64_t threshold_bits[PLANES];

  for (size_t b = 0; b < PLANES; b++) {
    threshold_bits[b] = ct_mask_bit_u64(threshold >> b);
  }
  for (size_t i = 0; i < ring->words; i++) {
    uint64_t greater = 0;
    uint64_t equal = UINT64_MAX;
    for (size_t b = PLANES; b-- > 0;) {
      const uint64_t bits = planes[b * ring->stride + i];
      greater |= equal & bits & ~threshold_bits[b];
      equal &= ~(bits ^ threshold_bits[b]);
    }
    out[i] = greater | equal;
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

static void count_unsatisfied_portable(const struct gf2x_ring *ring, uint64_t *reached,
                                       uint32_t threshold, uint64_t *reached_low,
                                       uint32_t threshold_low, const uint64_t *syndrome,
                                       const uint32_t *support, size_t weight, uint64_t *scratch) {
  const size_t stride = ring->stride;
  const uint32_t reach = rotation_reach_portable(ring);
  uint64_t *extended = scratch; /* 3 strides */
  uint64_t *work = extended + 3 * stride; /* 2 strides */
  uint64_t *group = work + 2 * stride;
  uint64_t *planes = group + GROUP * stride;

  extend_cyclically_portable(ring, extended, 3 * stride, syndrome);
#if ISA_WORDS_OF_32_BITS
  cut_words_portable(extended, 3 * stride);
  memset(work, 0, 2 * stride * sizeof *work);
#endif
  memset(planes, 0, PLANES * stride * sizeof *planes);
  for (size_t k = 0; k < weight; k += GROUP) {
    for (size_t v = 0; v < GROUP; v++) {
      if (k + v < weight) {
        rotate_portable(ring, group + v * stride, extended, support[k + v], reach, work);
      } else {
        memset(group + v * stride, 0, stride * sizeof *group);
      }
    }
    add_group_portable(ring->words, stride, planes, group);
  }
  compare_portable(ring, reached, planes, threshold);
  if (reached_low != NULL) {
    compare_portable(ring, reached_low, planes, threshold_low);
    //@ assert set: \initialized(reached_low + (0 .. ring->stride - 1));
  }
}

const struct bike_counters ckem_bike_counters_portable = {
    .name = "portable",
    .count_unsatisfied = count_unsatisfied_portable,
};
