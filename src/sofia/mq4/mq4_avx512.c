/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Values by products of matrices of 8 x 8 bits, for processors with GFNI and AVX-512.
 *
 * A tile is 64 places; a vector has one byte of each, which is eight elements of one plane, or
 * eight monomials. vgf2p8affineqb multiplies such a vector by the eight coefficients of eight
 * polynomials. So each place keeps the bytes of its vectors, and the monomials of a row are byte by
 * byte products with a byte that is rotated, or another one.
 *
 * As with tables (mq4_tables.template.h), a product over F_4 is three of bits, in three planes.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "mq4/mq4.h"
#include "mq4/mq4_columns.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define TEMPLATE_SUFFIX avx512
#include "mq4/mq4_value.template.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef __m512i vector;

#define TILE 64       /* places */
#define PIECE_TILES 4 /* that are worked on together */
#define BYTES MQ4_PLANE_BYTES
#define GROUPS (MQ4_VARIABLES / 8) /* of eight polynomials */
#define GROUPS_AT_ONCE 4

/* The planes of a byte at the places of one tile. */
struct planes {
  vector lo, hi, both;
};

/* Some tiles of F, or of G. */
struct piece {
  const struct planes *y; /* [BYTES][tiles], the places */
  const struct planes *z; /* the other argument of G; NULL for F */
  vector *sums;           /* [MQ4_PLANES][GROUPS][tiles] */
  size_t tiles;
};

/* What all pieces need of one row: monomials of a piece, and coefficients of eight polynomials. */
struct row {
  vector monomials[MQ4_PLANES][BYTES][PIECE_TILES];
  uint64_t matrices[MQ4_PLANES][GROUPS][BYTES];
};

/* --- Coefficients ----------------------------------------------------------------------------- */

/* Loads one plane of a row of eight polynomials, length bytes of each, and writes a matrix for each
 * byte. The instruction takes the row for bit 0 of a result from byte 7. */
ALWAYS_INLINE void load_matrices(uint64_t matrices[BYTES], const uint8_t *coefficients,
                                 size_t length) {
  uint8_t rows[8][BYTES] = {{0}}; /* half of them stay so in the last row */

  for (size_t j = 0; j < 8; j++) {
    memcpy(rows[7 - j], coefficients + j * MQ4_POLYNOMIAL_BYTES, length);
  }
  /* Byte j of matrix k is byte k of row j. */
  const vector k = _mm512_mullo_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                      _mm512_set1_epi64(0x0101010101010101));
  const vector first = _mm512_add_epi8(k, _mm512_set1_epi64(0x7060504030201000));
  const vector low = _mm512_loadu_si512(rows[0]), high = _mm512_loadu_si512(rows[4]);

  _mm512_storeu_si512(matrices, _mm512_permutex2var_epi8(low, first, high));
  _mm512_storeu_si512(matrices + 8, _mm512_permutex2var_epi8(
                                        low, _mm512_add_epi8(first, _mm512_set1_epi8(8)), high));
}

/* Writes the matrices of all polynomials; bytes: of a plane of this row. */
static void load_row_avx512(struct row *row, const uint8_t *coefficients, size_t bytes) {
  for (size_t g = 0; g < GROUPS; g++) {
    const uint8_t *group = coefficients + 8 * g * MQ4_POLYNOMIAL_BYTES;
    if (bytes == BYTES) {
      load_matrices(row->matrices[0][g], group, BYTES);
      load_matrices(row->matrices[1][g], group + BYTES, BYTES);
    } else {
      load_matrices(row->matrices[0][g], group, BYTES / 2);
      load_matrices(row->matrices[1][g], group + BYTES / 2, BYTES / 2);
    }
    for (size_t k = 0; k < BYTES; k++) {
      row->matrices[2][g][k] = row->matrices[0][g][k] ^ row->matrices[1][g][k];
    }
  }
}

/* --- Monomials -------------------------------------------------------------------------------- */

ALWAYS_INLINE vector add(vector a, vector b) {
  return _mm512_xor_si512(a, b);
}

ALWAYS_INLINE vector transform(vector bytes, uint64_t matrix) {
  return _mm512_gf2p8affine_epi64_epi8(bytes, _mm512_set1_epi64((long long)matrix), 0);
}

/* Matrices that move the bits of a byte up or down by n; what leaves it is lost. */
#define IDENTITY UINT64_C(0x0102040810204080)
#define MOVE_UP(n) (IDENTITY >> 8 * (n))
#define MOVE_DOWN(n) (IDENTITY << 8 * (n))

ALWAYS_INLINE struct planes transform_planes(struct planes a, uint64_t matrix) {
  return (struct planes){transform(a.lo, matrix), transform(a.hi, matrix),
                         transform(a.both, matrix)};
}

ALWAYS_INLINE struct planes add_planes(struct planes a, struct planes b) {
  return (struct planes){add(a.lo, b.lo), add(a.hi, b.hi), add(a.both, b.both)};
}

