/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Gadgets on planes of any number of lanes. */
#include "masked/gadgets.h"

#include "base/wipe.h"

/* The plane b of a number. */
static inline struct shared plane_of(struct shared x, size_t b, size_t lanes) {
  return shared_from(x, b * MASKED_WORDS(lanes));
}

/* A word of a value for a gadget, share by share. */
struct lifted {
  masked_word share[MASKED_SHARES];
};

static inline struct lifted lift(struct shared x, size_t word) {
  struct lifted out;

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    out.share[s] = share_of(x, s)[word];
  }
  return out;
}

static inline struct lifted lifted_xor(struct lifted x, struct lifted y) {
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    x.share[s] = masked_hide(x.share[s] ^ y.share[s]);
  }
  return x;
}

static inline struct lifted lifted_not(struct lifted x, size_t lanes) {
  x.share[0] ^= masked_ones(lanes);
  return x;
}

static inline struct lifted lifted_and(struct masks *masks, struct lifted x, struct lifted y,
                                       size_t lanes) {
  struct lifted z;

  masked_and_word(masks, z.share, 1, x.share, 1, y.share, 1, lanes);
  return z;
}

static inline struct lifted lifted_or(struct masks *masks, struct lifted x, struct lifted y,
                                      size_t lanes) {
  return lifted_not(lifted_and(masks, lifted_not(x, lanes), lifted_not(y, lanes), lanes), lanes);
}

static inline void lower(struct shared z, size_t word, struct lifted x) {
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    share_of(z, s)[word] = x.share[s];
  }
}

static inline void and_planes(struct masks *masks, struct shared z, struct shared x,
                              struct shared y, size_t planes, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);

  for (size_t i = 0; i < words; i++) {
    const size_t used = masked_lanes_of(lanes, i);
    for (size_t k = i; k < planes * words; k += words) {
      masked_and_word(masks, z.at + k, z.gap, x.at + k, x.gap, y.at + k, y.gap, used);
    }
  }
}

void ckem_masked_and(struct masks *masks, struct shared z, struct shared x, struct shared y,
                     size_t lanes) {
  and_planes(masks, z, x, y, 1, lanes);
}

void ckem_masked_or(struct masks *masks, struct shared z, struct shared x, struct shared y,
                    size_t lanes) {
  for (size_t i = 0; i < MASKED_WORDS(lanes); i++) {
    lower(z, i, lifted_or(masks, lift(x, i), lift(y, i), masked_lanes_of(lanes, i)));
  }
}

void ckem_masked_not(struct shared x, size_t lanes) {
  for (size_t i = 0; i < MASKED_WORDS(lanes); i++) {
    x.at[i] ^= masked_ones(masked_lanes_of(lanes, i));
  }
}

void ckem_masked_xor(struct shared z, struct shared x, struct shared y, size_t words) {
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    for (size_t i = 0; i < words; i++) {
      share_of(z, s)[i] = masked_hide(share_of(x, s)[i] ^ share_of(y, s)[i]);
    }
  }
}

void ckem_masked_copy(struct shared z, struct shared x, size_t words) {
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    for (size_t i = 0; i < words; i++) { /* few, for which a call takes longer */
      share_of(z, s)[i] = masked_hide_word(share_of(x, s)[i]);
    }
  }
}

void ckem_masked_set(struct shared z, const masked_word *value, size_t words) {
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    for (size_t i = 0; i < words; i++) {
      share_of(z, s)[i] = masked_hide_word(s == 0 && value != NULL ? value[i] : 0);
    }
  }
}

void ckem_masked_refresh(struct masks *masks, struct shared x, size_t planes, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);

  for (size_t b = 0; b < planes; b++) {
    for (size_t i = 0; i < words; i++) {
      masked_refresh_word(masks, x.at + b * words + i, x.gap, masked_lanes_of(lanes, i));
    }
  }
}

void ckem_masked_mux(struct masks *masks, struct shared z, struct shared choice, struct shared a,
                     struct shared b, size_t planes, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);

  for (size_t i = 0; i < words; i++) {
    const struct lifted chosen = lift(choice, i);
    for (size_t p = 0; p < planes; p++) {
      const struct lifted other = lift(b, p * words + i);
      const struct lifted both = lifted_xor(lift(a, p * words + i), other);
      const struct lifted kept = lifted_and(masks, chosen, both, masked_lanes_of(lanes, i));
      lower(z, p * words + i, lifted_xor(other, kept));
    }
  }
}

