/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The state of the processor of lanes.h, and what its parts have in common. */
#ifndef MACHINE_H
#define MACHINE_H

#include <string.h>

#include "lanes.h"
#include "thumb.h"

enum {
  FLASH_BYTES = 0x400000,
  RAM = 0x20000000,
  RAM_BYTES = 0x400000,
  RAM_WORDS = RAM_BYTES / 4,
  PC = 15,
  LR = 14,
  SP = 13,
  NEVER_RETURNS = 0x0FFFFFFF, /* where the call returns to */
  LOOKED_AHEAD = 48,
  NEW_WORDS = 64,
};

/* A word of memory: many is NULL where all lanes have the same. */
struct cell {
  uint32_t one;
  uint32_t *many;
};

struct lanes {
  size_t count;
  struct word r[16];
  struct word flag_result, flag_carry, flag_overflow; /* N and Z are those of a result */
  struct word latch[2], bus, zero;
  struct word t[6]; /* of an instruction */
  uint8_t flash[FLASH_BYTES];
  struct thumb *decoded; /* at half the address */
  struct cell *ram;
  uint32_t **spare; /* words of all lanes that nothing uses */
  size_t spare_count, spare_room;
  uint32_t **blocks;
  size_t block_count;
  uint32_t carries; /* of sums of bytes, a mask of bytes */
  uint8_t conditions[4]; /* of the next instructions */
  size_t condition_count;
  uint32_t pc;
  const char *error;
  struct leak_test test;
};

/* --- Words of all lanes ----------------------------------------------------------------------- */

static inline void fail(struct lanes *m, const char *what) {
  if (m->error == NULL) {
    m->error = what;
  }
}

static inline void set_one(struct word *x, uint32_t one) {
  x->varied = false;
  x->one = one;
}

static inline void copy(const struct lanes *m, struct word *x, const struct word *y) {
  x->varied = y->varied;
  x->one = y->one;
  if (y->varied) {
    memcpy(x->many, y->many, m->count * sizeof(uint32_t));
  }
}

static inline void swap(struct word *x, struct word *y) {
  const struct word old = *x;

  *x = *y;
  *y = old;
}

/* Returns memory for a word of all lanes, or ends the program: there is no answer without. */
uint32_t *lanes_take(struct lanes *m);
void lanes_give(struct lanes *m, uint32_t *many);

/* Holds it once in every lane. */
const uint32_t *lanes_spread(const struct lanes *m, struct word *x);

/* Returns what is the same in all lanes, or stops with a message. */
uint32_t lanes_same(struct lanes *m, const struct word *x, const char *otherwise);

/* d = what of one or two words, lane by lane. */
#define ONE_WORD(d, x, what)                      \
  do {                                            \
    const size_t count_ = m->count;               \
    (d)->varied = (x)->varied;                    \
    if ((x)->varied) {                            \
      const uint32_t *restrict from_ = (x)->many; \
      uint32_t *restrict to_ = (d)->many;         \
      for (size_t i = 0; i < count_; i++) {       \
        const uint32_t a = from_[i];              \
        to_[i] = (what);                          \
      }                                           \
    } else {                                      \
      const uint32_t a = (x)->one;                \
      (d)->one = (what);                          \
    }                                             \
  } while (0)

#define TWO_WORDS(d, x, y, what)                   \
  do {                                             \
    const size_t count_ = m->count;                \
    (d)->varied = (x)->varied || (y)->varied;      \
    uint32_t *restrict to_ = (d)->many;            \
    if ((x)->varied && (y)->varied) {              \
      const uint32_t *restrict from_ = (x)->many;  \
      const uint32_t *restrict other_ = (y)->many; \
      for (size_t i = 0; i < count_; i++) {        \
        const uint32_t a = from_[i];               \
        const uint32_t b = other_[i];              \
        to_[i] = (what);                           \
      }                                            \
    } else if ((x)->varied) {                      \
      const uint32_t *restrict from_ = (x)->many;  \
      const uint32_t b = (y)->one;                 \
      for (size_t i = 0; i < count_; i++) {        \
        const uint32_t a = from_[i];               \
        to_[i] = (what);                           \
      }                                            \
    } else if ((y)->varied) {                      \
      const uint32_t a = (x)->one;                 \
      const uint32_t *restrict other_ = (y)->many; \
      for (size_t i = 0; i < count_; i++) {        \
        const uint32_t b = other_[i];              \
        to_[i] = (what);                           \
      }                                            \
    } else {                                       \
      const uint32_t a = (x)->one;                 \
      const uint32_t b = (y)->one;                 \
      (d)->one = (what);                           \
    }                                              \
  } while (0)

/* --- Memory and registers (machine.c) --------------------------------------------------------- */

/* What holds the word at an address. */
struct cell *lanes_cell_at(struct lanes *m, uint32_t address);
void lanes_put_word(struct lanes *m, uint32_t address, const struct word *x);

/* out = so many bytes at an address. The bus carries whole words. */
void lanes_load(struct lanes *m, struct word *out, uint32_t address, unsigned bytes, bool sign);
void lanes_store(struct lanes *m, const struct word *x, uint32_t address, unsigned bytes);

/* A register as an operand; the address of an instruction is that of the next but one. The second
 * function is for an input of the arithmetic unit, 0 or 1. */
const struct word *lanes_operand(struct lanes *m, unsigned r);
const struct word *lanes_read_operand(struct lanes *m, unsigned r, unsigned input);

/* Puts a result, which is lost, into a register. */
void lanes_set_register(struct lanes *m, unsigned r, struct word *x);

/* Whether a condition holds. */
bool lanes_holds(struct lanes *m, unsigned condition);

/* --- Instructions on data (arithmetic.c) ------------------------------------------------------ */

void lanes_run_data(struct lanes *m, const struct thumb *t, bool flags);
void lanes_run_shift(struct lanes *m, const struct thumb *t, bool flags);
void lanes_run_bits(struct lanes *m, const struct thumb *t);
void lanes_run_product(struct lanes *m, const struct thumb *t, bool flags);
void lanes_run_bytes(struct lanes *m, const struct thumb *t);
void lanes_run_divide(struct lanes *m, const struct thumb *t);

#endif
