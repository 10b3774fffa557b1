/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by VPCLMULQDQ in little memory.
 *
 * gf2x_mul_avx512.c keeps all operands and products of Karatsuba's method in the order of lanes,
 * where they take twice their length. Here the operands are cut into parts of three or five units
 * first, and the products of the parts and of their sums are computed one after the other in the
 * same memory, each as in gf2x_mul_avx512.c, and added to the result wherever they belong.
 */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/isa.h"
#include "gf2x/avx512/gf2x_avx512.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define UNIT_VECTORS GF2X_UNIT_VECTORS
#define UNIT_WORDS 64
#define NATURAL_VECTORS (UNIT_WORDS / VECTOR_WORDS) /* of a unit in the natural order */

/* How the operands of a ring are cut: into parts, each of three or five units, the last one padded
 * with zeros. */
struct layout {
  const struct gf2x_split *parts;
  const struct gf2x_split *units; /* of one part */
};

/* Does the last part hold the end of the operands? */
static bool is_long_enough_avx512(const struct layout *layout, const struct gf2x_ring *ring) {
  const size_t part_words = layout->units->parts * UNIT_WORDS;

  return ring->words > (layout->parts->parts - 1) * part_words &&
         ring->words <= layout->parts->parts * part_words;
}

static struct layout find_lean_layout_avx512(const struct gf2x_ring *ring) {
  static const struct layout layouts[] = {
      {&ckem_gf2x_split_whole, &ckem_gf2x_split_in_five},
      {&ckem_gf2x_split_in_three, &ckem_gf2x_split_in_three},
      {&ckem_gf2x_split_in_five, &ckem_gf2x_split_in_three},
      {&ckem_gf2x_split_in_three, &ckem_gf2x_split_in_five},
      {&ckem_gf2x_split_in_two, &ckem_gf2x_split_in_three},
      {&ckem_gf2x_split_in_two, &ckem_gf2x_split_in_five},
  };
  const struct layout *layout = layouts;

  while (!is_long_enough_avx512(layout, ring)) {
    layout += 1;
    assert(layout < layouts + sizeof layouts / sizeof *layouts);
  }
  return *layout;
}

/* The memory of a product of parts. Unit j of the operands stands at pairs + 2 j units, a before b;
 * a product of units takes the place of the pair before, which is not needed any more. */
struct memory {
  vector *r;        /* the product of the sums of the chunks */
  vector *products; /* 2 units of each */
  vector *pairs;    /* one pair behind the products */
  vector *rest;     /* operands that are not cut yet; sums of units and their products */
};

static struct memory take_memory_avx512(size_t units, vector *scratch) {
  struct memory memory;

  memory.r = scratch;
  memory.products = memory.r + ckem_gf2x_chunk_product_vectors_avx512(units);
  memory.pairs = memory.products + 2 * UNIT_VECTORS;
  memory.rest = memory.pairs + 2 * UNIT_VECTORS * units;
  return memory;
}

/* The products of the units, from the pairs. */
static void multiply_pairs_avx512(const struct gf2x_split *split, const struct memory *memory) {
  const size_t step = 2 * UNIT_VECTORS;
  vector *sum_a = memory->rest;
  vector *sum_b = sum_a + UNIT_VECTORS;
  vector *sums = sum_b + UNIT_VECTORS;

  for (unsigned j = 0; j < split->sums; j++) {
    ckem_gf2x_add_terms_avx512(sum_a, memory->pairs, step, UNIT_VECTORS, &split->sum[j]);
    ckem_gf2x_add_terms_avx512(sum_b, memory->pairs + UNIT_VECTORS, step, UNIT_VECTORS,
                               &split->sum[j]);
    ckem_gf2x_multiply_units_avx512(sums + j * step, sum_a, sum_b, 1, NULL);
  }
  for (unsigned j = 0; j < split->parts; j++) {
    const vector *pair = memory->pairs + j * step;
    ckem_gf2x_multiply_units_avx512(memory->products + j * step, pair, pair + UNIT_VECTORS, 1,
                                    NULL);
  }
  ckem_gf2x_join_avx512(split, memory->products, sums, UNIT_VECTORS);
}

/* out[length] = the sum of parts of an operand of count vectors; the last part may be shorter. */
static void add_parts_avx512(vector *out, const vector *a, size_t count, size_t length,
                             const struct gf2x_split *split, const struct gf2x_sum *sum) {
  const size_t last = count - (split->parts - 1) * length;
  struct gf2x_sum others = *sum;

  if (sum->term[sum->terms - 1] < split->parts - 1) {
    ckem_gf2x_add_terms_avx512(out, a, length, length, sum);
    return;
  }
  others.terms -= 1;
  ckem_gf2x_add_terms_avx512(out, a, length, last, sum);
  ckem_gf2x_add_terms_avx512(out + last, a + last, length, length - last, &others);
}

