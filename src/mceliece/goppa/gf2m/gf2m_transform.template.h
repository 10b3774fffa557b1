/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The additive Fourier transform [GM10] over GF(2^m) and its transpose [BCS13], bitsliced.
 *
 * A polynomial f at the points of a basis b_0, ..., b_last: with c = b_last, f(c x) is written as
 * u(x^2 + x) + x v(x^2 + x) (Taylor expansion). Points come in pairs that differ in b_last only,
 * and for a pair g, g + 1 of quotients by c the values are u(d) + g v(d) and that plus v(d), with
 * d = g^2 + g. So u and v are evaluated at half as many points. b_last belongs to the highest bit
 * of a point's number: one half of the vector is for u, the other for v.
 *
 * A polynomial has 256 coefficients, one in each lane of four words; coefficient k is in lane
 * reverse(k), so that after r levels the constants are in order, 2^(8 - r) lanes apart.
 *
 * Included after gf2m_vectors.template.h. For VECTOR_WORDS > 1 vector_split(log_h, lo, hi, x, y) is
 * needed for 64 <= h = 2^log_h < 64 VECTOR_WORDS: lo takes the words of x and y whose number has
 * the bit h / 64 clear, those of y h lanes higher; hi the others, those of x h lanes lower. Also
 * vector_spread(x, log_step): word i is filled with bit i << log_step of x. For VECTOR_WORDS = 8
 * vector_load_half(p) reads four words. Optional: taylor_step as TAYLOR_STEP below; pack_lanes and
 * unpack_lanes (m, ...) as those below; and vector_gather(m, levels, lanes, values), which adds to
 * the lanes the sums of groups of 32 or 64.
 */
#ifndef TEMPLATE_SUFFIX
#error This is a template: define TEMPLATE_SUFFIX, and what is named above, before it
#endif

#include "gf2m/gf2m_taylor.template.h"

/* The values of pairs of points, from those of u in lo and v in hi, in place; or the transpose. The
 * three are vectors of a plane, 8 words from the next; `add` is added to all of gamma. */
ALWAYS_INLINE void TEMPLATE_NAME(butterfly_in)(unsigned m, bool transposed, uint64_t *lo,
                                               uint64_t *hi, const uint64_t *gamma, uint32_t add) {
  vector u[MAX_DEGREE], v[MAX_DEGREE], g[MAX_DEGREE], product[MAX_DEGREE];

  TEMPLATE_NAME(load)(m, u, lo, 0);
  TEMPLATE_NAME(load)(m, v, hi, 0);
  UNROLL
  for (unsigned b = 0; b < m; b++) {
    g[b] = vector_xor(vector_load(gamma + (size_t)b * GF2M_PLANE_WORDS),
                      vector_fill(UINT64_C(0) - (add >> b & 1)));
    if (transposed) {
      u[b] = vector_xor(u[b], v[b]);
    }
  }
  TEMPLATE_NAME(product)(m, product, transposed ? u : v, g);
  UNROLL
  for (unsigned b = 0; b < m; b++) {
    if (transposed) {
      v[b] = vector_xor(v[b], product[b]);
    } else {
      u[b] = vector_xor(u[b], product[b]);
      v[b] = vector_xor(v[b], u[b]);
    }
  }
  TEMPLATE_NAME(store)(m, lo, 0, u);
  TEMPLATE_NAME(store)(m, hi, 0, v);
}

#define DEFINE_BUTTERFLY(m, transposed, name)                            \
  static __attribute__((noinline)) void TEMPLATE_NAME(name##_##m)(       \
      uint64_t *lo, uint64_t *hi, const uint64_t *gamma, uint32_t add) { \
    TEMPLATE_NAME(butterfly_in)(m, transposed, lo, hi, gamma, add);      \
  }

DEFINE_BUTTERFLY(12, false, butterfly)
DEFINE_BUTTERFLY(13, false, butterfly)
DEFINE_BUTTERFLY(12, true, butterfly_transposed)
DEFINE_BUTTERFLY(13, true, butterfly_transposed)

typedef void TEMPLATE_NAME(butterfly_function)(uint64_t *lo, uint64_t *hi, const uint64_t *gamma,
                                               uint32_t add);

