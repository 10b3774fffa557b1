/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The engine for one kind of vector. A file that includes this defines
 *   V                    the vector, of V_WORDS words (a divisor of LAB_BLOCK_WORDS)
 *   V_LOAD(p), V_STORE(p, v)   at any address
 *   V_XOR, V_AND, V_OR, V_NOT_AND (~a & b), V_ZERO, V_ONES
 *   V_ADD3(a, b, c), V_CARRY3(a, b, c)   sum and carry of three bits
 *   V_DOWN(low, high, n) (low >> n | high << (64 - n)) in each word, 0 < n < 64
 *   V_NONZERO(v)         a mask of the words that are not zero
 *   V_BITS_ADDED(sum, v), V_TOTAL(sum)   optional: bits of each word, counted; the sum of the words
 *   ENGINE_NAME, ENGINE
 */
#ifndef V
#error "define the vector before"
#endif

#include <string.h>

#define GROUP 16 /* rotations that are added together */
#define BYTES(a) ((const uint8_t *)(const void *)(a))
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Clears what lies at r and above. */
static void trim(uint32_t r_bits, uint64_t *a) {
  const size_t words = (r_bits + 63) / 64;

  a[words - 1] &= (UINT64_C(1) << (r_bits % 64)) - 1; /* r is odd, so r mod 64 is not 0 */
  for (size_t i = words; i < LAB_STRIDE(r_bits); i++) {
    a[i] = 0;
  }
}

static void spread(uint32_t r_bits, uint64_t *copies, const uint64_t *a) {
  const size_t words = (r_bits + 63) / 64;
  const size_t copy = LAB_COPY_WORDS(r_bits);
  const unsigned left = r_bits % 64;

  memset(copies, 0, copy * sizeof *copies);
  memcpy(copies, a, words * sizeof *a);
  copies[words - 1] |= a[0] << left;
  for (size_t i = 0; i + 1 < words; i++) {
    copies[words + i] = a[i] >> (64 - left) | a[i + 1] << left;
  }
  copies[2 * words - 1] = a[words - 1] >> (64 - left);
  for (size_t i = 0; i < 2 * LAB_STRIDE(r_bits) + LAB_BLOCK_WORDS; i += V_WORDS) {
    const V low = V_LOAD(copies + i);
    const V high = V_LOAD(copies + i + 1);
    V_STORE(copies + copy + i, V_DOWN(low, high, 1));
    V_STORE(copies + 2 * copy + i, V_DOWN(low, high, 2));
    V_STORE(copies + 3 * copy + i, V_DOWN(low, high, 3));
    V_STORE(copies + 4 * copy + i, V_DOWN(low, high, 4));
    V_STORE(copies + 5 * copy + i, V_DOWN(low, high, 5));
    V_STORE(copies + 6 * copy + i, V_DOWN(low, high, 6));
    V_STORE(copies + 7 * copy + i, V_DOWN(low, high, 7));
  }
}

/* Where the spread form is read from bit `position` on. */
ALWAYS_INLINE const uint8_t *place(uint32_t r_bits, const uint64_t *copies, uint32_t position) {
  return BYTES(copies + position % 8 * LAB_COPY_WORDS(r_bits)) + position / 8;
}

/* Where x^position b is read, copies being the spread form of b. */
ALWAYS_INLINE const uint8_t *column(uint32_t r_bits, const uint64_t *copies, uint32_t position) {
  return place(r_bits, copies, position == 0 ? 0 : r_bits - position);
}

/* Adds three bits of one weight: the sum stays in *a, the carry has twice the weight. */
ALWAYS_INLINE V full_add(V *a, V b, V c) {
  const V carry = V_CARRY3(*a, b, c);

  *a = V_ADD3(*a, b, c);
  return carry;
}

/* SIDE vectors of positions are counted at once: their chains of additions do not wait for each
 * other. */
#define SIDE 2
#define EACH(s) UNROLL for (unsigned s = 0; s < SIDE; s++)

struct sums {
  V plane[LAB_PLANES][SIDE];
};
struct side {
  V v[SIDE];
};

/* Adds carry to the planes from `first` on. */
ALWAYS_INLINE void ripple(struct sums *sums, unsigned first, unsigned count, struct side carry) {
  UNROLL
  for (unsigned b = first; b < count; b++) {
    EACH(s) {
      const V next = V_AND(sums->plane[b][s], carry.v[s]);
      sums->plane[b][s] = V_XOR(sums->plane[b][s], carry.v[s]);
      carry.v[s] = next;
    }
  }
}

ALWAYS_INLINE struct side add_two(struct sums *sums, unsigned plane, struct side a, struct side b) {
  struct side carry;

  EACH(s) {
    carry.v[s] = full_add(&sums->plane[plane][s], a.v[s], b.v[s]);
  }
  return carry;
}

