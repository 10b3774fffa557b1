/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Raising to the power 2^k by two bit-matrix transposes (see gf2x_power.h) with GFNI.
 *
 * Rows are read at any bit position by unaligned loads and a funnel shift, and lie one behind the
 * other in memory: the 64-bit words of a row together. Eight rows and four words at a time are
 * turned into vectors that hold one word of eight rows; eight such vectors are a block of 64 x 64
 * bits, which is transposed in three steps: each 8 x 8 bits (byte permutation, then affine
 * transform with the data as the matrix), the 8 x 8 words of the eight vectors, and the bytes of
 * each word. Then the transposed rows are put together again in the same way.
 *
 * Rows are written to any bit position without reading: neighbours go to two different buffers,
 * which are added in the end. In one buffer, each row overwrites only zeros of the one before.
 *
 * The body is compiled for each number of blocks.
 */
#include <assert.h>
#include <string.h>

#include "gf2x/gf2x_avx512.h"
#include "gf2x/gf2x_power.h"

#define GROUP 8           /* rows that are handled together */
#define GROUPS_OF_BLOCK 8 /* groups in 64 rows */
#define HALF_ROW 4        /* words of a row that are handled together */
#define PADDING_WORDS 16  /* read and written behind the end of an element */

/* Words from one row to the next. */
#define ROW_WORDS(blocks) ((blocks) <= HALF_ROW ? HALF_ROW : 2 * HALF_ROW)

/* The working memory; every part is aligned like the scratch memory. */
struct power {
  const struct gf2x_ring *ring;
  const struct gf2x_power_plan *plan;
  size_t words;         /* of an element with padding */
  uint64_t *rows;       /* read from the element */
  vector *columns;      /* rows, eight in a vector, by columns of blocks */
  uint64_t *transposed; /* behind one zero vector: the rows of the transposed matrix */
  uint64_t *buffer[2];  /* elements with padding */
};

static const uint64_t shift_counts[8] = {0, 1, 2, 3, 4, 5, 6, 7};

/* The byte permutations of a transpose, by the order of rows that the steps around them leave. */
static const uint8_t gather_bytes[64] = {
#define ROW_BYTES(b) 56 + (b), 40 + (b), 48 + (b), 32 + (b), 24 + (b), 8 + (b), 16 + (b), (b)
    ROW_BYTES(0), ROW_BYTES(1), ROW_BYTES(2), ROW_BYTES(3),
    ROW_BYTES(4), ROW_BYTES(5), ROW_BYTES(6), ROW_BYTES(7),
#undef ROW_BYTES
};
static const uint8_t spread_bytes[64] = {
#define ROW_BYTES(i) (i), 8 + (i), 16 + (i), 24 + (i), 32 + (i), 40 + (i), 48 + (i), 56 + (i)
    ROW_BYTES(0), ROW_BYTES(4), ROW_BYTES(1), ROW_BYTES(5),
    ROW_BYTES(2), ROW_BYTES(6), ROW_BYTES(3), ROW_BYTES(7),
#undef ROW_BYTES
};

/* Reads the bits of a row from bit position of a on. */
ALWAYS_INLINE void read_row(uint64_t *row, const uint64_t *a, uint32_t position, unsigned blocks) {
  const uint8_t *start = (const uint8_t *)a + position / 8;
  const long long shift = (long long)shift_counts[position % 8];

  if (blocks <= HALF_ROW) {
    const __m256i low = _mm256_loadu_si256((const void *)start);
    const __m256i high = _mm256_loadu_si256((const void *)(start + 8));
    _mm256_store_si256((void *)row, _mm256_shrdv_epi64(low, high, _mm256_set1_epi64x(shift)));
  } else {
    const vector low = _mm512_loadu_si512(start);
    const vector high = _mm512_loadu_si512(start + 8);
    _mm512_store_si512(row, _mm512_shrdv_epi64(low, high, _mm512_set1_epi64(shift)));
  }
}

