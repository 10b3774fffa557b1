/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Values in shares, and the fresh random bits that keep shares independent.
 *
 * A secret is MASKED_SHARES words whose XOR is the value; any MASKED_ORDER of them are independent
 * of it. Data are bit-sliced: a *plane* holds one bit of many values, a *lane* each, 32 or 64 lanes
 * to a word. Share i of word j of a struct shared x is x.at[i * x.gap + j], so that the shares of a
 * value never stand side by side. Bits above the last lane are zero in every share.
 *
 * The words of share i are rotated to the right by MASKED_TURN(i). Where one share of a word
 * follows another in a register, at an operand or on the bus, the number of bits that change then
 * adds up different lanes, and its mean says nothing. A processor with a barrel shifter turns them
 * back in the instruction that needs both: two shares never stand in line in registers.
 *
 * Two rules hold everywhere: what is no gadget touches one share at a time, and the operands of a
 * gadget have independent sharings, refreshed where they would not [ISW03].
 */
#ifndef CODEKEM_MASKED_SHARES_H
#define CODEKEM_MASKED_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/ct.h"
#include "base/isa.h"
#include "codekem.h"

/* The number of shares that may be known without harm: of first-order masking 1. */
#if !defined(CODEKEM_MASKED_ORDER)
#define CODEKEM_MASKED_ORDER 1
#endif
#define MASKED_ORDER CODEKEM_MASKED_ORDER
#define MASKED_SHARES (MASKED_ORDER + 1)

/* A word of lanes, and a barrier: what is behind it the compiler takes for unknown, so that it
 * cannot add up cross products before the mask (gcc 12 does at every level of optimization). */
#if ISA_WORDS_OF_32_BITS
typedef uint32_t masked_word;
#define MASKED_WORD_BITS 32
#define masked_hide_word ct_barrier_u32
#else
typedef uint64_t masked_word;
#define MASKED_WORD_BITS 64
#define masked_hide_word ct_barrier_u64
#endif

/* Assembly for gadgets of two shares. */
#if defined(CODEKEM_HAVE_M4) && MASKED_SHARES == 2 && !defined(CODEKEM_MASKED_PROBES)
#define MASKED_IN_ASSEMBLY 1
#else
#define MASKED_IN_ASSEMBLY 0
#endif

/* Clears a word of one share where that of another could come next, and in the assembly also the
 * operands of the arithmetic unit. */
static inline void masked_forget(masked_word *x) {
#if MASKED_IN_ASSEMBLY
  __asm__ volatile(
      "mov %0, #0\n\t"
      "eor %0, %0, %0"
      : "+r"(*x));
#else
  *x = masked_hide_word(0);
#endif
}

/* Has the compiler write a word to memory now, and read it again. */
static inline void masked_write(masked_word *x) {
#if MASKED_IN_ASSEMBLY
  __asm__ volatile("" : "+m"(*x));
#else
  (void)x;
#endif
}

/* masked_hide_lane is for words of 64 bits. The tests of leakage see every value that passes a
 * barrier, and give the fresh bits themselves (tests/masked/probes.h). */
#if defined(CODEKEM_MASKED_PROBES)
#include CODEKEM_MASKED_PROBES
#else
#define masked_hide masked_hide_word
#define masked_hide_lane ct_barrier_u64
#endif

/* The rotation of a share, and one of a word from that of a share to that of another. */
#define MASKED_TURN(share) ((unsigned)(share) * (MASKED_WORD_BITS / 2 / MASKED_ORDER))

static inline masked_word masked_rotate(masked_word x, unsigned n) {
  return x >> n % MASKED_WORD_BITS | x << (0 - n) % MASKED_WORD_BITS;
}

static inline masked_word masked_turn(masked_word x, size_t from, size_t to) {
  return masked_rotate(x, MASKED_TURN(to) - MASKED_TURN(from));
}

/* The lane of a word of a share, in bit 0; and a bit for it. */
static inline masked_word masked_lane(masked_word x, size_t share, size_t lane) {
  return masked_rotate(x, (unsigned)lane - MASKED_TURN(share)) & 1;
}

static inline masked_word masked_at_lane(masked_word bit, size_t share, size_t lane) {
  return masked_rotate(bit, MASKED_TURN(share) - (unsigned)lane);
}

/* x AND y, which is rotated by turn in the same instruction: a word in line with another share
 * would stand in a register otherwise. With two shares there is only one turn. */
static inline masked_word masked_and_turned(masked_word x, masked_word y, unsigned turn) {
#if MASKED_IN_ASSEMBLY
  masked_word out;

  (void)turn;
  __asm__("and %0, %1, %2, ror #16" : "=r"(out) : "r"(x), "r"(y));
  return out;
#else
  return x & masked_rotate(y, turn);
#endif
}

/* Words of a plane. */
#define MASKED_WORDS(lanes) (((lanes) + MASKED_WORD_BITS - 1) / MASKED_WORD_BITS)

/* What of the arena count words of all shares take, in 64-bit words. */
#define MASKED_ARENA_WORDS(count) \
  ARENA_BYTES_TO_WORDS((size_t)(count) * MASKED_SHARES * sizeof(masked_word))

struct shared {
  masked_word *at;
  size_t gap;
};

/* Where the shares of bytes are: share i of byte j is at[i * gap + j]. */
struct shared_bytes {
  uint8_t *at;
  size_t gap;
};