void ckem_masked_spread(struct masks *masks, struct shared z, struct shared x, size_t lanes) {
  masked_word bits[MASKED_SHARES];

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    bits[s] = share_of(x, s)[0] & masked_at_lane(1, s, 0);
  }
  ckem_masked_set(z, NULL, MASKED_WORDS(lanes));
  ckem_masked_refresh(masks, z, 1, lanes);
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    masked_word turns = masked_alternate(masked_lane(bits[s], s, 0));
    masked_word part = 0;
    for (size_t i = 0; i < MASKED_WORDS(lanes); i++) {
      const masked_word ones = masked_turn(masked_ones(masked_lanes_of(lanes, i)), 0, s);
      part = turns & ones;
      part = masked_hide_word(part);
      const masked_word sum = masked_hide(share_of(z, s)[i] ^ part);
      share_of(z, s)[i] = masked_hide(sum ^ (MASKED_ALTERNATE_ZERO & ones));
    }
    masked_forget(&turns);
    masked_forget(&part);
  }
}

void ckem_masked_add(struct masks *masks, struct shared x, struct shared y, size_t planes,
                     size_t lanes, bool carry_in, bool carry_out) {
  const size_t words = MASKED_WORDS(lanes);

  for (size_t i = 0; i < words; i++) {
    const size_t used = masked_lanes_of(lanes, i);
    struct lifted carry = {{0}};
    if (carry_in) {
      carry = lifted_not(carry, used);
    }
    for (size_t b = 0; b < planes; b++) {
      const struct lifted p = lift(x, b * words + i);
      const struct lifted q = lift(y, b * words + i);
      const struct lifted with = lifted_xor(p, carry);
      lower(x, b * words + i, lifted_xor(with, q));
      if (b + 1 == planes && !carry_out) {
        break;
      }
      if (b == 0 && !carry_in) {
        carry = lifted_and(masks, p, q, used);
      } else { /* the majority of p, q and carry */
        carry = lifted_xor(lifted_and(masks, with, lifted_xor(q, carry), used), carry);
      }
    }
    if (carry_out) {
      lower(x, planes * words + i, carry);
    }
  }
}

void ckem_masked_absolute(struct masks *masks, struct shared x, size_t planes, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);

  for (size_t i = 0; i < words; i++) {
    const struct lifted sign = lift(x, (planes - 1) * words + i);
    struct lifted carry = sign;
    for (size_t b = 0; b + 1 < planes; b++) {
      const struct lifted flipped = lifted_xor(lift(x, b * words + i), sign);
      lower(x, b * words + i, lifted_xor(flipped, carry));
      if (b + 2 < planes) {
        carry = lifted_and(masks, flipped, carry, masked_lanes_of(lanes, i));
      }
    }
  }
}

void ckem_masked_less(struct masks *masks, struct shared z, struct shared x, struct shared y,
                      size_t planes, size_t lanes) {
  const size_t words = MASKED_WORDS(lanes);

  for (size_t i = 0; i < words; i++) {
    const size_t used = masked_lanes_of(lanes, i);
    struct lifted borrow = lifted_and(masks, lifted_not(lift(x, i), used), lift(y, i), used);
    for (size_t b = 1; b < planes; b++) {
      const struct lifted p = lifted_not(lift(x, b * words + i), used);
      const struct lifted q = lift(y, b * words + i);
      const struct lifted both =
          lifted_and(masks, lifted_xor(p, borrow), lifted_xor(q, borrow), used);
      borrow = lifted_xor(both, borrow);
    }
    lower(z, i, borrow);
  }
}

void ckem_masked_any(struct masks *masks, struct shared x, size_t planes, size_t lanes) {
  while (planes > 1) {
    const size_t half = (planes + 1) / 2;
    for (size_t b = 0; b + half < planes; b++) {
      ckem_masked_or(masks, plane_of(x, b, lanes), plane_of(x, b, lanes),
                     plane_of(x, b + half, lanes), lanes);
    }
    planes = half;
  }
}

