/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The codes of HQC with the vectors of RISC-V (base/rvv.h).
 *
 * Reed-Muller: sixteen symbols at a time, a symbol in each place of a row, so that the Hadamard
 * transform adds and subtracts whole rows. Reed-Solomon: 32 field elements in a vector, kept in
 * memory between operations.
 */
#include <string.h>

#include "base/isa.h"
#include "base/rvv.h"
#include "base/wipe.h"
#include "hqc/codes.h"
#include "hqc/gf256_plain.h"
#include "hqc/reed_muller.h"

#if defined(CODEKEM_HAVE_RVV)

/* --- Reed-Muller ------------------------------------------------------------------------------ */

#define BITS 128
#define PLACES 16 /* symbols that are decoded at a time */
#define PIECE 16  /* bits that are loaded at a time */

/* Adds bit i of a piece of each symbol's code word to row i, for all bits of the piece. */
static void add_piece_rvv(int16_t *rows, const uint16_t *piece, size_t distance, size_t count) {
  size_t bit = 0;

  __asm__ volatile(RVV_BEGIN
                   "vsetvli zero, %[count], e16, m2, ta, ma\n\t"
                   "vlse16.v v0, (%[piece]), %[distance]\n"
                   "1: vsrl.vx v2, v0, %[bit]\n\t"
                   "vle16.v v4, (%[rows])\n\t"
                   "vand.vi v2, v2, 1\n\t"
                   "addi %[bit], %[bit], 1\n\t"
                   "vadd.vv v4, v4, v2\n\t"
                   "vse16.v v4, (%[rows])\n\t"
                   "addi %[rows], %[rows], %[row]\n\t"
                   "bne %[bit], %[bits], 1b" RVV_END
                   : [bit] "+&r"(bit), [rows] "+&r"(rows)
                   : [piece] "r"(piece), [distance] "r"(distance), [count] "r"(count),
                     [bits] "r"((size_t)PIECE), [row] "i"(PLACES * sizeof *rows)
                   : RVV_CLOBBERS);
}

/* a = a + b and b = a - b for so many numbers. */
static void add_and_subtract_rvv(int16_t *a, int16_t *b, size_t n) {
  size_t step;

  __asm__ volatile(RVV_BEGIN
                   "1: vsetvli %[step], %[n], e16, m8, ta, ma\n\t"
                   "vle16.v v0, (%[a])\n\t"
                   "vle16.v v8, (%[b])\n\t"
                   "sub %[n], %[n], %[step]\n\t"
                   "vadd.vv v16, v0, v8\n\t"
                   "vsub.vv v24, v0, v8\n\t"
                   "vse16.v v16, (%[a])\n\t"
                   "vse16.v v24, (%[b])\n\t"
                   "slli %[step], %[step], 1\n\t"
                   "add %[a], %[a], %[step]\n\t"
                   "add %[b], %[b], %[step]\n\t"
                   "bnez %[n], 1b" RVV_END
                   : [step] "=&r"(step), [n] "+&r"(n), [a] "+&r"(a), [b] "+&r"(b)
                   :
                   : RVV_CLOBBERS);
}

/* For each place, the key of the row with the largest absolute value, the first of several.
 *
 * In a place all numbers are even or all are odd, so half the absolute value orders them; it fills
 * the upper byte of a key. Below are 127 - t, so that of equal ones the first wins, and whether it
 * is positive. */
static void find_peaks_rvv(uint16_t keys[PLACES], const int16_t *rows) {
  size_t order = 2 * (BITS - 1);

  __asm__ volatile(RVV_BEGIN
                   "vsetvli zero, %[count], e16, m2, ta, ma\n\t"
                   "vmv.v.i v0, 0\n"
                   "1: vle16.v v2, (%[rows])\n\t"
                   "addi %[rows], %[rows], %[row]\n\t"
                   "vrsub.vi v4, v2, 0\n\t"
                   "vmax.vv v2, v2, v4\n\t"
                   "vsll.vi v2, v2, 7\n\t"
                   "vand.vx v2, v2, %[upper]\n\t"
                   "vor.vx v2, v2, %[order]\n\t"
                   "vsrl.vi v4, v4, 15\n\t"
                   "vor.vv v2, v2, v4\n\t"
                   "vmaxu.vv v0, v0, v2\n\t"
                   "addi %[order], %[order], -2\n\t"
                   "bgez %[order], 1b\n\t"
                   "vse16.v v0, (%[keys])" RVV_END
                   : [order] "+&r"(order), [rows] "+&r"(rows)
                   : [keys] "r"(keys), [count] "r"((size_t)PLACES), [upper] "r"((size_t)0xFF00),
                     [row] "i"(PLACES * sizeof *rows)
                   : RVV_CLOBBERS);
}

/* Decodes up to PLACES symbols. */
static void decode_symbols_rvv(uint8_t *symbols, const uint64_t *in, size_t count, size_t copies) {
  int16_t rows[BITS * PLACES];
  uint16_t keys[PLACES];

  memset(rows, 0, sizeof rows);
  for (size_t c = 0; c < copies; c++) {
    const uint16_t *word = (const uint16_t *)(const void *)(in + REED_MULLER_WORDS * c);
    for (size_t p = 0; p < BITS / PIECE; p++) {
      add_piece_rvv(rows + p * PIECE * PLACES, word + p, REED_MULLER_WORDS * copies * sizeof *in,
                    count);
    }
  }
  for (size_t distance = 1; distance < BITS; distance *= 2) {
    for (size_t row = 0; row < BITS; row += 2 * distance) {
      int16_t *first = rows + PLACES * row;
      add_and_subtract_rvv(first, first + PLACES * distance, PLACES * distance);
    }
  }
  /* The sums count 0 and 1 instead of +1 and -1; that shifts row 0 alone. */
  for (size_t i = 0; i < PLACES; i++) {
    rows[i] = (int16_t)(rows[i] - (int16_t)(BITS / 2 * copies));
  }
  find_peaks_rvv(keys, rows);
  for (size_t i = 0; i < count; i++) {
    symbols[i] = (uint8_t)((BITS - 1 - (keys[i] >> 1 & (BITS - 1))) | (keys[i] & 1) << 7);
  }
  ckem_secure_wipe(rows, sizeof rows);
}

