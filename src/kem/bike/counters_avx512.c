/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The counters of the decoder on 512-bit vectors.
 *
 * The counters of all positions are added at once: the syndrome is rotated by each index of the
 * support, and the rotated vectors are summed into planes, plane b holding bit b of every counter.
 * A rotation by p = 512 a + 64 w + s has two stages:
 *
 * 1. move_down takes whole vectors, out[i] = in[i + a] but for the lowest bit of a, by a cascade of
 *    blends. It runs along chains of vectors that are two apart, so that every level stays in
 *    registers and a vector costs two or three loads and one store.
 * 2. add_four does the rest for four positions: the last bit of a by a blend, then the bits s
 *    within words by a funnel shift, then the words w within a vector by a permutation. The four
 *    results never touch memory: carry-save adders put them into planes 0 and 1, and only the
 *    carry, which counts fours, is written. After four steps fold_carries adds all to the rest.
 *
 * Two positions whose values of a differ at most in the lowest bit share the first stage. How many
 * do is secret. But if the positions of each such class are paired, at most one of them stays
 * alone, so there are always at least pair_count() pairs. order_support, which runs once for each
 * key, moves exactly that many pairs to the front of the list.
 */
#include "bike/counters.h"

#include <assert.h>

#include "base/ct.h"
#include "base/intrinsics.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

typedef __m512i vector;
#define VECTOR_BITS 512
#define VECTOR_WORDS 8
#define SLOTS 4       /* positions that are added at once */
#define CARRIES 4     /* vectors of fours that are folded at once */
#define MAX_PLANES 8  /* counters below 256 */
#define MOVE_MARGIN 3 /* vectors beyond the ring that add_four reads */
#define CHAIN_STRIDE 2
#define NUMBERS 32     /* 16-bit lanes of a vector */
#define MAX_WEIGHT 256 /* above every weight */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* What the code for one ring is specialised for. All are compile-time constants. */
struct shape {
  unsigned vectors;   /* of an element */
  unsigned top;       /* the first level moves by 0, top, ..., (options - 1) * top vectors */
  unsigned options;
  unsigned planes;
};

/* Levels of a chain after the first, and the vectors that come out of it. */
#define MAX_LEVELS 4
#define CHAIN_OUTPUTS(n) (((n) + MOVE_MARGIN + CHAIN_STRIDE - 1) / CHAIN_STRIDE)

/* Vectors of scratch memory. */
#define EXTENDED_VECTORS(n) (2 * (n) + 4)
#define MOVED_VECTORS(n) ((n) + 4)

/* Returns a + b + c mod 2 in each bit. */
ALWAYS_INLINE vector add3(vector a, vector b, vector c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

/* Returns the carry of a + b + c in each bit. */
ALWAYS_INLINE vector carry3(vector a, vector b, vector c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0xE8);
}

/* Adds three bits of one weight: the sum stays in *a, the carry has twice the weight. */
ALWAYS_INLINE vector full_add(vector *a, vector b, vector c) {
  const vector carry = carry3(*a, b, c);

  *a = add3(*a, b, c);
  return carry;
}

/* All lanes if the bit (0 or 1) is set. */
ALWAYS_INLINE __mmask8 lanes_if(uint32_t bit) {
  return (__mmask8)(0U - bit);
}

/* All lanes if a == b; both are below 2^31. */
ALWAYS_INLINE __mmask8 lanes_if_equal(uint32_t a, uint32_t b) {
  return (__mmask8)(0U - (((a ^ b) - 1) >> 31));
}

