/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Welch's t of Hamming weights between two classes of lanes: means, and variances around them. */
#include <math.h>
#include <string.h>

#include "lanes.h"

/* Weights of a class, or their squared distances from the mean. */
struct sums {
  double mean, variance;
};

/* Sums of powers of weights less MIDDLE, which keeps them small; third and fourth if wanted. */
struct powers {
  int64_t first, second, third, fourth;
};

enum { MIDDLE = 16, BLOCK = 8192 }; /* a block's sum of fourth powers has 30 bits */

/* Weights are at most 32. Compilers turn products of these types into those of vectors. */
static struct powers add_up(const uint8_t *weights, size_t count, bool higher) {
  struct powers sum = {0, 0, 0, 0};

  for (size_t from = 0; from < count; from += BLOCK) {
    const size_t end = count - from < BLOCK ? count : from + BLOCK;
    int32_t first = 0;
    int32_t second = 0;
    int32_t third = 0;
    int32_t fourth = 0;
    for (size_t i = from; i < end; i++) {
      first += weights[i];
      second += weights[i] * (int8_t)weights[i];
    }
    for (size_t i = from; higher && i < end; i++) {
      const int16_t x = (int16_t)(weights[i] - MIDDLE);
      const int16_t square = (int16_t)(x * x);
      third += square * x;
      fourth += square * square;
    }
    const int32_t length = (int32_t)(end - from);
    sum.first += first - MIDDLE * length;
    sum.second += second - 2 * MIDDLE * first + MIDDLE * MIDDLE * length;
    sum.third += third;
    sum.fourth += fourth;
  }
  return sum;
}

static struct sums moments(const struct powers *sum, size_t count) {
  const double mean = (double)sum->first / (double)count;

  return (struct sums){mean, (double)sum->second / (double)count - mean * mean};
}

/* Those of squared distances from the mean. */
static struct sums moments_of_distances(const struct powers *sum, size_t count) {
  const double n = (double)count;
  const double mean = (double)sum->first / n;
  const double square = mean * mean;
  const double second = (double)sum->second / n;
  const double distance = second - square;
  const double fourth = (double)sum->fourth / n - 4 * mean * (double)sum->third / n +
                        6 * square * second - 3 * square * square;

  return (struct sums){distance, fourth - distance * distance};
}

static double welch(struct sums a, struct sums b, size_t count) {
  const double variance = a.variance + b.variance;

  if (variance < 1e-9) {
    return fabs(a.mean - b.mean) < 1e-9 ? 0 : INFINITY; /* both constant */
  }
  return (a.mean - b.mean) / sqrt(variance / (double)count);
}

/* Bits that are one, in a form that compilers turn into vectors. */
static inline uint8_t weight_of(uint32_t x) {
#if defined(__AVX512VPOPCNTDQ__)
  return (uint8_t)__builtin_popcount(x);
#else
  x -= x >> 1 & 0x55555555U;
  x = (x & 0x33333333U) + (x >> 2 & 0x33333333U);
  x = (x + (x >> 4)) & 0x0F0F0F0FU;
  return (uint8_t)(x * 0x01010101U >> 24);
#endif
}

static void weigh(uint8_t *weights, const struct word *x, const struct word *y, size_t count) {
  const uint32_t *a = x->varied ? x->many : y->many;
  const uint32_t *b = y->many;

  if (!x->varied && !y->varied) {
    memset(weights, weight_of(x->one ^ y->one), count);
  } else if (x->varied && y->varied) {
    for (size_t i = 0; i < count; i++) {
      weights[i] = weight_of(a[i] ^ b[i]);
    }
  } else {
    const uint32_t one = x->varied ? y->one : x->one;
    for (size_t i = 0; i < count; i++) {
      weights[i] = weight_of(a[i] ^ one);
    }
  }
}

static void keep(struct leak_test *test, uint32_t kind, double t) {
  const uint64_t before = test->report->high + test->report->high_second;

  if (before < test->options->kept_length) {
    test->options->kept[before] =
        (struct leak_point){.step = test->step, .address = test->address, .kind = kind, .t = t};
  }
}

