/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Welch's t of Hamming weights between two classes of lanes: means, and variances around them. */
#include <math.h>
#include <string.h>

#include "lanes.h"

/* Weights of a class, at most 32 each. */
struct sums {
  double mean, variance;
};

static struct sums add_up(const uint8_t *weights, size_t count) {
  uint64_t sum = 0;
  uint64_t squares = 0;

  for (size_t first = 0; first < count;) {
    const size_t end = count - first < 1024 ? count : first + 1024;
    uint32_t part = 0;
    uint32_t part_squares = 0;
    for (size_t i = first; i < end; i++) {
      part += weights[i];
      part_squares += (uint32_t)weights[i] * weights[i];
    }
    sum += part;
    squares += part_squares;
    first = end;
  }
  const double mean = (double)sum / (double)count;
  return (struct sums){mean, (double)squares / (double)count - mean * mean};
}

/* The same of the squared distances from the mean. */
static struct sums add_up_distances(const uint8_t *weights, size_t count, double mean) {
  double table[33];
  uint32_t histogram[33] = {0};
  double sum = 0;
  double squares = 0;

  for (size_t i = 0; i < count; i++) {
    histogram[weights[i]] += 1;
  }
  for (size_t i = 0; i < 33; i++) {
    table[i] = ((double)i - mean) * ((double)i - mean);
    sum += histogram[i] * table[i];
    squares += histogram[i] * table[i] * table[i];
  }
  sum /= (double)count;
  return (struct sums){sum, squares / (double)count - sum * sum};
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
  const struct sums a = add_up(test->weights, half);
  const struct sums b = add_up(test->weights + half, half);
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
    const struct sums c = add_up_distances(test->weights, half, a.mean);
    const struct sums d = add_up_distances(test->weights + half, half, b.mean);
    const double second = welch(c, d, half);
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
