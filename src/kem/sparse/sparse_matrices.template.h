/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Positions to coefficients by products of bit matrices, on vectors of any width.
 *
 * Position j has word w and bit s; with one-hot rows W_j and S_j the element is the sum of the
 * products W_j^T S_j. The GFNI instruction multiplies 8 x 8 bit matrices, so it adds eight
 * positions to eight bits of as many words at once as a vector has bytes.
 *
 * A template (base/template.h): it defines set_positions with the suffix. The file that includes
 * this defines before it
 *   TEMPLATE_SUFFIX: its own ending;
 *   ALWAYS_INLINE: the beginning of a function that is always inlined;
 *   vector, VECTOR_WORDS: a vector of so many 64-bit words;
 *   zero(), vector_xor(a, b), store(to, x), of aligned memory;
 *   unpack_low_N(a, b), unpack_high_N(a, b) for N = 8, 16, 32: elements of N bits of the lower or
 *     upper halves of 128-bit lanes in turn;
 *   ordered(bytes): the bytes in the order that interleave needs;
 *   struct group, with a member bits[8]: bits[a] is the matrix of bits 8 a to 8 a + 7 of one-hot
 *     rows S_j;
 *   prepare_group(group, positions, count, first): of the first eight of count positions, less
 *     first; those below first, and those that are missing, are in no word;
 *   words_of(group, start): byte c is column c of the one-hot rows of words from start on, row j in
 *     bit j;
 *   multiply(columns, matrix): of every eight bytes.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(ALWAYS_INLINE) || !defined(VECTOR_WORDS)
#error This is a template: define TEMPLATE_SUFFIX, ALWAYS_INLINE, vector, VECTOR_WORDS, \
  struct group and the functions named above before it
#endif

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "base/template.h"
#include "base/unroll.h"
#include "gf2x/gf2x.h"
#include "sparse/sparse.h"

#define MAX_GROUPS ((SPARSE_MAX_POSITIONS + GROUP - 1) / GROUP)
#define CHUNK_WORDS (8 * VECTOR_WORDS) /* words that are made at once */

/* Writes vectors[8] with the words whose bytes a are bytes[a]. */
ALWAYS_INLINE void interleave(vector vectors[8], const vector bytes[8]) {
  vector v[8], pairs[8], fours[8];

  UNROLL
  for (unsigned a = 0; a < 8; a++) {
    v[a] = ordered(bytes[a]);
  }
  UNROLL
  for (unsigned a = 0; a < 4; a++) {
    pairs[a] = unpack_low_8(v[2 * a], v[2 * a + 1]);
    pairs[a + 4] = unpack_high_8(v[2 * a], v[2 * a + 1]);
  }
  UNROLL
  for (unsigned half = 0; half < 2; half++) {
    const vector *p = pairs + 4 * half;
    vector *f = fours + 4 * half;
    f[0] = unpack_low_16(p[0], p[1]);
    f[1] = unpack_low_16(p[2], p[3]);
    f[2] = unpack_high_16(p[0], p[1]);
    f[3] = unpack_high_16(p[2], p[3]);
  }
  UNROLL
  for (unsigned quarter = 0; quarter < 4; quarter++) {
    vectors[2 * quarter] = unpack_low_32(fours[2 * quarter], fours[2 * quarter + 1]);
    vectors[2 * quarter + 1] = unpack_high_32(fours[2 * quarter], fours[2 * quarter + 1]);
  }
}

/* Makes the CHUNK_WORDS words from `start` on. */
ALWAYS_INLINE void make_chunk(vector made[8], const struct group *groups, size_t group_count,
                              uint32_t start) {
  vector bytes[8];

  UNROLL
  for (unsigned a = 0; a < 8; a++) {
    bytes[a] = zero();
  }
  for (size_t g = 0; g < group_count; g++) {
    const vector columns = words_of(&groups[g], start);
    UNROLL
    for (unsigned a = 0; a < 8; a++) {
      bytes[a] = vector_xor(bytes[a], multiply(columns, groups[g].bits[a]));
    }
  }
  interleave(made, bytes);
}

static void TEMPLATE_NAME(set_positions)(const struct gf2x_ring *ring, uint64_t *out,
                                         const uint32_t *positions, size_t count, uint32_t first) {
  const size_t group_count = (count + GROUP - 1) / GROUP;
  struct group groups[MAX_GROUPS];

  assert(count <= SPARSE_MAX_POSITIONS);
  for (size_t g = 0; g < group_count; g++) {
    prepare_group(&groups[g], positions + GROUP * g, count - GROUP * g, first);
  }
  for (uint32_t start = 0; start < ring->stride; start += CHUNK_WORDS) {
    vector made[8];
    make_chunk(made, groups, group_count, start);
    for (uint32_t i = 0; i < 8 && start + VECTOR_WORDS * i < ring->stride; i++) {
      store(out + start + VECTOR_WORDS * i, made[i]);
    }
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  for (uint32_t i = ring->words; i < ring->stride; i++) {
    out[i] = 0;
  }
}
