/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products in GF(2)[x] by VMULL.P8, which multiplies eight pairs of bytes.
 *
 * The factors are cut into seven parts, and the formula of gf2x_terms.template.h makes 23 products
 * of sums of parts of them. Eight of these are computed at a time, one in each lane: a polynomial
 * is a row of bytes, and vector j holds byte j of eight polynomials. So VMULL.P8 multiplies without
 * any byte being moved to its place before or after. Such rows go through Karatsuba's method down
 * to four to seven bytes, and these through the formulas again.
 *
 * The bytes of both factors share a vector, the first one's in its lower half: what is done to one
 * factor is done to the other one by the same instruction.
 */
#include <assert.h>
#include <string.h>

#include "base/isa.h"
#include "base/unroll.h"
#include "gf2x/neon/gf2x_neon.h"

#if defined(CODEKEM_HAVE_NEON32)
ISA_BEGIN_NEON32

#define PARTS 7
#define FORMS 23
#define LANES 8 /* products that are computed at a time */
#define GROUPS ((FORMS + LANES - 1) / LANES)

/* Byte j of eight first factors and of eight second ones. */
typedef uint8x16_t factors;

/* --- What gf2x_terms.template.h asks for ------------------------------------------------------ */

#define TEMPLATE_BLOCK uint8x16_t
typedef uint16x8_t vector;

ALWAYS_INLINE uint8x16_t xor_bytes(uint8x16_t a, uint8x16_t b) {
  return veorq_u8(a, b);
}

ALWAYS_INLINE vector xor2(vector a, vector b) {
  return veorq_u16(a, b);
}

/* BYTES: the product of both factors in a. COMPUTED: a is a product already. */
enum word_products { BYTES, COMPUTED };

ALWAYS_INLINE vector multiply_words(enum word_products which, uint8x16_t a, uint8x16_t b) {
  (void)b;
  if (which == COMPUTED) {
    return vreinterpretq_u16_u8(a);
  }
  return vreinterpretq_u16_p16(vmull_p8(vreinterpret_p8_u8(vget_low_u8(a)),
                                        vreinterpret_p8_u8(vget_high_u8(a))));
}

#define TEMPLATE_SUFFIX neon32
#define block uint8x16_t
#define xor_blocks xor_bytes
#include "gf2x/gf2x_terms.template.h"
#undef block
#undef xor_blocks

/* --- Products of eight rows of bytes ---------------------------------------------------------- */

/* The lower bytes of all lanes, then the upper bytes. In assembly because gcc moves the halves. */
ALWAYS_INLINE uint8x16_t split_bytes(vector x) {
  __asm__("vuzp.8 %e0, %f0" : "+w"(x));
  return vreinterpretq_u8_u16(x);
}

/* out[2 n] = the products of rows of n bytes; n is 4 to 7. */
ALWAYS_INLINE void multiply_terms(size_t n, uint8x8_t *out, const factors *f) {
  uint8x16_t terms[GF2X_MAX_TERMS], forms[GF2X_MAX_FORMS];
  vector product[2 * GF2X_MAX_TERMS - 1];
  uint8x8_t carry = vdup_n_u8(0);

  UNROLL
  for (size_t i = 0; i < n; i++) {
    terms[i] = f[i];
  }
  gf2x_forms(n, forms, terms);
  gf2x_multiply_forms(BYTES, n, product, forms, forms);
  UNROLL
  for (size_t i = 0; i < 2 * n - 1; i++) {
    const uint8x16_t parts = split_bytes(product[i]);
    out[i] = veor_u8(vget_low_u8(parts), carry);
    carry = vget_high_u8(parts);
  }
  out[2 * n - 1] = carry;
}

/* a + b. */
ALWAYS_INLINE uint8x16x2_t xor_pairs(uint8x16x2_t a, uint8x16x2_t b) {
  const uint8x16x2_t sum = {{veorq_u8(a.val[0], b.val[0]), veorq_u8(a.val[1], b.val[1])}};

  return sum;
}