static TEMPLATE_NAME(butterfly_function) *
    TEMPLATE_NAME(butterfly_of)(unsigned m, bool transposed) {
  if (m == 12) {
    return transposed ? TEMPLATE_NAME(butterfly_transposed_12) : TEMPLATE_NAME(butterfly_12);
  }
  return transposed ? TEMPLATE_NAME(butterfly_transposed_13) : TEMPLATE_NAME(butterfly_13);
}

/* Separates pairs h = 2^log_h < 64 VECTOR_WORDS lanes apart. */
ALWAYS_INLINE void TEMPLATE_NAME(split)(unsigned log_h, vector *lo, vector *hi, vector x,
                                        vector y) {
  const unsigned h = 1U << log_h;

  if (log_h < 6) {
    const vector high = vector_fill(log_h == 5 ? LANES_WITH_BIT(5) : LANES_WITH_BIT(4));
    const vector low = vector_fill(log_h == 5 ? ~LANES_WITH_BIT(5) : ~LANES_WITH_BIT(4));
    const vector new_lo = vector_xor(vector_and(x, low), vector_shift_left(vector_and(y, low), h));
    *hi = vector_xor(vector_shift_right(vector_and(x, high), h), vector_and(y, high));
    *lo = new_lo;
    return;
  }
#if VECTOR_WORDS > 1
  vector_split(log_h, lo, hi, x, y);
#endif
}

/* From vectors with pairs 2^from lanes apart to those with pairs 2^to apart; 0 stands for those of
 * two blocks, whose pairs are in one vector. To separate pairs undoes itself. */
ALWAYS_INLINE void TEMPLATE_NAME(regroup_by)(unsigned m, unsigned from, unsigned to, uint64_t *lo,
                                             uint64_t *hi, const uint64_t *x, const uint64_t *y) {
  for (unsigned b = 0; b < m; b++) {
    const size_t at = (size_t)b * GF2M_PLANE_WORDS;
    vector u = vector_load(x + at), v = vector_load(y + at);

    if (from != 0) {
      TEMPLATE_NAME(split)(from, &u, &v, u, v);
    }
    if (to != 0) {
      TEMPLATE_NAME(split)(to, &u, &v, u, v);
    }
    vector_store(lo + at, u);
    vector_store(hi + at, v);
  }
}

#define REGROUP_CASE(from, to)                                \
  case 16 * (from) + (to):                                    \
    TEMPLATE_NAME(regroup_by)(m, (from), (to), lo, hi, x, y); \
    break
#define REGROUP_CASES(log_h)        \
  REGROUP_CASE(0, log_h);           \
  REGROUP_CASE(log_h, 0);           \
  REGROUP_CASE(log_h, (log_h) - 1); \
  REGROUP_CASE((log_h) - 1, log_h)

static void TEMPLATE_NAME(regroup)(unsigned m, unsigned from, unsigned to, uint64_t *lo,
                                   uint64_t *hi, const uint64_t *x, const uint64_t *y) {
  switch (16 * from + to) {
    REGROUP_CASE(0, 4);
    REGROUP_CASE(4, 0);
    REGROUP_CASES(5);
#if VECTOR_WORDS > 1
    REGROUP_CASES(6);
#endif
#if VECTOR_WORDS > 2
    REGROUP_CASES(7);
#endif
#if VECTOR_WORDS > 4
    REGROUP_CASES(8);
#endif
    default:
      break;
  }
}

/* Levels with h below 64 VECTOR_WORDS, from `first` on in the order of the transform: the two
 * vectors of a pair come from two blocks, and from the same ones for all of these levels.
 * scratch: two blocks. */
static void TEMPLATE_NAME(narrow_levels)(unsigned m, unsigned first, size_t count, uint64_t *values,
                                         const struct gf2m_field *field, bool transposed,
                                         uint64_t *scratch) {
  TEMPLATE_NAME(butterfly_function) *const butterfly = TEMPLATE_NAME(butterfly_of)(m, transposed);
  const size_t step = GF2M_BLOCK_WORDS(m);
  uint64_t *lo = scratch;
  uint64_t *hi = scratch + step;

  for (size_t i = 0; count > 0 && i < GF2M_FIELD_BLOCKS(m) * BLOCK_VECTORS / 2; i++) {
    const size_t in_block = VECTOR_WORDS * (i % BLOCK_VECTORS);
    uint64_t *x = values + step * (i / BLOCK_VECTORS * 2) + in_block;
    unsigned number = first;
    unsigned log_h = m - 1 - number;

    TEMPLATE_NAME(regroup)(m, 0, log_h, lo, hi, x, x + step);
    for (size_t k = 0; k < count; k++) {
      butterfly(lo, hi, field->levels[number].gamma[0] + in_block, 0);
      number = transposed ? number + 1 : number - 1;
      if (k + 1 < count) {
        TEMPLATE_NAME(regroup)(m, log_h, m - 1 - number, lo, hi, lo, hi);
        log_h = m - 1 - number;
      }
    }
    TEMPLATE_NAME(regroup)(m, log_h, 0, x, x + step, lo, hi);
  }
}

