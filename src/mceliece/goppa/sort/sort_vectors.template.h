/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bitonic sorting [Bat68] on vectors, for one kind of number.
 *
 * Before it is included: `number`, `vector` of LANES = 2^LOG_LANES numbers, vector_load,
 * vector_store, vector_least, vector_most, vector_swap(x, d) (exchanges lanes l and l ^ d),
 * `lanes`, a set of lanes, lanes_with(bit), lanes_change(a, b) (exclusive or), lanes_all,
 * lanes_choose(set, x, y) (y in the lanes of the set, x elsewhere), TEMPLATE_NUMBER and
 * TEMPLATE_SUFFIX. What it defines has both in its names. It may be included again, after these
 * have been changed.
 *
 * Round k makes runs of k sorted numbers, up where bit k of the place is clear and down elsewhere,
 * by comparing places d = k / 2, k / 4, ..., 1 apart.
 */
#ifndef TEMPLATE_SUFFIX
#error This is a template: define TEMPLATE_SUFFIX, and what is named above, before it
#endif

#define SORT_NAME(name) SORT_EXPAND(name, TEMPLATE_NUMBER, TEMPLATE_SUFFIX)
#define SORT_EXPAND(name, number_name, suffix) SORT_JOIN(name, number_name, suffix)
#define SORT_JOIN(name, number_name, suffix) name##_##number_name##_##suffix

/* Compares lanes d apart; those of the set get the larger number. */
static inline __attribute__((always_inline)) vector SORT_NAME(compare_lanes)(vector x, unsigned d,
                                                                             lanes larger) {
  const vector y = vector_swap(x, d);

  return lanes_choose(larger, vector_least(x, y), vector_most(x, y));
}

/* Rounds 2, 4, ..., LANES / 2 within a vector. */
static inline __attribute__((always_inline)) vector SORT_NAME(first_rounds)(vector x) {
  x = SORT_NAME(compare_lanes)(x, 1, lanes_change(lanes_with(1), lanes_with(2)));
#if LOG_LANES > 2
  x = SORT_NAME(compare_lanes)(x, 2, lanes_change(lanes_with(2), lanes_with(4)));
  x = SORT_NAME(compare_lanes)(x, 1, lanes_change(lanes_with(1), lanes_with(4)));
#endif
#if LOG_LANES > 3
  x = SORT_NAME(compare_lanes)(x, 4, lanes_change(lanes_with(4), lanes_with(8)));
  x = SORT_NAME(compare_lanes)(x, 2, lanes_change(lanes_with(2), lanes_with(8)));
  x = SORT_NAME(compare_lanes)(x, 1, lanes_change(lanes_with(1), lanes_with(8)));
#endif
  return x;
}

/* The last steps of a round, within a vector. */
static inline __attribute__((always_inline)) vector SORT_NAME(last_steps)(vector x, lanes down) {
#if LOG_LANES > 3
  x = SORT_NAME(compare_lanes)(x, 8, lanes_change(lanes_with(8), down));
#endif
#if LOG_LANES > 2
  x = SORT_NAME(compare_lanes)(x, 4, lanes_change(lanes_with(4), down));
#endif
  x = SORT_NAME(compare_lanes)(x, 2, lanes_change(lanes_with(2), down));
  return SORT_NAME(compare_lanes)(x, 1, lanes_change(lanes_with(1), down));
}

/* The last steps of a round for numbers[count] with one direction. */
static void SORT_NAME(finish)(number *numbers, size_t count, lanes down) {
  for (size_t i = 0; i < count; i += LANES) {
    vector_store(numbers + i, SORT_NAME(last_steps)(vector_load(numbers + i), down));
  }
}

/* One step for numbers[2 d]: the smaller ones go to low, the larger ones to high, which are its
 * halves in either order. */
static inline void SORT_NAME(compare)(number *low, number *high, size_t d) {
  for (size_t i = 0; i < d; i += LANES) {
    const vector x = vector_load(low + i);
    const vector y = vector_load(high + i);
    vector_store(low + i, vector_least(x, y));
    vector_store(high + i, vector_most(x, y));
  }
}

/* Two steps for numbers[2 d], with distances d and d / 2; in direction `up`, which is public. */
static inline void SORT_NAME(compare_twice)(number *numbers, size_t d, bool up) {
  number *part[4]; /* the quarters, those of the smallest numbers first */

  for (size_t j = 0; j < 4; j++) {
    part[j] = numbers + (up ? j : 3 - j) * (d / 2);
  }
  for (size_t i = 0; i < d / 2; i += LANES) {
    const vector a = vector_load(part[0] + i);
    const vector b = vector_load(part[1] + i);
    const vector c = vector_load(part[2] + i);
    const vector e = vector_load(part[3] + i);
    const vector a2 = vector_least(a, c);
    const vector c2 = vector_most(a, c);
    const vector b2 = vector_least(b, e);
    const vector e2 = vector_most(b, e);
    vector_store(part[0] + i, vector_least(a2, b2));
    vector_store(part[1] + i, vector_most(a2, b2));
    vector_store(part[2] + i, vector_least(c2, e2));
    vector_store(part[3] + i, vector_most(c2, e2));
  }
}

/* All steps of a round for a run of k numbers; k is more than LANES. */
static void SORT_NAME(merge)(number *numbers, size_t k, bool up) {
  size_t d = k / 2;

  for (; d >= 2 * LANES; d /= 4) {
    for (size_t base = 0; base < k; base += 2 * d) {
      SORT_NAME(compare_twice)(numbers + base, d, up);
    }
  }
  if (d == LANES) {
    for (size_t base = 0; base < k; base += 2 * d) {
      SORT_NAME(compare)(numbers + base + (up ? 0 : d), numbers + base + (up ? d : 0), d);
    }
  }
  SORT_NAME(finish)(numbers, k, up ? lanes_change(lanes_all, lanes_all) : lanes_all);
}

/* Sorts numbers[count]; count is a power of two, at least 2 LANES. */
static void SORT_NAME(sort_long)(number *numbers, size_t count) {
  const lanes none = lanes_change(lanes_all, lanes_all);

  for (size_t i = 0; i < count; i += 2 * LANES) {
    const vector x = SORT_NAME(first_rounds)(vector_load(numbers + i));
    const vector y = SORT_NAME(first_rounds)(vector_load(numbers + i + LANES));
    vector_store(numbers + i, SORT_NAME(last_steps)(x, none));
    vector_store(numbers + i + LANES, SORT_NAME(last_steps)(y, lanes_all));
  }
  for (size_t k = 2 * LANES; k <= count; k *= 2) {
    for (size_t base = 0; base < count; base += k) {
      SORT_NAME(merge)(numbers + base, k, (base & k) == 0);
    }
  }
}

#undef SORT_NAME
#undef SORT_EXPAND
#undef SORT_JOIN