/* sum[low] = f[low] + f[low ... low + high - 1], where high is low or low - 1. */
ALWAYS_INLINE void add_halves(factors *sum, const factors *f, size_t low, size_t high) {
  const uint8_t *lower = (const uint8_t *)f;
  const uint8_t *upper = (const uint8_t *)(f + low);
  uint8_t *to = (uint8_t *)sum;

  for (size_t i = high / 2; i > 0; i--) {
    neon32_store_pair(&to, xor_pairs(neon32_load_pair(&lower), neon32_load_pair(&upper)));
  }
  if (high % 2 != 0) {
    sum[high - 1] = veorq_u8(f[high - 1], f[low + high - 1]);
  }
  if (high < low) {
    sum[high] = f[high];
  }
}

/* Two bytes of a product: a whole vector. */
ALWAYS_INLINE uint8x16_t load_two(const uint8x8_t *from) {
  return vld1q_u8((const uint8_t *)from);
}

ALWAYS_INLINE void store_two(uint8x8_t *to, uint8x16_t x) {
  vst1q_u8((uint8_t *)to, x);
}

/* Karatsuba's last step. out holds the products of the lower halves, low bytes each, and behind
 * them that of the upper halves, high bytes each; middle, which is the product of the sums, goes
 * between them. */
ALWAYS_INLINE void add_middle(uint8x8_t *out, const uint8x8_t *middle, size_t low, size_t high) {
  uint8x8_t *second = out + low;
  uint8x8_t *third = second + low;
  const uint8x8_t *fourth = third + low; /* shorter, if high is less than low */
  const size_t rest = 2 * high - low;
  const uint8_t *from[6] = {(const uint8_t *)out,    (const uint8_t *)second,
                            (const uint8_t *)third,  (const uint8_t *)fourth,
                            (const uint8_t *)middle, (const uint8_t *)(middle + low)};
  uint8_t *to[2] = {(uint8_t *)second, (uint8_t *)third};

  for (size_t i = rest / 4; i > 0; i--) {
    const uint8x16x2_t meeting = xor_pairs(neon32_load_pair(&from[1]), neon32_load_pair(&from[2]));
    const uint8x16x2_t lower = xor_pairs(neon32_load_pair(&from[4]), neon32_load_pair(&from[0]));
    const uint8x16x2_t upper = xor_pairs(neon32_load_pair(&from[5]), neon32_load_pair(&from[3]));
    neon32_store_pair(&to[0], xor_pairs(meeting, lower));
    neon32_store_pair(&to[1], xor_pairs(meeting, upper));
  }
  if (rest % 4 >= 2) {
    const size_t i = rest / 4 * 4;
    const uint8x16_t meeting = veorq_u8(load_two(second + i), load_two(third + i));
    const uint8x16_t lower = veorq_u8(load_two(middle + i), load_two(out + i));
    const uint8x16_t upper = veorq_u8(load_two(middle + low + i), load_two(fourth + i));
    store_two(second + i, veorq_u8(meeting, lower));
    store_two(third + i, veorq_u8(meeting, upper));
  }
  for (size_t i = rest / 2 * 2; i < low; i++) {
    const uint8x8_t meeting = veor_u8(second[i], third[i]);
    const uint8x8_t upper = i < rest ? veor_u8(middle[low + i], fourth[i]) : middle[low + i];
    second[i] = veor_u8(meeting, veor_u8(middle[i], out[i]));
    third[i] = veor_u8(meeting, upper);
  }
}

/* out[2 n] = the products of rows of n bytes. scratch: 2 n + 32 vectors. */
typedef void multiply_function(uint8x8_t *out, const factors *f, size_t n, uint8x8_t *scratch);

