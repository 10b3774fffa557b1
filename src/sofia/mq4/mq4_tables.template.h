/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Values at many places by tables of sums ("four Russians"), one bit for each place.
 *
 * All values together are a product of matrices over F_4: coefficients (128 x 8384) times monomials
 * (8384 x places). A monomial at all places is a few vectors, with the bits of the places side by
 * side. Of four monomials all 16 sums are written down, and each polynomial picks one of them by
 * its four coefficients. The system is public and may choose the address; the secrets are what the
 * tables hold.
 *
 * A product over F_4 is three of bits: lo lo, hi hi, and (lo + hi)(lo + hi). So there are three
 * planes of monomials, of tables and of sums.
 *
 * A template (base/template.h): it defines evaluate with the suffix. The file that includes this
 * defines before it TEMPLATE_SUFFIX, and
 *   VECTOR, VECTOR_WORDS: a type of bits, and how many 64-bit words are one;
 *   ADD(a, b), MASK(a, b), ZERO: a XOR b, a AND b, no bit set;
 *   IN_REGISTER(x): keeps the compiler from calculating x anew for each use, or nothing;
 *   WIDTHS(do): do(w) for each number of vectors that there shall be code for, from small to large.
 */
#if !defined(TEMPLATE_SUFFIX) || !defined(VECTOR) || !defined(VECTOR_WORDS) || !defined(ADD) || \
    !defined(MASK) || !defined(ZERO) || !defined(IN_REGISTER) || !defined(WIDTHS)
#error This is a template: define TEMPLATE_SUFFIX and what else the text above names before it
#endif

#include <assert.h>

#include "base/bytes.h"
#include "base/template.h"
#include "base/unroll.h"
#include "mq4/mq4.h"
#include "mq4/mq4_columns.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define PLACES_OF_VECTOR ((size_t)64 * VECTOR_WORDS)

/* Monomials are made for half a row at once, so that the sums of a plane are fetched less often;
 * polynomials are read in chunks of four bytes of each plane. */
#define HALF_ROW 64
#define CHUNK 32
#define TABLES (CHUNK / 4)
#define ENTRIES 16

/* More vectors than any width. */
#define MOST_WIDTH 16

/* Elements at all places of F, or of one argument of G. */
struct columns {
  const VECTOR *first; /* plane of element k: width vectors from (MQ4_PLANES k + plane) width on */
  size_t width;
};

/* What one evaluation works on. */
struct work {
  struct columns x, y, z;
  VECTOR *monomials; /* of a chunk: [MQ4_PLANES][CHUNK][width] */
  VECTOR *tables; /* of one plane of it: [TABLES][ENTRIES][width] */
  VECTOR *sums; /* [MQ4_PLANES][MQ4_VARIABLES][width] */
  size_t width; /* vectors for x, then those for y and z, then perhaps unused ones */
};

/* Products at the places of one vector, as lo lo, hi hi and (lo + hi)(lo + hi). */
struct products {
  VECTOR lo, hi, both;
};

/* Multiplies elements k and p at vector v of their columns. */
ALWAYS_INLINE struct products multiply(struct columns a, size_t k, struct columns b, size_t p,
                                       size_t v) {
  const VECTOR *x = a.first + MQ4_PLANES * a.width * k + v;
  const VECTOR *y = b.first + MQ4_PLANES * b.width * p + v;

  return (struct products){
      .lo = MASK(x[0], y[0]),
      .hi = MASK(x[a.width], y[b.width]),
      .both = MASK(x[2 * a.width], y[2 * b.width]),
  };
}

/* Sets the planes of a monomial at one vector; plane_size: from one plane to the next. */
ALWAYS_INLINE void set_monomial(VECTOR *monomial, size_t plane_size, struct products m) {
  monomial[0] = ADD(m.lo, m.hi);
  monomial[plane_size] = ADD(m.both, m.lo);
  monomial[2 * plane_size] = ADD(m.both, m.hi);
}

/* Writes monomials first to first + HALF_ROW - 1 of a row: of the linear one (row 0), where G has
 * none, or of quadratic row - 1. */