/* Writes a row to a from bit position on, and zeros before and behind it. */
ALWAYS_INLINE void write_row(uint64_t *a, uint32_t position, const uint64_t *row, unsigned blocks) {
  uint8_t *start = (uint8_t *)a + position / 8;
  const long long shift = (long long)shift_counts[position % 8];

  if (blocks < HALF_ROW) { /* The last word of each row is zero, also before this one. */
    const __m256i low = _mm256_loadu_si256((const void *)(row - 1));
    const __m256i high = _mm256_load_si256((const void *)row);
    _mm256_storeu_si256((void *)start, _mm256_shldv_epi64(high, low, _mm256_set1_epi64x(shift)));
  } else {
    const __mmask8 used = (__mmask8)((1U << blocks) - 1);
    const vector low = _mm512_maskz_loadu_epi64((__mmask8)(used << 1), row - 1);
    const vector high = _mm512_maskz_loadu_epi64(used, row);
    _mm512_storeu_si512(start, _mm512_shldv_epi64(high, low, _mm512_set1_epi64(shift)));
  }
}

/* Sets columns[c] to word c of the eight rows of a group, for c < 4, in the order 0 2 1 3 4 6 5 7. */
ALWAYS_INLINE void rows_to_columns(vector columns[HALF_ROW], const uint64_t *rows,
                                   unsigned blocks) {
  vector pair[4];

#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    if (blocks <= HALF_ROW) {
      pair[i] = _mm512_load_si512(rows + 2 * HALF_ROW * i);
    } else {
      const uint64_t *first = rows + 2 * i * ROW_WORDS(blocks);
      const void *second = first + ROW_WORDS(blocks);
      pair[i] = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_load_si256((const void *)first)),
                                   _mm256_load_si256(second), 1);
    }
  }
  const vector even0 = _mm512_unpacklo_epi64(pair[0], pair[1]);
  const vector even1 = _mm512_unpacklo_epi64(pair[2], pair[3]);
  const vector odd0 = _mm512_unpackhi_epi64(pair[0], pair[1]);
  const vector odd1 = _mm512_unpackhi_epi64(pair[2], pair[3]);
  columns[0] = _mm512_shuffle_i64x2(even0, even1, 0x88);
  columns[1] = _mm512_shuffle_i64x2(odd0, odd1, 0x88);
  columns[2] = _mm512_shuffle_i64x2(even0, even1, 0xDD);
  columns[3] = _mm512_shuffle_i64x2(odd0, odd1, 0xDD);
}

/* The inverse, for rows in the order 0 4 1 5 2 6 3 7. */
ALWAYS_INLINE void columns_to_rows(uint64_t *rows, const vector columns[HALF_ROW],
                                   unsigned blocks) {
  const vector first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
  const vector second = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
  const vector even0 = _mm512_unpacklo_epi64(columns[0], columns[1]);
  const vector even1 = _mm512_unpacklo_epi64(columns[2], columns[3]);
  const vector odd0 = _mm512_unpackhi_epi64(columns[0], columns[1]);
  const vector odd1 = _mm512_unpackhi_epi64(columns[2], columns[3]);
  const vector pair[4] = {
      _mm512_permutex2var_epi64(even0, first, even1),
      _mm512_permutex2var_epi64(even0, second, even1),
      _mm512_permutex2var_epi64(odd0, first, odd1),
      _mm512_permutex2var_epi64(odd0, second, odd1),
  };

#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    if (blocks <= HALF_ROW) {
      _mm512_store_si512(rows + 2 * HALF_ROW * i, pair[i]);
    } else {
      uint64_t *row = rows + 2 * i * ROW_WORDS(blocks);
      _mm256_store_si256((void *)row, _mm512_castsi512_si256(pair[i]));
      _mm256_store_si256((void *)(row + ROW_WORDS(blocks)), _mm512_extracti64x4_epi64(pair[i], 1));
    }
  }
}

