/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The additive Fourier transform of gf2m_transform.template.h on groups of 32 elements. */
#include "gf2m/gf2m_m4.h"

#include <stdbool.h>
#include <string.h>

#include "base/unroll.h"

#if defined(CODEKEM_HAVE_M4)

#define MAX_DEGREE GF2M_M4_MAX_DEGREE
#define MAX_LANE_GROUPS 8

static inline uint32_t mask_of_bit(uint32_t word, unsigned bit) {
  return (uint32_t)((int32_t)(word << (31 - bit)) >> 31);
}

uint16_t ckem_gf2m_read_m4(const struct gf2m_m4 *field, uint16_t element) {
  uint32_t sum = 0;

  if (field->degree == 13) {
    return element & 0x1FFF;
  }
  for (unsigned i = 0; i < 12; i++) {
    sum ^= field->basis[i] & mask_of_bit(element, i);
  }
  return (uint16_t)sum;
}

/* --- Squares and inverses --------------------------------------------------------------------- */

/* GF(2^6), where x^6 = x + 1. */
static inline void square_6(uint32_t out[6], const uint32_t a[6]) {
  const uint32_t a3 = a[3], a4 = a[4], a5 = a[5];
  const uint32_t a1 = a[1], a2 = a[2];

  out[0] = a[0] ^ a3;
  out[1] = a3;
  out[2] = a1 ^ a4;
  out[3] = a4;
  out[4] = a2 ^ a5;
  out[5] = a5;
}

/* (a0 + a1 y)^2 = a0^2 + a1^2 / x + a1^2 y. */
void ckem_gf2m_square_12_m4(uint32_t *out, const uint32_t *a) {
  uint32_t low[6], high[6];

  square_6(low, a);
  square_6(high, a + 6);
  out[0] = low[0] ^ high[1] ^ high[0];
  out[1] = low[1] ^ high[2];
  out[2] = low[2] ^ high[3];
  out[3] = low[3] ^ high[4];
  out[4] = low[4] ^ high[5];
  out[5] = low[5] ^ high[0];
  for (unsigned i = 0; i < 6; i++) {
    out[6 + i] = high[i];
  }
}

/* z^13 = z^4 + z^3 + z + 1, and so on for even exponents. */
void ckem_gf2m_square_13_m4(uint32_t *out, const uint32_t *a) {
  const uint32_t a7 = a[7], a8 = a[8], a9 = a[9], a10 = a[10], a11 = a[11], a12 = a[12];
  const uint32_t a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6];
  const uint32_t t = a11 ^ a12;

  out[0] = a[0] ^ a11;
  out[1] = a7 ^ t;
  out[2] = a1 ^ a7;
  out[3] = a8 ^ t;
  out[4] = a2 ^ a7 ^ a8 ^ t;
  out[5] = a7 ^ a9;
  out[6] = a3 ^ a8 ^ a9 ^ a12;
  out[7] = a8 ^ a10;
  out[8] = a4 ^ a9 ^ a10;
  out[9] = a9 ^ a11;
  out[10] = a5 ^ a10 ^ a11;
  out[11] = a10 ^ a12;
  out[12] = a6 ^ t;
}

/* out = a^(2^count). */
static void square_often(const struct gf2m_m4 *field, uint32_t *out, const uint32_t *a,
                         unsigned count) {
  field->square(out, a);
  for (unsigned i = 1; i < count; i++) {
    field->square(out, out);
  }
}

