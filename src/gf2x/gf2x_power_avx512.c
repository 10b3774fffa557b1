/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Raising to the power 2^k by two bit-matrix transposes (see gf2x_power.h) with GFNI.
 *
 * The words of eight rows, four words of each at a time, are read at any bit position by unaligned
 * loads and a funnel shift, and turned into vectors that hold one word of eight rows. Eight such
 * vectors are a block of 64 x 64 bits, which is transposed in three steps: each 8 x 8 bits (byte
 * permutation, then affine transform with the data as the matrix), the 8 x 8 words of the eight
 * vectors, and the bytes of each word. The transposed rows are stored with their words together,
 * then written one by one to their bit positions.
 *
 * Rows are written without reading what is there: neighbours go to two different buffers, which are
 * added in the end. In one buffer, each row overwrites only zeros of the one before.
 *
 * The body is compiled for each number of blocks.
 */
#include "gf2x/gf2x_power.h"

#include <assert.h>
#include <string.h>

#include "gf2x/gf2x_avx512.h"

#define GROUP 8           /* rows that are handled together */
#define GROUPS_OF_BLOCK 8 /* groups in 64 rows */
#define MAX_ROWS (64 * GF2X_POWER_MAX_BLOCKS)
#define HALF_ROW 4        /* words of a row that are handled together */
#define END_WORDS 16      /* read and written behind the end of an element */
#define ZERO_WORDS 16     /* always zero, behind those: read in place of a missing row */
#define PADDING_WORDS (END_WORDS + ZERO_WORDS)

/* Words from one row to the next. */
#define ROW_WORDS(blocks) ((blocks) <= HALF_ROW ? HALF_ROW : 2 * HALF_ROW)

/* The rows of a matrix: their numbers and bit positions. There is room for a row more, to make
 * their number even. */
struct places {
  uint32_t row[MAX_ROWS + GROUP];
  uint32_t position[MAX_ROWS + GROUP];
};