/* Transposes 64 x 64 bits: eight rows in each vector, in the orders given above. */
ALWAYS_INLINE void transpose_block(vector out[GROUPS_OF_BLOCK], const vector in[GROUPS_OF_BLOCK]) {
  const vector gather = _mm512_loadu_si512(gather_bytes);
  const vector spread = _mm512_loadu_si512(spread_bytes);
  const vector identity = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
  vector tiles[GROUPS_OF_BLOCK];

#pragma GCC unroll 8
  for (int g = 0; g < GROUPS_OF_BLOCK; g++) {
    tiles[g] = _mm512_gf2p8affine_epi64_epi8(identity, _mm512_permutexvar_epi8(gather, in[g]), 0);
  }
#pragma GCC unroll 2
  for (int odd = 0; odd < 2; odd++) {
    vector pairs[4], quads[4];
#pragma GCC unroll 4
    for (int g = 0; g < 4; g++) {
      pairs[g] = odd ? _mm512_unpackhi_epi64(tiles[2 * g], tiles[2 * g + 1])
                     : _mm512_unpacklo_epi64(tiles[2 * g], tiles[2 * g + 1]);
    }
    transpose_blocks(quads, pairs);
#pragma GCC unroll 4
    for (int g = 0; g < 4; g++) {
      out[2 * g + odd] = _mm512_permutexvar_epi8(spread, quads[g]);
    }
  }
}

/* Transposes the matrix of power->rows. */
ALWAYS_INLINE void transpose_rows(const struct power *power, unsigned blocks) {
  const size_t row_words = ROW_WORDS(blocks);
  const size_t groups = blocks * GROUPS_OF_BLOCK;

  for (size_t g = 0; g < groups; g++) {
    for (size_t c = 0; c < blocks; c += HALF_ROW) {
      vector columns[HALF_ROW];
      rows_to_columns(columns, power->rows + g * GROUP * row_words + c, blocks);
#pragma GCC unroll 4
      for (size_t i = 0; i < HALF_ROW; i++) {
        if (c + i < blocks) {
          power->columns[(c + i) * groups + g] = columns[i];
        }
      }
    }
  }
  for (size_t c = 0; c < blocks; c++) {
    vector tiles[2 * HALF_ROW][GROUPS_OF_BLOCK];
    for (size_t r = 0; r < blocks; r++) {
      transpose_block(tiles[r], power->columns + c * groups + r * GROUPS_OF_BLOCK);
    }
    for (size_t g = 0; g < GROUPS_OF_BLOCK; g++) {
      uint64_t *rows = power->transposed + (c * GROUPS_OF_BLOCK + g) * GROUP * row_words;
#pragma GCC unroll 2
      for (size_t r = 0; r < blocks; r += HALF_ROW) {
        vector columns[HALF_ROW];
#pragma GCC unroll 4
        for (size_t i = 0; i < HALF_ROW; i++) {
          columns[i] = r + i < blocks ? tiles[r + i][g] : _mm512_setzero_si512();
        }
        columns_to_rows(rows + r, columns, blocks);
      }
    }
  }
}

/* Clears the rows of the first matrix from `first` on. */
ALWAYS_INLINE void clear_rows(const struct power *power, unsigned blocks, size_t first) {
  memset(power->rows + first * ROW_WORDS(blocks), 0,
         (64 * (size_t)blocks - first) * ROW_WORDS(blocks) * sizeof *power->rows);
}

static void clear_buffers(const struct power *power) {
  memset(power->buffer[0], 0, power->words * sizeof(uint64_t));
  memset(power->buffer[1], 0, power->words * sizeof(uint64_t));
}

/* Sets out to the sum of both buffers without the bits from r on. */
static void add_buffers(const struct power *power, uint64_t *out) {
  const size_t last = power->ring->stride - VECTOR_WORDS;

  for (size_t i = 0; i <= last; i += VECTOR_WORDS) {
    const vector sum = xor2(_mm512_load_si512(power->buffer[0] + i),
                            _mm512_load_si512(power->buffer[1] + i));
    _mm512_store_si512(out + i, i < last ? sum : clear_padding(power->ring, sum));
  }
}

/* y[u] = a[e u mod r], y and a in buffer[0] */
ALWAYS_INLINE void gather_columns(const struct power *power, unsigned blocks) {
  const uint32_t r = power->ring->r_bits;
  const uint32_t e = power->plan->e;
  const uint32_t whole = r / e;
  const uint32_t rest = r % e;
  uint32_t column = 0;
  uint32_t u = 0;

  for (uint32_t t = 0; t <= whole; t++) {
    read_row(power->rows + t * ROW_WORDS(blocks), power->buffer[0], e * t, blocks);
  }
  clear_rows(power, blocks, whole + 1);
  transpose_rows(power, blocks);
  clear_buffers(power);
  for (uint32_t pass = 0; pass < e; pass++) {
    write_row(power->buffer[pass % 2], u, power->transposed + column * ROW_WORDS(blocks), blocks);
    /* A column has one bit more if it is one of the first; the walk goes on at the top of the
     * column that stands `rest` to the left. */
    u += whole + (column < rest);
    column = column < rest ? column + e - rest : column - rest;
  }
  add_buffers(power, power->buffer[0]);
}

