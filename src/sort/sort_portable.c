/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sorting by Batcher's odd-even merge exchange [Bat68] [Knu98, 5.2.2, algorithm M].
 *
 * Minimum and maximum come from a mask, so that no compiler makes a branch of them.
 */
#include "base/ct.h"
#include "sort/sort.h"

static inline void exchange_u32(uint32_t *a, uint32_t *b) {
  const uint32_t change = (*a ^ *b) & ct_mask_less_u32(*b, *a);

  *a ^= change;
  *b ^= change;
}

/* Keys below 2^63 would need only a subtraction; this is right for all. */
static inline void exchange_u64(uint64_t *a, uint64_t *b) {
  const uint64_t x = *a;
  const uint64_t y = *b;
  const uint64_t borrow = (~y & x) | (~(y ^ x) & (y - x)); /* its top bit: y < x */
  const uint64_t change = (x ^ y) & ct_mask_bit_u64(borrow >> 63);

  *a = x ^ change;
  *b = y ^ change;
}

/* Compares places i and i + p for i with bit p clear, then those i + p and i + q. */
#define DEFINE_SORT(type, exchange, name)                        \
  static void name(type *numbers, size_t count) {                \
    for (size_t p = count / 2; p > 0; p /= 2) {                  \
      for (size_t base = 0; base < count; base += 2 * p) {       \
        for (size_t i = base; i < base + p; i++) {               \
          exchange(&numbers[i], &numbers[i + p]);                \
        }                                                        \
      }                                                          \
      for (size_t q = count / 2; q > p; q /= 2) {                \
        for (size_t base = p; base + q < count; base += 2 * p) { \
          for (size_t i = base; i < base + p; i++) {             \
            exchange(&numbers[i], &numbers[i + q - p]);          \
          }                                                      \
        }                                                        \
      }                                                          \
    }                                                            \
  }

DEFINE_SORT(uint32_t, exchange_u32, sort_u32_portable)
DEFINE_SORT(uint64_t, exchange_u64, sort_u64_portable)

const struct sort_ops sort_portable = {
    .name = "portable",
    .sort_u32 = sort_u32_portable,
    .sort_u64 = sort_u64_portable,
};
