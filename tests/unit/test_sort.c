/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sorting with every back end: all patterns of zeros and ones while that is possible, which proves
 * a network for that length, then random numbers and edges. */
#include "sort/sort.h"
#include "unit_test.h"

#define MOST 16384

static uint32_t x32[MOST], expected32[MOST];
static uint64_t x64[MOST], expected64[MOST];

/* Sorts the same patterns in both widths, with numbers far apart. */
static void all_patterns(const struct backend *backend) {
  const struct sort_ops *ops = ckem_sort_ops_of(backend);

  for (unsigned count = 1; count <= 16; count *= 2) {
    for (uint32_t pattern = 0; pattern < UINT32_C(1) << count; pattern++) {
      unsigned ones = 0;
      for (unsigned i = 0; i < count; i++) {
        const bool one = (pattern >> i & 1) != 0;
        ones += one ? 1 : 0;
        x32[i] = one ? UINT32_C(0x80000001) : UINT32_C(0x7FFFFFFF);
        x64[i] = one ? UINT64_C(0x8000000000000001) : UINT64_C(0x7FFFFFFFFFFFFFFF);
      }
      ops->sort_u32(x32, count);
      ops->sort_u64(x64, count);
      for (unsigned i = 0; i < count; i++) {
        const bool one = i >= count - ones;
        assert_true((x32[i] >> 31 != 0) == one && (x64[i] >> 63 != 0) == one);
      }
    }
  }
}

/* All sequences of zeros followed by ones, rotated: merging must work for any split. */
static void rotated_steps(const struct backend *backend) {
  const struct sort_ops *ops = ckem_sort_ops_of(backend);

  for (size_t count = 32; count <= 256; count *= 2) {
    for (size_t ones = 0; ones <= count; ones += count / 32) {
      for (size_t turn = 0; turn < count; turn += count / 32) {
        for (size_t i = 0; i < count; i++) {
          x32[(i + turn) % count] = i < ones ? 1 : 0;
          x64[(i * 5 + turn) % count] = i < ones ? 1 : 0;
        }
        ops->sort_u32(x32, count);
        ops->sort_u64(x64, count);
        for (size_t i = 0; i < count; i++) {
          assert_true(x32[i] == (i >= count - ones) && x64[i] == (i >= count - ones));
        }
      }
    }
  }
}

static void random_numbers(const struct backend *backend) {
  const struct sort_ops *ops = ckem_sort_ops_of(backend);
  uint64_t state = 1;

  for (size_t count = 1; count <= MOST; count *= 2) {
    for (unsigned kind = 0; kind < 4; kind++) {
      for (size_t i = 0; i < count; i++) {
        const uint64_t r = next_random(&state);
        /* any, few values, the largest, falling */
        x64[i] = kind == 0 ? r : kind == 1 ? r % 7 : kind == 2 ? ~(r % 3) : count - i;
        x32[i] = (uint32_t)x64[i];
      }
      memcpy(expected32, x32, sizeof x32);
      memcpy(expected64, x64, sizeof x64);
      ckem_sort_reference.sort_u32(expected32, count);
      ckem_sort_reference.sort_u64(expected64, count);
      ops->sort_u32(x32, count);
      ops->sort_u64(x64, count);
      assert_memory_equal(x32, expected32, sizeof x32);
      assert_memory_equal(x64, expected64, sizeof x64);
    }
  }
}

EACH_BACKEND(all_patterns)
EACH_BACKEND(rotated_steps)
EACH_BACKEND_BUT_REFERENCE(random_numbers)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_patterns_each),
      cmocka_unit_test(rotated_steps_each),
      cmocka_unit_test(random_numbers_each),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
