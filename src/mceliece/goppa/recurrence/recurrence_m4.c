/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Berlekamp and Massey on groups of 32 coefficients (gf2m_m4.h).
 *
 * The connection keeps the constant 1: discrepancies are divided by the one at the last change of
 * length. That takes an inverse in each step, and saves a product with the whole connection.
 * Coefficient i of the connection is element i - 1, as is the number i places back in the sequence.
 */
#include "recurrence/recurrence_m4.h"

#include <string.h>

#include "base/ct.h"
#include "base/unroll.h"

#if defined(CODEKEM_HAVE_M4)

#define MAX_DEGREE GF2M_M4_MAX_DEGREE

/* --- Single elements -------------------------------------------------------------------------- */

/* GF(2^6) with bit i at place 3 i: an integer product of two such numbers counts up to six, and
 * takes the same time for all operands. */
#define PLACES_6 UINT32_C(0x9249)

static inline uint32_t spread_6(uint32_t x) {
  x = (x | x << 6) & 0xE07;
  return (x | x << 2 | x << 4) & PLACES_6;
}

static inline uint32_t unspread_6(uint32_t x) {
  x = (x | x >> 2 | x >> 4) & 0xE07;
  return (x | x >> 6) & 63;
}

static inline uint32_t multiply_6(uint32_t a, uint32_t b) {
  const uint64_t product = (uint64_t)a * b;
  const uint32_t high = (uint32_t)(product >> 18) & PLACES_6;

  return ((uint32_t)product & PLACES_6) ^ high ^ high << 3;
}

/* a / x. */
static inline uint32_t divide_6(uint32_t a) {
  return a >> 3 ^ (0x8001 & ct_mask_bit_u32(a));
}

static uint32_t multiply_12(uint32_t a, uint32_t b) {
  const uint32_t a0 = spread_6(a & 63), a1 = spread_6(a >> 6);
  const uint32_t b0 = spread_6(b & 63), b1 = spread_6(b >> 6);
  const uint32_t low = multiply_6(a0, b0);
  const uint32_t middle = multiply_6(a0 ^ a1, b0 ^ b1);

  return unspread_6(low ^ divide_6(multiply_6(a1, b1))) | unspread_6(middle ^ low) << 6;
}

/* By the norm to GF(2^6), whose inverse is its power 62. */
static uint32_t invert_12(uint32_t a) {
  const uint32_t a0 = spread_6(a & 63), a1 = spread_6(a >> 6);
  const uint32_t norm = multiply_6(a0, a0 ^ a1) ^ divide_6(multiply_6(a1, a1));
  const uint32_t power_3 = multiply_6(multiply_6(norm, norm), norm);
  uint32_t power = multiply_6(power_3, power_3);

  power = multiply_6(multiply_6(power, power), power_3); /* 15 */
  power = multiply_6(multiply_6(power, power), norm);    /* 31 */
  power = multiply_6(power, power);
  return unspread_6(multiply_6(a0 ^ a1, power)) | unspread_6(multiply_6(a1, power)) << 6;
}

static inline uint32_t reduce_13(uint32_t product) {
  uint32_t high = product >> 13;

  product = (product & 0x1FFF) ^ high ^ high << 1 ^ high << 3 ^ high << 4;
  high = product >> 13;
  return (product & 0x1FFF) ^ high ^ high << 1 ^ high << 3 ^ high << 4;
}

static uint32_t multiply_13(uint32_t a, uint32_t b) {
  uint32_t product = 0;

  UNROLL
  for (unsigned i = 0; i < 13; i++) {
    product ^= (a & ct_mask_bit_u32(b >> i)) << i;
  }
  return reduce_13(product);
}

static uint32_t square_13(uint32_t a, unsigned times) {
  for (; times > 0; times--) {
    a = (a | a << 8) & 0x00FF00FF;
    a = (a | a << 4) & 0x0F0F0F0F;
    a = (a | a << 2) & 0x33333333;
    a = reduce_13((a | a << 1) & 0x55555555);
  }
  return a;
}

static uint32_t invert_13(uint32_t a) {
  uint32_t power = multiply_13(square_13(a, 1), a);

  power = multiply_13(square_13(power, 1), a);     /* 2^3 - 1 */
  power = multiply_13(square_13(power, 3), power); /* 2^6 - 1 */
  power = multiply_13(square_13(power, 6), power); /* 2^12 - 1 */
  return square_13(power, 1);
}

/* --- The search ------------------------------------------------------------------------------- */

struct search {
  uint32_t *connection, *before, *window; /* groups */
  uint32_t *product, *masks;              /* a group each, the first with zeros behind */
  uint32_t inverse;                       /* of the discrepancy at the last change of length */
  uint32_t found;                         /* the length */
  uint32_t last_used;                     /* the coefficients in the last group */
};

/* Returns a number whose bit b is the sum of all bits of word b: the sums of halves, of quarters,
 * and so on, of two words at a time. */