/* Ring elements in shares, dense, as gf2x.h has them: share i is at + i * gap. */
struct shared_element {
  uint64_t *at;
  size_t gap;
};

/* The number of lanes that word j of a plane has. */
static inline size_t masked_lanes_of(size_t lanes, size_t word) {
  const size_t left = lanes - word * MASKED_WORD_BITS;

  return left < MASKED_WORD_BITS ? left : MASKED_WORD_BITS;
}

/* Ones in so many lanes, at least one. */
static inline masked_word masked_ones(size_t lanes) {
  return (masked_word) ~(masked_word)0 >> (MASKED_WORD_BITS - lanes);
}

/* The same value, words further on. */
static inline struct shared shared_from(struct shared x, size_t words) {
  return (struct shared){x.at + words, x.gap};
}

static inline struct shared_bytes shared_bytes_from(struct shared_bytes x, size_t bytes) {
  return (struct shared_bytes){x.at + bytes, x.gap};
}

static inline masked_word *share_of(struct shared x, size_t share) {
  return x.at + share * x.gap;
}

static inline uint8_t *share_of_bytes(struct shared_bytes x, size_t share) {
  return x.at + share * x.gap;
}

static inline uint64_t *share_of_element(struct shared_element x, size_t share) {
  return x.at + share * x.gap;
}

/* Takes count words of every share from the arena; not initialised. */
static inline struct shared shared_take(struct arena *arena, size_t count) {
  return (struct shared){(masked_word *)(void *)arena_take(arena, MASKED_ARENA_WORDS(count)),
                         count};
}

static inline struct shared_bytes shared_take_bytes(struct arena *arena, size_t count) {
  return (struct shared_bytes){
      (uint8_t *)arena_take(arena, ARENA_BYTES_TO_WORDS(count * MASKED_SHARES)), count};
}

/* --- Fresh bits ------------------------------------------------------------------------------- */

#define MASKS_BLOCK 256 /* bytes that are made at once */

/* The source of fresh bits of one call: ChaCha8 [Ber08] from a seed, or the caller's. */
struct masks {
  uint32_t state[16];
  uint8_t *next; /* the first of left bytes that nobody has had */
  size_t left;
  codekem_random_function source; /* NULL: ChaCha8 */
  void *context;
  bool failed; /* the source did: ChaCha8 went on in its place, so that nothing is unmasked */
  /* What was left of the block before, the block, and what a load of a word may reach. */
  uint8_t bytes[8 + MASKS_BLOCK + 8];
};

#define MASKS_SEED_BYTES 32

/* Turns words of a share that are not turned yet, and back. */
static inline void masked_turn_words(masked_word *words, size_t count, size_t from, size_t to) {
  for (size_t i = 0; i < count && from != to; i++) {
    words[i] = masked_turn(words[i], from, to);
  }
}

/* Starts with seed[MASKS_SEED_BYTES]; source may be NULL. */
void ckem_masks_init(struct masks *masks, const uint8_t *seed, codekem_random_function source,
                     void *context);

/* Makes a block more. */
void ckem_masks_refill(struct masks *masks);

/* Returns fresh bits for so many lanes of a word of share 0, at least one; it takes whole bytes. */
static inline masked_word masks_word(struct masks *masks, size_t lanes) {
#if defined(CODEKEM_MASKED_PROBES)
  return (masked_word)masked_probe_fresh(masks, lanes);
#else
  const size_t taken = (lanes + 7) / 8;
  masked_word fresh;

  if (masks->left < taken) {
    ckem_masks_refill(masks);
  }
  memcpy(&fresh, masks->next, sizeof fresh);
  masks->next += taken;
  masks->left -= taken;
  return fresh & masked_ones(lanes);
#endif
}

/* The same for 64 lanes. */
static inline uint64_t masks_lane(struct masks *masks) {
  uint64_t fresh = masks_word(masks, MASKED_WORD_BITS);

#if MASKED_WORD_BITS == 32
  fresh |= (uint64_t)masks_word(masks, 32) << 32;
#endif
  return fresh;
}

/* --- Random orders ---------------------------------------------------------------------------- */

/* Returns a random number below a bound, at least 1 and below 2^16, from fresh bits that mask
 * nothing: it is public to the program, whose addresses may depend on it, and known to nobody else.
 * A number is at most bound / 2^24 more likely than another, and bound / 2^16 for bounds up to
 * 512. */
uint32_t ckem_masks_below(struct masks *masks, uint32_t bound);

/* Writes 0 to count - 1 in a random order, count as above. */
void ckem_masks_order(struct masks *masks, uint16_t *order, size_t count);

/* Copies a public value to all shares of bytes: it goes into share 0. */
void ckem_masked_set_public(struct shared_bytes out, const uint8_t *value, size_t length);

/* Shares a value that is not shared yet. */
void ckem_masked_share_bytes(struct masks *masks, struct shared_bytes out, const uint8_t *value,
                             size_t length);

/* Refreshes bytes in place: a fresh sharing of the same value. */
void ckem_masked_refresh_bytes(struct masks *masks, struct shared_bytes x, size_t length);

/* out[length] = the value: only where it is public, as the comment beside the call says, or where
 * the caller asks for it. */
void ckem_masked_join_bytes(uint8_t *out, struct shared_bytes x, size_t length);

#endif