/* out = a^-1 = a^(2^m - 2) for a group. scratch: two groups. */
static void invert_group(const struct gf2m_m4 *field, uint32_t *out, const uint32_t *a,
                         uint32_t *scratch) {
  uint32_t *power = scratch; /* a^(2^k - 1) for k = 3, 6, 12 */
  uint32_t *squared = scratch + field->degree;

  field->square(squared, a);
  field->multiply(power, squared, a);
  field->square(squared, power);
  field->multiply(power, squared, a); /* k = 3 */
  if (field->degree == 12) {
    square_often(field, squared, power, 3);
    field->multiply(power, squared, power); /* k = 6 */
    square_often(field, squared, power, 3);
    field->square(out, a);
    field->multiply(out, out, a);
    field->square(out, out);
    field->multiply(out, out, a);
    field->multiply(power, squared, out); /* k = 9 */
    square_often(field, squared, power, 2);
    field->square(out, a);
    field->multiply(out, out, a);
    field->multiply(power, squared, out); /* k = 11 */
  } else {
    square_often(field, squared, power, 3);
    field->multiply(power, squared, power); /* k = 6 */
    square_often(field, squared, power, 6);
    field->multiply(power, squared, power); /* k = 12 */
  }
  field->square(out, power);
}

/* One inversion for some groups: products of the first of them, then back [Montgomery's trick]. */
static void invert_some(const struct gf2m_m4 *field, uint32_t *a, uint32_t *scratch) {
  const size_t m = field->degree, groups = GF2M_M4_INVERT_GROUPS(m);
  uint32_t *inverse = scratch + m * groups;

  memcpy(scratch, a, 4 * m);
  for (size_t i = 1; i < groups; i++) {
    field->multiply(scratch + m * i, scratch + m * (i - 1), a + m * i);
  }
  invert_group(field, inverse, scratch + m * (groups - 1), inverse + m);
  for (size_t i = groups - 1; i > 0; i--) {
    uint32_t *own = scratch + m * i;

    field->multiply(own, inverse, scratch + m * (i - 1));
    field->multiply(inverse, inverse, a + m * i);
    memcpy(a + m * i, own, 4 * m);
  }
  memcpy(a, inverse, 4 * m);
}

void ckem_gf2m_invert_m4(const struct gf2m_m4 *field, uint32_t *a, size_t groups,
                         uint32_t *scratch) {
  for (size_t i = 0; i < groups; i += GF2M_M4_INVERT_GROUPS(field->degree)) {
    invert_some(field, a + field->degree * i, scratch);
  }
}

/* --- Coefficients ------------------------------------------------------------------------------
 * 2^levels of them, coefficient k at lane k in reverse: at most eight groups. */

static const uint32_t lanes_with_bit[5] = {0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00,
                                           0xFFFF0000};

/* One step of the Taylor expansion, or the transpose of it, on groups that start at lanes. Of the
 * lanes 01, 10 and 11 in the bits a - 1 and a: x[01] += x[11], then x[10] += x[01]. */
static void taylor_groups(size_t m, uint32_t *lanes, size_t groups, unsigned a, bool transposed) {
  const size_t high = (size_t)1 << (a - 5);
  const size_t low = high / 2;

  for (size_t g = 0; g < groups; g++) {
    if ((g & (high | low)) == low) {
      for (size_t b = 0; b < m; b++) {
        uint32_t *x01 = lanes + m * g + b;
        uint32_t *x10 = x01 + m * (high - low);
        uint32_t *x11 = x01 + m * high;
        if (!transposed) {
          *x01 ^= *x11;
          *x10 ^= *x01;
        } else {
          *x01 ^= *x10;
          *x11 ^= *x01;
        }
      }
    }
  }
}

/* The same where bit a - 1 is one of a lane's, and a one of a group's number: 5. */
static void taylor_pairs(size_t m, uint32_t *lanes, size_t groups, bool transposed) {
  for (size_t g = 0; g < groups; g += 2) {
    for (size_t b = 0; b < m; b++) {
      uint32_t *low = lanes + m * g + b;
      uint32_t *high = low + m;
      if (!transposed) {
        *low ^= *high & 0xFFFF0000;
        *high ^= *low >> 16;
      } else {
        *low ^= *high << 16;
        *high ^= *low & 0xFFFF0000;
      }
    }
  }
}