ALWAYS_INLINE struct side read_side(const uint8_t *at) {
  struct side found;

  EACH(s) {
    found.v[s] = V_LOAD(at + s * sizeof(V));
  }
  return found;
}

/* Adds four vectors to the two lowest planes; returns what counts four. */
ALWAYS_INLINE struct side add_four(struct sums *sums, const uint8_t *const at[4], size_t offset) {
  const struct side two = add_two(sums, 0, read_side(at[0] + offset), read_side(at[1] + offset));
  const struct side other = add_two(sums, 0, read_side(at[2] + offset), read_side(at[3] + offset));

  return add_two(sums, 1, two, other);
}

/* Adds eight vectors to the three lowest planes; returns what counts eight. */
ALWAYS_INLINE struct side add_eight(struct sums *sums, const uint8_t *const at[8], size_t offset) {
  const struct side four = add_four(sums, at, offset);
  const struct side other = add_four(sums, at + 4, offset);

  return add_two(sums, 2, four, other);
}

/* The counters of SIDE vectors of positions; count is a multiple of 8. */
ALWAYS_INLINE void count_vectors(struct sums *sums, unsigned used, const uint8_t *const *at,
                                 size_t count, size_t offset) {
  size_t k = 0;

  for (unsigned b = 0; b < LAB_PLANES; b++) {
    EACH(s) {
      sums->plane[b][s] = V_ZERO;
    }
  }
  for (; k + GROUP <= count; k += GROUP) {
    const struct side eight = add_eight(sums, at + k, offset);
    const struct side other = add_eight(sums, at + k + 8, offset);
    ripple(sums, 4, used, add_two(sums, 3, eight, other));
  }
  if (k < count) {
    ripple(sums, 3, used, add_eight(sums, at + k, offset));
  }
}

ALWAYS_INLINE void count_used(uint32_t r_bits, uint64_t *planes, unsigned used,
                              const uint8_t *const *at, size_t count) {
  struct sums sums;

  for (size_t i = 0; i < LAB_STRIDE(r_bits); i += SIDE * V_WORDS) {
    count_vectors(&sums, used, at, count, i * sizeof *planes);
    UNROLL
    for (unsigned b = 0; b < LAB_PLANES; b++) {
      EACH(s) {
        V_STORE(planes + b * LAB_STRIDE(r_bits) + i + s * V_WORDS, sums.plane[b][s]);
      }
    }
  }
}

/* Where the rotations of a support are read, and zeros up to whole groups; returns how many. */
static size_t rotations(uint32_t r_bits, const uint8_t **at, const uint64_t *copies,
                        const uint32_t *support, size_t weight) {
  static uint64_t zeros[LAB_STRIDE(LAB_MAX_R_BITS)];
  size_t rounded = weight;

  for (size_t k = 0; k < weight; k++) {
    at[k] = place(r_bits, copies, support[k]);
  }
  while (rounded % 8 != 0) {
    at[rounded++] = BYTES(zeros);
  }
  return rounded;
}

static void count(uint32_t r_bits, uint64_t *planes, const uint64_t *copies,
                  const uint32_t *support, size_t weight) {
  const uint8_t *at[LAB_MAX_WEIGHT];
  const size_t rounded = rotations(r_bits, at, copies, support, weight);

  if (rounded < 128) {
    count_used(r_bits, planes, 7, at, rounded);
  } else {
    count_used(r_bits, planes, 8, at, rounded);
  }
}

/* The positions whose counters are below a threshold, given as vectors of its bits: those where
 * counter - threshold borrows. A bit of the threshold borrows unless the plane has it and nothing
 * was borrowed. */
ALWAYS_INLINE V below(const struct sums *sums, unsigned side, unsigned used, const V *threshold) {
  V borrow = V_ZERO;

  UNROLL
  for (unsigned b = 0; b < used; b++) {
    borrow = V_CARRY3(V_NOT_AND(sums->plane[b][side], V_ONES), threshold[b], borrow);
  }
  return borrow;
}

ALWAYS_INLINE void reach_used(uint32_t r_bits, uint64_t *reached, uint64_t *gray, unsigned used,
                              const uint8_t *const *at, size_t count, const uint32_t levels[2]) {
  V bits[2][LAB_PLANES];
  struct sums sums;

  for (unsigned b = 0; b < LAB_PLANES; b++) {
    bits[0][b] = (levels[0] >> b & 1) != 0 ? V_ONES : V_ZERO;
    bits[1][b] = (levels[1] >> b & 1) != 0 ? V_ONES : V_ZERO;
  }
  for (size_t i = 0; i < LAB_STRIDE(r_bits); i += SIDE * V_WORDS) {
    count_vectors(&sums, used, at, count, i * sizeof *reached);
    EACH(s) {
      const V black = below(&sums, s, used, bits[0]);
      V_STORE(reached + i + s * V_WORDS, V_NOT_AND(black, V_ONES));
      if (gray != NULL) {
        V_STORE(gray + i + s * V_WORDS, V_NOT_AND(below(&sums, s, used, bits[1]), black));
      }
    }
  }
}