/* Whether weights are wanted of this point: no recording, or one that is under way. */
static bool is_wanted(const struct leak_test *test) {
  const struct leak_options *options = test->options;

  return options->recorded == NULL ||
         (test->step >= options->first_step && test->report->recorded < options->recorded_points);
}

static void record_point(const struct leak_test *test) {
  memcpy(test->options->recorded + test->report->recorded * test->lanes, test->weights,
         test->lanes);
  test->report->recorded += 1;
}

static void raise_curve(const struct leak_test *test, float *curve, double size) {
  const uint64_t at = test->step / test->options->stride;

  if (curve != NULL && at < test->options->curve_length && size > (double)curve[at]) {
    curve[at] = (float)size;
  }
}

/* Ones in bit b of x XOR y among lanes. */
static size_t count_ones(const struct word *x, const struct word *y, unsigned b, size_t first,
                         size_t count) {
  const uint32_t constant = (x->varied ? 0 : x->one) ^ (y->varied ? 0 : y->one);
  uint32_t sum = 0;

  for (size_t i = first; i < first + count; i++) {
    const uint32_t a = x->varied ? x->many[i] : 0;
    const uint32_t c = y->varied ? y->many[i] : 0;
    sum += (a ^ c ^ constant) >> b & 1;
  }
  return sum;
}

/* Every bit in every class. */
static void compare_classes(struct leak_test *test, enum leak_kind kind, const struct word *x,
                            const struct word *y) {
  const size_t size = test->lanes / test->options->classes;
  struct leak_report *report = test->report;
  size_t worst = 0;
  bool varies = false;

  for (unsigned b = 0; b < 32; b++) {
    size_t least = size;
    size_t most = 0;
    for (size_t first = 0; first < test->lanes; first += size) {
      const size_t ones = count_ones(x, y, b, first, size);
      least = ones < least ? ones : least;
      most = ones > most ? ones : most;
    }
    varies = varies || (most > 0 && least < size);
    worst = most - least > worst ? most - least : worst;
  }
  report->points += varies;
  const double part = (double)worst / (double)size;
  report->largest = part > report->largest ? part : report->largest;
  if (worst > 0) {
    keep(test, kind, part);
    report->high += 1;
  }
}

void leak_examine(struct leak_test *test, enum leak_kind kind, const struct word *x,
                  const struct word *y) {
  const size_t half = test->lanes / 2;
  struct leak_report *report = test->report;

  if (test->options == NULL || (test->options->kinds >> kind & 1) == 0 || !is_wanted(test)) {
    return;
  }
  if (test->options->recorded == NULL && !x->varied && !y->varied) {
    return;
  }
  if (test->options->classes != 0) {
    compare_classes(test, kind, x, y);
    return;
  }
  weigh(test->weights, x, y, test->lanes);
  if (test->options->recorded != NULL) {
    record_point(test);
    return;
  }
  const struct powers fixed = add_up(test->weights, half, test->options->second);
  const struct powers random = add_up(test->weights + half, half, test->options->second);
  const struct sums a = moments(&fixed, half);
  const struct sums b = moments(&random, half);
  if (a.variance < 1e-9 && b.variance < 1e-9 && fabs(a.mean - b.mean) < 1e-9) {
    return; /* the same in all lanes */
  }
  const double t = welch(a, b, half);
  const double size = fabs(t);
  report->points += 1;
  report->largest = size > report->largest ? size : report->largest;
  raise_curve(test, test->options->curve, size);
  if (size > test->options->threshold) {
    keep(test, kind, t);
    report->high += 1;
  }
  if (test->options->second) {
    const double second =
        welch(moments_of_distances(&fixed, half), moments_of_distances(&random, half), half);
    const double second_size = fabs(second);
    report->second_points += 1;
    report->largest_second =
        second_size > report->largest_second ? second_size : report->largest_second;
    raise_curve(test, test->options->second_curve, second_size);
    if (second_size > test->options->threshold) {
      keep(test, kind + LEAK_KINDS, second);
      report->high_second += 1;
    }
  }
}
