/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Control bits after [Ber20], level by level: a level has 2^l permutations of n = 2^(m-l) numbers,
 * one behind the other, and makes one bit for each pair of neighbours in the first layer of each
 * network and one in the last; two permutations of n / 2 numbers are left of each. Small ones are
 * handled together, as one permutation of BENES_UNIT numbers.
 *
 * Here the inverse of each permutation is kept as well. No step needs an inversion then: with
 * X(y) = y ^ 1 the permutation p = pi X pi^-1 X has the inverse X p X, and what is left after the
 * first and the last layer keeps the lowest bit.
 */
#include "benes/benes_find.h"

#include "base/ct.h"
#include "benes/benes.h"

void ckem_benes_look_up_by_sorting(const struct sort_ops *sort, size_t n, const uint16_t *inverse,
                                   uint16_t *first, const uint16_t *from_first, uint16_t *second,
                                   const uint16_t *from_second, uint64_t *scratch) {
  if (second == NULL) {
    uint32_t *pairs = (uint32_t *)scratch;
    for (size_t x = 0; x < n; x++) {
      pairs[x] = (uint32_t)inverse[x] << 16 | from_first[x];
    }
    sort->sort_u32(pairs, n);
    for (size_t y = 0; y < n; y++) {
      first[y] = (uint16_t)pairs[y];
    }
    return;
  }
  if (n <= 1024) { /* three numbers fit into 32 bits */
    uint32_t *triples = (uint32_t *)scratch;
    for (size_t x = 0; x < n; x++) {
      triples[x] = (uint32_t)inverse[x] << 20 | (uint32_t)from_first[x] << 10 | from_second[x];
    }
    sort->sort_u32(triples, n);
    for (size_t y = 0; y < n; y++) {
      first[y] = (uint16_t)(triples[y] >> 10 & 1023);
      second[y] = (uint16_t)(triples[y] & 1023);
    }
    return;
  }
  for (size_t x = 0; x < n; x++) {
    scratch[x] = (uint64_t)inverse[x] << 32 | (uint64_t)from_first[x] << 16 | from_second[x];
  }
  sort->sort_u64(scratch, n);
  for (size_t y = 0; y < n; y++) {
    first[y] = (uint16_t)(scratch[y] >> 16);
    second[y] = (uint16_t)scratch[y];
  }
}

static void look_up_portable(size_t n, const uint16_t *index, const uint16_t *inverse,
                             uint16_t *first, const uint16_t *from_first, uint16_t *second,
                             const uint16_t *from_second, uint64_t *scratch) {
  (void)index;
  ckem_benes_look_up_by_sorting(&ckem_sort_portable, n, inverse, first, from_first, second,
                                from_second, scratch);
}

static void conjugate_portable(size_t n, uint16_t *to, const uint16_t *a) {
  for (size_t y = 0; y < n; y += 2) {
    to[y] = a[y + 1] ^ 1;
    to[y + 1] = a[y] ^ 1;
  }
}

static void lower_portable(size_t n, uint16_t *a, const uint16_t *b) {
  for (size_t y = 0; y < n; y++) {
    a[y] = (uint16_t)ct_select_u32(ct_mask_less_u32(b[y], a[y]), b[y], a[y]);
  }
}

static void flip_pairs_portable(size_t n, uint16_t *to, const uint16_t *a) {
  for (size_t y = 0; y < n; y++) {
    to[y] = (uint16_t)(y ^ (a[y & ~(size_t)1] & 1));
  }
}

static void split_portable(size_t n, uint16_t *even, uint16_t *odd, const uint16_t *a,
                           const uint16_t *by, uint16_t size) {
  const uint32_t mask = size - 1U; /* size is a power of two; a division would show the numbers */

  for (size_t k = 0; k < n / 2; k++) {
    const uint32_t change = (a[2 * k] ^ a[2 * k + 1]) & ct_mask_bit_u32(by[2 * k]);
    even[k] = (uint16_t)((a[2 * k] ^ change) >> 1 & mask);
    odd[k] = (uint16_t)((a[2 * k + 1] ^ change) >> 1 & mask);
  }
}

