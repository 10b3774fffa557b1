/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The arithmetic of the laboratory's decoders, for any odd r, on vectors of the processor. All of
 * it branches on the data and uses it as addresses: nothing is secret here.
 *
 * A vector of r bits has lab_stride(r) words; bits from r on are zero. Its spread form is the
 * vector written down twice, and that eight times, each moved down by one bit more: so reading it
 * from any bit on is one load from a byte.
 */
#ifndef CODEKEM_EVALUATION_ENGINE_H
#define CODEKEM_EVALUATION_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#define LAB_MAX_R_BITS 57637
#define LAB_BLOCK_BITS 1024 /* two of the largest vectors */
#define LAB_BLOCK_WORDS 16
#define LAB_BLOCKS(r_bits) (((r_bits) + LAB_BLOCK_BITS - 1) / LAB_BLOCK_BITS)
#define LAB_STRIDE(r_bits) (LAB_BLOCKS(r_bits) * LAB_BLOCK_WORDS)
#define LAB_COPY_WORDS(r_bits) (2 * LAB_STRIDE(r_bits) + 2 * LAB_BLOCK_WORDS)
#define LAB_COPIES 8
#define LAB_PLANES 8      /* counters below 256 */
#define LAB_MAX_WEIGHT 256 /* of a support, rounded up to whole groups */

struct engine {
  const char *name;
  /* copies = the spread form of a: LAB_COPIES times LAB_COPY_WORDS words. */
  void (*spread)(uint32_t r_bits, uint64_t *copies, const uint64_t *a);
  /* planes[b * stride + i]: bit b of the counters of the positions in word i. The counter of j is
   * how many p of the support have bit (j + p) mod r of the spread syndrome set. */
  void (*count)(uint32_t r_bits, uint64_t *planes, const uint64_t *copies, const uint32_t *support,
                size_t weight);
  /* Counts without keeping the counters: reached = the positions whose counter is at least
   * levels[0]; gray, unless NULL, = those from levels[1] on that are not reached. */
  void (*reach)(uint32_t r_bits, uint64_t *reached, uint64_t *gray, const uint64_t *copies,
                const uint32_t *support, size_t weight, const uint32_t levels[2]);
  /* out = the positions whose counter is at least threshold. */
  void (*at_least)(uint32_t r_bits, uint64_t *out, const uint64_t *planes, uint32_t threshold);
  /* a += x^p b for each p of the list; copies is the spread form of b. */
  void (*add_columns)(uint32_t r_bits, uint64_t *a, const uint64_t *copies, const uint32_t *list,
                      size_t count);
  /* The same for sums modulo 4: ones has their low bits, twos the high ones. */
  void (*count_columns)(uint32_t r_bits, uint64_t *ones, uint64_t *twos, const uint64_t *copies,
                        const uint32_t *list, size_t count);
  /* Returns how many bits differ. */
  uint32_t (*distance)(uint32_t r_bits, const uint64_t *a, const uint64_t *b);
  /* Returns how many of the sums modulo 4 of two such pairs (ones, twos) are 3. */
  uint32_t (*threes)(uint32_t r_bits, const uint64_t *const a[2], const uint64_t *const b[2]);
  /* Returns how many bits are set. */
  uint32_t (*weight)(uint32_t r_bits, const uint64_t *a);
  /* list = the positions of the bits that are set, in order; returns how many. */
  size_t (*positions)(uint32_t r_bits, uint32_t *list, const uint64_t *a);
  /* Returns how many bits a and x^position b have in common; copies is the spread form of b. NULL
   * where vectors cannot count bits. */
  uint32_t (*common)(uint32_t r_bits, const uint64_t *a, const uint64_t *copies, uint32_t position);
};

/* The engine of that name, or the fastest if name is NULL; NULL if this processor has it not. */
const struct engine *engine_named(const char *name);

/* Those of single instruction sets; NULL where the compiler cannot make them. */
const struct engine *engine_avx512(void);
const struct engine *engine_avx2(void);
const struct engine *engine_portable(void);

#endif