static void TEMPLATE_NAME(make_monomials)(const struct work *work, size_t row, size_t first) {
  const size_t plane_size = HALF_ROW * work->width;
  const struct columns x = work->x, y = work->y, z = work->z;

  for (size_t i = 0; i < HALF_ROW; i++) {
    const size_t k = first + i;
    const size_t p = row > 0 ? mq4_partner(row - 1, k) : 0;
    VECTOR *monomial = work->monomials + i * work->width;
    for (size_t v = 0; v < x.width && row == 0; v++) {
      for (size_t plane = 0; plane < MQ4_PLANES; plane++) {
        monomial[plane * plane_size + v] = x.first[(MQ4_PLANES * k + plane) * x.width + v];
      }
    }
    for (size_t v = 0; v < x.width && row > 0; v++) {
      set_monomial(monomial + v, plane_size, multiply(x, k, x, p, v));
    }
    for (size_t v = 0; v < y.width && row > 0; v++) {
      struct products m = multiply(y, k, z, p, v);
      const struct products other = multiply(z, k, y, p, v);
      m.lo = ADD(m.lo, other.lo);
      m.hi = ADD(m.hi, other.hi);
      m.both = ADD(m.both, other.both);
      set_monomial(monomial + x.width + v, plane_size, m);
    }
  }
}

/* Writes the sums of each four of the monomials: entry e has those whose bit in e is set. */
ALWAYS_INLINE void make_tables(VECTOR *tables, const VECTOR *monomials, size_t width) {
  for (size_t t = 0; t < TABLES; t++) {
    UNROLL for (size_t v = 0; v < width; v++) {
      VECTOR sums[ENTRIES] = {ZERO};
      UNROLL for (size_t bit = 0; bit < 4; bit++) {
        const VECTOR monomial = monomials[(4 * t + bit) * width + v];
        UNROLL for (size_t e = 0; e < (size_t)1 << bit; e++) {
          sums[((size_t)1 << bit) + e] = ADD(sums[e], monomial);
        }
      }
      UNROLL for (size_t e = 0; e < ENTRIES; e++) {
        tables[(t * ENTRIES + e) * width + v] = sums[e];
      }
    }
  }
}

/* Adds to the sums of a plane what each polynomial picks from the tables. coefficients: the bytes
 * of the chunk in the first polynomial; to_hi: from those of lo to those of hi. */
ALWAYS_INLINE void add_picked(VECTOR *sums, const VECTOR *tables, size_t plane,
                              const uint8_t *coefficients, size_t to_hi, size_t width) {
  for (size_t k = 0; k < MQ4_VARIABLES; k++) {
    const uint8_t *here = coefficients + k * MQ4_POLYNOMIAL_BYTES;
    const uint32_t lo = load_le32(here), hi = load_le32(here + to_hi);
    const uint32_t picks = plane == 0 ? lo : plane == 1 ? hi : lo ^ hi;
    VECTOR *sum = sums + k * width;
    VECTOR kept[MOST_WIDTH];

    UNROLL for (size_t v = 0; v < width; v++) {
      kept[v] = sum[v];
    }
    UNROLL for (size_t t = 0; t < TABLES; t++) {
      size_t offset = (picks >> 4 * t & 15) * (width * sizeof(VECTOR));
      IN_REGISTER(offset);
      const VECTOR *entry =
          (const VECTOR *)((const unsigned char *)(tables + t * ENTRIES * width) + offset);
      UNROLL for (size_t v = 0; v < width; v++) {
        kept[v] = ADD(kept[v], entry[v]);
      }
    }
    UNROLL for (size_t v = 0; v < width; v++) {
      sum[v] = kept[v];
    }
  }
}

/* Adds half a row to all sums: its monomials are made, coefficients and to_hi as above. */
ALWAYS_INLINE void add_half_row(const struct work *work, const uint8_t *coefficients, size_t to_hi,
                                size_t width) {
  for (size_t plane = 0; plane < MQ4_PLANES; plane++) {
    for (size_t first = 0; first < HALF_ROW; first += CHUNK) {
      make_tables(work->tables, work->monomials + (plane * HALF_ROW + first) * width, width);
      add_picked(work->sums + plane * MQ4_VARIABLES * width, work->tables, plane,
                 coefficients + first / 8, to_hi, width);
    }
  }
}

