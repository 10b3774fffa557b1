/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Batcher's odd-even merge exchange [Bat68] [Knu98, 5.2.2, algorithm M] for one kind of number, in
 * loops that compilers turn into vectors.
 *
 * Before it is included: `number`, an unsigned type, and TEMPLATE_NUMBER, the ending of all names
 * that it defines.
 *
 * Round p compares places i and i + p for i with bit p clear, then i and i + q - p for i with bit p
 * set and q = count / 2, count / 4, ..., 2 p. Such places come in runs of p. For the last rounds
 * the 64 numbers of a tile are transposed: place 8 a + b of the tile is kept at 8 b + a. Then runs
 * are rows of eight.
 */
#ifndef TEMPLATE_NUMBER
#error This is a template: define TEMPLATE_NUMBER, and what is named above, before it
#endif

#define SORT_NAME(name) SORT_EXPAND(name, TEMPLATE_NUMBER)
#define SORT_EXPAND(name, number_name) SORT_JOIN(name, number_name)
#define SORT_JOIN(name, number_name) name##_##number_name

/* Puts the smaller one of each pair into a, the larger one into b. `last` is the number of a
 * number's highest bit, hidden from the compiler: without it nobody can tell that `mask` is one. (A
 * barrier for each mask would be in the way of vectors.) */
static inline void SORT_NAME(exchange)(number *restrict a, number *restrict b, size_t count,
                                       uint32_t last) {
  for (size_t i = 0; i < count; i++) {
    const number x = a[i];
    const number y = b[i];
    const number borrow = (~y & x) | (~(y ^ x) & (y - x)); /* its highest bit: y < x */
    const number mask = (number)0 - (borrow >> last);
    const number change = (x ^ y) & mask;

    a[i] = x ^ change;
    b[i] = y ^ change;
  }
}

/* Rounds count / 2 to end. */
static void SORT_NAME(sort_runs)(number *numbers, size_t count, size_t end, uint32_t last) {
  for (size_t p = count / 2; p >= end; p /= 2) {
    for (size_t base = 0; base < count; base += 2 * p) {
      SORT_NAME(exchange)(numbers + base, numbers + base + p, p, last);
    }
    for (size_t q = count / 2; q > p; q /= 2) {
      for (size_t base = p; base + q < count; base += 2 * p) {
        SORT_NAME(exchange)(numbers + base, numbers + base + q - p, p, last);
      }
    }
  }
}

static void SORT_NAME(transpose_tiles)(number *numbers, size_t count) {
  for (size_t tile = 0; tile < count; tile += TILE) {
    for (size_t a = 0; a < ROW; a++) {
      for (size_t b = 0; b < a; b++) {
        const number x = numbers[tile + ROW * a + b];
        numbers[tile + ROW * a + b] = numbers[tile + ROW * b + a];
        numbers[tile + ROW * b + a] = x;
      }
    }
  }
}

/* In tiles: compares row b of each tile, place by place, with what is `distance` places behind. */
static void SORT_NAME(exchange_far)(number *numbers, size_t count, size_t b, size_t distance,
                                    uint32_t last) {
  const size_t place = b + distance;
  const size_t row = ROW * (place % ROW);
  const size_t turn = place / ROW % ROW; /* the partner of place 0 of a row */
  const size_t far = place / TILE * TILE;

  for (size_t tile = 0; tile + far < count; tile += TILE) {
    number *own = numbers + tile + ROW * b;
    number *other = numbers + tile + far + row;
    if (turn == 0) {
      SORT_NAME(exchange)(own, other, ROW, last);
    } else {
      SORT_NAME(exchange)(own, other + turn, ROW - turn, last);
      if (tile + far + TILE < count) {
        SORT_NAME(exchange)(own + ROW - turn, other + TILE, turn, last);
      }
    }
  }
}

/* In tiles: rounds ROW / 2 to 1. */
static void SORT_NAME(sort_rows)(number *numbers, size_t count, uint32_t last) {
  for (size_t p = ROW / 2; p > 0; p /= 2) {
    for (size_t b = 0; b < ROW; b++) {
      if ((b & p) == 0) {
        SORT_NAME(exchange_far)(numbers, count, b, p, last);
      }
    }
    for (size_t q = count / 2; q > p; q /= 2) {
      for (size_t b = 0; b < ROW; b++) {
        if ((b & p) != 0) {
          SORT_NAME(exchange_far)(numbers, count, b, q - p, last);
        }
      }
    }
  }
}

static void SORT_NAME(sort)(number *numbers, size_t count) {
  const uint32_t last = ct_barrier_u32(8 * sizeof(number) - 1);

  if (count < TILE) {
    SORT_NAME(sort_runs)(numbers, count, 1, last);
    return;
  }
  SORT_NAME(sort_runs)(numbers, count, ROW, last);
  SORT_NAME(transpose_tiles)(numbers, count);
  SORT_NAME(sort_rows)(numbers, count, last);
  SORT_NAME(transpose_tiles)(numbers, count);
}

#undef SORT_NAME
#undef SORT_EXPAND
#undef SORT_JOIN
