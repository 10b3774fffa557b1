/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Times and their medians, for programs that measure. */
#ifndef CODEKEM_TESTS_MEDIANS_H
#define CODEKEM_TESTS_MEDIANS_H

#include <stdlib.h>
#include <time.h>

/* Returns the time in microseconds since some point in the past. */
static inline double now(void) {
  struct timespec time;

  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static inline int by_size(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;

  return x < y ? -1 : x > y;
}

/* Sorts values[count] and returns their median, of an even count the upper one. */
static inline double median(double *values, size_t count) {
  qsort(values, count, sizeof values[0], by_size);
  return values[count / 2];
}

#endif