/* A level with h at least 64 VECTOR_WORDS. */
static void TEMPLATE_NAME(wide_level)(unsigned m, unsigned log_h, uint64_t *values,
                                      const struct gf2m_level *level, bool transposed) {
  TEMPLATE_NAME(butterfly_function) *const butterfly = TEMPLATE_NAME(butterfly_of)(m, transposed);
  const size_t step = GF2M_BLOCK_WORDS(m);
  const size_t words = (size_t)1 << (m - 6); /* of a plane */
  const size_t h = (size_t)1 << (log_h - 6);

  for (size_t word = 0; word < words; word += VECTOR_WORDS) {
    if ((word & h) == 0) {
      const size_t in_half = word % h / 8;
      uint32_t add = 0;
      for (unsigned j = 0; j < 3; j++) {
        add ^= (in_half >> j & 1) != 0 ? level->high[j] : 0U;
      }
      butterfly(values + word / 8 * step + word % 8,
                values + (word + h) / 8 * step + (word + h) % 8, level->gamma[0] + word % 8, add);
    }
  }
}

/* All levels from the last of `levels` to the first one; or transposed, the other way. */
static void TEMPLATE_NAME(all_levels)(unsigned m, unsigned levels, uint64_t *values,
                                      const struct gf2m_field *field, bool transposed,
                                      uint64_t *scratch) {
  unsigned wide = 0; /* the number of levels with h at least 64 VECTOR_WORDS; they come first */

  while (wide < levels && (64U * VECTOR_WORDS) >> (m - 1 - wide) <= 1) {
    wide++;
  }
  if (!transposed) {
    TEMPLATE_NAME(narrow_levels)(m, levels - 1, levels - wide, values, field, false, scratch);
  }
  for (unsigned i = 0; i < wide; i++) {
    const unsigned number = transposed ? i : wide - 1 - i;
    TEMPLATE_NAME(wide_level)(m, m - 1 - number, values, &field->levels[number], transposed);
  }
  if (transposed) {
    TEMPLATE_NAME(narrow_levels)(m, wide, levels - wide, values, field, true, scratch);
  }
}

/* Sets all points of group g of 2^levels to lane 2^(8 - levels) g. */
static void TEMPLATE_NAME(spread)(unsigned m, unsigned levels, uint64_t *values,
                                  const uint64_t *lanes) {
  const unsigned log_group = m - levels; /* points in a group */
  const unsigned parts = log_group >= 6 ? 1 : 64U >> log_group;
#if VECTOR_WORDS > 1
  if (log_group == 6 && levels >= 5) { /* a word has one group; those of a vector are near */
    for (size_t word = 0; word < (size_t)1 << (m - 6); word += VECTOR_WORDS) {
      uint64_t *to = values + word / 8 * GF2M_BLOCK_WORDS(m) + word % 8;
      const size_t lane = word << (8 - levels);
      for (unsigned b = 0; b < m; b++) {
        const uint64_t x = lanes[(size_t)b * GF2M_PLANE_WORDS + lane / 64] >> (lane % 64);
        vector_store(to + (size_t)b * GF2M_PLANE_WORDS, vector_spread(x, 8 - levels));
      }
    }
    return;
  }
#endif
  const uint64_t part_bits = log_group >= 6 ? ~UINT64_C(0) : (UINT64_C(1) << (64 / parts)) - 1;

  for (size_t word = 0; word < (size_t)1 << (m - 6); word++) {
    uint64_t *to = values + word / 8 * GF2M_BLOCK_WORDS(m) + word % 8;
    for (unsigned b = 0; b < m; b++) {
      const uint64_t *x = lanes + (size_t)b * GF2M_PLANE_WORDS;
      uint64_t made = 0;
      for (unsigned part = 0; part < parts; part++) {
        const size_t lane = ((64 * word + part * (64 / parts)) >> log_group) << (8 - levels);
        made |= (ct_mask_bit_u64(x[lane / 64] >> (lane % 64)) & part_bits) << (part * (64 / parts));
      }
      to[(size_t)b * GF2M_PLANE_WORDS] = made;
    }
  }
}

