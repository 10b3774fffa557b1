/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The decoder's counters for AVX2, bit-sliced: bit b of all counters is a vector, plane b.
 *
 * For each index p of the support the syndrome, rotated by p = 256 a + 64 w + s, is added to the
 * counters. Where to read must not depend on p, so the steps are:
 *
 * 1. Vectors move a places: a cascade of selections between a vector and the one a power of two
 *    further on, one level for each bit of a. Words that step 2 carries over to the vector before
 *    move one place more: each word of a vector has its own masks.
 * 2. Words rotate by w within their vectors.
 * 3. Bits shift by s within words, from two overlapping loads. Four syndromes at a time then go
 *    through carry-save adders into the planes.
 *
 * The levels down to 16 run along chains of vectors 16 apart, the lower ones along the whole
 * window, so that vectors between levels stay in registers. Blends are scarce on most processors
 * (two a cycle, or two micro-operations each), logic is not: two of the levels use logic, the
 * highest one with prepared differences, as it selects between constants.
 *
 * Everything is written once over a shape, and inlined into one function for each ring, so that
 * compilers see constant sizes.
 */
#include <immintrin.h>
#include <string.h>

#include "base/ct.h"
#include "base/unroll.h"
#include "bike/bike_ops.h"

#define VECTOR_WORDS 4
#define VECTOR_BITS 256
#define MAX_PLANES 8 /* counters below 256 */
#define QUAD 4       /* rotated syndromes that are added together */
#define CARRIES 4    /* carries of quads that are added together */
#define CHAIN 16     /* distance of vectors in a chain */
#define MAX_CHAIN_LENGTH 24
#define MAX_LEVELS 8

#define INLINE static inline __attribute__((always_inline))

typedef __m256i vector;

/* The sizes that follow from r, in vectors. A window is what later levels can still reach. */
struct shape {
  size_t vectors;   /* an element */
  size_t moved;     /* what step 3 reads: one more, for the last overlapping load */
  size_t window;    /* after the levels down to 16 */
  size_t top;       /* the distance of the highest level */
  size_t top_limit; /* from here on the highest level selects only what is never used */
  size_t extended;  /* the extended syndrome */
  size_t planes;
};

INLINE struct shape make_shape(uint32_t r_bits, size_t planes) {
  struct shape shape;

  shape.vectors = (r_bits + VECTOR_BITS - 1) / VECTOR_BITS;
  shape.moved = shape.vectors + 1;
  shape.window = shape.moved + CHAIN - 1;
  /* Words move by at most vectors - 1 places, or one more. */
  shape.top = (size_t)1 << (31 - __builtin_clz((unsigned)shape.vectors));
  shape.top_limit = shape.moved + shape.vectors - shape.top;
  shape.extended = shape.top_limit + CHAIN + shape.top;
  shape.planes = planes;
  return shape;
}

/* The parts of the scratch memory. */
struct work {
  vector *extended;   /* the syndrome, repeated: rotating by p is reading from bit p on */
  vector *difference; /* extended[i] ^ extended[i + top] */
  vector *window;
  vector *moved;      /* QUAD times shape.moved: rotated but for the shift within words */
  vector *fours;      /* CARRIES times vectors: carries of quads, worth four */
  vector *planes;     /* planes[b * vectors + i] */
};

INLINE vector load(const void *from) {
  return _mm256_loadu_si256((const vector *)from);
}

INLINE vector choose(vector zero, vector one, vector mask) {
  return _mm256_blendv_epi8(zero, one, mask);
}

/* The same without a blend. */
INLINE vector choose_by_logic(vector zero, vector one, vector mask) {
  return _mm256_xor_si256(zero, _mm256_and_si256(_mm256_xor_si256(zero, one), mask));
}

/* Returns the number of the level with this distance, a power of two. */
INLINE unsigned level_of(size_t distance) {
  return 31U - (unsigned)__builtin_clz((unsigned)distance);
}

/* The masks of one rotation. */
struct rotation {
  vector level[MAX_LEVELS]; /* all ones in words that move 2^level places */
  vector halves;            /* where the halves of words go in step 2 */
};