/* Continues y cyclically behind its end. */
static void extend(const struct power *power) {
  const unsigned used_bits = power->ring->r_bits % 64; /* r is an odd prime, so not 0 */
  uint64_t *y = power->buffer[0];
  uint64_t *end = y + power->ring->words - 1;

  end[0] |= y[0] << used_bits;
  for (size_t i = 0; i < PADDING_WORDS / 2 + 1; i++) {
    end[i + 1] = y[i] >> (64 - used_bits) | y[i + 1] << used_bits;
  }
}

/* out[d u mod r] = y[u] or y[-u], y in buffer[0] */
ALWAYS_INLINE void scatter_columns(const struct power *power, unsigned blocks, uint64_t *out) {
  const uint32_t r = power->ring->r_bits;
  const uint32_t d = power->plan->d;
  const uint32_t rows = r / d + 1;
  const unsigned negative = power->plan->negative;
  uint32_t w = 0;

  for (uint32_t c = 0; c < d; c++) {
    const uint32_t backwards = 2 * r - w - (rows - 1);
    const uint32_t start = negative ? backwards - (backwards >= r ? r : 0) : w;
    read_row(power->rows + c * ROW_WORDS(blocks), power->buffer[0],
             start - (start >= r ? r : 0), blocks);
    w += power->plan->d_inverse;
    w -= w >= r ? r : 0;
  }
  clear_rows(power, blocks, d);
  transpose_rows(power, blocks);
  clear_buffers(power);
  for (uint32_t t = 0; t < rows; t++) {
    const uint32_t row = negative ? rows - 1 - t : t;
    write_row(power->buffer[t % 2], d * t, power->transposed + row * ROW_WORDS(blocks), blocks);
  }
  add_buffers(power, out);
}

ALWAYS_INLINE void apply(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                         uint64_t *out, const uint64_t *a, uint64_t *scratch, unsigned blocks) {
  const size_t matrix_words = 64 * blocks * ROW_WORDS(blocks);
  struct power power = {.ring = ring, .plan = plan, .words = ring->stride + PADDING_WORDS};

  power.rows = scratch;
  power.columns = (vector *)(power.rows + matrix_words);
  power.transposed = power.rows + matrix_words + 64 * (size_t)blocks * blocks + VECTOR_WORDS;
  power.buffer[0] = power.transposed + matrix_words;
  power.buffer[1] = power.buffer[0] + power.words;
  assert(power.buffer[1] + power.words <= scratch + GF2X_SCRATCH_WORDS(ring->r_bits));

  memset(power.transposed - VECTOR_WORDS, 0, VECTOR_WORDS * sizeof *power.transposed);
  memcpy(power.buffer[0], a, ring->stride * sizeof *a);
  memset(power.buffer[0] + ring->stride, 0, PADDING_WORDS * sizeof *a);
  gather_columns(&power, blocks);
  extend(&power);
  scatter_columns(&power, blocks, out);
}

typedef void apply_function(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                            uint64_t *out, const uint64_t *a, uint64_t *scratch);

#define DEFINE_APPLY(blocks)                                                               \
  static void apply_##blocks(const struct gf2x_ring *ring,                                 \
                             const struct gf2x_power_plan *plan, uint64_t *out,            \
                             const uint64_t *a, uint64_t *scratch) {                       \
    apply(ring, plan, out, a, scratch, blocks);                                            \
  }

DEFINE_APPLY(1)
DEFINE_APPLY(2)
DEFINE_APPLY(3)
DEFINE_APPLY(4)
DEFINE_APPLY(5)
DEFINE_APPLY(6)

void gf2x_power_apply_avx512(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                             uint64_t *out, const uint64_t *a, uint64_t *scratch) {
  static apply_function *const functions[GF2X_POWER_MAX_BLOCKS] = {
      apply_1, apply_2, apply_3, apply_4, apply_5, apply_6,
  };

  functions[plan->blocks - 1](ring, plan, out, a, scratch);
}