/* The same within words. */
static void taylor_words(uint32_t *words, size_t count, unsigned a, bool transposed) {
  const unsigned b = a - 1;
  const uint32_t only_b = lanes_with_bit[b] & ~lanes_with_bit[a];
  const uint32_t second =
      transposed ? lanes_with_bit[a] & lanes_with_bit[b] : lanes_with_bit[a] & ~lanes_with_bit[b];
  const unsigned down = transposed ? 1U << b : 1U << a;
  const unsigned up = transposed ? 1U << a : 1U << b;

  for (size_t i = 0; i < count; i++) {
    uint32_t x = words[i];
    x ^= x >> down & only_b;
    x ^= x << up & second;
    words[i] = x;
  }
}

/* The Taylor expansion of a level, or its transpose. */
static void taylor(size_t m, uint32_t *lanes, unsigned levels, unsigned level, bool transposed) {
  const size_t groups = (size_t)1 << (levels - 5);
  const unsigned last = levels - 1 - level;

  for (unsigned i = 1; i <= last; i++) {
    const unsigned a = transposed ? last + 1 - i : i;
    if (a > 5) {
      taylor_groups(m, lanes, groups, a, transposed);
    } else if (a == 5) {
      taylor_pairs(m, lanes, groups, transposed);
    } else {
      taylor_words(lanes, m * groups, a, transposed);
    }
  }
}

/* Multiplies each coefficient by its power of the level's element. */
static void twist(const struct gf2m_m4 *field, uint32_t *lanes, unsigned levels, unsigned level) {
  const size_t m = field->degree;
  const size_t groups = (size_t)1 << (levels - 5);
  const uint32_t *powers = field->twist[levels - (m - 6)] + m * groups * (level - 1);

  for (size_t g = 0; g < groups; g++) {
    field->multiply(lanes + m * g, lanes + m * g, powers + m * g);
  }
}

/* Returns the lane of coefficient k: its bits in reverse. */
static size_t lane_of(size_t k, unsigned levels) {
  k = (k & 0x55) << 1 | (k >> 1 & 0x55);
  k = (k & 0x33) << 2 | (k >> 2 & 0x33);
  return ((k & 0x0F) << 4 | k >> 4) >> (8 - levels);
}

static void write_lane(size_t m, uint32_t *lanes, size_t lane, uint32_t element) {
  uint32_t *to = lanes + m * (lane / 32);

  for (size_t b = 0; b < m; b++) {
    to[b] |= (element >> b & 1) << (lane % 32);
  }
}

static uint16_t read_lane(size_t m, const uint32_t *lanes, size_t lane) {
  const uint32_t *from = lanes + m * (lane / 32);
  uint32_t element = 0;

  for (size_t b = 0; b < m; b++) {
    element |= (from[b] >> (lane % 32) & 1) << b;
  }
  return (uint16_t)element;
}

/* --- The transform ---------------------------------------------------------------------------- */

/* Returns where the constants of a level begin. Level l has as many groups as half a block. */
static const uint32_t *gamma_of(const struct gf2m_m4 *field, unsigned level) {
  const uint32_t *gamma = field->gamma;

  for (unsigned l = 0; l < level; l++) {
    gamma += (size_t)field->degree << (field->degree - 6 - l);
  }
  return gamma;
}

/* The values of pairs of points, or the transpose. */
static void run_level(const struct gf2m_m4 *field, uint32_t *values, unsigned level,
                      bool transposed) {
  const size_t m = field->degree;
  const size_t half = (m << (m - 6)) >> level; /* words */
  const uint32_t *gamma = gamma_of(field, level);
  void (*const butterfly)(uint32_t *, uint32_t *, const uint32_t *) =
      transposed ? field->butterfly_transposed : field->butterfly;

  for (size_t base = 0; base < GF2M_M4_FIELD_WORDS(m); base += 2 * half) {
    for (size_t i = 0; i < half; i += m) {
      butterfly(values + base + i, values + base + half + i, gamma + i);
    }
  }
}

/* What first_values works on: a group of coefficients, u in lanes 2 p and v in lanes 2 p + 1. */
struct pairs {
  uint32_t product[6][MAX_DEGREE]; /* v times the element of the level's point 2^j */
  uint32_t both[MAX_DEGREE];
};