/* Adds all rows of the system to the sums. */
static void TEMPLATE_NAME(add_rows)(const struct work *work, const uint8_t *system) {
  for (size_t row = 0; row <= MQ4_WHOLE_ROWS; row++) {
    const size_t plane_bytes = row < MQ4_WHOLE_ROWS ? MQ4_PLANE_BYTES : MQ4_PLANE_BYTES / 2;
    for (size_t first = 0; first < 8 * plane_bytes; first += HALF_ROW) {
      const uint8_t *coefficients = system + row * MQ4_VECTOR_BYTES + first / 8;
      TEMPLATE_NAME(make_monomials)(work, row, first);
      switch (work->width) {
#define CASE(w)                                       \
  case w:                                             \
    add_half_row(work, coefficients, plane_bytes, w); \
    break;
        WIDTHS(CASE)
#undef CASE
        default:
          break;
      }
    }
  }
}

/* Returns the smallest width that there is code for and that holds n vectors. */
static size_t TEMPLATE_NAME(width_for)(size_t n) {
#define TRY(w)  \
  if (n <= w) { \
    return w;   \
  }
  WIDTHS(TRY)
#undef TRY
  assert(!"more places than mq4.h allows");
  return 0;
}

/* Returns how many vectors count places take. */
static inline size_t vectors_for(size_t count) {
  return (count + PLACES_OF_VECTOR - 1) / PLACES_OF_VECTOR;
}

/* Takes vectors from an arena. */
static inline VECTOR *take_vectors(struct arena *arena, size_t count) {
  return (VECTOR *)(void *)arena_take(arena, count * VECTOR_WORDS);
}

/* Takes memory for count vectors and turns them around. */
static struct columns TEMPLATE_NAME(columns_of)(struct arena *arena, const uint8_t *vectors,
                                                size_t count) {
  const size_t width = vectors_for(count);
  uint64_t *words = arena_take(arena, MQ4_VARIABLES * MQ4_PLANES * width * VECTOR_WORDS);

  ckem_mq4_turn(words, width * VECTOR_WORDS, vectors, count);
  return (struct columns){(const VECTOR *)(const void *)words, width};
}

static void TEMPLATE_NAME(evaluate)(const struct mq4_places *places, const uint8_t *system,
                                    uint64_t *scratch) {
  struct arena arena = {scratch, MQ4_SCRATCH_WORDS};
  struct work work = {
      .x = TEMPLATE_NAME(columns_of)(&arena, places->x, places->count),
      .y = TEMPLATE_NAME(columns_of)(&arena, places->y, places->polar_count),
      .z = TEMPLATE_NAME(columns_of)(&arena, places->z, places->polar_count),
  };

  work.width = TEMPLATE_NAME(width_for)(work.x.width + work.y.width);
  const size_t monomial_count = MQ4_PLANES * HALF_ROW * work.width;
  const size_t sum_count = MQ4_PLANES * MQ4_VARIABLES * work.width;
  work.monomials = take_vectors(&arena, monomial_count);
  work.tables = take_vectors(&arena, TABLES * ENTRIES * work.width);
  work.sums = take_vectors(&arena, sum_count);
  for (size_t i = 0; i < monomial_count; i++) { /* some stay so: G in row 0, unused vectors */
    work.monomials[i] = ZERO;
  }
  for (size_t i = 0; i < sum_count; i++) {
    work.sums[i] = ZERO;
  }
  TEMPLATE_NAME(add_rows)(&work, system);
  const uint64_t *sums = (const uint64_t *)(const void *)work.sums;
  ckem_mq4_turn_back(places->values, sums, work.width * VECTOR_WORDS, places->count);
  ckem_mq4_turn_back(places->polar_values, sums + work.x.width * VECTOR_WORDS,
                     work.width * VECTOR_WORDS, places->polar_count);
}