/* out[j] = a[j mod r] for all bits that a rotation can reach; then zero. */
ALWAYS_INLINE void extend_cyclically(const struct gf2x_ring *ring, unsigned n, vector *out,
                                     const uint64_t *a) {
  uint64_t *second = (uint64_t *)out + (ring->words - 1); /* the word in which copy 2 begins */
  const vector left = _mm512_set1_epi64(ring->r_bits % 64);
  const vector last_word = _mm512_maskz_set1_epi64(1, (long long)a[ring->words - 1]);
  vector previous = _mm512_setzero_si512();

  for (unsigned i = n; i < EXTENDED_VECTORS(n); i++) {
    out[i] = _mm512_setzero_si512();
  }
  for (unsigned i = 0; i < n; i++) {
    out[i] = _mm512_load_si512(a + VECTOR_WORDS * i);
  }
  for (unsigned i = 0; i <= n; i++) {
    const vector v = i < n ? _mm512_load_si512(a + VECTOR_WORDS * i) : _mm512_setzero_si512();
    const vector below = _mm512_alignr_epi64(v, previous, VECTOR_WORDS - 1);
    vector shifted = _mm512_shldv_epi64(v, below, left);
    if (i == 0) {
      shifted = _mm512_or_si512(shifted, last_word);
    }
    _mm512_storeu_si512(second + VECTOR_WORDS * i, shifted);
    previous = v;
  }
}

/* The levels of move_down along one chain. Level l waits for a vector `distance` further on, so it
 * works that much behind the level before it. */
struct chain {
  const vector *source; /* steps of CHAIN_STRIDE */
  vector *out;
  __mmask8 option[3];       /* which vector the first level takes */
  __mmask8 bit[MAX_LEVELS]; /* whether the level with distance 2^l moves */
  vector history[MAX_LEVELS][1 << (MAX_LEVELS - 1)];
};

/* One vector through one level; t is the time of the newest vector. */
ALWAYS_INLINE vector chain_level(struct chain *chain, unsigned l, unsigned t, vector newest) {
  const unsigned slot = t % (1U << l);
  const vector oldest = chain->history[l][slot];

  chain->history[l][slot] = newest;
  return _mm512_mask_mov_epi64(oldest, chain->bit[l], newest);
}

/* Time t of one chain: takes vector t in and gives vector t - (all distances) out. */
ALWAYS_INLINE void chain_step(const struct shape shape, struct chain *chain, unsigned t) {
  const unsigned top = shape.top / CHAIN_STRIDE;
  const unsigned outputs = CHAIN_OUTPUTS(shape.vectors);
  vector v;

  if (t >= outputs + top - 1) {
    return;
  }
  v = chain->source[CHAIN_STRIDE * t];
  /* Beyond the vectors that a position below r can reach, nothing needs to be moved. */
  if (CHAIN_STRIDE * (t + top) < 2 * shape.vectors + MOVE_MARGIN - 1) {
    v = _mm512_mask_mov_epi64(v, chain->option[1], chain->source[CHAIN_STRIDE * (t + top)]);
  }
  if (shape.options > 2 && CHAIN_STRIDE * (t + 2 * top) < 2 * shape.vectors + MOVE_MARGIN - 1) {
    v = _mm512_mask_mov_epi64(v, chain->option[2], chain->source[CHAIN_STRIDE * (t + 2 * top)]);
  }
  if (top > 8) {
    v = chain_level(chain, 3, t, v);
  }
  v = chain_level(chain, 2, t, v);
  v = chain_level(chain, 1, t, v);
  v = chain_level(chain, 0, t, v);
  if (t >= top - 1) {
    chain->out[CHAIN_STRIDE * (t - (top - 1))] = v;
  }
}

