/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Whether a sequence has the weights 1 / g^2 at the roots of its locator, without a transform.
 *
 * The numbers are sums of c_i root_i^j for some c_i. With r = g^2 modulo the locator, the sums over
 * k of r_k times number j + k are those of c_i g(root_i)^2 root_i^j; if and only if all c_i are the
 * weights, these are the power sums of the roots, which have (Newton) as product with the locator
 * its derivative. Three times length^2 products of elements, in groups.
 */
#include <string.h>

#include "base/ct.h"
#include "recurrence/recurrence_m4.h"

#if defined(CODEKEM_HAVE_M4)

/* Groups of elements, element i being coefficient i, and a group of masks of one element. */
struct work {
  const struct gf2m_m4 *field;
  size_t m, groups, length;
  uint32_t *sum, *window, *masks;
};

static uint16_t read_element(const struct work *w, const uint32_t *groups, size_t i) {
  const uint32_t *from = groups + w->m * (i / 32);
  uint32_t element = 0;

  for (size_t b = 0; b < w->m; b++) {
    element |= (from[b] >> (i % 32) & 1) << b;
  }
  return (uint16_t)element;
}

static void write_element(const struct work *w, uint32_t *groups, size_t i, uint32_t element) {
  uint32_t *to = groups + w->m * (i / 32);

  for (size_t b = 0; b < w->m; b++) {
    to[b] |= (element >> b & 1) << (i % 32);
  }
}

/* Adds an element times the first `count` groups of x to the sum. */
static void add_multiple(const struct work *w, const uint32_t *x, size_t count, uint32_t element) {
  for (size_t b = 0; b < w->m; b++) {
    w->masks[b] = ct_mask_bit_u32(element >> b);
  }
  for (size_t g = 0; g < count; g++) {
    w->field->multiply_add(w->sum + w->m * g, w->masks, x + w->m * g);
  }
}

/* Moves the elements to the next place; `in` gets the first. */
static void move_up(const struct work *w, uint32_t *groups, uint32_t in) {
  w->field->move_up[w->length > 96](groups, in);
}

/* sum = x sum + in modulo the locator, whose lower coefficients are in the window. */
static void multiply_by_x(const struct work *w, uint32_t in) {
  const uint32_t top = read_element(w, w->sum, w->length - 1);

  move_up(w, w->sum, in);
  add_multiple(w, w->window, w->groups, top);
}

/* Sets out[length] to g^2 modulo the locator; both are monic, so that g and their sum are the same
 * there. */
static void find_square(const struct work *w, uint16_t *out, const uint16_t *locator,
                        const uint16_t *g) {
  const size_t half = (w->length + 1) / 2;
  const size_t words = w->m * w->groups;

  memset(w->sum, 0, 4 * words);
  for (size_t i = 0; i < w->length; i++) {
    write_element(w, w->sum, i, (uint32_t)(g[i] ^ locator[i]));
  }
  for (size_t k = 0; k < w->groups; k++) {
    w->field->square(w->sum + w->m * k, w->sum + w->m * k);
  }
  for (size_t i = 0; i < w->length; i++) {
    out[i] = read_element(w, w->sum, i);
  }
  memset(w->sum, 0, 4 * words);
  memset(w->window, 0, 4 * words);
  for (size_t i = 0; i < w->length; i++) {
    write_element(w, w->window, i, locator[i]);
  }
  for (size_t i = half; i < w->length; i++) {
    write_element(w, w->sum, 2 * (i - half), out[i]);
  }
  for (size_t i = half; i-- > 0;) {
    multiply_by_x(w, 0);
    multiply_by_x(w, out[i]);
  }
  for (size_t i = 0; i < w->length; i++) {
    out[i] = read_element(w, w->sum, i);
  }
}

/* sum[j] = the sum of factors[k] numbers[j + k], k < length; numbers[count]. */
static void correlate(const struct work *w, const uint16_t *factors, const uint16_t *numbers,
                      size_t count) {
  memset(w->sum, 0, 4 * w->m * w->groups);
  memset(w->window, 0, 4 * w->m * w->groups);
  for (size_t k = count; k-- > 0;) {
    const size_t held = (count - k + 31) / 32;

    move_up(w, w->window, numbers[k]);
    if (k < w->length) {
      add_multiple(w, w->window, held < w->groups ? held : w->groups, factors[k]);
    }
  }
}

uint32_t ckem_recurrence_has_weights_m4(const struct gf2m_m4 *field, const uint16_t *locator,
                                        const uint16_t *sequence, const uint16_t *g, size_t length,
                                        uint32_t *memory) {
  struct work w = {field, field->degree, (length + 31) / 32, length, memory, NULL, NULL};
  uint16_t *factors = (uint16_t *)(memory + w.m * (2 * w.groups + 1));
  uint32_t differences = 0;

  w.window = w.sum + w.m * w.groups;
  w.masks = w.window + w.m * w.groups;
  find_square(&w, factors, locator, g);
  correlate(&w, factors, sequence, 2 * length - 1);
  for (size_t i = 0; i < length; i++) {
    factors[i] = read_element(&w, w.sum, i);
  }
  correlate(&w, factors, locator + 1, length);
  for (size_t i = 0; i < length; i++) {
    const uint32_t derivative = i % 2 == 0 ? locator[i + 1] : 0;
    differences |= read_element(&w, w.sum, i) ^ derivative;
  }
  return ct_mask_zero_u32(differences);
}

#endif
