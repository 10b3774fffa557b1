/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Control bits after [Ber20], level by level: a level has 2^l permutations of n = 2^(m-l) numbers,
 * one behind the other, and makes one bit for each pair of neighbours in the first layer of each
 * network and one in the last; two permutations of n / 2 numbers are left of each.
 *
 * Here the inverse of each permutation is kept as well. No step needs an inversion then: with
 * X(y) = y ^ 1 the permutation p = pi X pi^-1 X has the inverse X p X, and what is left after the
 * first and the last layer keeps the lowest bit.
 */
#include "benes/benes_find.h"

#include "base/ct.h"
#include "benes/benes.h"

void benes_look_up_by_sorting(const struct benes_look_up *with, size_t n, const uint16_t *index,
                              const uint16_t *inverse, uint16_t *first, const uint16_t *from_first,
                              uint16_t *second, const uint16_t *from_second) {
  (void)index;
  if (second == NULL) {
    uint32_t *pairs = (uint32_t *)with->scratch;
    for (size_t x = 0; x < n; x++) {
      pairs[x] = (uint32_t)inverse[x] << 16 | from_first[x];
    }
    with->sort->sort_u32(pairs, n);
    for (size_t y = 0; y < n; y++) {
      first[y] = (uint16_t)pairs[y];
    }
    return;
  }
  for (size_t x = 0; x < n; x++) {
    with->scratch[x] =
        (uint64_t)inverse[x] << 32 | (uint64_t)from_first[x] << 16 | from_second[x];
  }
  with->sort->sort_u64(with->scratch, n);
  for (size_t y = 0; y < n; y++) {
    first[y] = (uint16_t)(with->scratch[y] >> 16);
    second[y] = (uint16_t)with->scratch[y];
  }
}

/* The arrays of one permutation, of n numbers each. */
struct work {
  uint16_t *pi;
  uint16_t *inverse;
  uint16_t *power; /* of p */
  uint16_t *least; /* the smallest element of a part of a cycle */
  uint16_t *other;
  uint16_t *another;
  uint16_t *next;
};

static inline uint16_t smaller(uint16_t a, uint16_t b) {
  return (uint16_t)(b ^ ((a ^ b) & ct_mask_less_u32(a, b)));
}

/* Sets to[y] = X(a[X(y)]). */
static void conjugate(size_t n, uint16_t *to, const uint16_t *a) {
  for (size_t y = 0; y < n; y += 2) {
    to[y] = a[y + 1] ^ 1;
    to[y + 1] = a[y] ^ 1;
  }
}

/* Sets w->least[y] to the smallest element of the cycle of p that y is in. */
static void find_least(benes_look_up_function *look_up, const struct benes_look_up *with, size_t n,
                       struct work *w) {
  size_t reach = 2; /* least is about y, p(y), ... and so many elements */

  /* p(y) is pi at X pi^-1 X, whose inverse is X pi X. */
  conjugate(n, w->other, w->inverse);
  conjugate(n, w->another, w->pi);
  look_up(with, n, w->other, w->another, w->power, w->pi, NULL, NULL);
  for (size_t y = 0; y < n; y++) {
    w->least[y] = smaller((uint16_t)y, w->power[y]);
  }
  if (n > 4) { /* no cycle is longer than n / 2 */
    conjugate(n, w->other, w->power);
    look_up(with, n, w->power, w->other, w->next, w->power, NULL, NULL);
  }
  for (; reach < n / 2; reach *= 2) {
    uint16_t *power = w->next; /* p^reach */
    w->next = w->power;
    w->power = power;
    conjugate(n, w->other, power);
    look_up(with, n, power, w->other, w->another, w->least, 4 * reach < n ? w->next : NULL, power);
    for (size_t y = 0; y < n; y++) {
      w->least[y] = smaller(w->least[y], w->another[y]);
    }
  }
}

/* Sets a bit that was 0. */
static inline void set_bit(uint8_t *bits, size_t place, uint32_t bit) {
  bits[place / 8] = (uint8_t)(bits[place / 8] | bit << (place % 8));
}

/* Where the bits of one network go: bit k of its first layer to first + (k << depth), say. */
struct places {
  uint8_t *control;
  size_t first;
  size_t last;
  unsigned depth;
};