/* out[i] = in[i + (a & ~1)] for i < n + MOVE_MARGIN. */
ALWAYS_INLINE void move_down(const struct shape shape, vector *out, const vector *in, uint32_t a) {
  struct chain chain;

  static_assert(MAX_LEVELS == 4, "chain_step and the four bits below");
  for (unsigned o = 1; o < 3; o++) {
    chain.option[o] = lanes_if_equal(a / shape.top, o);
  }
  chain.bit[0] = lanes_if(a >> 1 & 1);
  chain.bit[1] = lanes_if(a >> 2 & 1);
  chain.bit[2] = lanes_if(a >> 3 & 1);
  chain.bit[3] = lanes_if(a >> 4 & 1);
  for (unsigned c = 0; c < CHAIN_STRIDE; c++) {
    chain.source = in + c;
    chain.out = out + c;
    /* Written out, because compilers do not unroll a loop of this length reliably, and the history
     * must be in registers. */
#define STEP(t) chain_step(shape, &chain, t);
#define STEP_8(t) \
  STEP(t) STEP(t + 1) STEP(t + 2) STEP(t + 3) STEP(t + 4) STEP(t + 5) STEP(t + 6) STEP(t + 7)
    STEP_8(0) STEP_8(8) STEP_8(16) STEP_8(24) STEP_8(32) STEP_8(40) STEP_8(48) STEP_8(56)
#undef STEP_8
#undef STEP
  }
}

/* A position on its way through add_four. */
struct slot {
  const vector *moved;
  __mmask8 odd;   /* the lowest bit of a */
  vector shift;   /* s in every lane */
  vector index;   /* w, w + 1, ... */
  vector ahead;   /* moved[i + 2] */
  vector word;    /* vector i + 1 after the blend */
  vector shifted; /* vector i after the funnel shift */
};

/* Advances by one vector: returns the next vector of the rotated syndrome. */
ALWAYS_INLINE vector next_rotated(struct slot *slot, unsigned i) {
  const vector ahead = slot->moved[i + 3];
  const vector word = _mm512_mask_mov_epi64(slot->ahead, slot->odd, ahead);
  const vector shifted =
      _mm512_shrdv_epi64(slot->word, _mm512_alignr_epi64(word, slot->word, 1), slot->shift);
  const vector rotated = _mm512_permutex2var_epi64(slot->shifted, slot->index, shifted);

  slot->ahead = ahead;
  slot->word = word;
  slot->shifted = shifted;
  return rotated;
}

