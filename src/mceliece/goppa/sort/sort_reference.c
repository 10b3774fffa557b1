/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sorting by heaps; not constant time. */
#include "sort/sort.h"

#if !defined(CODEKEM_SMALL)

static void sift_u32(uint32_t *x, size_t root, size_t count) {
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    const uint32_t top = x[root];
    child += child + 1 < count && x[child + 1] > x[child] ? 1U : 0U;
    if (x[child] <= top) {
      return;
    }
    x[root] = x[child];
    x[child] = top;
  }
}

static void sift_u64(uint64_t *x, size_t root, size_t count) {
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    const uint64_t top = x[root];
    child += child + 1 < count && x[child + 1] > x[child] ? 1U : 0U;
    if (x[child] <= top) {
      return;
    }
    x[root] = x[child];
    x[child] = top;
  }
}

static void sort_u32_reference(uint32_t *numbers, size_t count) {
  for (size_t root = count / 2; root-- > 0;) {
    sift_u32(numbers, root, count);
  }
  for (size_t last = count; last-- > 1;) {
    const uint32_t largest = numbers[0];
    numbers[0] = numbers[last];
    numbers[last] = largest;
    sift_u32(numbers, 0, last);
  }
}

static void sort_u64_reference(uint64_t *numbers, size_t count) {
  for (size_t root = count / 2; root-- > 0;) {
    sift_u64(numbers, root, count);
  }
  for (size_t last = count; last-- > 1;) {
    const uint64_t largest = numbers[0];
    numbers[0] = numbers[last];
    numbers[last] = largest;
    sift_u64(numbers, 0, last);
  }
}

const struct sort_ops ckem_sort_reference = {
    .name = "reference",
    .sort_u32 = sort_u32_reference,
    .sort_u64 = sort_u64_reference,
};

#endif