void ckem_masked_all(struct masks *masks, struct shared x, size_t planes, size_t lanes) {
  while (planes > 1) {
    const size_t half = (planes + 1) / 2;
    and_planes(masks, x, x, plane_of(x, half, lanes), planes - half, lanes);
    planes = half;
  }
}

void ckem_masked_fold(struct masks *masks, struct shared x, size_t lanes) {
  struct lifted sum = lift(x, 0);

  for (size_t i = 1; i < MASKED_WORDS(lanes); i++) {
    sum = lifted_or(masks, sum, lift(x, i), MASKED_WORD_BITS);
  }
  lanes = lanes < MASKED_WORD_BITS ? lanes : MASKED_WORD_BITS;
  while (lanes > 1) {
    const size_t half = (lanes + 1) / 2;
    struct lifted high = sum;
    for (size_t s = 0; s < MASKED_SHARES; s++) {
      const masked_word ones = masked_turn(masked_ones(half), 0, s);
      high.share[s] = masked_rotate(sum.share[s], (unsigned)half) & ones;
      sum.share[s] &= ones;
    }
    sum = lifted_or(masks, sum, high, half);
    lanes = half;
  }
  lower(x, 0, sum);
}

/* --- Between XOR and addition ----------------------------------------------------------------- */

void ckem_planes_add(masked_word *a, const masked_word *b, size_t planes, size_t words) {
  for (size_t i = 0; i < words; i++) {
    masked_word carry = 0;
    for (size_t p = 0; p < planes; p++) {
      const masked_word x = a[p * words + i];
      const masked_word y = b[p * words + i];
      a[p * words + i] = masked_hide(x ^ y ^ carry);
      carry = ((x ^ carry) & (y ^ carry)) ^ carry;
    }
  }
}

void ckem_planes_subtract(masked_word *a, const masked_word *b, size_t planes, size_t words) {
  for (size_t i = 0; i < words; i++) {
    masked_word borrow = 0;
    for (size_t p = 0; p < planes; p++) {
      const masked_word x = a[p * words + i];
      const masked_word y = b[p * words + i];
      a[p * words + i] = masked_hide(x ^ y ^ borrow);
      borrow = ((~x ^ borrow) & (y ^ borrow)) ^ borrow;
    }
  }
}

void ckem_planes_butterfly(masked_word *a, masked_word *b, size_t planes, size_t words) {
  for (size_t i = 0; i < words; i++) {
    masked_word carry = 0;
    masked_word borrow = 0;
    for (size_t p = 0; p < planes; p++) {
      const masked_word x = a[p * words + i];
      const masked_word y = b[p * words + i];
      a[p * words + i] = x ^ y ^ carry;
      b[p * words + i] = x ^ y ^ borrow;
      carry = ((x ^ carry) & (y ^ carry)) ^ carry;
      borrow = ((~x ^ borrow) & (y ^ borrow)) ^ borrow;
    }
  }
}

#if MASKED_SHARES == 2

/* One word: bit - r and r for the bit of share 0 and random r, both negated where that of share 1
 * is set, which is then added: t XOR b = t + b - 2 t b. The second bit is needed in line with the
 * first one, so it is read when that is gone, with the carries that come from it. */
static inline void bit_to_sum_word(struct masks *masks, masked_word *first, masked_word *second,
                                   const masked_word *bit0, const volatile masked_word *bit1,
                                   size_t planes, size_t step, size_t lanes) {
  masked_word low = *bit0;
  masked_word borrow = 0;

  for (size_t p = 0; p < planes; p++) {
    const masked_word fresh = masks_word(masks, lanes);
    second[p * step] = masked_turn(fresh, 0, 1);
    if (p == 0) {
      first[p] = masked_hide(low ^ fresh);
      borrow = masked_hide(~low & fresh);
    } else {
      first[p * step] = masked_hide(fresh ^ borrow);
      borrow = masked_hide(fresh | borrow);
    }
  }
  masked_forget(&low);
  masked_forget(&borrow);
  const masked_word high = *bit1;
  const masked_word minus = masked_turn(high, 1, 0);
  masked_word carry = minus;
  masked_word second_carry = high;
  masked_word added = minus;
  for (size_t p = 0; p < planes; p++) {
    const masked_word flipped = masked_hide(first[p * step] ^ minus);
    const masked_word negated = masked_hide(flipped ^ carry);
    const masked_word turned = masked_hide(second[p * step] ^ high);
    first[p * step] = masked_hide(negated ^ added);
    second[p * step] = masked_hide(turned ^ second_carry);
    carry &= flipped;
    added &= negated;
    second_carry &= turned;
  }
}