ALWAYS_INLINE struct slot begin_slot(const vector *moved, uint32_t position) {
  const uint32_t w = position / 64 % VECTOR_WORDS;
  struct slot slot;

  slot.moved = moved;
  slot.odd = lanes_if(position / VECTOR_BITS & 1);
  slot.shift = _mm512_set1_epi64(position % 64);
  slot.index = _mm512_add_epi64(_mm512_set1_epi64(w), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
  slot.ahead = moved[2];
  slot.word = _mm512_mask_mov_epi64(moved[1], slot.odd, moved[2]);
  const vector first = _mm512_mask_mov_epi64(moved[0], slot.odd, moved[1]);
  slot.shifted = _mm512_shrdv_epi64(first, _mm512_alignr_epi64(slot.word, first, 1), slot.shift);
  return slot;
}

/* Adds four rotated syndromes to planes 0 and 1; carry[n] gets what counts four. */
ALWAYS_INLINE void add_four(const struct shape shape, vector *planes, vector *carry,
                            const vector *const moved[SLOTS], const uint32_t positions[SLOTS]) {
  const unsigned n = shape.vectors;
  struct slot a = begin_slot(moved[0], positions[0]);
  struct slot b = begin_slot(moved[1], positions[1]);
  struct slot c = begin_slot(moved[2], positions[2]);
  struct slot d = begin_slot(moved[3], positions[3]);

#pragma GCC unroll 7
  for (unsigned i = 0; i < n; i++) {
    vector ones = planes[i];
    vector twos = planes[n + i];
    const vector carry_ab = full_add(&ones, next_rotated(&a, i), next_rotated(&b, i));
    const vector carry_cd = full_add(&ones, next_rotated(&c, i), next_rotated(&d, i));
    carry[i] = full_add(&twos, carry_ab, carry_cd);
    planes[i] = ones;
    planes[n + i] = twos;
  }
}

/* Adds CARRIES vectors of fours to the planes from 2 up. */
ALWAYS_INLINE void fold_carries(const struct shape shape, vector *planes, const vector *carries) {
  const unsigned n = shape.vectors;

  for (unsigned i = 0; i < n; i++) {
    vector fours = planes[2 * n + i];
    vector eights = planes[3 * n + i];
    const vector carry0 = full_add(&fours, carries[i], carries[n + i]);
    const vector carry1 = full_add(&fours, carries[2 * n + i], carries[3 * n + i]);
    vector carry = full_add(&eights, carry0, carry1);
    planes[2 * n + i] = fours;
    planes[3 * n + i] = eights;
#pragma GCC unroll 4
    for (unsigned b = 4; b < shape.planes; b++) {
      const vector plane = planes[b * n + i];
      planes[b * n + i] = _mm512_xor_si512(plane, carry);
      carry = _mm512_and_si512(plane, carry);
    }
  }
}

/* out[j] = counter j >= threshold: no borrow is left when the threshold is subtracted. */
ALWAYS_INLINE void compare(const struct shape shape, const struct gf2x_ring *ring, uint64_t *out,
                           const vector *planes, uint32_t threshold) {
  const unsigned n = shape.vectors;
  vector bits[MAX_PLANES];

#pragma GCC unroll 8
  for (unsigned b = 0; b < shape.planes; b++) {
    bits[b] = _mm512_set1_epi64(-(long long)(threshold >> b & 1));
  }
  for (unsigned i = 0; i < n; i++) {
    vector borrow = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (unsigned b = 0; b < shape.planes; b++) {
      /* Majority of (not plane), bit, borrow. */
      borrow = _mm512_ternarylogic_epi64(planes[b * n + i], bits[b], borrow, 0x8E);
    }
    _mm512_store_si512(out + VECTOR_WORDS * i, _mm512_xor_si512(borrow, _mm512_set1_epi64(-1)));
  }
  for (unsigned i = ring->words; i < VECTOR_WORDS * n; i++) {
    out[i] = 0;
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
}

ALWAYS_INLINE void clear(vector *v, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    v[i] = _mm512_setzero_si512();
  }
}

/* Memory of one call, in the order in which it lies in scratch. */
struct work {
  vector *extended;      /* the syndrome, twice */
  vector *moved[SLOTS];
  vector *carries;
  vector *planes;
};

ALWAYS_INLINE struct work lay_out(unsigned n, uint64_t *scratch) {
  struct work work;

  work.extended = (vector *)(void *)scratch;
  vector *next = work.extended + EXTENDED_VECTORS(n);
  for (unsigned k = 0; k < SLOTS; k++) {
    work.moved[k] = next;
    next += MOVED_VECTORS(n);
  }
  work.carries = next;
  work.planes = next + CARRIES * n;
  return work;
}

/* Lanes of the vector of 16-bit numbers from index `start` on that are below count. */
ALWAYS_INLINE __mmask32 lanes_below(size_t start, size_t count) {
  return count - start >= NUMBERS ? 0xFFFFFFFF : (1U << (count - start)) - 1;
}

/* ranks[i] = how many numbers are below numbers[i]; by comparing all with all. */
static void rank_avx512(uint16_t *ranks, const uint16_t *numbers, size_t count) {
  for (size_t start = 0; start < count; start += NUMBERS) {
    const vector v = _mm512_maskz_loadu_epi16(lanes_below(start, count), numbers + start);
    vector below = _mm512_setzero_si512();
    for (size_t j = 0; j < count; j++) {
      const __mmask32 greater = _mm512_cmpgt_epu16_mask(v, _mm512_set1_epi16((short)numbers[j]));
      below = _mm512_mask_add_epi16(below, greater, below, _mm512_set1_epi16(1));
    }
    _mm512_storeu_si512(ranks + start, below);
  }
}

/* out[places[i]] = numbers[i]; by comparing every place with all. */
static void put_in_places_avx512(uint16_t *out, const uint16_t *numbers, const uint16_t *places,
                                 size_t count) {
  vector lane = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15,
                                 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);

  for (size_t start = 0; start < count; start += NUMBERS) {
    vector v = _mm512_setzero_si512();
    for (size_t j = 0; j < count; j++) {
      const __mmask32 here = _mm512_cmpeq_epi16_mask(lane, _mm512_set1_epi16((short)places[j]));
      v = _mm512_mask_mov_epi16(v, here, _mm512_set1_epi16((short)numbers[j]));
    }
    _mm512_storeu_si512(out + start, v);
    lane = _mm512_add_epi16(lane, _mm512_set1_epi16(NUMBERS));
  }
}

