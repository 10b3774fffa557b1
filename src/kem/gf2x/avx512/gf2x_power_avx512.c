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
 * The body is compiled for three kinds of rows: of up to 3 blocks, of 4, and of 5 or 6.
 */
#include "gf2x/gf2x_power.h"

#include <assert.h>
#include <string.h>

#include "base/isa.h"
#include "gf2x/avx512/gf2x_avx512.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#define GROUP 8           /* rows that are handled together */
#define GROUPS_OF_BLOCK 8 /* groups in 64 rows */
#define MAX_ROWS (64 * GF2X_POWER_MAX_BLOCKS)
#define HALF_ROW 4        /* words of a row that are handled together */
#define END_WORDS 16      /* read and written behind the end of an element */
#define ZERO_WORDS 16     /* always zero; read in place of a row that does not exist */
#define PADDING_WORDS (END_WORDS + ZERO_WORDS)

/* The kinds of rows, by the largest number of blocks. */
enum kind { NARROW = 3, EXACT = 4, WIDE = 6 };

/* Words from one row to the next. */
#define ROW_WORDS(kind) ((kind) <= HALF_ROW ? HALF_ROW : 2 * HALF_ROW)

/* Where the rows of a matrix are read, and which rows of the transposed matrix are written where:
 * bit positions. There is room to make their number even. */
struct places {
  uint32_t read_count;
  uint32_t write_count;
  uint32_t read[MAX_ROWS + GROUP];
  uint32_t row[MAX_ROWS + GROUP];
  uint32_t write[MAX_ROWS + GROUP];
};

/* The working memory; every part has the alignment of the scratch memory. */
struct power {
  const struct gf2x_ring *ring;
  const struct gf2x_power_plan *plan;
  vector *columns;      /* rows, eight in a vector, by columns of blocks */
  uint64_t *transposed; /* the rows of the transposed matrix */
  uint64_t *buffer[2];  /* elements with padding */
  struct places *places;
};

/* The memory of every plan is enough. */
#define CHECK_SCRATCH(r_bits, blocks)                                                          \
  static_assert(GF2X_SCRATCH_WORDS(r_bits) >= 64 * (blocks) * ((blocks) + ROW_WORDS(blocks)) + \
                                                  2 * (GF2X_STRIDE(r_bits) + PADDING_WORDS) +  \
                                                  sizeof(struct places) / 8,                   \
                "powers");
GF2X_PLANNED_RINGS(CHECK_SCRATCH)

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
ALWAYS_INLINE void write_row(uint64_t *a, uint32_t position, const uint64_t *row, enum kind kind) {
  const vector shift = _mm512_set1_epi64((long long)shift_counts[position % 8]);
  const vector high = kind != WIDE ? _mm512_zextsi256_si512(_mm256_load_si256((const void *)row))
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
                              const uint32_t positions[GROUP], size_t first, enum kind kind) {
  const vector second_row = _mm512_set_epi64(1, 1, 1, 1, 0, 0, 0, 0);
  const __m256i bits =
      _mm256_and_si256(_mm256_loadu_si256((const void *)positions), _mm256_set1_epi32(7));
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
    const vector high = kind == NARROW ? _mm512_permutex_epi64(low, 0x39)
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
ALWAYS_INLINE void columns_to_rows(uint64_t *rows, const vector columns[HALF_ROW], enum kind kind) {
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
    if (kind != WIDE) {
      _mm512_store_si512(rows + 2 * HALF_ROW * i, pair[i]);
    } else {
      uint64_t *row = rows + 2 * i * ROW_WORDS(kind);
      _mm256_store_si256((void *)row, _mm512_castsi512_si256(pair[i]));
      _mm256_store_si256((void *)(row + ROW_WORDS(kind)), _mm512_extracti64x4_epi64(pair[i], 1));
    }
  }
}