/* Karatsuba's method; low and high are the halves of n, rounded up and down. */
ALWAYS_INLINE void multiply_halves(multiply_function *multiply_low,
                                   multiply_function *multiply_high, uint8x8_t *out,
                                   const factors *f, size_t low, size_t high, uint8x8_t *scratch) {
  factors *sum = (factors *)(void *)out; /* until the product of the sums is computed */
  uint8x8_t *middle = scratch;
  uint8x8_t *rest = middle + 2 * low;

  add_halves(sum, f, low, high);
  multiply_low(middle, sum, low, rest);
  multiply_low(out, f, low, rest);
  multiply_high(out + 2 * low, f + low, high, rest);
  add_middle(out, middle, low, high);
}

/* The numbers of bytes for which everything is unrolled. */
#define FEW(n)                                                                                     \
  static __attribute__((noinline)) void multiply_##n##_neon32(uint8x8_t *out, const factors *f,    \
                                                              size_t unused, uint8x8_t *scratch) { \
    (void)unused;                                                                                  \
    (void)scratch;                                                                                 \
    multiply_terms(n, out, f);                                                                     \
  }
#define TWICE_AS_MANY(n, low, high)                                                                \
  static __attribute__((noinline)) void multiply_##n##_neon32(uint8x8_t *out, const factors *f,    \
                                                              size_t unused, uint8x8_t *scratch) { \
    (void)unused;                                                                                  \
    multiply_halves(multiply_##low##_neon32, multiply_##high##_neon32, out, f, low, high,          \
                    scratch);                                                                      \
  }
FEW(4)
FEW(5)
FEW(6)
FEW(7)
TWICE_AS_MANY(8, 4, 4)
TWICE_AS_MANY(9, 5, 4)
TWICE_AS_MANY(10, 5, 5)
TWICE_AS_MANY(11, 6, 5)
TWICE_AS_MANY(12, 6, 6)
TWICE_AS_MANY(13, 7, 6)
TWICE_AS_MANY(14, 7, 7)

static multiply_function *const multiply_up_to_14[] = {
    multiply_4_neon32,  multiply_5_neon32,  multiply_6_neon32,  multiply_7_neon32,
    multiply_8_neon32,  multiply_9_neon32,  multiply_10_neon32, multiply_11_neon32,
    multiply_12_neon32, multiply_13_neon32, multiply_14_neon32,
};

/* n >= 4. */
static void multiply_rows_neon32(uint8x8_t *out, const factors *f, size_t n, uint8x8_t *scratch) {
  if (n <= 2 * GF2X_MAX_TERMS) {
    multiply_up_to_14[n - GF2X_MIN_TERMS](out, f, n, scratch);
  } else {
    multiply_halves(multiply_rows_neon32, multiply_rows_neon32, out, f, (n + 1) / 2, n / 2,
                    scratch);
  }
}

#define NOT_INLINE static __attribute__((noinline))

/* --- From ring elements to rows and back ------------------------------------------------------ */

/* Transposes eight by eight bytes, in both halves of the vectors. */
ALWAYS_INLINE void transpose_bytes(uint8x16_t square[LANES]) {
  UNROLL
  for (size_t i = 0; i < LANES; i += 2) {
    const uint8x16x2_t sorted = vtrnq_u8(square[i], square[i + 1]);
    square[i] = sorted.val[0];
    square[i + 1] = sorted.val[1];
  }
  UNROLL
  for (size_t k = 0; k < LANES / 2; k++) {
    const size_t i = k / 2 * 4 + k % 2;
    const uint16x8x2_t sorted =
        vtrnq_u16(vreinterpretq_u16_u8(square[i]), vreinterpretq_u16_u8(square[i + 2]));
    square[i] = vreinterpretq_u8_u16(sorted.val[0]);
    square[i + 2] = vreinterpretq_u8_u16(sorted.val[1]);
  }
  UNROLL
  for (size_t i = 0; i < LANES / 2; i++) {
    const uint32x4x2_t sorted =
        vtrnq_u32(vreinterpretq_u32_u8(square[i]), vreinterpretq_u32_u8(square[i + 4]));
    square[i] = vreinterpretq_u8_u32(sorted.val[0]);
    square[i + 4] = vreinterpretq_u8_u32(sorted.val[1]);
  }
}