/* The number of pairs that share their first stage in any support of this weight: at most one
 * position is left alone in each class of two a. */
ALWAYS_INLINE size_t pair_count(size_t n, size_t weight) {
  const size_t classes = (n + 1) / 2;

  return weight > classes ? (weight - classes + 1) / 2 : 0;
}

/* Finds the places of sorted positions: of the first `pairs` pairs at the front, of the others
 * behind. */
static void find_places_avx512(uint16_t *places, const uint16_t *sorted, size_t weight,
                               uint32_t pairs) {
  uint32_t is_second[MAX_WEIGHT + 1] = {0}; /* masks: the second of a pair */
  uint32_t follows = 0;                     /* a mask: the one before begins a pair in front */
  uint32_t front = 0;
  uint32_t behind = 2 * pairs;

  for (size_t i = 1; i < weight; i++) {
    const uint32_t same_class =
        ct_mask_equal_u32(sorted[i] / (2 * VECTOR_BITS), sorted[i - 1] / (2 * VECTOR_BITS));
    is_second[i] = same_class & ~is_second[i - 1];
  }
  for (size_t i = 0; i < weight; i++) {
    const uint32_t begins = is_second[i + 1] & ct_mask_less_u32(front, 2 * pairs);
    const uint32_t in_front = begins | follows;
    places[i] = (uint16_t)ct_select_u32(in_front, front, behind);
    front += in_front & 1;
    behind += ~in_front & 1;
    follows = begins;
  }
}

/* Puts pair_count() pairs to the front and everything else behind them. */
static void order_support_avx512(const struct gf2x_ring *ring, uint32_t *support, size_t weight) {
  uint16_t numbers[MAX_WEIGHT];
  uint16_t sorted[MAX_WEIGHT];
  uint16_t places[MAX_WEIGHT];

  assert(weight < MAX_WEIGHT);
  if (ring->r_bits > UINT16_MAX) {
    return; /* no ring of ours; there, count_unsatisfied_avx512 takes any order */
  }
  for (size_t i = 0; i < weight; i++) {
    numbers[i] = (uint16_t)support[i];
  }
  rank_avx512(places, numbers, weight);
  put_in_places_avx512(sorted, numbers, places, weight);
  find_places_avx512(places, sorted, weight,
                     (uint32_t)pair_count(ring->stride / VECTOR_WORDS, weight));
  put_in_places_avx512(numbers, sorted, places, weight);
  for (size_t i = 0; i < weight; i++) {
    support[i] = numbers[i];
  }
}