static void reach(uint32_t r_bits, uint64_t *reached, uint64_t *gray, const uint64_t *copies,
                  const uint32_t *support, size_t weight, const uint32_t levels[2]) {
  const uint8_t *at[LAB_MAX_WEIGHT];
  const size_t rounded = rotations(r_bits, at, copies, support, weight);
  const uint32_t most = levels[0] > levels[1] ? levels[0] : levels[1];

  if (rounded < 128 && most < 128) {
    reach_used(r_bits, reached, gray, 7, at, rounded, levels);
  } else {
    reach_used(r_bits, reached, gray, 8, at, rounded, levels);
  }
  trim(r_bits, reached);
  if (gray != NULL) {
    trim(r_bits, gray);
  }
}

static void at_least(uint32_t r_bits, uint64_t *out, const uint64_t *planes, uint32_t threshold) {
  for (size_t i = 0; i < LAB_STRIDE(r_bits); i += V_WORDS) {
    V borrow = V_ZERO; /* of counter - threshold */
    UNROLL
    for (unsigned b = 0; b < LAB_PLANES; b++) {
      const V plane = V_LOAD(planes + b * LAB_STRIDE(r_bits) + i);
      /* A bit of 1 borrows unless the plane has one and nothing was borrowed; 0 passes it on. */
      borrow = (threshold >> b & 1) != 0 ? V_OR(V_NOT_AND(plane, V_ONES), borrow)
                                         : V_NOT_AND(plane, borrow);
    }
    V_STORE(out + i, V_NOT_AND(borrow, V_ONES));
  }
  trim(r_bits, out);
}

/* Adds columns to TILE vectors, which stay in registers: a column is read in one go. */
#define TILE 8
ALWAYS_INLINE void add_tile(unsigned tile, uint64_t *a, const uint8_t *const *at, size_t count,
                            size_t offset) {
  V sum[TILE];

  UNROLL
  for (unsigned i = 0; i < tile; i++) {
    sum[i] = V_LOAD(a + i * V_WORDS);
  }
  for (size_t k = 0; k < count; k++) {
    UNROLL
    for (unsigned i = 0; i < tile; i++) {
      sum[i] = V_XOR(sum[i], V_LOAD(at[k] + offset + i * sizeof(V)));
    }
  }
  UNROLL
  for (unsigned i = 0; i < tile; i++) {
    V_STORE(a + i * V_WORDS, sum[i]);
  }
}

static void add_columns(uint32_t r_bits, uint64_t *a, const uint64_t *copies, const uint32_t *list,
                        size_t count) {
  const uint8_t *at[LAB_MAX_WEIGHT];

  while (count > 0) {
    const size_t part = count < LAB_MAX_WEIGHT ? count : LAB_MAX_WEIGHT;
    for (size_t k = 0; k < part; k++) {
      at[k] = column(r_bits, copies, list[k]);
    }
    size_t i = 0;
    for (; i + TILE * V_WORDS <= LAB_STRIDE(r_bits); i += TILE * V_WORDS) {
      add_tile(TILE, a + i, at, part, i * sizeof *a);
    }
    for (; i < LAB_STRIDE(r_bits); i += SIDE * V_WORDS) {
      add_tile(SIDE, a + i, at, part, i * sizeof *a);
    }
    list += part;
    count -= part;
  }
  trim(r_bits, a);
}

static void count_columns(uint32_t r_bits, uint64_t *ones, uint64_t *twos, const uint64_t *copies,
                          const uint32_t *list, size_t count) {
  const uint8_t *at[LAB_MAX_WEIGHT];

  while (count > 0) {
    const size_t part = count < LAB_MAX_WEIGHT ? count : LAB_MAX_WEIGHT;
    for (size_t k = 0; k < part; k++) {
      at[k] = column(r_bits, copies, list[k]);
    }
    for (size_t i = 0; i < LAB_STRIDE(r_bits); i += SIDE * V_WORDS) {
      struct side low = read_side(BYTES(ones + i)), high = read_side(BYTES(twos + i));
      for (size_t k = 0; k < part; k++) {
        const struct side next = read_side(at[k] + i * sizeof *ones);
        EACH(s) {
          high.v[s] = V_XOR(high.v[s], V_AND(low.v[s], next.v[s]));
          low.v[s] = V_XOR(low.v[s], next.v[s]);
        }
      }
      EACH(s) {
        V_STORE(ones + i + s * V_WORDS, low.v[s]);
        V_STORE(twos + i + s * V_WORDS, high.v[s]);
      }
    }
    list += part;
    count -= part;
  }
  trim(r_bits, ones);
  trim(r_bits, twos);
}