void ckem_masked_bit_to_sum(struct masks *masks, struct shared out, struct shared bit,
                            size_t planes, size_t lanes, masked_word *work) {
  const size_t words = MASKED_WORDS(lanes);

  (void)work;
  for (size_t k = 0; k < words; k++) {
    bit_to_sum_word(masks, out.at + k, share_of(out, 1) + k, bit.at + k, share_of(bit, 1) + k,
                    planes, words, masked_lanes_of(lanes, k));
  }
}

#else

/* a = -a where the plane sign is 1; by turn that is rotated to be in line with a. */
static void negate_where(masked_word *a, const masked_word *sign, unsigned turn, size_t planes,
                         size_t words) {
  for (size_t i = 0; i < words; i++) {
    const masked_word minus = masked_rotate(sign[i], turn);
    masked_word carry = minus;
    for (size_t p = 0; p < planes; p++) {
      const masked_word flipped = masked_hide(a[p * words + i] ^ minus);
      a[p * words + i] = masked_hide(flipped ^ carry);
      carry &= flipped;
    }
  }
}

/* a = a + bit, which is rotated by turn. */
static void add_bit(masked_word *a, const masked_word *bit, unsigned turn, size_t planes,
                    size_t words) {
  for (size_t i = 0; i < words; i++) {
    masked_word carry = masked_rotate(bit[i], turn);
    for (size_t p = 0; p < planes; p++) {
      const masked_word x = a[p * words + i];
      a[p * words + i] = masked_hide(x ^ carry);
      carry &= x;
    }
  }
}

void ckem_masked_bit_to_sum(struct masks *masks, struct shared out, struct shared bit,
                            size_t planes, size_t lanes, masked_word *work) {
  const size_t words = MASKED_WORDS(lanes);

  ckem_masked_set(out, NULL, planes * words);
  memcpy(out.at, bit.at, words * sizeof(masked_word));
  for (size_t i = 1; i < MASKED_SHARES; i++) {
    for (size_t j = 1; j <= i; j++) { /* spread over i + 1 shares, then over them again */
      for (size_t p = 0; p < planes; p++) {
        for (size_t k = 0; k < words; k++) {
          work[p * words + k] = masks_word(masks, masked_lanes_of(lanes, k));
        }
      }
      ckem_planes_subtract(out.at, work, planes, words);
      masked_turn_words(work, planes * words, 0, j);
      ckem_planes_add(share_of(out, j), work, planes, words);
    }
    for (size_t s = 0; s <= i; s++) {
      negate_where(share_of(out, s), share_of(bit, i), MASKED_TURN(s) - MASKED_TURN(i), planes,
                   words);
    }
    add_bit(out.at, share_of(bit, i), 0 - MASKED_TURN(i), planes, words);
  }
}

#endif

void ckem_masked_sum_to_bits(struct masks *masks, struct shared out, struct shared sums,
                             size_t planes, size_t lanes, struct shared work) {
  const size_t words = planes * MASKED_WORDS(lanes);

  ckem_masked_set(out, sums.at, words);
  ckem_masked_refresh(masks, out, planes, lanes); /* (A0, 0) and (0, A1) may not meet */
  for (size_t i = 1; i < MASKED_SHARES; i++) {
    ckem_masked_set(work, NULL, words);
    for (size_t k = 0; k < words; k++) { /* few, for which a call takes longer */
      share_of(work, i)[k] = share_of(sums, i)[k];
    }
    if (MASKED_SHARES > 2) {
      ckem_masked_refresh(masks, work, planes, lanes);
    }
    ckem_masked_add(masks, out, work, planes, lanes, false, false);
  }
}
