/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Benes networks as their definition has them; not constant time. */
#include <string.h>

#include "benes/benes.h"

#if !defined(CODEKEM_SMALL)

#define MAX_POINTS (1U << BENES_MAX_M)

static void set_control_bit(uint8_t *bits, size_t place, unsigned bit) {
  bits[place / 8] = (uint8_t)(bits[place / 8] | bit << (place % 8));
}

/* Bit k of layer l of this network goes to bit l 2^(m-1) + (k << depth) + path of control. */
struct where {
  uint8_t *control;
  unsigned m; /* of the whole network */
  unsigned depth;
  size_t path;
};

static size_t place_of(const struct where *where, unsigned layer, size_t k) {
  return ((size_t)layer << (where->m - 1)) + (k << where->depth) + where->path;
}

/* rooms: 4 n numbers for this level, 2 n for the next, ... */
static void find_bits_of(const struct where *where, size_t n, const uint16_t *pi, uint16_t *rooms) {
  uint16_t *const inverse = rooms;
  uint16_t *const cycle = rooms + n;
  uint16_t *const outer = rooms + 2 * n;
  uint16_t *const inner = rooms + 3 * n;

  if (n == 2) {
    set_control_bit(where->control, place_of(where, where->m - 1, 0), pi[0]);
    return;
  }
  for (size_t y = 0; y < n; y++) {
    inverse[pi[y]] = (uint16_t)y;
    cycle[y] = UINT16_MAX;
  }
  for (size_t y = 0; y < n; y++) {
    /* p(z) = pi(pi^-1(z ^ 1) ^ 1) */
    for (size_t z = y; cycle[z] == UINT16_MAX; z = pi[inverse[z ^ 1] ^ 1]) {
      cycle[z] = (uint16_t)y;
    }
  }
  for (size_t y = 0; y < n; y++) {
    outer[y] = (uint16_t)(pi[y] ^ (cycle[pi[y] & ~1U] & 1));
  }
  for (size_t k = 0; k < n / 2; k++) {
    const unsigned last = outer[2 * k] & 1U;
    set_control_bit(where->control, place_of(where, where->depth, k), cycle[2 * k] & 1U);
    set_control_bit(where->control, place_of(where, 2 * where->m - 2 - where->depth, k), last);
    inner[k] = outer[2 * k + last] / 2;
    inner[n / 2 + k] = outer[2 * k + (last ^ 1)] / 2;
  }
  for (unsigned half = 0; half < 2; half++) {
    const struct where next = {.control = where->control,
                               .m = where->m,
                               .depth = where->depth + 1,
                               .path = where->path + ((size_t)half << where->depth)};
    find_bits_of(&next, n / 2, inner + half * n / 2, rooms + 4 * n);
  }
}

static void find_control_bits_reference(unsigned m, uint8_t *control, const uint16_t *pi,
                                        uint64_t *scratch) {
  const struct where where = {.control = control, .m = m};

  memset(control, 0, BENES_CONTROL_BYTES(m));
  find_bits_of(&where, (size_t)1 << m, pi, (uint16_t *)scratch);
}

/* The network is the control bits as they are. */
static void prepare_reference(unsigned m, uint64_t *network, const uint8_t *control) {
  memcpy(network, control, BENES_CONTROL_BYTES(m));
}

static unsigned get_bit(const uint64_t *data, size_t i) {
  return (unsigned)(data[i / 64] >> (i % 64) & 1);
}

static void run_network(unsigned m, uint64_t *data, const uint64_t *network, int reversed) {
  const size_t n = (size_t)1 << m;

  for (unsigned l = 0; l < 2 * m - 1; l++) {
    const size_t d = (size_t)1 << (l < m ? l : 2 * m - 2 - l);
    const size_t layer = reversed ? 2 * m - 2 - l : l;
    size_t place = layer * n / 2;
    for (size_t base = 0; base < n; base += 2 * d) {
      for (size_t j = base; j < base + d; j++, place++) {
        const unsigned control = ((const uint8_t *)network)[place / 8] >> (place % 8) & 1U;
        if (control != 0 && get_bit(data, j) != get_bit(data, j + d)) {
          data[j / 64] ^= UINT64_C(1) << (j % 64);
          data[(j + d) / 64] ^= UINT64_C(1) << ((j + d) % 64);
        }
      }
    }
  }
}

static void apply_reference(unsigned m, uint64_t *data, const uint64_t *network) {
  run_network(m, data, network, 0);
}

static void apply_reversed_reference(unsigned m, uint64_t *data, const uint64_t *network) {
  run_network(m, data, network, 1);
}

static void permutation_reference(unsigned m, uint16_t *pi, const uint64_t *network,
                                  uint64_t *scratch) {
  const size_t n = (size_t)1 << m;

  memset(pi, 0, n * sizeof *pi);
  for (unsigned bit = 0; bit < m; bit++) {
    memset(scratch, 0, n / 8);
    for (size_t j = 0; j < n; j++) {
      scratch[j / 64] |= (uint64_t)(j >> bit & 1) << (j % 64);
    }
    run_network(m, scratch, network, 0);
    for (size_t r = 0; r < n; r++) {
      pi[r] = (uint16_t)(pi[r] | get_bit(scratch, r) << bit);
    }
  }
}

const struct benes_ops ckem_benes_reference = {
    .name = "reference",
    .find_control_bits = find_control_bits_reference,
    .prepare = prepare_reference,
    .apply = apply_reference,
    .apply_reversed = apply_reversed_reference,
    .permutation = permutation_reference,
};

#endif