static void reed_muller_decode_rvv(uint8_t *symbols, const uint64_t *in, size_t count,
                                   size_t copies) {
  for (size_t i = 0; i < count; i += PLACES) {
    decode_symbols_rvv(symbols + i, in + REED_MULLER_WORDS * copies * i,
                       count - i < PLACES ? count - i : PLACES, copies);
  }
}

/* --- Reed-Solomon: what reed_solomon.template.h asks for -------------------------------- */

#define GF256_LANES 32

typedef struct {
  uint64_t words[GF256_LANES / 8];
} gf256_vector;

static inline gf256_vector gf256_load(const uint8_t *in) {
  gf256_vector a;

  memcpy(&a, in, sizeof a);
  return a;
}

static inline void gf256_store(uint8_t *out, gf256_vector a) {
  memcpy(out, &a, sizeof a);
}

static inline gf256_vector gf256_spread(uint8_t a) {
  gf256_vector all;

  for (size_t i = 0; i < GF256_LANES / 8; i++) {
    all.words[i] = a * UINT64_C(0x0101010101010101);
  }
  return all;
}

static inline uint8_t gf256_first(gf256_vector a) {
  return (uint8_t)a.words[0];
}

static inline gf256_vector gf256_add(gf256_vector a, gf256_vector b) {
  for (size_t i = 0; i < GF256_LANES / 8; i++) {
    a.words[i] ^= b.words[i];
  }
  return a;
}

#define gf256_spread_first(a) gf256_spread(gf256_first(a))

static inline gf256_vector gf256_and(gf256_vector a, gf256_vector b) {
  for (size_t i = 0; i < GF256_LANES / 8; i++) {
    a.words[i] &= b.words[i];
  }
  return a;
}

static inline gf256_vector gf256_shift(gf256_vector a, gf256_vector next) {
  for (size_t i = 0; i < GF256_LANES / 8; i++) {
    const uint64_t above = i + 1 < GF256_LANES / 8 ? a.words[i + 1] : next.words[0];
    a.words[i] = a.words[i] >> 8 | above << 56;
  }
  return a;
}

/* Adds the elements of v2 where a bit of v4 is set to v0; by v6. */
#define ADD_WHERE(shift)   \
  "vsll.vi v6, v4, " shift \
  "\n\t"                   \
  "vsra.vi v6, v6, 7\n\t"  \
  "vand.vv v6, v6, v2\n\t" \
  "vxor.vv v0, v0, v6\n\t"
/* Multiplies the elements of v2 by x: x^8 = x^4 + x^3 + x^2 + 1. */
#define TIMES_X                 \
  "vsra.vi v6, v2, 7\n\t"       \
  "vand.vx v6, v6, %[fold]\n\t" \
  "vadd.vv v2, v2, v2\n\t"      \
  "vxor.vv v2, v2, v6\n\t"

static inline gf256_vector gf256_mul(gf256_vector a, gf256_vector b) {
  gf256_vector product;

  __asm__ volatile(RVV_BEGIN
                   "vsetvli zero, %[lanes], e8, m2, ta, ma\n\t"
                   "vle8.v v2, (%[a])\n\t"
                   "vle8.v v4, (%[b])\n\t"
                   "vmv.v.i v0, 0\n\t" ADD_WHERE("7") TIMES_X ADD_WHERE("6") TIMES_X ADD_WHERE("5")
                       TIMES_X ADD_WHERE("4") TIMES_X ADD_WHERE("3") TIMES_X ADD_WHERE("2")
                           TIMES_X ADD_WHERE("1")
                               TIMES_X ADD_WHERE("0") "vse8.v v0, (%[product])" RVV_END
                   :
                   : [a] "r"(&a), [b] "r"(&b), [product] "r"(&product), [fold] "r"(0x1DL),
                     [lanes] "r"((size_t)GF256_LANES)
                   : RVV_CLOBBERS);
  return product;
}

static inline gf256_vector gf256_keep_if_zero(gf256_vector a, gf256_vector b) {
  gf256_vector kept;

  __asm__ volatile(RVV_BEGIN
                   "vsetvli zero, %[lanes], e8, m2, ta, ma\n\t"
                   "vle8.v v2, (%[a])\n\t"
                   "vle8.v v4, (%[b])\n\t"
                   "vrsub.vi v6, v4, 0\n\t"
                   "vor.vv v4, v4, v6\n\t" /* the upper bit is set where b is not 0 */
                   "vsra.vi v4, v4, 7\n\t"
                   "vnot.v v4, v4\n\t"
                   "vand.vv v2, v2, v4\n\t"
                   "vse8.v v2, (%[kept])" RVV_END
                   :
                   : [a] "r"(&a), [b] "r"(&b), [kept] "r"(&kept), [lanes] "r"((size_t)GF256_LANES)
                   : RVV_CLOBBERS);
  return kept;
}

#define TEMPLATE_SUFFIX rvv
#include "hqc/reed_solomon.template.h"

const struct hqc_codes ckem_hqc_codes_rvv = {
    .name = "rvv",
    .reed_muller_decode = reed_muller_decode_rvv,
    .reed_solomon_encode = reed_solomon_encode_rvv,
    .reed_solomon_decode = reed_solomon_decode_rvv,
};

#endif
