/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The engine for one kind of vector. A file that includes this defines
 *   V                    the vector, of V_WORDS words (a divisor of LAB_BLOCK_WORDS)
 *   V_LOAD(p), V_STORE(p, v)   at any address
 *   V_XOR, V_AND, V_OR, V_NOT_AND (~a & b), V_ZERO, V_ONES
 *   V_ADD3(a, b, c), V_CARRY3(a, b, c)   sum and carry of three bits
 *   V_DOWN(low, high, n) (low >> n | high << (64 - n)) in each word, 0 < n < 64
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

/* Adds three bits of one weight: the sum stays in *a, the carry has twice the weight. */
ALWAYS_INLINE V full_add(V *a, V b, V c) {
  const V carry = V_CARRY3(*a, b, c);

  *a = V_ADD3(*a, b, c);
  return carry;
}

/* Adds carry to the planes from `first` on. */
ALWAYS_INLINE void ripple(V planes[LAB_PLANES], unsigned first, unsigned count, V carry) {
  UNROLL
  for (unsigned b = first; b < count; b++) {
    const V next = V_AND(planes[b], carry);
    planes[b] = V_XOR(planes[b], carry);
    carry = next;
  }
}

/* Adds eight vectors to the lowest planes; returns what counts eight. */
ALWAYS_INLINE V add_eight(V planes[LAB_PLANES], const uint8_t *const at[8], size_t offset) {
  V twos[4];

  UNROLL
  for (unsigned i = 0; i < 4; i++) {
    twos[i] = full_add(&planes[0], V_LOAD(at[2 * i] + offset), V_LOAD(at[2 * i + 1] + offset));
  }
  const V four = full_add(&planes[1], twos[0], twos[1]);
  const V other = full_add(&planes[1], twos[2], twos[3]);
  return full_add(&planes[2], four, other);
}

/* The counters of one vector of positions; count is a multiple of 8. */
ALWAYS_INLINE void count_vector(V planes[LAB_PLANES], unsigned used, const uint8_t *const *at,
                                size_t count, size_t offset) {
  size_t k = 0;

  for (unsigned b = 0; b < LAB_PLANES; b++) {
    planes[b] = V_ZERO;
  }
  for (; k + GROUP <= count; k += GROUP) {
    const V eight = add_eight(planes, at + k, offset);
    const V other = add_eight(planes, at + k + 8, offset);
    ripple(planes, 4, used, full_add(&planes[3], eight, other));
  }
  if (k < count) {
    ripple(planes, 3, used, add_eight(planes, at + k, offset));
  }
}

ALWAYS_INLINE void count_used(uint32_t r_bits, uint64_t *planes, unsigned used,
                              const uint8_t *const *at, size_t count) {
  V sums[LAB_PLANES];

  for (size_t i = 0; i < LAB_STRIDE(r_bits); i += V_WORDS) {
    count_vector(sums, used, at, count, i * sizeof *planes);
    UNROLL
    for (unsigned b = 0; b < LAB_PLANES; b++) {
      V_STORE(planes + b * LAB_STRIDE(r_bits) + i, sums[b]);
    }
  }
}

static void count(uint32_t r_bits, uint64_t *planes, const uint64_t *copies,
                  const uint32_t *support, size_t weight) {
  static uint64_t zeros[LAB_STRIDE(LAB_MAX_R_BITS)];
  const uint8_t *at[LAB_MAX_WEIGHT];
  size_t rounded = weight;

  for (size_t k = 0; k < weight; k++) {
    at[k] = place(r_bits, copies, support[k]);
  }
  while (rounded % 8 != 0) {
    at[rounded++] = BYTES(zeros);
  }
  if (rounded < 128) {
    count_used(r_bits, planes, 7, at, rounded);
  } else {
    count_used(r_bits, planes, 8, at, rounded);
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

static void add_columns(uint32_t r_bits, uint64_t *a, const uint64_t *copies, const uint32_t *list,
                        size_t count) {
  const uint8_t *at[LAB_MAX_WEIGHT];

  while (count > 0) {
    const size_t part = count < LAB_MAX_WEIGHT ? count : LAB_MAX_WEIGHT;
    for (size_t k = 0; k < part; k++) {
      at[k] = place(r_bits, copies, list[k] == 0 ? 0 : r_bits - list[k]);
    }
    for (size_t i = 0; i < LAB_STRIDE(r_bits); i += V_WORDS) {
      V sum = V_LOAD(a + i);
      for (size_t k = 0; k < part; k++) {
        sum = V_XOR(sum, V_LOAD(at[k] + i * sizeof *a));
      }
      V_STORE(a + i, sum);
    }
    list += part;
    count -= part;
  }
  trim(r_bits, a);
}

static uint32_t weight(uint32_t r_bits, const uint64_t *a) {
  uint64_t total = 0;

  for (size_t i = 0; i < LAB_STRIDE(r_bits); i++) {
    total += (uint64_t)__builtin_popcountll(a[i]);
  }
  return (uint32_t)total;
}

const struct engine *ENGINE(void) {
  static const struct engine engine = {.name = ENGINE_NAME,
                                       .spread = spread,
                                       .count = count,
                                       .at_least = at_least,
                                       .add_columns = add_columns,
                                       .weight = weight};

  return &engine;
}