INLINE struct rotation make_rotation(const struct shape shape, uint32_t position) {
  const uint32_t words = position / 64 % VECTOR_WORDS;
  const vector lane = _mm256_setr_epi64x(0, 1, 2, 3);
  /* Words that wrap around in step 2 come from one vector further on. */
  const vector carried = _mm256_cmpgt_epi64(_mm256_set1_epi64x(words), lane);
  const vector places = _mm256_sub_epi64(_mm256_set1_epi64x(position / VECTOR_BITS), carried);
  struct rotation rotation;

  UNROLL
  for (unsigned l = 0; (size_t)1 << l <= shape.top; l++) {
    const vector bit = _mm256_set1_epi64x(1LL << l);
    rotation.level[l] = _mm256_cmpeq_epi64(_mm256_and_si256(places, bit), bit);
  }
  rotation.halves = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                     _mm256_set1_epi32((int)(2 * words)));
  return rotation;
}

/* extended[j] = syndrome[j mod r] for j < 2 r, then zeros. */
static void extend_cyclically(const struct gf2x_ring *ring, uint64_t *extended, size_t words,
                              const uint64_t *syndrome) {
  const size_t n = ring->words;
  const unsigned shift = ring->r_bits % 64; /* r is an odd prime, so not 0 */

  memset(extended, 0, words * sizeof *extended);
  memcpy(extended, syndrome, n * sizeof *extended);
  extended[n - 1] |= syndrome[0] << shift;
  for (size_t i = 0; i + 1 < n; i++) {
    extended[n + i] = syndrome[i] >> (64 - shift) | syndrome[i + 1] << shift;
  }
  extended[2 * n - 1] = syndrome[n - 1] >> (64 - shift);
}

/* The levels from the highest down to 16 for length vectors of a chain. */
INLINE void move_chain(const struct shape shape, const struct work *work, size_t start,
                       size_t length, const struct rotation *rotation) {
  const vector *extended = work->extended + start;
  const vector *difference = work->difference + start;
  vector *window = work->window + start;
  size_t left = length + shape.top / CHAIN - 1;
  vector x[MAX_CHAIN_LENGTH];

  UNROLL
  for (size_t i = 0; i < left; i++) {
    x[i] = extended[i * CHAIN];
    if (i * CHAIN < shape.top_limit) {
      const vector mask = rotation->level[level_of(shape.top)];
      x[i] = _mm256_xor_si256(x[i], _mm256_and_si256(difference[i * CHAIN], mask));
    }
  }
  UNROLL
  for (size_t distance = shape.top / 2; distance >= CHAIN; distance /= 2) {
    left -= distance / CHAIN;
    UNROLL
    for (size_t i = 0; i < left; i++) {
      x[i] = choose(x[i], x[i + distance / CHAIN], rotation->level[level_of(distance)]);
    }
  }
  UNROLL
  for (size_t i = 0; i < length; i++) {
    window[i * CHAIN] = x[i];
  }
}

/* The levels down to 16, from the extended syndrome to the window. */
INLINE void move_far(const struct shape shape, const struct work *work,
                     const struct rotation *rotation) {
  const size_t length = shape.window / CHAIN;
  const size_t longer = shape.window % CHAIN; /* so many chains have one vector more */

  for (size_t start = 0; start < longer; start++) {
    move_chain(shape, work, start, length + 1, rotation);
  }
  for (size_t start = longer; start < CHAIN; start++) {
    move_chain(shape, work, start, length, rotation);
  }
}

/* The levels 8, 4, 2 and 1, vector by vector. A level with distance d works d vectors behind the
 * one before it, and keeps d of its vectors. */
struct near_levels {
  vector after8[4]; /* vector i in slot i mod 4 */
  vector after4[2];
  vector after2;
};

/* Takes in window[t] and window[t + 8]; returns vector t - 7 after all four levels. */
INLINE vector move_near(struct near_levels *levels, const vector *window, size_t t,
                        const struct rotation *rotation) {
  const vector after8 = choose_by_logic(window[t], window[t + 8], rotation->level[3]);
  const vector after4 = choose(levels->after8[t % 4], after8, rotation->level[2]);
  const vector after2 = choose(levels->after4[t % 2], after4, rotation->level[1]);
  const vector after1 = choose(levels->after2, after2, rotation->level[0]);

  levels->after8[t % 4] = after8;
  levels->after4[t % 2] = after4;
  levels->after2 = after2;
  return after1;
}