/* Writes plane b of the values of 16 pairs: four words each. */
static void write_values(size_t m, uint32_t *values, const struct pairs *pairs, size_t b) {
  uint32_t p0 = pairs->product[0][b], p1 = pairs->product[1][b], p2 = pairs->product[2][b];
  uint32_t p3 = pairs->product[3][b], p4 = pairs->product[4][b], p5 = pairs->product[5][b];
  uint32_t both = pairs->both[b];
  uint32_t *to = values + 60 * m + b;

  for (size_t p = 16; p-- > 0; to -= 4 * m) {
    const uint32_t low = mask_of_bit(both, 30) ^ (mask_of_bit(p0, 31) & 0xAAAAAAAA) ^
                         (mask_of_bit(p1, 31) & 0xCCCCCCCC) ^ (mask_of_bit(p2, 31) & 0xF0F0F0F0) ^
                         (mask_of_bit(p3, 31) & 0xFF00FF00) ^ mask_of_bit(p4, 31) << 16;
    const uint32_t high = low ^ mask_of_bit(p5, 31);
    const uint32_t v = mask_of_bit(both, 31);

    to[0] = low;
    to[m] = high;
    to[2 * m] = low ^ v;
    to[3 * m] = high ^ v;
    p0 <<= 2;
    p1 <<= 2;
    p2 <<= 2;
    p3 <<= 2;
    p4 <<= 2;
    p5 <<= 2;
    both <<= 2;
  }
}

/* The innermost level: values of u + x v at 128 points each, u and v being elements: v is
 * multiplied by a basis of the points only. The first pair also has a term top x^2; squares[j] is
 * top times the square of the level's point 2^j. */
static void first_values(const struct gf2m_m4 *field, uint32_t *values, const uint32_t *lanes,
                         unsigned levels, uint16_t top, const uint16_t squares[6]) {
  const size_t m = field->degree;
  const uint32_t *gamma = gamma_of(field, levels - 1); /* of 64 points */

  for (size_t g = 0; g < (size_t)1 << (levels - 5); g++) {
    struct pairs pairs;

    for (unsigned j = 0; j < 6; j++) {
      uint32_t point[MAX_DEGREE];
      for (size_t b = 0; b < m; b++) {
        point[b] = mask_of_bit(gamma[b + (j == 5 ? m : 0)], j == 5 ? 0 : 1U << j);
      }
      field->multiply(pairs.product[j], point, lanes + m * g);
    }
    memcpy(pairs.both, lanes + m * g, 4 * m);
    for (size_t b = 0; g == 0 && b < m; b++) {
      for (size_t j = 0; j < 6; j++) {
        pairs.product[j][b] ^= (squares[j] >> b & 1U) << 1;
      }
      pairs.both[b] ^= (top >> b & 1U) << 1;
    }
    for (size_t b = 0; b < m; b++) {
      write_values(m, values + 64 * m * g, &pairs, b);
    }
  }
}

/* Sums of halves of two words, in one; of quarters, and so on. */
static inline uint32_t fold_halves(uint32_t x, uint32_t y) {
  return ((x & 0xFFFF) | y << 16) ^ (x >> 16 | (y & 0xFFFF0000));
}

#define FOLD(x, y, shift, field) \
  ((((x) ^ (x) >> (shift)) & (field)) | (((y) ^ (y) << (shift)) & ~(field)))

/* Returns the sums of the bits of 32 words that are `step` words apart, the first in bit 0. */
static uint32_t sums_of_words(const uint32_t *words, size_t step) {
  uint32_t x[16];

  for (size_t i = 0; i < 16; i++) {
    x[i] = fold_halves(words[step * i], words[step * (i + 16)]);
  }
  UNROLL
  for (size_t i = 0; i < 8; i++) {
    x[i] = FOLD(x[i], x[i + 8], 8, 0x00FF00FFU);
  }
  UNROLL
  for (size_t i = 0; i < 4; i++) {
    x[i] = FOLD(x[i], x[i + 4], 4, 0x0F0F0F0FU);
  }
  x[0] = FOLD(x[0], x[2], 2, 0x33333333U);
  x[1] = FOLD(x[1], x[3], 2, 0x33333333U);
  return FOLD(x[0], x[1], 1, 0x55555555U);
}