/* The transpose: lanes get the sums of the groups. */
static void TEMPLATE_NAME(gather)(unsigned m, unsigned levels, uint64_t *lanes,
                                  const uint64_t *values) {
  const unsigned log_group = m - levels;
  const unsigned parts = log_group >= 6 ? 1 : 64U >> log_group;

#if defined(vector_gather)
  if (log_group == 5 || log_group == 6) {
    vector_gather(m, levels, lanes, values);
    return;
  }
#endif
  //@ loop unroll 0;
  for (size_t word = 0; word < (size_t)1 << (m - 6); word++) {
    const uint64_t *from = values + word / 8 * GF2M_BLOCK_WORDS(m) + word % 8;
    for (unsigned b = 0; b < m; b++) {
      uint64_t *x = lanes + (size_t)b * GF2M_PLANE_WORDS;
      uint64_t sum = from[(size_t)b * GF2M_PLANE_WORDS];
      for (unsigned shift = 32 / parts; shift > 0; shift /= 2) {
        sum ^= sum >> shift; /* right at the lowest bit of each part */
      }
      for (unsigned part = 0; part < parts; part++) {
        const size_t lane = ((64 * word + part * (64 / parts)) >> log_group) << (8 - levels);
        x[lane / 64] ^= (sum >> (part * (64 / parts)) & 1) << (lane % 64);
      }
    }
  }
}

/* Adds factor * (point i)^(2^k), which is linear in the bits of i. */
static void TEMPLATE_NAME(add_linear)(const struct gf2m_field *field, uint64_t *values,
                                      uint16_t factor, unsigned k) {
  const unsigned m = field->degree;
  uint16_t image[MAX_DEGREE]; /* of the points 1, 2, 4, ... */
  _Alignas(64) uint64_t pattern[MAX_DEGREE * GF2M_PLANE_WORDS];

  for (unsigned j = 0; j < m; j++) {
    image[j] = ckem_gf2m_multiply(field, factor, field->frobenius[k][m - 1 - j]);
  }
  for (unsigned b = 0; b < m; b++) {
    uint64_t word = 0;
    for (unsigned j = 0; j < 6; j++) {
      word ^= LANES_WITH_BIT(j) & ct_mask_bit_u64((uint64_t)image[j] >> b);
    }
    for (unsigned i = 0; i < GF2M_PLANE_WORDS; i++) {
      uint64_t whole = 0;
      for (unsigned j = 0; j < 3; j++) {
        whole ^= (i >> j & 1) != 0 ? (uint64_t)image[6 + j] >> b : 0;
      }
      pattern[b * GF2M_PLANE_WORDS + i] = word ^ ct_mask_bit_u64(whole);
    }
  }
  for (size_t block = 0; block < GF2M_FIELD_BLOCKS(m); block++) {
    uint32_t add = 0;
    for (unsigned j = 9; j < m; j++) {
      add ^= (block >> (j - 9) & 1) != 0 ? image[j] : 0U;
    }
    for (unsigned b = 0; b < m; b++) {
      const uint64_t mask = ct_mask_bit_u64((uint64_t)add >> b);
      uint64_t *to = values + GF2M_BLOCK_WORDS(m) * block + (size_t)b * GF2M_PLANE_WORDS;
      for (unsigned i = 0; i < GF2M_PLANE_WORDS; i++) {
        to[i] ^= pattern[b * GF2M_PLANE_WORDS + i] ^ mask;
      }
    }
  }
}

#if defined(pack_lanes)
#define PACK_LANES(field, lanes, f, count) pack_lanes((field)->degree, (lanes), (f), (count))
#define UNPACK_LANES(field, f, lanes, count) unpack_lanes((field)->degree, (f), (lanes), (count))
#else
#define PACK_LANES TEMPLATE_NAME(pack_lanes)
#define UNPACK_LANES TEMPLATE_NAME(unpack_lanes)