/* Sets the control bits of the first and the last layer of one network, and replaces pi and its
 * inverse by those of the two inner networks, one behind the other. */
static void find_layers(benes_look_up_function *look_up, const struct benes_look_up *with, size_t n,
                        struct work *w, const struct places *places) {
  find_least(look_up, with, n, w);
  /* other = F: y with its lowest bit swapped if the first layer does that */
  for (size_t y = 0; y < n; y++) {
    w->other[y] = (uint16_t)(y ^ (w->least[y & ~(size_t)1] & 1));
  }
  look_up(with, n, w->pi, w->inverse, w->another, w->other, NULL, NULL); /* F pi */
  for (size_t k = 0; k < n / 2; k++) {
    const uint16_t f = w->least[2 * k] & 1;
    const uint16_t l = w->another[2 * k] & 1;
    const uint16_t swap = (uint16_t)ct_mask_bit_u32(f);
    const uint16_t swap_last = (uint16_t)ct_mask_bit_u32(l);
    const uint16_t x = w->inverse[2 * k];
    const uint16_t y = w->inverse[2 * k + 1];
    const uint16_t u = w->another[2 * k];
    const uint16_t v = w->another[2 * k + 1];
    set_bit(places->control, places->first + (k << places->depth), f);
    set_bit(places->control, places->last + (k << places->depth), l);
    /* R = F pi L and its inverse L pi^-1 F; both keep the lowest bit */
    w->pi[k] = (uint16_t)(u ^ ((u ^ v) & swap_last)) / 2;
    w->next[k] = (uint16_t)(v ^ ((u ^ v) & swap_last)) / 2;
    w->power[k] = (uint16_t)(x ^ ((x ^ y) & swap)) / 2;
    w->power[n / 2 + k] = (uint16_t)(y ^ ((x ^ y) & swap)) / 2;
  }
  for (size_t k = 0; k < n / 2; k++) {
    w->pi[n / 2 + k] = w->next[k];
  }
  for (size_t y = 0; y < n; y++) {
    w->inverse[y] = w->power[y];
  }
}

/* Returns the lowest `bits` bits of i in reverse. */
static size_t reverse(size_t i, unsigned bits) {
  size_t reversed = 0;

  for (unsigned j = 0; j < bits; j++) {
    reversed |= (i >> j & 1) << (bits - 1 - j);
  }
  return reversed;
}

void benes_find(benes_look_up_function *look_up, const struct sort_ops *sort, unsigned m,
                uint8_t *control, const uint16_t *pi, uint64_t *scratch) {
  const size_t q = (size_t)1 << m;
  const struct benes_look_up with = {.sort = sort, .scratch = scratch};
  uint16_t *arrays = (uint16_t *)(scratch + q);
  uint16_t *free = arrays + 2 * q;

  for (size_t i = 0; i < BENES_CONTROL_BYTES(m); i++) {
    control[i] = 0;
  }
  for (size_t x = 0; x < q; x++) {
    arrays[x] = pi[x];
    free[x] = (uint16_t)x;
  }
  /* x at place pi(x): the inverse */
  benes_look_up_by_sorting(&with, q, NULL, pi, arrays + q, free, NULL, NULL);
  for (unsigned depth = 0; depth + 1 < m; depth++) {
    const size_t n = q >> depth;
    for (size_t i = 0; i < (size_t)1 << depth; i++) {
      struct work w = {.pi = arrays + i * n,
                       .inverse = arrays + q + i * n,
                       .power = free,
                       .least = free + n,
                       .other = free + 2 * n,
                       .another = free + 3 * n,
                       .next = free + 4 * n};
      const size_t path = reverse(i, depth);
      const struct places places = {.control = control,
                                    .first = depth * q / 2 + path,
                                    .last = (2 * m - 2 - depth) * q / 2 + path,
                                    .depth = depth};
      find_layers(look_up, &with, n, &w, &places);
    }
  }
  for (size_t i = 0; i < q / 2; i++) {
    set_bit(control, (m - 1) * q / 2 + reverse(i, m - 1), arrays[2 * i] & 1U);
  }
}
