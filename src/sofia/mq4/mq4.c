/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The monomials at a place, and which implementation a back end has. */
#include "mq4/mq4.h"

#include "base/bytes.h"

/* A plane of 128 bits, low half first. */
struct plane {
  uint64_t half[2];
};

/* Rotates a plane towards higher places by bits, 0 <= bits < 128. */
static struct plane rotate_plane(struct plane a, size_t bits) {
  const size_t s = bits % 64;
  const uint64_t low = a.half[bits / 64], high = a.half[bits / 64 ^ 1];

  if (s == 0) {
    return (struct plane){{low, high}};
  }
  return (struct plane){{low << s | high >> (64 - s), high << s | low >> (64 - s)}};
}

/* Rotates the bits of each byte towards higher places by 0 < bits < 8. */
static struct plane rotate_in_bytes(struct plane a, size_t bits) {
  const uint64_t kept = UINT64_C(0x0101010101010101) * (0xFF >> bits);

  for (size_t i = 0; i < 2; i++) {
    a.half[i] = (a.half[i] & kept) << bits | (a.half[i] >> (8 - bits) & ~(kept << bits));
  }
  return a;
}

/* Returns the plane whose entry k is entry mq4_partner(r, k) of a, r < 64. */
static struct plane partners(struct plane a, size_t r) {
  if (r < 8) {
    return rotate_plane(a, 8 * r);
  }
  if (r < 56) {
    return rotate_plane(rotate_in_bytes(a, 1 + (r - 8) / 16), 8 * ((r - 8) % 16));
  }
  return rotate_plane(a, 4 + 8 * (r - 56));
}

/* Sets one word of monomials (lo, hi) for both parts of a value: with coefficients f the lo part
 * is lo f.lo + hi f.hi, and the hi part hi f.lo + (lo + hi) f.hi. distance: from lo to hi. */
static void set_word(uint64_t *monomials, size_t distance, uint64_t lo, uint64_t hi) {
  monomials[0] = lo;
  monomials[distance] = hi;
  monomials[MQ4_POLYNOMIAL_WORDS] = hi;
  monomials[MQ4_POLYNOMIAL_WORDS + distance] = lo ^ hi;
}

/* Sets a word to the product of one word of x and one of y. */
static void set_product(uint64_t *monomials, size_t distance, uint64_t x_lo, uint64_t x_hi,
                        uint64_t y_lo, uint64_t y_hi) {
  const uint64_t high = x_hi & y_hi;

  set_word(monomials, distance, (x_lo & y_lo) ^ high, (x_lo & y_hi) ^ (x_hi & y_lo) ^ high);
}

void ckem_mq4_monomials(uint64_t monomials[MQ4_MONOMIAL_WORDS], const uint8_t *x) {
  const struct plane lo = {{load_le64(x), load_le64(x + 8)}};
  const struct plane hi = {{load_le64(x + 16), load_le64(x + 24)}};

  for (size_t i = 0; i < 2; i++) {
    set_word(monomials + i, 2, lo.half[i], hi.half[i]);
  }
  for (size_t r = 0; r < 64; r++) {
    const struct plane y_lo = partners(lo, r), y_hi = partners(hi, r);
    for (size_t i = 0; i < 2; i++) {
      set_product(monomials + 4 * (r + 1) + i, 2, lo.half[i], hi.half[i], y_lo.half[i],
                  y_hi.half[i]);
    }
  }
  set_product(monomials + (size_t)4 * MQ4_WHOLE_ROWS, 1, lo.half[0], hi.half[0], lo.half[1],
              hi.half[1]);
}

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, mq4, ...) \
  BACKEND_TAKES(BACKEND_##id, ckem_mq4_##mq4)

const struct mq4_ops *ckem_mq4_ops_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_mq4_portable)
#include "backend.def"
  }
}