static uint32_t sum_elements(const uint32_t words[16]) {
  uint32_t x[8];

  UNROLL
  for (size_t i = 0; i < 8; i++) {
    const uint32_t low = words[i], high = words[i + 8];
    x[i] = ((low & 0xFFFF) | high << 16) ^ (low >> 16 | (high & 0xFFFF0000));
  }
  UNROLL
  for (size_t i = 0; i < 4; i++) {
    x[i] = ((x[i] ^ x[i] >> 8) & 0x00FF00FF) | ((x[i + 4] ^ x[i + 4] << 8) & 0xFF00FF00);
  }
  for (size_t i = 0; i < 2; i++) {
    x[i] = ((x[i] ^ x[i] >> 4) & 0x0F0F0F0F) | ((x[i + 2] ^ x[i + 2] << 4) & 0xF0F0F0F0);
  }
  x[0] = ((x[0] ^ x[0] >> 2) & 0x33333333) | ((x[1] ^ x[1] << 2) & 0xCCCCCCCC);
  uint32_t sum = (x[0] ^ x[0] >> 1) & 0x55555555;
  sum = (sum | sum >> 1) & 0x33333333;
  sum = (sum | sum >> 2) & 0x0F0F0F0F;
  sum = (sum | sum >> 4) & 0x00FF00FF;
  return (sum | sum >> 8) & 0xFFFF;
}

/* Returns the sum of the products of the first groups. */
static uint32_t inner_product(const struct gf2m_m4 *field, const struct search *s, size_t groups) {
  const size_t m = field->degree;

  if (groups == 0) {
    return 0;
  }
  field->multiply(s->product, s->connection, s->window);
  for (size_t g = 1; g < groups; g++) {
    field->multiply_add(s->product, s->connection + m * g, s->window + m * g);
  }
  return sum_elements(s->product);
}

/* Adds the product with `before` to a group of the connection, and puts the old one in place of
 * `before` where grows. carry has the bits that come in from the group below, and gets those that
 * leave for the next one. */
static void update_group(size_t m, uint32_t *connection, uint32_t *before, const uint32_t *product,
                         uint32_t grows, uint32_t *carry) {
  for (size_t b = 0; b < m; b++) {
    const uint32_t old = connection[b];
    const uint32_t next = before[b] ^ ((before[b] ^ old) & grows);

    connection[b] = old ^ product[b];
    before[b] = next << 1 | carry[b];
    carry[b] = next >> 31;
  }
}

/* Takes number n. Of `total` groups those that can differ from zero take part. */
static void take_number(const struct gf2m_m4 *field, struct search *s, uint32_t next, uint32_t n,
                        size_t total) {
  const size_t m = field->degree;
  const size_t held = (n + 31) / 32 < total ? (n + 31) / 32 : total;
  const size_t groups = n / 32 + 1 < total ? n / 32 + 1 : total;
  const uint32_t discrepancy = next ^ inner_product(field, s, held);
  const uint32_t grows = ~ct_mask_zero_u32(discrepancy) & ~ct_mask_less_u32(n, 2 * s->found);
  const uint32_t factor =
      m == 12 ? multiply_12(discrepancy, s->inverse) : multiply_13(discrepancy, s->inverse);
  const uint32_t inverse = m == 12 ? invert_12(discrepancy) : invert_13(discrepancy);
  uint32_t carry[MAX_DEGREE] = {0};

  for (size_t b = 0; b < m; b++) {
    s->masks[b] = ct_mask_bit_u32(factor >> b);
  }
  carry[0] = grows & 1;
  for (size_t g = 0; g < groups; g++) {
    field->multiply(s->product, s->masks, s->before + m * g);
    update_group(m, s->connection + m * g, s->before + m * g, s->product, grows, carry);
  }
  if (groups < total) {
    for (size_t b = 0; b < m; b++) {
      s->before[m * groups + b] |= carry[b];
    }
  } else {
    for (size_t b = 0; b < m; b++) {
      s->before[m * (total - 1) + b] &= s->last_used;
    }
  }
  field->move_up[total > 3](s->window, next);
  s->inverse = ct_select_u32(grows, inverse, s->inverse);
  s->found = ct_select_u32(grows, n + 1 - s->found, s->found);
}

uint32_t ckem_recurrence_find_m4(const struct gf2m_m4 *field, uint16_t *connection,
                                 const uint16_t *sequence, size_t length, uint32_t *memory) {
  const size_t m = field->degree;
  const size_t total = (length + 31) / 32;
  struct search s = {.connection = memory, .inverse = 1};

  s.before = s.connection + m * total;
  s.window = s.before + m * total;
  s.product = s.window + m * total;
  s.masks = s.product + 16;
  s.last_used = length % 32 == 0 ? 0xFFFFFFFF : (UINT32_C(1) << (length % 32)) - 1;
  memset(memory, 0, 4 * RECURRENCE_M4_WORDS(m, length));
  s.before[0] = 1;
  for (uint32_t n = 0; n < 2 * length; n++) {
    take_number(field, &s, sequence[n], n, total);
  }
  connection[0] = 1;
  for (size_t i = 0; i < length; i++) {
    uint32_t coefficient = 0;
    for (size_t b = 0; b < m; b++) {
      coefficient |= (s.connection[m * (i / 32) + b] >> (i % 32) & 1) << b;
    }
    connection[i + 1] = (uint16_t)coefficient;
  }
  return ct_mask_zero_u32(s.found ^ (uint32_t)length);
}

#endif
