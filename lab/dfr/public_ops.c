/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The operations of BIKE's decoder for any odd r, fast where nothing is secret.
 *
 * A rotation by p reads the element, written down twice, from bit p on. Counters are bit-sliced:
 * for 512 positions at a time, planes of one bit are summed over all rotations in carry-save
 * adders, and stay in registers. A syndrome of zero is not counted at all, and a product is the
 * last one with what changed since.
 */
#include "public_ops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/unroll.h"
#include "bike/counters.h"
#include "gf2x/gf2x.h"
#include "sparse/sparse.h"

#define LANES 8  /* words that are processed together */
#define PLANES 8 /* counters below 256 */
#define GROUP 8  /* rotations that are added together */
#define MAX_R_BITS 57637
#define MAX_POSITIONS 256 /* of a support, rounded up to whole groups */

/* Words of an element written down twice, and as many zeros behind. */
#define EXTENDED_WORDS(r_bits) (3 * GF2X_STRIDE(r_bits) + LANES + 1)

/* One source, compiled for what the processor has. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_EVERY_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EVERY_PROCESSOR
#endif
#define INLINE static inline __attribute__((always_inline))

/* LANES words; gcc and clang make of it what the processor has. */
typedef uint64_t vector __attribute__((vector_size(8 * LANES)));

/* extended[j] = a[j mod r] for j < 2 r, then zeros: reading from bit zeros_at() on gives zero. */
static void extend(const struct gf2x_ring *ring, uint64_t *extended, const uint64_t *a) {
  const size_t n = ring->words;
  const unsigned shift = ring->r_bits % 64; /* r is odd, so not 0 */

  memset(extended, 0, EXTENDED_WORDS(ring->r_bits) * sizeof *extended);
  memcpy(extended, a, n * sizeof *a);
  extended[n - 1] |= a[0] << shift;
  for (size_t i = 0; i + 1 < n; i++) {
    extended[n + i] = a[i] >> (64 - shift) | a[i + 1] << shift;
  }
  extended[2 * n - 1] = a[n - 1] >> (64 - shift);
}

static uint32_t zeros_at(const struct gf2x_ring *ring) {
  return 2 * 64 * ring->words;
}

/* Reads LANES words of the element from bit `position` on. */
INLINE void load_rotated(vector *out, const uint64_t *extended, uint32_t position) {
  const uint64_t shift = position % 64;
  vector low, high;

  memcpy(&low, extended + position / 64, sizeof low);
  memcpy(&high, extended + position / 64 + 1, sizeof high);
  *out = low >> shift | high << 1 << (63 - shift);
}

/* Adds three bits of one weight in each place: the sum stays in a; carry has twice the weight. */
INLINE void full_add(vector *a, const vector *b, const vector *c, vector *carry) {
  const vector half = *a ^ *b;

  *carry = (*a & *b) | (half & *c);
  *a = half ^ *c;
}

/* Adds eight vectors to the planes. */
INLINE void add_group(vector planes[PLANES], const vector v[GROUP]) {
  vector twos[4], fours[2], carry;

  UNROLL
  for (unsigned i = 0; i < 4; i++) {
    full_add(&planes[0], &v[2 * i], &v[2 * i + 1], &twos[i]);
  }
  full_add(&planes[1], &twos[0], &twos[1], &fours[0]);
  full_add(&planes[1], &twos[2], &twos[3], &fours[1]);
  full_add(&planes[2], &fours[0], &fours[1], &carry);
  UNROLL
  for (unsigned b = 3; b < PLANES; b++) {
    const vector next = planes[b] & carry;
    planes[b] ^= carry;
    carry = next;
  }
}

/* Writes counter >= threshold for each place. */
INLINE void compare(uint64_t *out, const vector planes[PLANES], uint32_t threshold) {
  vector greater = {0};
  vector equal = ~greater;

  UNROLL
  for (unsigned b = PLANES; b-- > 0;) {
    const uint64_t wanted = 0 - (uint64_t)(threshold >> b & 1);
    greater |= equal & planes[b] & ~wanted;
    equal &= ~(planes[b] ^ wanted);
  }
  greater |= equal;
  memcpy(out, &greater, sizeof greater);
}