/* Returns the lane of coefficient k: its eight bits in reverse. */
static inline size_t TEMPLATE_NAME(lane_of)(size_t k) {
  k = (k & 0x55) << 1 | (k >> 1 & 0x55);
  k = (k & 0x33) << 2 | (k >> 2 & 0x33);
  return (k & 0x0F) << 4 | k >> 4;
}

/* Makes the lanes of the coefficients f[count]. */
static void TEMPLATE_NAME(pack_lanes)(const struct gf2m_field *field, uint64_t *lanes,
                                      const uint16_t *f, size_t count) {
  uint16_t ordered[GF2M_LANES];

  for (size_t k = 0; k < GF2M_LANES; k++) {
    ordered[TEMPLATE_NAME(lane_of)(k)] = k < count ? f[k] : 0;
  }
  pack_elements(field, lanes, ordered, GF2M_LANES);
}

/* The other way. */
static void TEMPLATE_NAME(unpack_lanes)(const struct gf2m_field *field, uint16_t *f,
                                        const uint64_t *lanes, size_t count) {
  uint16_t ordered[GF2M_LANES];

  unpack_elements(field, ordered, lanes, GF2M_LANES);
  for (size_t k = 0; k < count; k++) {
    f[k] = ordered[TEMPLATE_NAME(lane_of)(k)];
  }
}

#endif

static void TEMPLATE_NAME(gf2m_evaluate)(const struct gf2m_field *field, uint64_t *values,
                                         const uint16_t *f, size_t count, uint64_t *scratch) {
  const unsigned m = field->degree;
  uint64_t *lanes = scratch + GF2M_FIELD_WORDS(m); /* where values may be */
  unsigned levels = 0;
  size_t low; /* coefficients that the transform takes */

  while ((size_t)2 << levels <= count) {
    levels++;
  }
  low = (size_t)1 << levels;
  if (count > low + 1) {
    levels++;
    low = count;
  }
  PACK_LANES(field, lanes, f, low);
  for (unsigned l = 0; l < levels; l++) {
    if (l > 0) {
      TEMPLATE_NAME(twist)(m, lanes, &field->levels[l]);
    }
    TEMPLATE_NAME(taylor)(m, lanes, l, false);
  }
  TEMPLATE_NAME(spread)(m, levels, values, lanes);
  TEMPLATE_NAME(all_levels)(m, levels, values, field, false, lanes + GF2M_BLOCK_WORDS(m));
  if (count > low) {
    TEMPLATE_NAME(add_linear)(field, values, f[low], levels);
  }
}

static void TEMPLATE_NAME(gf2m_power_sums)(const struct gf2m_field *field, uint16_t *sums,
                                           const uint64_t *weights, size_t count,
                                           uint64_t *scratch) {
  const unsigned m = field->degree;
  const size_t words = GF2M_FIELD_WORDS(m);
  uint64_t *lanes = scratch + words;
  unsigned levels = 0;

  while ((size_t)1 << levels < count) {
    levels++;
  }
  for (size_t i = 0; weights != scratch && i < words; i++) {
    scratch[i] = weights[i];
  }
  TEMPLATE_NAME(all_levels)(m, levels, scratch, field, true, lanes + GF2M_BLOCK_WORDS(m));
  for (size_t i = 0; i < GF2M_BLOCK_WORDS(m); i++) {
    lanes[i] = 0;
  }
  TEMPLATE_NAME(gather)(m, levels, lanes, scratch);
  for (unsigned l = levels; l-- > 0;) {
    TEMPLATE_NAME(taylor)(m, lanes, l, true);
    if (l > 0) {
      TEMPLATE_NAME(twist)(m, lanes, &field->levels[l]);
    }
  }
  UNPACK_LANES(field, sums, lanes, count);
}

const struct gf2m_ops TEMPLATE_NAME(ckem_gf2m) = {
    .name = TEMPLATE_BACKEND,
    .pack = pack_elements,
    .unpack = unpack_elements,
    .multiply = TEMPLATE_NAME(gf2m_multiply),
    .square = TEMPLATE_NAME(gf2m_square),
    .invert = TEMPLATE_NAME(gf2m_invert),
    .evaluate = TEMPLATE_NAME(gf2m_evaluate),
    .power_sums = TEMPLATE_NAME(gf2m_power_sums),
    .select = TEMPLATE_NAME(gf2m_select),
    .zeros = TEMPLATE_NAME(gf2m_zeros),
    .power_rows = TEMPLATE_NAME(gf2m_power_rows),
};