static void collect_portable(size_t n, uint64_t *bits, const uint16_t *a) {
  for (size_t k = 0; k < n / 2; k++) {
    const uint64_t bit = (uint64_t)(a[2 * k] & 1) << (k % 64);
    bits[k / 64] = k % 64 == 0 ? bit : bits[k / 64] | bit;
  }
}

const struct benes_steps ckem_benes_steps_portable = {
    .look_up = look_up_portable,
    .conjugate = conjugate_portable,
    .lower = lower_portable,
    .flip_pairs = flip_pairs_portable,
    .split = split_portable,
    .collect = collect_portable,
};

/* The arrays of one permutation, or of some small ones together. */
struct work {
  uint16_t *pi;
  uint16_t *inverse;
  uint16_t *power; /* of p */
  uint16_t *least; /* the smallest element of a part of a cycle */
  uint16_t *conjugate; /* X p X for a power of p, X changing the lowest bit; later the layer F */
  uint16_t *looked_up; /* least at a power of p; later F pi */
  uint16_t *squared;   /* the next power of p; later the halves of F pi L */
  uint64_t *scratch;
};

/* Sets w->least[y] to the smallest element of the cycle of p that y is in; no cycle is longer than
 * half a permutation of n numbers. */
static void find_least(const struct benes_steps *steps, size_t unit, size_t n, struct work *w) {
  size_t reach = 2; /* least is about y, p(y), ... and so many elements */

  /* p(y) is pi at X pi^-1 X, whose inverse is X pi X. */
  steps->conjugate(unit, w->conjugate, w->inverse);
  steps->conjugate(unit, w->looked_up, w->pi);
  steps->look_up(unit, w->conjugate, w->looked_up, w->power, w->pi, NULL, NULL, w->scratch);
  for (size_t y = 0; y < unit; y++) {
    w->least[y] = (uint16_t)y;
  }
  steps->lower(unit, w->least, w->power);
  if (n > 4) {
    steps->conjugate(unit, w->conjugate, w->power);
    steps->look_up(unit, w->power, w->conjugate, w->squared, w->power, NULL, NULL, w->scratch);
  }
  for (; reach < n / 2; reach *= 2) {
    uint16_t *power = w->squared; /* p^reach */
    w->squared = w->power;
    w->power = power;
    steps->conjugate(unit, w->conjugate, power);
    steps->look_up(unit, power, w->conjugate, w->looked_up, w->least,
                   4 * reach < n ? w->squared : NULL, power, w->scratch);
    steps->lower(unit, w->least, w->looked_up);
  }
}

/* Numbers of the permutations in a unit become different, by adding multiples of n. */
static void add_bases(uint16_t *a, size_t unit, size_t n) {
  //@ loop unroll 0;
  for (size_t y = n; y < unit; y++) {
    a[y] = (uint16_t)(a[y] + y / n * n);
  }
}

/* Moves the halves even[n / 2] and odd[n / 2] of each permutation behind each other. */
static void join_halves(uint16_t *to, const uint16_t *even, const uint16_t *odd, size_t unit,
                        size_t n) {
  //@ loop unroll 0;
  for (size_t base = 0; base < unit; base += n) {
    //@ loop unroll 0;
    for (size_t k = 0; k < n / 2; k++) {
      to[base + k] = even[base / 2 + k];
      to[base + n / 2 + k] = odd[base / 2 + k];
    }
  }
}

/* Sets the bits of the first and the last layer of some networks of n numbers, and replaces pi and
 * the inverse by those of the inner networks. */