/* rows[part] = the factors of the eight products from number LANES group on. */
ALWAYS_INLINE void gather_rows(size_t group, factors *rows, const uint8_t *a, const uint8_t *b,
                               size_t part) {
  for (size_t i = 0; i < part; i += LANES) {
    uint8x16_t terms[PARTS], forms[LANES * GROUPS];
    UNROLL
    for (size_t p = 0; p < PARTS; p++) {
      terms[p] = vcombine_u8(vld1_u8(a + p * part + i), vld1_u8(b + p * part + i));
    }
    gf2x_forms_7(forms, terms);
    forms[FORMS] = vdupq_n_u8(0); /* the last lane of the last group is not used */
    transpose_bytes(forms + LANES * group);
    UNROLL
    for (size_t k = 0; k < LANES; k++) {
      rows[i + k] = forms[LANES * group + k];
    }
  }
}

NOT_INLINE void gather_first_rows_neon32(factors *rows, const uint8_t *a, const uint8_t *b,
                                         size_t part) {
  gather_rows(0, rows, a, b, part);
}

NOT_INLINE void gather_second_rows_neon32(factors *rows, const uint8_t *a, const uint8_t *b,
                                          size_t part) {
  gather_rows(1, rows, a, b, part);
}

NOT_INLINE void gather_third_rows_neon32(factors *rows, const uint8_t *a, const uint8_t *b,
                                         size_t part) {
  gather_rows(2, rows, a, b, part);
}

/* Adds the whole product, put together from all rows of products, 2 part bytes each, to
 * product[2 PARTS part] bytes. */
static void join_rows_neon32(uint8_t *product, const uint8x8_t *rows, size_t part) {
  for (size_t i = 0; i < 2 * part; i += 2 * LANES) {
    uint8x16_t forms[LANES * GROUPS];
    vector sum[2 * PARTS - 1];
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
      const uint8x8_t *row = rows + 2 * part * g + i;
      UNROLL
      for (size_t k = 0; k < LANES; k++) {
        forms[LANES * g + k] = vcombine_u8(row[k], row[LANES + k]);
      }
      transpose_bytes(forms + LANES * g);
    }
    gf2x_multiply_7(COMPUTED, sum, forms, forms);
    uint8_t *place = product + i;
    UNROLL
    for (size_t k = 0; k < 2 * PARTS - 1; k++) {
      vst1q_u8(place, veorq_u8(vld1q_u8(place), vreinterpretq_u8_u16(sum[k])));
      place += part;
    }
  }
}

void ckem_gf2x_multiply_neon(const struct gf2x_ring *ring, uint64_t *product, const uint64_t *a,
                             const uint64_t *b, uint64_t *scratch) {
  const size_t part = GF2X_PART_BYTES_NEON32(ring->r_bits);
  const size_t words = GF2X_PRODUCT_WORDS_NEON(ring);
  const uint8_t *bytes_a = (const uint8_t *)a;
  const uint8_t *bytes_b = (const uint8_t *)b;
  uint8x8_t *products = (uint8x8_t *)(void *)scratch;
  factors *rows = (factors *)(void *)(products + 2 * part * GROUPS);
  uint8x8_t *rest = (uint8x8_t *)(void *)(rows + part);

  assert(words + (size_t)((uint64_t *)(void *)(rest + 2 * part + 32) - scratch) <=
         GF2X_MUL_SCRATCH_WORDS(ring->r_bits));
  gather_first_rows_neon32(rows, bytes_a, bytes_b, part);
  multiply_rows_neon32(products, rows, part, rest);
  gather_second_rows_neon32(rows, bytes_a, bytes_b, part);
  multiply_rows_neon32(products + 2 * part, rows, part, rest);
  gather_third_rows_neon32(rows, bytes_a, bytes_b, part);
  multiply_rows_neon32(products + 4 * part, rows, part, rest);
  memset(product, 0, words * sizeof *product);
  join_rows_neon32((uint8_t *)product, products, part);
}

ISA_END
#endif