/* Transposes 64 x 64 bits: eight rows in each vector, in the orders given above. */
static __attribute__((noinline)) void transpose_block_avx512(vector out[GROUPS_OF_BLOCK],
                                                             const vector in[GROUPS_OF_BLOCK]) {
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

/* Reads the rows of a matrix from buffer[0]; the rest of the last blocks is zero. */
ALWAYS_INLINE void read_rows(const struct power *power, enum kind kind) {
  const size_t blocks = power->plan->blocks;
  const size_t groups = blocks * GROUPS_OF_BLOCK;
  const size_t count = power->places->read_count;
  const size_t used_groups = (count + GROUP - 1) / GROUP;
  const uint8_t *a = (const uint8_t *)power->buffer[0];
  vector *all_columns = power->columns;
  uint32_t *positions = power->places->read;

  for (size_t t = count; t < GROUP * used_groups; t++) {
    positions[t] = 64 * (power->ring->stride + END_WORDS);
  }
  for (size_t g = 0; g < used_groups; g++) {
    for (size_t c = 0; c < (size_t)kind; c += HALF_ROW) {
      vector columns[HALF_ROW];
      read_group(columns, a, positions + GROUP * g, c, kind);
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
ALWAYS_INLINE void transpose_rows(const struct power *power, enum kind kind) {
  const size_t blocks = power->plan->blocks;
  const vector *columns_of_blocks = power->columns;
  uint64_t *rows = power->transposed;
  vector tiles[2 * HALF_ROW][GROUPS_OF_BLOCK];

  memset(tiles[blocks], 0, (ROW_WORDS(kind) - blocks) * sizeof tiles[0]);
  for (size_t c = 0; c < blocks; c++) {
    for (size_t r = 0; r < blocks; r++) {
      transpose_block_avx512(tiles[r], columns_of_blocks);
      columns_of_blocks += GROUPS_OF_BLOCK;
    }
    for (size_t g = 0; g < GROUPS_OF_BLOCK; g++) {
      for (size_t r = 0; r < ROW_WORDS(kind); r += HALF_ROW) {
        const vector columns[HALF_ROW] = {tiles[r][g], tiles[r + 1][g], tiles[r + 2][g],
                                          tiles[r + 3][g]};
        columns_to_rows(rows + r, columns, kind);
      }
      rows += GROUP * ROW_WORDS(kind);
    }
  }
}

/* Writes the transposed rows to the buffers, in the order of ascending positions. */
ALWAYS_INLINE void write_rows(const struct power *power, enum kind kind) {
  const struct places *places = power->places;
  const uint64_t *rows = power->transposed;
  uint64_t *even = power->buffer[0];
  uint64_t *odd = power->buffer[1];

  if (kind != WIDE) { /* The rows in one buffer leave no gaps: two have at most 512 bits. */
    _mm512_store_si512(odd, _mm512_setzero_si512());
  } else {
    memset(even, 0, (power->ring->stride + END_WORDS) * sizeof *even);
    memset(odd, 0, (power->ring->stride + END_WORDS) * sizeof *odd);
  }
  for (size_t i = 0; i < places->write_count; i += 2) {
    write_row(even, places->write[i], rows + places->row[i] * ROW_WORDS(kind), kind);
    write_row(odd, places->write[i + 1], rows + places->row[i + 1] * ROW_WORDS(kind), kind);
  }
}

static void move_narrow_avx512(const struct power *power) {
  read_rows(power, NARROW);
  transpose_rows(power, NARROW);
  write_rows(power, NARROW);
}

static void move_exact_avx512(const struct power *power) {
  read_rows(power, EXACT);
  transpose_rows(power, EXACT);
  write_rows(power, EXACT);
}

static void move_wide_avx512(const struct power *power) {
  read_rows(power, WIDE);
  transpose_rows(power, WIDE);
  write_rows(power, WIDE);
}

/* Reads the rows of a matrix, transposes it, and writes rows, as power->places says. */
static void move_rows_avx512(const struct power *power) {
  if (power->plan->blocks <= NARROW) {
    move_narrow_avx512(power);
  } else if (power->plan->blocks == EXACT) {
    move_exact_avx512(power);
  } else {
    move_wide_avx512(power);
  }
}

/* Sets out to the sum of both buffers without the bits from r on. */
static void add_buffers_avx512(const struct power *power, uint64_t *out) {
  const size_t last = power->ring->stride - VECTOR_WORDS;

  for (size_t i = 0; i <= last; i += VECTOR_WORDS) {
    const vector sum =
        xor2(_mm512_load_si512(power->buffer[0] + i), _mm512_load_si512(power->buffer[1] + i));
    _mm512_store_si512(out + i, i < last ? sum : clear_padding(power->ring, sum));
  }
}

/* Sets positions[i] = first + i * step (mod modulus) for i < count and a few more. */
static void find_progression_avx512(uint32_t *positions, uint32_t first, uint32_t step,
                                    uint32_t modulus, uint32_t count) {
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

/* The columns are written in the order of the walk e u mod r, each to the position u of its top. */
static void find_walk_avx512(struct places *places, uint32_t r, uint32_t e) {
  /* One pass from top to bottom has r / e steps, or one more, and ends at the column r mod e to the
   * left, cyclically. The same holds for eight passes; e is not a divisor of 8. */
  const uint32_t group_step = e - GROUP * r % e;
  const __m256i group_length = _mm256_set1_epi32((int)((GROUP * r + group_step) / e - 1));
  const __m256i step = _mm256_set1_epi32((int)group_step);
  const __m256i bound = _mm256_set1_epi32((int)e);
  uint32_t column = 0;
  uint32_t u = 0;

  places->write_count = e;
  for (uint32_t pass = 0; pass < GROUP; pass++) {
    const uint32_t longer = column < r % e; /* than r / e */
    places->row[pass] = column;
    places->write[pass] = u;
    u += r / e + longer;
    column += longer * e - r % e;
  }
  __m256i row = _mm256_loadu_si256((const void *)places->row);
  __m256i position = _mm256_loadu_si256((const void *)places->write);
  for (uint32_t pass = GROUP; pass <= e; pass += GROUP) {
    const __m256i next = _mm256_add_epi32(row, step);
    row = _mm256_min_epu32(next, _mm256_sub_epi32(next, bound));
    /* One step less if the column wraps around. */
    position =
        _mm256_add_epi32(position, _mm256_sub_epi32(group_length, _mm256_cmpeq_epi32(row, next)));
    _mm256_storeu_si256((void *)(places->row + pass), row);
    _mm256_storeu_si256((void *)(places->write + pass), position);
  }
}

/* y[u] = a[e u mod r], y and a in buffer[0] */
static void gather_columns_avx512(const struct power *power) {
  const uint32_t r = power->ring->r_bits;
  const uint32_t e = power->plan->e;
  struct places *places = power->places;

  places->read_count = r / e + 1;
  find_progression_avx512(places->read, 0, e, r, places->read_count);
  find_walk_avx512(places, r, e);
  move_rows_avx512(power);
  add_buffers_avx512(power, power->buffer[0]);
}

/* Continues y cyclically behind its end. */
static void extend_avx512(const struct power *power) {
  const unsigned used_bits = power->ring->r_bits % 64; /* not 0, because r is an odd prime */
  uint64_t *y = power->buffer[0];
  uint64_t *end = y + power->ring->words - 1;

  end[0] |= y[0] << used_bits;
  for (size_t i = 0; i <= 2 * HALF_ROW; i++) {
    end[i + 1] = y[i] >> (64 - used_bits) | y[i + 1] << used_bits;
  }
}

/* out[d u mod r] = y[u] or y[-u], y in buffer[0] */
static void scatter_columns_avx512(const struct power *power, uint64_t *out) {
  const uint32_t r = power->ring->r_bits;
  const uint32_t d = power->plan->d;
  const uint32_t rows = r / d + 1;
  const uint32_t first = power->plan->negative ? r - (rows - 1) : 0;
  const uint32_t step = power->plan->negative ? r - power->plan->d_inverse : power->plan->d_inverse;
  struct places *places = power->places;

  places->read_count = d;
  find_progression_avx512(places->read, first, step, r, d);
  places->write_count = rows;
  for (uint32_t t = 0; t < rows; t++) {
    places->row[t] = power->plan->negative ? rows - 1 - t : t;
    places->write[t] = d * t;
  }
  places->row[rows] = 0; /* one row too many may be written, after the end */
  places->write[rows] = d * rows;
  move_rows_avx512(power);
  add_buffers_avx512(power, out);
}

void ckem_gf2x_power_apply_avx512(const struct gf2x_ring *ring, const struct gf2x_power_plan *plan,
                                  uint64_t *out, const uint64_t *a, uint64_t *scratch) {
  const size_t blocks = plan->blocks;
  const size_t element_words = ring->stride + PADDING_WORDS;
  struct power power = {.ring = ring, .plan = plan};

  power.columns = (vector *)scratch;
  power.transposed = scratch + 64 * blocks * blocks;
  power.buffer[0] = power.transposed + 64 * blocks * ROW_WORDS(blocks);
  power.buffer[1] = power.buffer[0] + element_words;
  power.places = (struct places *)(power.buffer[1] + element_words);

  memcpy(power.buffer[0], a, ring->stride * sizeof *a);
  memset(power.buffer[0] + ring->stride, 0, PADDING_WORDS * sizeof *a);
  gather_columns_avx512(&power);
  extend_avx512(&power);
  scatter_columns_avx512(&power, out);
}

ISA_END
#endif