static void find_layers(const struct benes_steps *steps, size_t unit, size_t n, struct work *w,
                        uint64_t *first, uint64_t *last) {
  const uint16_t half = (uint16_t)(n / 2);

  add_bases(w->pi, unit, n);
  add_bases(w->inverse, unit, n);
  find_least(steps, unit, n, w);
  steps->collect(unit, first, w->least);
  /* F: y with its lowest bit changed if the first layer does that; then F pi */
  steps->flip_pairs(unit, w->conjugate, w->least);
  steps->look_up(unit, w->pi, w->inverse, w->looked_up, w->conjugate, NULL, NULL, w->scratch);
  steps->collect(unit, last, w->looked_up);
  /* R = F pi L and its inverse L pi^-1 F; both keep the lowest bit */
  steps->split(unit, w->squared, w->squared + unit / 2, w->looked_up, w->looked_up, half);
  steps->split(unit, w->power, w->power + unit / 2, w->inverse, w->least, half);
  join_halves(w->pi, w->squared, w->squared + unit / 2, unit, n);
  join_halves(w->inverse, w->power, w->power + unit / 2, unit, n);
}

/* Returns the lowest `bits` bits of i in reverse. */
static size_t reverse(size_t i, unsigned bits) {
  size_t reversed = 0;

  for (unsigned j = 0; j < bits; j++) {
    reversed |= (i >> j & 1) << (bits - 1 - j);
  }
  return reversed;
}

/* Puts the bits of a layer to their places from `start` on: bit k of network i, which is bit
 * (i << log_half) + k, to (k << depth) + reverse(i). */
static void place_bits(uint8_t *control, size_t start, const uint64_t *bits, unsigned depth,
                       unsigned log_half) {
  //@ loop unroll 0;
  for (size_t i = 0; i < (size_t)1 << depth; i++) {
    const size_t path = start + reverse(i, depth);
    //@ loop unroll 0;
    for (size_t k = 0; k < (size_t)1 << log_half; k++) {
      const size_t from = (i << log_half) + k;
      const size_t place = path + (k << depth);
      control[place / 8] =
          (uint8_t)(control[place / 8] | (bits[from / 64] >> (from % 64) & 1) << (place % 8));
    }
  }
}

void ckem_benes_find(const struct benes_steps *steps, const struct sort_ops *sort, unsigned m,
                     uint8_t *control, const uint16_t *pi, uint64_t *scratch) {
  const size_t q = (size_t)1 << m;
  uint64_t *first = scratch + q;
  uint64_t *last = first + 64;
  uint16_t *arrays = (uint16_t *)(last + 64);
  uint16_t *free = arrays + 2 * q;

  for (size_t i = 0; i < BENES_CONTROL_BYTES(m); i++) {
    control[i] = 0;
  }
  for (size_t x = 0; x < q; x++) {
    arrays[x] = pi[x];
    free[x] = (uint16_t)x;
  }
  ckem_benes_look_up_by_sorting(sort, q, pi, arrays + q, free, NULL, NULL, scratch);
  for (unsigned depth = 0; depth + 1 < m; depth++) {
    const size_t n = q >> depth;
    const size_t unit = n >= BENES_UNIT ? n : q < BENES_UNIT ? q : BENES_UNIT;
    uint64_t small_first[1], small_last[1];
    for (size_t start = 0; start < q; start += unit) {
      struct work w = {.pi = arrays + start,
                       .inverse = arrays + q + start,
                       .power = free,
                       .least = free + unit,
                       .conjugate = free + 2 * unit,
                       .looked_up = free + 3 * unit,
                       .squared = free + 4 * unit,
                       .scratch = scratch};
      if (unit >= 128) {
        find_layers(steps, unit, n, &w, first + start / 128, last + start / 128);
      } else {
        find_layers(steps, unit, n, &w, small_first, small_last);
        first[start / 128] =
            start % 128 == 0 ? *small_first : first[start / 128] | *small_first << 32;
        last[start / 128] = start % 128 == 0 ? *small_last : last[start / 128] | *small_last << 32;
      }
    }
    place_bits(control, depth * q / 2, first, depth, m - 1 - depth);
    place_bits(control, (2 * m - 2 - depth) * q / 2, last, depth, m - 1 - depth);
  }
  //@ loop unroll 0;
  for (size_t i = 0; i < q / 2; i++) {
    const size_t place = (m - 1) * q / 2 + reverse(i, m - 1);
    control[place / 8] = (uint8_t)(control[place / 8] | (arrays[2 * i] & 1U) << (place % 8));
  }
}