ALWAYS_INLINE struct planes multiply(struct planes a, struct planes b) {
  return (struct planes){_mm512_and_si512(a.lo, b.lo), _mm512_and_si512(a.hi, b.hi),
                         _mm512_and_si512(a.both, b.both)};
}

/* Returns the partners in quadratic row r of byte c of a tile; see mq4_partner. */
ALWAYS_INLINE struct planes partners(const struct planes *a, size_t tiles, size_t r, size_t c) {
  if (r < 8) {
    return a[(c - r) % BYTES * tiles];
  }
  if (r < 56) {
    const size_t up = 1 + (r - 8) / 16;
    return transform_planes(a[(c - (r - 8)) % BYTES * tiles], MOVE_UP(up) | MOVE_DOWN(8 - up));
  }
  if (r < 64) {
    return add_planes(transform_planes(a[(c - (r - 56)) % BYTES * tiles], MOVE_UP(4)),
                      transform_planes(a[(c - (r - 56) - 1) % BYTES * tiles], MOVE_DOWN(4)));
  }
  return a[(c + BYTES / 2) * tiles];
}

/* Writes the monomials of a piece: of the linear row (number 0), or of quadratic row number - 1. */
static void make_monomials_avx512(struct row *row, const struct piece *piece, size_t number,
                                  size_t bytes) {
  const size_t tiles = piece->tiles;

  for (size_t c = 0; c < bytes; c++) {
    for (size_t t = 0; t < tiles; t++) {
      const struct planes *y = piece->y + t;
      struct planes m;
      if (number == 0) {
        m = y[c * tiles];
        row->monomials[0][c][t] = m.lo;
        row->monomials[1][c][t] = m.hi;
        row->monomials[2][c][t] = m.both;
        continue;
      }
      if (piece->z == NULL) {
        m = multiply(y[c * tiles], partners(y, tiles, number - 1, c));
      } else {
        const struct planes *z = piece->z + t;
        m = add_planes(multiply(y[c * tiles], partners(z, tiles, number - 1, c)),
                       multiply(z[c * tiles], partners(y, tiles, number - 1, c)));
      }
      row->monomials[0][c][t] = add(m.lo, m.hi);
      row->monomials[1][c][t] = add(m.both, m.lo);
      row->monomials[2][c][t] = add(m.both, m.hi);
    }
  }
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* Reads a matrix into all words. The barrier keeps that an instruction of its own: as a memory
 * operand of vgf2p8affineqb, LLVM before version 20 encodes its address wrongly, and it makes it
 * one where there is one tile. */
ALWAYS_INLINE vector spread_matrix(const uint64_t *matrix) {
  vector x = _mm512_set1_epi64((long long)*matrix);

#if !defined(CODEKEM_CHECK_MSAN)
  __asm__("" : "+v"(x));
#endif
  return x;
}

/* Adds the products of a row in one plane to the sums [GROUPS][tiles]. */
ALWAYS_INLINE void add_products(vector *sums, const vector (*monomials)[PIECE_TILES],
                                const uint64_t (*matrices)[BYTES], size_t bytes, size_t tiles) {
  for (size_t g = 0; g < GROUPS; g += GROUPS_AT_ONCE) {
    vector kept[GROUPS_AT_ONCE][PIECE_TILES];

    UNROLL for (size_t i = 0; i < GROUPS_AT_ONCE; i++) {
      UNROLL for (size_t t = 0; t < tiles; t++) {
        kept[i][t] = sums[(g + i) * tiles + t];
      }
    }
    for (size_t k = 0; k < bytes; k += 2) {
      UNROLL for (size_t i = 0; i < GROUPS_AT_ONCE; i++) {
        const vector even = spread_matrix(&matrices[g + i][k]);
        const vector odd = spread_matrix(&matrices[g + i][k + 1]);
        UNROLL for (size_t t = 0; t < tiles; t++) {
          kept[i][t] = _mm512_ternarylogic_epi64(
              kept[i][t], _mm512_gf2p8affine_epi64_epi8(monomials[k][t], even, 0),
              _mm512_gf2p8affine_epi64_epi8(monomials[k + 1][t], odd, 0), 0x96);
        }
      }
    }
    UNROLL for (size_t i = 0; i < GROUPS_AT_ONCE; i++) {
      UNROLL for (size_t t = 0; t < tiles; t++) {
        sums[(g + i) * tiles + t] = kept[i][t];
      }
    }
  }
}

static void add_row_avx512(const struct row *row, const struct piece *piece, size_t bytes) {
  for (size_t plane = 0; plane < MQ4_PLANES; plane++) {
    vector *sums = piece->sums + plane * GROUPS * piece->tiles;
    switch (piece->tiles) {
#define CASE(n)                                                                \
  case n:                                                                      \
    add_products(sums, row->monomials[plane], row->matrices[plane], bytes, n); \
    break;
      CASE(1)
      CASE(2)
      CASE(3)
      CASE(4)
#undef CASE
      default:
        break;
    }
  }
}

/* --- Places ----------------------------------------------------------------------------------- */

/* Puts the bytes of count vectors side by side, 64 tiles at most; missing ones are zero. */
static const struct planes *turn_avx512(struct arena *arena, const uint8_t *vectors, size_t count,
                                        size_t tiles) {
  struct planes *out =
      (struct planes *)(void *)arena_take(arena, BYTES * tiles * sizeof *out / sizeof(uint64_t));

  memset(out, 0, BYTES * tiles * sizeof *out);
  for (size_t i = 0; i < count; i++) {
    const uint8_t *vector_i = vectors + i * MQ4_VECTOR_BYTES;
    for (size_t c = 0; c < BYTES; c++) {
      uint8_t *bytes = (uint8_t *)&out[c * tiles + i / TILE] + i % TILE;
      bytes[0] = vector_i[c];
      bytes[TILE] = vector_i[BYTES + c];
      bytes[2 * TILE] = vector_i[c] ^ vector_i[BYTES + c];
    }
  }
  return out;
}

/* Takes memory for the sums of a piece and turns its places. z is NULL for F. */
static struct piece piece_of_avx512(struct arena *arena, const uint8_t *y, const uint8_t *z,
                                    size_t count) {
  const size_t tiles = (count + TILE - 1) / TILE;
  struct piece piece = {.tiles = tiles};

  piece.y = turn_avx512(arena, y, count, tiles);
  piece.z = z != NULL ? turn_avx512(arena, z, count, tiles) : NULL;
  piece.sums = (vector *)(void *)arena_take(arena, MQ4_PLANES * GROUPS * tiles * sizeof(vector) /
                                                       sizeof(uint64_t));
  memset(piece.sums, 0, MQ4_PLANES * GROUPS * tiles * sizeof(vector));
  return piece;
}

/* Writes the values at count places. */
static void turn_back_avx512(uint8_t *values, const struct piece *piece, size_t count) {
  const size_t tiles = piece->tiles;

  for (size_t g = 0; g < GROUPS; g++) {
    for (size_t t = 0; t < tiles; t++) {
      const vector *sums = piece->sums + g * tiles + t;
      const vector lo_lo = sums[0], hi_hi = sums[GROUPS * tiles], both = sums[2 * GROUPS * tiles];
      const size_t left = count - t * TILE, here = left < TILE ? left : TILE;
      uint8_t lo[TILE], hi[TILE];
      uint8_t *value = values + t * TILE * MQ4_VECTOR_BYTES + g;
      _mm512_storeu_si512(lo, add(lo_lo, hi_hi));
      _mm512_storeu_si512(hi, add(lo_lo, both));
      for (size_t i = 0; i < here; i++) {
        value[i * MQ4_VECTOR_BYTES] = lo[i];
        value[i * MQ4_VECTOR_BYTES + BYTES] = hi[i];
      }
    }
  }
}

#define PIECE_PLACES ((size_t)PIECE_TILES * TILE)
#define MOST_PIECES ((MQ4_MOST_PLACES + PIECE_PLACES - 1) / PIECE_PLACES)

/* The places of piece number i of count. */
static inline size_t places_of_piece(size_t count, size_t i) {
  const size_t first = i * PIECE_PLACES;

  return count <= first ? 0 : count - first < PIECE_PLACES ? count - first : PIECE_PLACES;
}

static void evaluate_avx512(const struct mq4_places *places, const uint8_t *system,
                            uint64_t *scratch) {
  struct arena arena = {scratch, MQ4_SCRATCH_WORDS};
  struct row *row = (void *)arena_take(&arena, sizeof *row / sizeof(uint64_t));
  struct piece pieces[2 * MOST_PIECES];

  for (size_t i = 0; i < MOST_PIECES; i++) {
    const size_t first = i * PIECE_PLACES * MQ4_VECTOR_BYTES;
    pieces[i] = piece_of_avx512(&arena, places->x + first, NULL, places_of_piece(places->count, i));
    pieces[MOST_PIECES + i] = piece_of_avx512(&arena, places->y + first, places->z + first,
                                              places_of_piece(places->polar_count, i));
  }
  for (size_t number = 0; number <= MQ4_WHOLE_ROWS; number++) {
    const size_t bytes = number < MQ4_WHOLE_ROWS ? BYTES : BYTES / 2;
    load_row_avx512(row, system + number * MQ4_VECTOR_BYTES, bytes);
    for (size_t i = 0; i < 2 * MOST_PIECES; i++) {
      if (number >= 2 || pieces[i].z == NULL) { /* G has no linear terms and no squares */
        make_monomials_avx512(row, &pieces[i], number, bytes);
        add_row_avx512(row, &pieces[i], bytes);
      }
    }
  }
  for (size_t i = 0; i < MOST_PIECES; i++) {
    const size_t first = i * PIECE_PLACES * MQ4_VECTOR_BYTES;
    turn_back_avx512(places->values + first, &pieces[i], places_of_piece(places->count, i));
    turn_back_avx512(places->polar_values + first, &pieces[MOST_PIECES + i],
                     places_of_piece(places->polar_count, i));
  }
}

const struct mq4_ops ckem_mq4_avx512 = {
    .name = "avx512",
    .value = value_avx512,
    .evaluate = evaluate_avx512,
};

ISA_END
#endif