/* Clears what lies at r and above in the words that hold an element. */
static void trim(const struct gf2x_ring *ring, uint64_t *a) {
  a[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
  for (size_t i = ring->words; i < ring->stride; i++) {
    a[i] = 0;
  }
}

static bool is_zero(const struct gf2x_ring *ring, const uint64_t *a) {
  for (size_t i = 0; i < ring->words; i++) {
    if (a[i] != 0) {
      return false;
    }
  }
  return true;
}

/* The counters of 512 positions from word `first` on; count is a multiple of GROUP. */
INLINE void count_block(vector planes[PLANES], const uint64_t *extended, size_t first,
                        const uint32_t *positions, size_t count) {
  vector v[GROUP];

  memset(planes, 0, PLANES * sizeof planes[0]);
  for (size_t k = 0; k < count; k += GROUP) {
    UNROLL
    for (size_t j = 0; j < GROUP; j++) {
      load_rotated(&v[j], extended + first, positions[k + j]);
    }
    add_group(planes, v);
  }
}

FOR_EVERY_PROCESSOR
static void count_unsatisfied(const struct gf2x_ring *ring, uint64_t *reached, uint32_t threshold,
                              uint64_t *reached_low, uint32_t threshold_low,
                              const uint64_t *syndrome, const uint32_t *support, size_t weight,
                              uint64_t *scratch) {
  static uint64_t extended[EXTENDED_WORDS(MAX_R_BITS)];
  vector planes[PLANES];
  uint32_t positions[MAX_POSITIONS];
  size_t count = weight;

  (void)scratch;
  if (threshold > 0 && (reached_low == NULL || threshold_low > 0) && is_zero(ring, syndrome)) {
    memset(reached, 0, ring->stride * sizeof *reached);
    if (reached_low != NULL) {
      memset(reached_low, 0, ring->stride * sizeof *reached_low);
    }
    return;
  }
  memcpy(positions, support, weight * sizeof *positions);
  while (count % GROUP != 0) {
    positions[count++] = zeros_at(ring);
  }
  extend(ring, extended, syndrome);
  for (size_t first = 0; first < ring->words; first += LANES) {
    count_block(planes, extended, first, positions, count);
    compare(reached + first, planes, threshold);
    if (reached_low != NULL) {
      compare(reached_low + first, planes, threshold_low);
    }
  }
  trim(ring, reached);
  if (reached_low != NULL) {
    trim(ring, reached_low);
  }
}

/* The last product: e[0] h0 + e[1] h1. */
static struct {
  bool valid;
  uint64_t e[2][GF2X_STRIDE(MAX_R_BITS)];
  uint64_t product[GF2X_STRIDE(MAX_R_BITS)];
} last;

/* product += x^position * a, with a written down twice. */
FOR_EVERY_PROCESSOR
static void add_shifted(const struct gf2x_ring *ring, uint64_t *product, const uint64_t *extended,
                        uint32_t position) {
  const uint32_t start = position == 0 ? 0 : ring->r_bits - position;

  for (size_t first = 0; first < ring->words; first += LANES) {
    vector v, sum;
    load_rotated(&v, extended + first, start);
    memcpy(&sum, product + first, sizeof sum);
    sum ^= v;
    memcpy(product + first, &sum, sizeof sum);
  }
}

static void mul_add(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                    const uint64_t *b0, const uint64_t *a1, const uint64_t *b1, uint64_t *scratch) {
  static uint64_t extended[EXTENDED_WORDS(MAX_R_BITS)];
  const uint64_t *const a[2] = {a0, a1};
  const uint64_t *const b[2] = {b0, b1};

  (void)scratch;
  if (!last.valid) {
    memset(&last, 0, sizeof last);
    last.valid = true;
  }
  for (int half = 0; half < 2; half++) {
    if (memcmp(a[half], last.e[half], ring->words * sizeof *a0) == 0) {
      continue;
    }
    extend(ring, extended, b[half]);
    for (size_t i = 0; i < ring->words; i++) {
      for (uint64_t bits = a[half][i] ^ last.e[half][i]; bits != 0; bits &= bits - 1) {
        add_shifted(ring, last.product, extended,
                    (uint32_t)(64 * i) + (uint32_t)__builtin_ctzll(bits));
      }
      last.e[half][i] = a[half][i];
    }
  }
  trim(ring, last.product);
  memcpy(out, last.product, ring->stride * sizeof *out);
}

/* Takes a syndrome over, and forgets the products of the key before. */
static void take_syndrome(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *syndrome,
                          const uint64_t *h0, uint64_t *scratch) {
  (void)h0;
  (void)scratch;
  last.valid = false;
  memmove(out, syndrome, ring->stride * sizeof *out);
}

FOR_EVERY_PROCESSOR
static uint32_t weight(const struct gf2x_ring *ring, const uint64_t *a) {
  uint32_t count = 0;

  for (size_t i = 0; i < ring->words; i++) {
    count += (uint32_t)__builtin_popcountll(a[i]);
  }
  return count;
}

static const struct bike_counters own_bike = {.name = "public",
                                              .count_unsatisfied = count_unsatisfied};

/* The back end of its own, if there is one. */
static struct backend own;

const struct bike_counters *__real_ckem_bike_counters_of(const struct backend *backend);
const struct bike_counters *__wrap_ckem_bike_counters_of(const struct backend *backend);

const struct bike_counters *__wrap_ckem_bike_counters_of(const struct backend *backend) {
  return backend == &own ? &own_bike : __real_ckem_bike_counters_of(backend);
}

const struct backend *public_backend(const struct backend *base) {
  static struct gf2x_ops gf2x;
  static struct sparse_ops sparse; /* no product of its own: mul takes the syndrome over */
  static struct backend over_base;

  if (base == NULL) {
    gf2x = (struct gf2x_ops){.name = "public", .mul_add = mul_add, .weight = weight};
    gf2x.mul = take_syndrome;
    own = (struct backend){.name = "public", .gf2x = &gf2x, .sparse = &sparse};
    return &own;
  }
  gf2x = *base->gf2x;
  gf2x.mul = take_syndrome;
  sparse = *base->sparse;
  sparse.multiply = NULL;
  over_base = *base;
  over_base.gf2x = &gf2x;
  over_base.sparse = &sparse;
  return &over_base;
}