#if defined(V_BITS_ADDED)
#define SUM V
#define SUM_ZERO V_ZERO
#define SUM_ADDED(sum, v) V_BITS_ADDED(sum, v)
#define SUM_TOTAL(sum) V_TOTAL(sum)
#else
#define SUM uint32_t
#define SUM_ZERO 0
#define SUM_ADDED(sum, v) ((sum) + bits_of(v))
#define SUM_TOTAL(sum) (sum)
ALWAYS_INLINE uint32_t bits_of(V v) {
  uint64_t words[V_WORDS];
  uint32_t total = 0;

  V_STORE(words, v);
  for (size_t i = 0; i < V_WORDS; i++) {
    total += (uint32_t)__builtin_popcountll(words[i]);
  }
  return total;
}
#endif

static uint32_t distance(uint32_t r_bits, const uint64_t *a, const uint64_t *b) {
  SUM sum[SIDE] = {SUM_ZERO, SUM_ZERO};

  for (size_t i = 0; i < LAB_STRIDE(r_bits); i += SIDE * V_WORDS) {
    EACH(s) {
      const size_t k = i + s * V_WORDS;
      sum[s] = SUM_ADDED(sum[s], V_XOR(V_LOAD(a + k), V_LOAD(b + k)));
    }
  }
  return SUM_TOTAL(sum[0]) + SUM_TOTAL(sum[1]);
}

static uint32_t threes(uint32_t r_bits, const uint64_t *const a[2], const uint64_t *const b[2]) {
  SUM sum[SIDE] = {SUM_ZERO, SUM_ZERO};

  for (size_t i = 0; i < LAB_STRIDE(r_bits); i += SIDE * V_WORDS) {
    EACH(s) {
      const size_t k = i + s * V_WORDS;
      const V low_a = V_LOAD(a[0] + k), low_b = V_LOAD(b[0] + k);
      const V twos = V_ADD3(V_LOAD(a[1] + k), V_LOAD(b[1] + k), V_AND(low_a, low_b));
      sum[s] = SUM_ADDED(sum[s], V_AND(V_XOR(low_a, low_b), twos));
    }
  }
  return SUM_TOTAL(sum[0]) + SUM_TOTAL(sum[1]);
}

static uint32_t weight(uint32_t r_bits, const uint64_t *a) {
  uint64_t total = 0;

  for (size_t i = 0; i < LAB_STRIDE(r_bits); i++) {
    total += (uint64_t)__builtin_popcountll(a[i]);
  }
  return (uint32_t)total;
}

static size_t positions(uint32_t r_bits, uint32_t *list, const uint64_t *a) {
  const size_t stride = LAB_STRIDE(r_bits);
  size_t held = 0;

  for (size_t i = 0; i < stride; i += 64) {
    uint64_t words = 0; /* which of 64 words have bits: most have none */
    for (size_t k = 0; k < 64 && i + k < stride; k += V_WORDS) {
      words |= (uint64_t)V_NONZERO(V_LOAD(a + i + k)) << k;
    }
    for (; words != 0; words &= words - 1) {
      const size_t word = i + (size_t)__builtin_ctzll(words);
      uint64_t bits = a[word];
      do {
        list[held++] = (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(bits);
        bits &= bits - 1;
      } while (bits != 0);
    }
  }
  return held;
}

#if defined(V_BITS_ADDED)
static uint32_t common(uint32_t r_bits, const uint64_t *a, const uint64_t *copies,
                       uint32_t position) {
  const uint8_t *at = column(r_bits, copies, position);
  V sum = V_ZERO;

  for (size_t i = 0; i < LAB_STRIDE(r_bits); i += V_WORDS) {
    sum = V_BITS_ADDED(sum, V_AND(V_LOAD(a + i), V_LOAD(at + i * sizeof *a)));
  }
  return V_TOTAL(sum);
}
#endif

const struct engine *ENGINE(void) {
  static const struct engine engine = {
      .name = ENGINE_NAME,
      .spread = spread,
      .count = count,
      .reach = reach,
      .at_least = at_least,
      .add_columns = add_columns,
      .count_columns = count_columns,
      .distance = distance,
      .threes = threes,
      .weight = weight,
      .positions = positions,
#if defined(V_BITS_ADDED)
      .common = common,
#endif
  };

  return &engine;
}