/* The working memory; every part is aligned like the scratch memory. */
struct power {
  const struct gf2x_ring *ring;
  const struct gf2x_power_plan *plan;
  size_t words;         /* of an element with padding */
  vector *columns;      /* rows, eight in a vector, by columns of blocks */
  uint64_t *transposed; /* the rows of the transposed matrix */
  uint64_t *buffer[2];  /* elements with padding */
  struct places *places;
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

/* Writes a row to a from bit position on, and zeros before and behind it, 512 bits in all. */
ALWAYS_INLINE void write_row(uint64_t *a, uint32_t position, const uint64_t *row, unsigned blocks) {
  const vector shift = _mm512_set1_epi64((long long)shift_counts[position % 8]);
  const vector high = blocks <= HALF_ROW
                          ? _mm512_zextsi256_si512(_mm256_load_si256((const void *)row))
                          : _mm512_load_si512(row);
  const vector low = _mm512_alignr_epi64(high, _mm512_setzero_si512(), VECTOR_WORDS - 1);

  _mm512_storeu_si512((uint8_t *)a + position / 8, _mm512_shldv_epi64(high, low, shift));
}

ALWAYS_INLINE vector load_two(const uint8_t *first, const uint8_t *second) {
  const vector low = _mm512_castsi256_si512(_mm256_loadu_si256((const void *)first));

  return _mm512_inserti64x4(low, _mm256_loadu_si256((const void *)second), 1);
}

/* Sets columns[c] to word first + c of the eight rows that begin at the given bit positions of a,
 * for c < 4, in the order 0 2 1 3 4 6 5 7. */
ALWAYS_INLINE void read_group(vector columns[HALF_ROW], const uint8_t *a,
                              const uint32_t positions[GROUP], size_t first, unsigned blocks) {
  const vector second_row = _mm512_set_epi64(1, 1, 1, 1, 0, 0, 0, 0);
  const __m256i bits = _mm256_and_si256(_mm256_loadu_si256((const void *)positions),
                                        _mm256_set1_epi32(7));
  const vector shifts = _mm512_cvtepu32_epi64(bits);
  vector pair[GROUP / 2];

  a += first * sizeof(uint64_t);
#pragma GCC unroll 4
  for (int i = 0; i < GROUP / 2; i++) {
    const uint8_t *row0 = a + positions[2 * i] / 8;
    const uint8_t *row1 = a + positions[2 * i + 1] / 8;
    const vector order = _mm512_add_epi64(second_row, _mm512_set1_epi64(2 * i));
    const vector low = load_two(row0, row1);
    /* A row of three blocks is within four words for any shift below 8. */
    const vector high = blocks < HALF_ROW
                            ? _mm512_permutex_epi64(low, 0x39)
                            : load_two(row0 + sizeof(uint64_t), row1 + sizeof(uint64_t));
    pair[i] = _mm512_shrdv_epi64(low, high, _mm512_permutexvar_epi64(order, shifts));
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

/* Sets positions[i] = first + i * step (mod modulus) for i < count and a few more. */
static void find_progression(uint32_t *positions, uint32_t first, uint32_t step, uint32_t modulus,
                             uint32_t count) {
  const __m256i bound = _mm256_set1_epi32((int)modulus);
  const __m256i group_step = _mm256_set1_epi32((int)(GROUP * step % modulus));

  for (size_t i = 0; i < GROUP; i++) {
    positions[i] = first;
    first += step;
    first -= first >= modulus ? modulus : 0;
  }
  __m256i group = _mm256_loadu_si256((const void *)positions);
  for (size_t i = GROUP; i < count; i += GROUP) {
    group = _mm256_add_epi32(group, group_step);
    group = _mm256_min_epu32(group, _mm256_sub_epi32(group, bound));
    _mm256_storeu_si256((void *)(positions + i), group);
  }
}

/* Reads `count` rows from buffer[0]: row t begins at bit first + t * step (mod r). Zero rows
 * follow. */
ALWAYS_INLINE void read_rows(const struct power *power, unsigned blocks, uint32_t first,
                             uint32_t step, uint32_t count) {
  const size_t groups = blocks * GROUPS_OF_BLOCK;
  const size_t used_groups = (count + GROUP - 1) / GROUP;
  const uint8_t *a = (const uint8_t *)power->buffer[0];
  vector *all_columns = power->columns;
  uint32_t *positions = power->places->position;

  find_progression(positions, first, step, power->ring->r_bits, count);
  for (size_t t = count; t < GROUP * used_groups; t++) {
    positions[t] = 64 * (power->ring->stride + END_WORDS);
  }
  for (size_t g = 0; g < used_groups; g++) {
    for (size_t c = 0; c < blocks; c += HALF_ROW) {
      vector columns[HALF_ROW];
      read_group(columns, a, positions + GROUP * g, c, blocks);
#pragma GCC unroll 4
      for (size_t i = 0; i < HALF_ROW; i++) {
        if (c + i < blocks) {
          all_columns[(c + i) * groups + g] = columns[i];
        }
      }
    }
  }
  for (size_t c = 0; c < blocks; c++) {
    memset(all_columns + c * groups + used_groups, 0, (groups - used_groups) * sizeof(vector));
  }
}

/* Transposes the matrix that read_rows has read. */
ALWAYS_INLINE void transpose_rows(const struct power *power, unsigned blocks) {
  const size_t row_words = ROW_WORDS(blocks);
  const vector *columns_of_blocks = power->columns;
  uint64_t *rows = power->transposed;

  for (size_t c = 0; c < blocks; c++) {
    vector tiles[GF2X_POWER_MAX_BLOCKS][GROUPS_OF_BLOCK];
    for (size_t r = 0; r < blocks; r++) {
      transpose_block(tiles[r], columns_of_blocks);
      columns_of_blocks += GROUPS_OF_BLOCK;
    }
    for (size_t g = 0; g < GROUPS_OF_BLOCK; g++) {
#pragma GCC unroll 2
      for (size_t r = 0; r < blocks; r += HALF_ROW) {
        vector columns[HALF_ROW];
#pragma GCC unroll 4
        for (size_t i = 0; i < HALF_ROW; i++) {
          columns[i] = r + i < blocks ? tiles[r + i][g] : _mm512_setzero_si512();
        }
        columns_to_rows(rows + r, columns, blocks);
      }
      rows += GROUP * row_words;
    }
  }
}

/* Writes the transposed rows, in the order of ascending positions, to buffer[0]. */
ALWAYS_INLINE void write_rows(const struct power *power, unsigned blocks, uint32_t count) {
  const struct places *places = power->places;
  const uint64_t *rows = power->transposed;
  uint64_t *even = power->buffer[0];
  uint64_t *odd = power->buffer[1];
  const size_t words = power->ring->stride + END_WORDS;

  if (2 * 64 * blocks <= 512) { /* The rows in one buffer leave no gaps. */
    _mm512_store_si512(odd, _mm512_setzero_si512());
  } else {
    memset(even, 0, words * sizeof *even);
    memset(odd, 0, words * sizeof *odd);
  }
  for (uint32_t i = 0; i < count; i += 2) {
    write_row(even, places->position[i], rows + places->row[i] * ROW_WORDS(blocks), blocks);
    write_row(odd, places->position[i + 1], rows + places->row[i + 1] * ROW_WORDS(blocks), blocks);
  }
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

/* Finds the columns in the order of the walk e u mod r, and the position u of the top of each. */
static void find_walk(struct places *places, uint32_t r, uint32_t e) {
  /* One pass from top to bottom has r / e steps, or one more, and leads to the column that stands
   * r mod e to the left, cyclically. Likewise for eight passes; e is not a divisor of 8. */
  const uint32_t group_step = e - GROUP * r % e;
  const __m256i group_length = _mm256_set1_epi32((int)((GROUP * r + group_step) / e - 1));
  const __m256i step = _mm256_set1_epi32((int)group_step);
  const __m256i bound = _mm256_set1_epi32((int)e);

  uint32_t column = 0;
  uint32_t u = 0;
  for (uint32_t pass = 0; pass < GROUP; pass++) {
    const uint32_t longer = column < r % e; /* than r / e */
    places->row[pass] = column;
    places->position[pass] = u;
    u += r / e + longer;
    column += longer * e - r % e;
  }
  __m256i row = _mm256_loadu_si256((const void *)places->row);
  __m256i position = _mm256_loadu_si256((const void *)places->position);
  for (uint32_t pass = GROUP; pass <= e; pass += GROUP) {
    const __m256i next = _mm256_add_epi32(row, step);
    row = _mm256_min_epu32(next, _mm256_sub_epi32(next, bound));
    /* One step less if the column wraps around. */
    position = _mm256_add_epi32(position, _mm256_sub_epi32(group_length,
                                                           _mm256_cmpeq_epi32(row, next)));
    _mm256_storeu_si256((void *)(places->row + pass), row);
    _mm256_storeu_si256((void *)(places->position + pass), position);
  }
}

/* y[u] = a[e u mod r], y and a in buffer[0] */
ALWAYS_INLINE void gather_columns(const struct power *power, unsigned blocks) {
  const uint32_t r = power->ring->r_bits;
  const uint32_t e = power->plan->e;

  read_rows(power, blocks, 0, e, r / e + 1);
  transpose_rows(power, blocks);
  find_walk(power->places, r, e);
  write_rows(power, blocks, e);
  add_buffers(power, power->buffer[0]);
}

/* Continues y cyclically behind its end. */
static void extend(const struct power *power) {
  const unsigned used_bits = power->ring->r_bits % 64; /* r is an odd prime, so not 0 */
  uint64_t *y = power->buffer[0];
  uint64_t *end = y + power->ring->words - 1;

  end[0] |= y[0] << used_bits;
  for (size_t i = 0; i <= 2 * HALF_ROW; i++) {
    end[i + 1] = y[i] >> (64 - used_bits) | y[i + 1] << used_bits;
  }
}

/* out[d u mod r] = y[u] or y[-u], y in buffer[0] */
ALWAYS_INLINE void scatter_columns(const struct power *power, unsigned blocks, uint64_t *out) {
  const uint32_t r = power->ring->r_bits;
  const uint32_t d = power->plan->d;
  const uint32_t rows = r / d + 1;
  const uint32_t d_inverse = power->plan->d_inverse;
  const unsigned negative = power->plan->negative;
  struct places *places = power->places;

  if (negative) {
    read_rows(power, blocks, r - (rows - 1), r - d_inverse, d);
  } else {
    read_rows(power, blocks, 0, d_inverse, d);
  }
  transpose_rows(power, blocks);
  for (uint32_t t = 0; t < rows; t++) {
    places->row[t] = negative ? rows - 1 - t : t;
    places->position[t] = d * t;
  }
  places->row[rows] = 0; /* one row too many may be written: behind the end */
  places->position[rows] = d * rows;
  write_rows(power, blocks, rows);
  add_buffers(power, out);
}

ALWAYS_INLINE void apply(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                         uint64_t *out, const uint64_t *a, uint64_t *scratch, unsigned blocks) {
  const size_t matrix_words = 64 * blocks * ROW_WORDS(blocks);
  struct power power = {.ring = ring, .plan = plan, .words = ring->stride + PADDING_WORDS};

  power.columns = (vector *)scratch;
  power.transposed = scratch + 64 * (size_t)blocks * blocks;
  power.buffer[0] = power.transposed + matrix_words;
  power.buffer[1] = power.buffer[0] + power.words;
  power.places = (struct places *)(power.buffer[1] + power.words);
  assert((uint64_t *)(power.places + 1) <= scratch + GF2X_SCRATCH_WORDS(ring->r_bits));

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

DEFINE_APPLY(2)
DEFINE_APPLY(3)
DEFINE_APPLY(4)
DEFINE_APPLY(5)
DEFINE_APPLY(6)

void gf2x_power_apply_avx512(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                             uint64_t *out, const uint64_t *a, uint64_t *scratch) {
  static apply_function *const functions[] = {apply_2, apply_3, apply_4, apply_5, apply_6};

  /* One block would hold only 4096 coefficients. */
  assert(plan->blocks >= 2 && plan->blocks <= GF2X_POWER_MAX_BLOCKS);
  functions[plan->blocks - 2](ring, plan, out, a, scratch);
}