ALWAYS_INLINE void count(const struct shape shape, const struct gf2x_ring *ring, uint64_t *reached,
                         uint32_t threshold, uint64_t *reached_low, uint32_t threshold_low,
                         const uint64_t *syndrome, const uint32_t *support, size_t weight,
                         uint64_t *scratch) {
  const unsigned n = shape.vectors;
  const struct work work = lay_out(n, scratch);
  const size_t paired = 2 * pair_count(n, weight);
  unsigned carries = 0;

  extend_cyclically(ring, n, work.extended, syndrome);
  clear(work.planes, shape.planes * n);
  for (size_t first = 0; first < weight; first += SLOTS) {
    const vector *moved[SLOTS];
    uint32_t positions[SLOTS] = {0};
    for (size_t k = 0; k < SLOTS; k++) {
      moved[k] = work.moved[k];
      if (first + k >= weight) {
        clear(work.moved[k], n + MOVE_MARGIN);
        continue;
      }
      positions[k] = support[first + k];
      if (k % 2 == 1 && first + k < paired) {
        moved[k] = moved[k - 1];
      } else {
        move_down(shape, work.moved[k], work.extended, positions[k] / VECTOR_BITS);
      }
    }
    add_four(shape, work.planes, work.carries + carries * n, moved, positions);
    carries += 1;
    if (carries == CARRIES) {
      fold_carries(shape, work.planes, work.carries);
      carries = 0;
    }
  }
  clear(work.carries + carries * n, (CARRIES - carries) * n);
  fold_carries(shape, work.planes, work.carries);
  compare(shape, ring, reached, work.planes, threshold);
  if (reached_low != NULL) {
    compare(shape, ring, reached_low, work.planes, threshold_low);
  }
}

/* How positions are moved: `top` vectors, or 0, or twice as many, and so on; see struct shape. */
#define TOP(r_bits) (GF2X_STRIDE(r_bits) / VECTOR_WORDS <= 32 ? 16 : 32)
#define OPTIONS(r_bits) ((GF2X_STRIDE(r_bits) / VECTOR_WORDS + TOP(r_bits) - 1) / TOP(r_bits))

#define DEFINE_COUNT(level, r_bits, planes)                                                       \
  static_assert(BIKE_COUNT_SCRATCH_WORDS(r_bits) >=                                               \
                    (size_t)VECTOR_WORDS *                                                        \
                        (EXTENDED_VECTORS(GF2X_STRIDE(r_bits) / VECTOR_WORDS) +                   \
                         SLOTS * MOVED_VECTORS(GF2X_STRIDE(r_bits) / VECTOR_WORDS) +              \
                         (CARRIES + (planes)) * (GF2X_STRIDE(r_bits) / VECTOR_WORDS)),            \
                "scratch memory");                                                                \
  static void count_level##level(const struct gf2x_ring *ring, uint64_t *reached,                 \
                                 uint32_t threshold, uint64_t *reached_low,                       \
                                 uint32_t threshold_low, const uint64_t *syndrome,                \
                                 const uint32_t *support, size_t weight, uint64_t *scratch) {     \
    static const struct shape shape = {GF2X_STRIDE(r_bits) / VECTOR_WORDS, TOP(r_bits),           \
                                       OPTIONS(r_bits), planes};                                  \
    count(shape, ring, reached, threshold, reached_low, threshold_low, syndrome, support, weight, \
          scratch);                                                                               \
  }

#define DEFINE_COUNT_OF_LEVEL(level) DEFINE_COUNT(level, BIKE_R_##level, BIKE_PLANES_##level)
BIKE_LEVELS(DEFINE_COUNT_OF_LEVEL)

static void count_unsatisfied_avx512(const struct gf2x_ring *ring, uint64_t *reached,
                                     uint32_t threshold, uint64_t *reached_low,
                                     uint32_t threshold_low, const uint64_t *syndrome,
                                     const uint32_t *support, size_t weight, uint64_t *scratch) {
#define COUNT_AT_LEVEL(level)                                                                   \
  if (ring->r_bits == BIKE_R_##level && weight >> BIKE_PLANES_##level == 0) {                   \
    count_level##level(ring, reached, threshold, reached_low, threshold_low, syndrome, support, \
                       weight, scratch);                                                        \
    return;                                                                                     \
  }
  BIKE_LEVELS(COUNT_AT_LEVEL)
#undef COUNT_AT_LEVEL
  ckem_bike_counters_portable.count_unsatisfied(ring, reached, threshold, reached_low,
                                                threshold_low, syndrome, support, weight, scratch);
}

const struct bike_counters ckem_bike_counters_avx512 = {
    .name = "avx512",
    .order_support = order_support_avx512,
    .count_unsatisfied = count_unsatisfied_avx512,
};
ISA_END
#endif