/* The levels below 16 and the rotation of words, from the window to moved. */
INLINE void finish_move(const struct shape shape, vector *moved, const vector *window,
                        const struct rotation *rotation) {
  const size_t whole = shape.moved / 4 * 4;
  struct near_levels levels;

  memset(&levels, 0, sizeof levels);
  UNROLL
  for (size_t t = 0; t < 7; t++) {
    (void)move_near(&levels, window, t, rotation);
  }
  for (size_t i = 0; i < whole; i += 4) {
    UNROLL
    for (size_t k = 0; k < 4; k++) {
      /* i is a multiple of 4, so that the slots are constants. */
      const vector v = move_near(&levels, window + i, 7 + k, rotation);
      moved[i + k] = _mm256_permutevar8x32_epi32(v, rotation->halves);
    }
  }
  UNROLL
  for (size_t k = 0; k < shape.moved - whole; k++) {
    const vector v = move_near(&levels, window + whole, 7 + k, rotation);
    moved[whole + k] = _mm256_permutevar8x32_epi32(v, rotation->halves);
  }
}

/* Adds three bits of one weight: the sum stays in *a, the carry has twice the weight. */
INLINE vector full_add(vector *a, vector b, vector c) {
  const vector half = _mm256_xor_si256(*a, b);
  const vector carry = _mm256_or_si256(_mm256_and_si256(*a, b), _mm256_and_si256(half, c));

  *a = _mm256_xor_si256(half, c);
  return carry;
}

/* Adds QUAD rotated syndromes to planes 0 and 1; fours[i] takes the carries. */
INLINE void add_quad(const struct shape shape, const struct work *work, vector *fours,
                     const uint32_t *positions, size_t count) {
  const size_t step = shape.moved * VECTOR_WORDS;
  const uint64_t *moved = (const uint64_t *)work->moved;
  vector right[QUAD], left[QUAD];

  for (size_t v = 0; v < QUAD; v++) {
    const uint32_t shift = v < count ? positions[v] % 64 : 0;
    right[v] = _mm256_set1_epi64x(shift);
    left[v] = _mm256_set1_epi64x(64 - (long long)shift); /* 64 gives zero */
  }
  for (size_t i = 0; i < shape.vectors; i++) {
    vector bits[QUAD];
  UNROLL
    for (size_t v = 0; v < QUAD; v++) {
      const uint64_t *word = moved + v * step + VECTOR_WORDS * i;
      bits[v] = _mm256_or_si256(_mm256_srlv_epi64(load(word), right[v]),
                                _mm256_sllv_epi64(load(word + 1), left[v]));
    }
    vector ones = work->planes[i];
    vector twos = work->planes[shape.vectors + i];
    const vector carry0 = full_add(&ones, bits[0], bits[1]);
    const vector carry1 = full_add(&ones, bits[2], bits[3]);
    fours[i] = full_add(&twos, carry0, carry1);
    work->planes[i] = ones;
    work->planes[shape.vectors + i] = twos;
  }
}

/* Adds the CARRIES vectors of fours to the planes from 2 on. */
INLINE void add_fours(const struct shape shape, const struct work *work) {
  const size_t n = shape.vectors;

  for (size_t i = 0; i < n; i++) {
    const vector *four = work->fours + i;
    vector *plane = work->planes + i;
    vector fours = plane[2 * n];
    vector eights = plane[3 * n];
    const vector carry0 = full_add(&fours, four[0], four[n]);
    const vector carry1 = full_add(&fours, four[2 * n], four[3 * n]);
    vector carry = full_add(&eights, carry0, carry1);
    plane[2 * n] = fours;
    plane[3 * n] = eights;
    UNROLL
    for (size_t b = 4; b < shape.planes; b++) {
      const vector next = _mm256_and_si256(plane[b * n], carry);
      plane[b * n] = _mm256_xor_si256(plane[b * n], carry);
      carry = next;
    }
  }
}

/* Adds the syndrome, rotated by each of positions[count], to planes 0 and 1; fours takes the
 * carries. */
INLINE void add_positions(const struct shape shape, const struct work *work, vector *fours,
                          const uint32_t *positions, size_t count) {
  for (size_t v = 0; v < QUAD; v++) {
    vector *moved = work->moved + v * shape.moved;
    if (v < count) {
      const struct rotation rotation = make_rotation(shape, positions[v]);
      move_far(shape, work, &rotation);
      finish_move(shape, moved, work->window, &rotation);
    } else {
      memset(moved, 0, shape.moved * sizeof *moved);
    }
  }
  add_quad(shape, work, fours, positions, count);
}