/* Cuts a sum of parts; the units of out are two units apart. */
static void cut_parts_avx512(const struct layout *layout, const struct gf2x_sum *sum, vector *out,
                             vector *r, const vector *a, size_t count, vector *scratch) {
  const size_t units = layout->units->parts;
  const size_t length = units * NATURAL_VECTORS;
  const size_t start = sum->term[0] * length;

  if (sum->terms == 1) {
    ckem_gf2x_cut_operand_avx512(units, out, 2 * UNIT_VECTORS, r, a + start, count - start);
  } else {
    add_parts_avx512(scratch, a, count, length, layout->parts, sum);
    ckem_gf2x_cut_operand_avx512(units, out, 2 * UNIT_VECTORS, r, scratch, length);
  }
}

/* Returns the product of a sum of parts of a and the same sum of parts of b, in the natural
 * order. */
static const vector *multiply_parts_avx512(const struct layout *layout, const struct gf2x_sum *sum,
                                           const vector *a, const vector *b, size_t count,
                                           vector *scratch) {
  const size_t units = layout->units->parts;
  const struct memory memory = take_memory_avx512(units, scratch);
  vector *r_a = memory.rest;
  vector *r_b = r_a + GF2X_CHUNK_VECTORS(units);
  vector *rest = r_b + GF2X_CHUNK_VECTORS(units);

  cut_parts_avx512(layout, sum, memory.pairs, r_a, a, count, rest);
  cut_parts_avx512(layout, sum, memory.pairs + UNIT_VECTORS, r_b, b, count, rest);
  ckem_gf2x_multiply_chunk_avx512(memory.r, r_a, r_b, units, rest);
  multiply_pairs_avx512(layout->units, &memory);
  ckem_gf2x_join_chunks_avx512(memory.rest, memory.products, memory.r, units);
  return memory.rest;
}

/* Adds term[2 length] to sum at each of the places; where its halves meet, both at once. */
static void add_term_avx512(const struct gf2x_split *split, vector *sum, const vector *term,
                            size_t length, unsigned places) {
  for (unsigned k = 0; k < 2 * split->parts; k++, sum += length) {
    const bool low = (places >> k & 1) != 0;
    const bool high = (places << 1 >> k & 1) != 0;
    if (low && high) {
      for (size_t i = 0; i < length; i++) {
        sum[i] = xor3(sum[i], term[i], term[length + i]);
      }
    } else if (low || high) {
      const vector *half = low ? term : term + length;
      for (size_t i = 0; i < length; i++) {
        sum[i] = xor2(sum[i], half[i]);
      }
    }
  }
}

const vector *ckem_gf2x_lean_product_avx512(const struct gf2x_ring *ring, const uint64_t *a,
                                            const uint64_t *b, vector *scratch) {
  const struct layout layout = find_lean_layout_avx512(ring);
  const struct gf2x_split *split = layout.parts;
  const vector *const va = (const vector *)a;
  const vector *const vb = (const vector *)b;
  const size_t count = ring->stride / VECTOR_WORDS;
  const size_t length = layout.units->parts * NATURAL_VECTORS;
  const size_t sum_vectors = split->parts == 1 ? 0 : 2 * split->parts * length;
  vector *sum = scratch;
  vector *rest = sum + sum_vectors;
  struct gf2x_sum single = {1, {0}};

  assert((split->parts - 1) * length < count);
  assert(take_memory_avx512(layout.units->parts, rest).rest +
             2 * UNIT_VECTORS * (1 + layout.units->sums) <=
         scratch + GF2X_LEAN_SCRATCH_WORDS(ring->r_bits) / VECTOR_WORDS);
  if (split->parts == 1) {
    return multiply_parts_avx512(&layout, &single, va, vb, count, rest);
  }
  memset(sum, 0, sum_vectors * sizeof *sum);
  for (unsigned j = 0; j < split->parts; j++) {
    single.term[0] = (uint8_t)j;
    add_term_avx512(split, sum, multiply_parts_avx512(&layout, &single, va, vb, count, rest),
                    length, split->term_places[j]);
  }
  for (unsigned j = 0; j < split->sums; j++) {
    add_term_avx512(split, sum, multiply_parts_avx512(&layout, &split->sum[j], va, vb, count, rest),
                    length, split->sum_places[j]);
  }
  return sum;
}

ISA_END
#endif