/* The transpose for groups of one word: lane g gets the sum of group g. */
static void gather(size_t m, uint32_t *lanes, const uint32_t *values, unsigned levels) {
  for (size_t g = 0; g < (size_t)1 << (levels - 5); g++) {
    for (size_t b = 0; b < m; b++) {
      lanes[m * g + b] = sums_of_words(values + 32 * m * g + b, m);
    }
  }
}

/* Sets out[count] to factor times in[count], count <= 32. */
static void multiply_all(const struct gf2m_m4 *field, uint16_t *out, uint16_t factor,
                         const uint16_t *in, size_t count) {
  const size_t m = field->degree;
  uint32_t factors[MAX_DEGREE] = {0}, products[MAX_DEGREE] = {0};

  for (size_t b = 0; b < m; b++) {
    factors[b] = mask_of_bit(factor, (unsigned)b);
  }
  for (size_t j = 0; j < count; j++) {
    write_lane(m, products, j, in[j]);
  }
  field->multiply(products, factors, products);
  for (size_t j = 0; j < count; j++) {
    out[j] = read_lane(m, products, j);
  }
}

/* Adds what the Taylor expansion of a level makes of the coefficient behind the others: x^(2^r) is
 * y^(2^(r-1)) + ... + y^2 + y + x for y = x^2 + x. */
static void add_top(size_t m, uint32_t *lanes, unsigned levels, unsigned level, uint32_t top) {
  for (unsigned j = level; j < levels; j++) {
    const size_t lane = (size_t)1 << (levels - 1 - j);
    for (size_t b = 0; b < m; b++) {
      lanes[m * (lane / 32) + b] ^= (top >> b & 1) << (lane % 32);
    }
  }
}

void ckem_gf2m_evaluate_m4(const struct gf2m_m4 *field, uint32_t *values, const uint16_t *f,
                           size_t count) {
  const size_t m = field->degree;
  const unsigned levels = (unsigned)m - 6;
  const size_t low = (size_t)1 << levels; /* coefficients that the transform takes */
  uint32_t lanes[MAX_DEGREE * 4] = {0};
  uint16_t tops[MAX_DEGREE] = {0};

  for (size_t k = 0; k < count && k < low; k++) {
    write_lane(m, lanes, lane_of(k, levels), f[k]);
  }
  if (count > low) {
    multiply_all(field, tops, f[low], field->tops, levels + 6);
  }
  for (unsigned l = 0; l < levels; l++) {
    if (l > 0) {
      twist(field, lanes, levels, l);
    }
    taylor(m, lanes, levels, l, false);
    if (count > low && l < levels - 1) {
      add_top(m, lanes, levels, l, tops[l]);
    }
  }
  first_values(field, values, lanes, levels, tops[levels - 1], tops + levels);
  for (unsigned l = levels - 1; l-- > 0;) {
    run_level(field, values, l, false);
  }
}

void ckem_gf2m_power_sums_m4(const struct gf2m_m4 *field, uint16_t *sums, uint32_t *weights,
                             size_t count) {
  const size_t m = field->degree;
  const unsigned levels = (unsigned)m - 5;
  uint32_t lanes[MAX_DEGREE * MAX_LANE_GROUPS];

  for (unsigned l = 0; l < levels; l++) {
    run_level(field, weights, l, true);
  }
  gather(m, lanes, weights, levels);
  for (unsigned l = levels; l-- > 1;) {
    taylor(m, lanes, levels, l, true);
    twist(field, lanes, levels, l);
  }
  taylor(m, lanes, levels, 0, true);
  for (size_t k = 0; k < count; k++) {
    sums[k] = read_lane(m, lanes, lane_of(k, levels));
  }
}

#endif