/* out[j] = counter j >= threshold, compared from the lowest bit up. */
INLINE void compare(const struct shape shape, const struct gf2x_ring *ring, uint64_t *out,
                    const vector *planes, uint32_t threshold) {
  const size_t n = shape.vectors;
  vector limit[MAX_PLANES];

  for (size_t b = 0; b < shape.planes; b++) {
    limit[b] = _mm256_set1_epi64x((long long)ct_mask_bit_u64(threshold >> b));
  }
  for (size_t i = 0; i < n; i++) {
    vector reached = _mm256_set1_epi64x(-1);
  UNROLL
    for (size_t b = 0; b < shape.planes; b++) {
      const vector bits = planes[b * n + i];
      const vector differ = _mm256_xor_si256(bits, limit[b]);
      /* Where the bits differ, the higher number is the one whose bit is set. */
      reached = _mm256_or_si256(_mm256_andnot_si256(differ, reached),
                                _mm256_and_si256(differ, bits));
    }
    _mm256_storeu_si256((vector *)(void *)(out + VECTOR_WORDS * i), reached);
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  memset(out + ring->words, 0, (ring->stride - ring->words) * sizeof *out);
}

/* The arguments of count_unsatisfied. */
struct request {
  const struct gf2x_ring *ring;
  uint64_t *reached;
  uint32_t threshold;
  uint64_t *reached_low;
  uint32_t threshold_low;
  const uint64_t *syndrome;
  const uint32_t *support;
  size_t weight;
};

INLINE void count_with_shape(const struct shape shape, const struct request *request,
                             uint64_t *scratch) {
  const size_t n = shape.vectors;
  const size_t differences = shape.top_limit + CHAIN;
  struct work work;

  work.extended = (vector *)(void *)scratch;
  work.difference = work.extended + shape.extended;
  work.window = work.difference + differences;
  work.moved = work.window + shape.window;
  work.fours = work.moved + QUAD * shape.moved + 1; /* overlapping loads end one word further on */
  work.planes = work.fours + CARRIES * n;
  extend_cyclically(request->ring, scratch, VECTOR_WORDS * shape.extended, request->syndrome);
  for (size_t i = 0; i < differences; i++) {
    work.difference[i] = _mm256_xor_si256(work.extended[i], work.extended[i + shape.top]);
  }
  memset(work.planes, 0, shape.planes * n * sizeof *work.planes);
  for (size_t k = 0; k < request->weight; k += QUAD * CARRIES) {
    for (size_t c = 0; c < CARRIES; c++) {
      const size_t first = k + QUAD * c;
      vector *fours = work.fours + c * n;
      if (first < request->weight) {
        const size_t left = request->weight - first;
        add_positions(shape, &work, fours, request->support + first, left < QUAD ? left : QUAD);
      } else {
        memset(fours, 0, n * sizeof *fours);
      }
    }
    add_fours(shape, &work);
  }
  compare(shape, request->ring, request->reached, work.planes, request->threshold);
  if (request->reached_low != NULL) {
    compare(shape, request->ring, request->reached_low, work.planes, request->threshold_low);
  }
}

static void count_unsatisfied(const struct gf2x_ring *ring, uint64_t *reached, uint32_t threshold,
                              uint64_t *reached_low, uint32_t threshold_low,
                              const uint64_t *syndrome, const uint32_t *support, size_t weight,
                              uint64_t *scratch) {
  const struct request request = {ring,     reached, threshold, reached_low, threshold_low,
                                  syndrome, support, weight};

  if (ring->r_bits == 12323 && weight < 128) {
    count_with_shape(make_shape(12323, 7), &request, scratch);
  } else if (ring->r_bits == 24659 && weight < 128) {
    count_with_shape(make_shape(24659, 7), &request, scratch);
  } else if (ring->r_bits == 40973) {
    count_with_shape(make_shape(40973, 8), &request, scratch);
  } else {
    /* No level of BIKE. */
    bike_ops_portable.count_unsatisfied(ring, reached, threshold, reached_low, threshold_low,
                                        syndrome, support, weight, scratch);
  }
}

const struct bike_ops bike_ops_avx2 = {
    .name = "avx2",
    .count_unsatisfied = count_unsatisfied,
};
