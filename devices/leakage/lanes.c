/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs instructions on all lanes at once. */
#include "lanes.h"

#include <stdlib.h>
#include <string.h>

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

static void fail(struct lanes *m, const char *what) {
  if (m->error == NULL) {
    m->error = what;
  }
}

/* --- Words of all lanes ----------------------------------------------------------------------- */

/* Returns memory for a word of all lanes, or ends the program: there is no answer without. */
static uint32_t *take(struct lanes *m) {
  if (m->spare_count == 0) {
    const size_t bytes = (m->count * sizeof(uint32_t) + 63) / 64 * 64;
    uint8_t *block = aligned_alloc(64, NEW_WORDS * bytes);
    m->blocks = realloc(m->blocks, (m->block_count + 1) * sizeof *m->blocks);
    m->spare_room += NEW_WORDS;
    m->spare = realloc(m->spare, m->spare_room * sizeof *m->spare);
    if (block == NULL || m->blocks == NULL || m->spare == NULL) {
      abort();
    }
    m->blocks[m->block_count] = (uint32_t *)(void *)block;
    m->block_count += 1;
    for (size_t i = 0; i < NEW_WORDS; i++) {
      m->spare[i] = (uint32_t *)(void *)(block + i * bytes);
    }
    m->spare_count = NEW_WORDS;
  }
  m->spare_count -= 1;
  return m->spare[m->spare_count];
}

static void give(struct lanes *m, uint32_t *many) {
  m->spare[m->spare_count] = many;
  m->spare_count += 1;
}

static void set_one(struct word *x, uint32_t one) {
  x->varied = false;
  x->one = one;
}

static void copy(const struct lanes *m, struct word *x, const struct word *y) {
  x->varied = y->varied;
  x->one = y->one;
  if (y->varied) {
    memcpy(x->many, y->many, m->count * sizeof(uint32_t));
  }
}

static void swap(struct word *x, struct word *y) {
  const struct word old = *x;

  *x = *y;
  *y = old;
}

/* Holds it once in every lane. */
static const uint32_t *spread(const struct lanes *m, struct word *x) {
  if (!x->varied) {
    for (size_t i = 0; i < m->count; i++) {
      x->many[i] = x->one;
    }
  }
  return x->many;
}

/* What is the same in all lanes. */
static uint32_t same(struct lanes *m, const struct word *x, const char *otherwise) {
  if (!x->varied) {
    return x->one;
  }
  uint32_t differs = 0;
  for (size_t i = 1; i < m->count; i++) {
    differs |= x->many[i] ^ x->many[0];
  }
  if (differs != 0) {
    fail(m, otherwise);
  }
  return x->many[0];
}

/* d = what of one or two words, lane by lane. */
#define ONE_WORD(d, x, what)                      \
  do {                                            \
    (d)->varied = (x)->varied;                    \
    if ((x)->varied) {                            \
      const uint32_t *restrict from_ = (x)->many; \
      uint32_t *restrict to_ = (d)->many;         \
      for (size_t i = 0; i < m->count; i++) {     \
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
    (d)->varied = (x)->varied || (y)->varied;      \
    uint32_t *restrict to_ = (d)->many;            \
    if ((x)->varied && (y)->varied) {              \
      const uint32_t *restrict from_ = (x)->many;  \
      const uint32_t *restrict other_ = (y)->many; \
      for (size_t i = 0; i < m->count; i++) {      \
        const uint32_t a = from_[i];               \
        const uint32_t b = other_[i];              \
        to_[i] = (what);                           \
      }                                            \
    } else if ((x)->varied) {                      \
      const uint32_t *restrict from_ = (x)->many;  \
      const uint32_t b = (y)->one;                 \
      for (size_t i = 0; i < m->count; i++) {      \
        const uint32_t a = from_[i];               \
        to_[i] = (what);                           \
      }                                            \
    } else if ((y)->varied) {                      \
      const uint32_t a = (x)->one;                 \
      const uint32_t *restrict other_ = (y)->many; \
      for (size_t i = 0; i < m->count; i++) {      \
        const uint32_t b = other_[i];              \
        to_[i] = (what);                           \
      }                                            \
    } else {                                       \
      const uint32_t a = (x)->one;                 \
      const uint32_t b = (y)->one;                 \
      (d)->one = (what);                           \
    }                                              \
  } while (0)

/* --- Memory ----------------------------------------------------------------------------------- */

static struct cell *cell_at(struct lanes *m, uint32_t address) {
  if (address - RAM >= RAM_BYTES) {
    fail(m, "no memory at an address");
    return m->ram;
  }
  return m->ram + (address - RAM) / 4;
}

/* The aligned word at an address. */
static void fetch_word(struct lanes *m, struct word *out, uint32_t address) {
  address &= ~UINT32_C(3);
  if (address < FLASH_BYTES) {
    uint32_t one;
    memcpy(&one, m->flash + address, sizeof one);
    set_one(out, one);
    return;
  }
  const struct cell *cell = cell_at(m, address);
  if (cell->many == NULL) {
    set_one(out, cell->one);
  } else {
    out->varied = true;
    memcpy(out->many, cell->many, m->count * sizeof(uint32_t));
  }
}

static void put_word(struct lanes *m, uint32_t address, const struct word *x) {
  struct cell *cell = cell_at(m, address & ~UINT32_C(3));

  if (x->varied) {
    if (cell->many == NULL) {
      cell->many = take(m);
    }
    memcpy(cell->many, x->many, m->count * sizeof(uint32_t));
    return;
  }
  if (cell->many != NULL) {
    give(m, cell->many);
    cell->many = NULL;
  }
  cell->one = x->one;
}

static void pass_bus(struct lanes *m, const struct word *x) {
  leak_examine(&m->test, LEAK_BUS, x, &m->bus);
  copy(m, &m->bus, x);
}

static uint32_t ones_of(unsigned bytes) {
  return bytes == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * bytes) - 1;
}

/* out = so many bytes at an address. The bus carries whole words. */
static void load(struct lanes *m, struct word *out, uint32_t address, unsigned bytes, bool sign) {
  const unsigned shift = 8 * (address & 3);
  struct word *low = &m->t[4];
  struct word *high = &m->t[5];

  fetch_word(m, low, address);
  pass_bus(m, low);
  if ((address & 3) + bytes > 4) {
    fetch_word(m, high, address + 4);
    pass_bus(m, high);
    TWO_WORDS(out, low, high, a >> shift | b << 1 << (31 - shift));
  } else {
    ONE_WORD(out, low, a >> shift);
  }
  if (bytes < 4) {
    const uint32_t ones = ones_of(bytes);
    const uint32_t top = sign ? (ones >> 1) + 1 : 0;
    ONE_WORD(low, out, ((a & ones) ^ top) - top);
    copy(m, out, low);
  }
}

static void store_part(struct lanes *m, uint32_t address, const struct word *x, uint32_t mask) {
  struct word *old = &m->t[4];
  struct word *new = &m->t[5];

  fetch_word(m, old, address);
  if (mask == UINT32_MAX) {
    leak_examine(&m->test, LEAK_MEMORY, x, old);
    put_word(m, address, x);
    return;
  }
  TWO_WORDS(new, old, x, (a & ~mask) | (b & mask));
  leak_examine(&m->test, LEAK_MEMORY, new, old);
  put_word(m, address, new);
}

static void store(struct lanes *m, const struct word *x, uint32_t address, unsigned bytes) {
  const unsigned shift = 8 * (address & 3);
  const uint32_t ones = ones_of(bytes);
  struct word *moved = &m->t[3];

  ONE_WORD(moved, x, a & ones);
  pass_bus(m, moved);
  ONE_WORD(moved, x, (a & ones) << shift);
  store_part(m, address, moved, ones << shift);
  if ((address & 3) + bytes > 4) {
    ONE_WORD(moved, x, (a & ones) >> 1 >> (31 - shift));
    store_part(m, address + 4, moved, ones >> 1 >> (31 - shift));
  }
}

/* --- Registers and flags ---------------------------------------------------------------------- */

/* A register as an operand; the address of an instruction is that of the next but one. */
static const struct word *operand(struct lanes *m, unsigned r) {
  if (r == PC) {
    set_one(&m->r[PC], m->pc + 4);
  }
  return &m->r[r];
}

/* An operand at an input of the arithmetic unit. */
static const struct word *read_operand(struct lanes *m, unsigned r, unsigned input) {
  const struct word *x = operand(m, r);

  leak_examine(&m->test, input == 0 ? LEAK_OPERAND_1 : LEAK_OPERAND_2, x, &m->latch[input]);
  copy(m, &m->latch[input], x);
  return x;
}

/* Puts a result, which is lost, into a register. */
static void set_register(struct lanes *m, unsigned r, struct word *x) {
  leak_examine(&m->test, LEAK_VALUE, x, &m->zero);
  leak_examine(&m->test, LEAK_REGISTER, x, &m->r[r]);
  swap(&m->r[r], x);
  if (r == PC) {
    m->pc = same(m, &m->r[PC], "a branch depends on the lane") & ~UINT32_C(1);
  }
}

static bool holds(struct lanes *m, unsigned condition) {
  const char *otherwise = "a condition depends on the lane";
  const uint32_t result = same(m, &m->flag_result, otherwise);
  const bool negative = result >> 31 != 0;
  const bool zero = result == 0;
  const bool carry = same(m, &m->flag_carry, otherwise) != 0;
  const bool overflow = same(m, &m->flag_overflow, otherwise) != 0;
  bool yes = true;

  switch (condition >> 1) {
    case 0:
      yes = zero;
      break;
    case 1:
      yes = carry;
      break;
    case 2:
      yes = negative;
      break;
    case 3:
      yes = overflow;
      break;
    case 4:
      yes = carry && !zero;
      break;
    case 5:
      yes = negative == overflow;
      break;
    case 6:
      yes = !zero && negative == overflow;
      break;
    default:
      return true;
  }
  return yes != ((condition & 1) != 0);
}

/* --- Decoding --------------------------------------------------------------------------------- */

static struct thumb decode_at(const struct lanes *m, uint32_t address) {
  uint16_t half[2];

  memcpy(half, m->flash + address, sizeof half);
  return thumb_decode(address, half[0], half[1]);
}

static bool reads_flags(const struct thumb *t) {
  return (t->operation == THUMB_BRANCH && t->condition != THUMB_ALWAYS) ||
         t->operation == THUMB_IF || t->operation == THUMB_ADD_CARRY ||
         t->operation == THUMB_SUBTRACT_CARRY ||
         (t->rm != THUMB_NONE && t->shift == THUMB_ROTATE && t->shift_bits == 0 &&
          t->operation <= THUMB_NOT);
}

/* Whether somebody may read the flags that the instruction before an address sets. No flags pass a
 * call or a return. */
static bool flags_are_read(const struct lanes *m, uint32_t address) {
  for (size_t i = 0; i < LOOKED_AHEAD && address < FLASH_BYTES - 4; i++) {
    const struct thumb t = decode_at(m, address);
    if (reads_flags(&t)) {
      return true;
    }
    if (t.sets_flags || t.operation == THUMB_CALL || t.operation == THUMB_CALL_REGISTER ||
        t.operation == THUMB_BRANCH_REGISTER ||
        (t.operation == THUMB_LOAD_MANY && (t.immediate >> PC & 1) != 0)) {
      return false;
    }
    address = t.operation == THUMB_BRANCH ? t.immediate : address + t.bytes;
  }
  return true;
}

static const struct thumb *decoded_at(struct lanes *m, uint32_t address) {
  struct thumb *t = m->decoded + address / 2;

  if (t->bytes == 0) {
    *t = decode_at(m, address);
    t->needs_flags = t->sets_flags && flags_are_read(m, address + t->bytes);
  }
  return t;
}

/* --- Instructions ----------------------------------------------------------------------------- */

/* out = x shifted; carry, where it is not NULL, = the last bit that leaves. */
static void shift_word(struct lanes *m, struct word *out, const struct word *x, unsigned type,
                       unsigned bits, struct word *carry) {
  if (bits == 0 && type != THUMB_ROTATE) {
    copy(m, out, x);
    if (carry != NULL) {
      copy(m, carry, &m->flag_carry);
    }
    return;
  }
  const unsigned n = bits & 31;
  switch (type) {
    case THUMB_LEFT:
      ONE_WORD(out, x, bits < 32 ? a << n : 0);
      if (carry != NULL) {
        ONE_WORD(carry, x, bits <= 32 ? a >> (32 - bits) & 1 : 0);
      }
      break;
    case THUMB_RIGHT:
      ONE_WORD(out, x, bits < 32 ? a >> n : 0);
      if (carry != NULL) {
        ONE_WORD(carry, x, bits <= 32 ? a >> (bits - 1) & 1 : 0);
      }
      break;
    case THUMB_ARITHMETIC:
      ONE_WORD(out, x, (uint32_t)((int32_t)a >> (bits < 32 ? bits : 31)));
      if (carry != NULL) {
        ONE_WORD(carry, x, a >> ((bits < 32 ? bits : 32) - 1) & 1);
      }
      break;
    default:
      if (bits == 0) { /* by one, through the carry */
        TWO_WORDS(out, x, &m->flag_carry, a >> 1 | b << 31);
        if (carry != NULL) {
          ONE_WORD(carry, x, a & 1);
        }
        break;
      }
      ONE_WORD(out, x, a >> n | a << ((32 - n) & 31));
      if (carry != NULL) {
        ONE_WORD(carry, x, a >> ((n - 1) & 31) & 1);
      }
  }
}

/* out = a + b + c, and the flags if somebody needs them. a and b are lost. */
static void add_words(struct lanes *m, struct word *out, struct word *x, struct word *y,
                      const struct word *carry, bool flags) {
  struct word *sum = &m->t[3];

  if (!carry->varied && !flags) {
    const uint32_t c = carry->one;
    TWO_WORDS(out, x, y, a + b + c);
    return;
  }
  const bool varied = x->varied || y->varied || carry->varied;
  const size_t count = varied ? m->count : 1;
  copy(m, sum, carry);
  if (!varied) {
    x->many[0] = x->one;
    y->many[0] = y->one;
    sum->many[0] = sum->one;
  }
  const uint32_t *a = varied ? spread(m, x) : x->many;
  const uint32_t *b = varied ? spread(m, y) : y->many;
  const uint32_t *c = varied ? spread(m, sum) : sum->many;
  for (size_t i = 0; i < count; i++) {
    out->many[i] = a[i] + b[i] + c[i];
  }
  out->varied = varied;
  out->one = out->many[0];
  if (flags) {
    for (size_t i = 0; i < count; i++) {
      const uint32_t carries = (a[i] & b[i]) | ((a[i] | b[i]) & ~out->many[i]);
      m->flag_carry.many[i] = carries >> 31;
      m->flag_overflow.many[i] = (~(a[i] ^ b[i]) & (a[i] ^ out->many[i])) >> 31;
    }
    m->flag_carry.varied = m->flag_overflow.varied = varied;
    m->flag_carry.one = m->flag_carry.many[0];
    m->flag_overflow.one = m->flag_overflow.many[0];
  }
}

/* rd = rn operation operand. */
static void run_data(struct lanes *m, const struct thumb *t, bool flags) {
  struct word *second = &m->t[0];
  struct word *first = &m->t[1];
  struct word *result = &m->t[2];
  struct word *carry = flags ? &m->flag_carry : NULL;
  const bool has_first =
      t->operation != THUMB_MOVE && t->operation != THUMB_NOT && t->rn != THUMB_NONE;
  const bool sum = t->operation >= THUMB_ADD && t->operation <= THUMB_SUBTRACT_FROM;
  const bool top = t->operation == THUMB_MOVE_TOP;

  if (has_first && !top) {
    copy(m, first, read_operand(m, t->rn, 0));
    if (t->rn == PC) {
      first->one &= ~UINT32_C(3);
    }
  }
  if (t->has_immediate) {
    set_one(second, t->immediate);
  } else {
    const struct word *x = read_operand(m, t->rm, 1);
    shift_word(m, second, x, t->shift, t->shift_bits, sum ? NULL : carry);
  }
  switch (t->operation) {
    case THUMB_AND:
      TWO_WORDS(result, first, second, a & b);
      break;
    case THUMB_BIC:
      TWO_WORDS(result, first, second, a & ~b);
      break;
    case THUMB_OR:
      TWO_WORDS(result, first, second, a | b);
      break;
    case THUMB_OR_NOT:
      TWO_WORDS(result, first, second, a | ~b);
      break;
    case THUMB_XOR:
      TWO_WORDS(result, first, second, a ^ b);
      break;
    case THUMB_MOVE:
      copy(m, result, second);
      break;
    case THUMB_NOT:
      ONE_WORD(result, second, ~a);
      break;
    case THUMB_MOVE_TOP:
      copy(m, first, operand(m, t->rd));
      TWO_WORDS(result, first, second, (a & 0xFFFF) | b << 16);
      break;
    case THUMB_PACK:
      if (t->shift == THUMB_ARITHMETIC) {
        TWO_WORDS(result, first, second, (a & 0xFFFF0000U) | (b & 0xFFFF));
      } else {
        TWO_WORDS(result, first, second, (a & 0xFFFF) | (b & 0xFFFF0000U));
      }
      break;
    case THUMB_ADD:
      set_one(&m->t[4], 0);
      add_words(m, result, first, second, &m->t[4], flags);
      break;
    case THUMB_ADD_CARRY:
      add_words(m, result, first, second, &m->flag_carry, flags);
      break;
    default: { /* a - b = a + NOT b + 1 */
      struct word *from = t->operation == THUMB_SUBTRACT_FROM ? second : first;
      struct word *what = t->operation == THUMB_SUBTRACT_FROM ? first : second;
      const bool with = t->operation == THUMB_SUBTRACT_CARRY;
      set_one(&m->t[5], 1);
      ONE_WORD(&m->t[4], what, ~a);
      add_words(m, result, from, &m->t[4], with ? &m->flag_carry : &m->t[5], flags);
    }
  }
  if (flags) {
    copy(m, &m->flag_result, result);
  }
  if (!t->no_result) {
    set_register(m, t->rd, result);
  }
}

/* rd = rn shifted by a register. */
static void run_shift(struct lanes *m, const struct thumb *t, bool flags) {
  struct word *result = &m->t[2];
  const struct word *x = read_operand(m, t->rn, 0);
  const uint32_t bits = same(m, read_operand(m, t->rm, 1), "a shift depends on the lane") & 0xFF;

  if (bits == 0) {
    copy(m, result, x);
  } else if (t->shift == THUMB_ROTATE && (bits & 31) == 0) {
    copy(m, result, x);
  } else {
    shift_word(m, result, x, t->shift, bits, flags ? &m->flag_carry : NULL);
  }
  if (flags) {
    copy(m, &m->flag_result, result);
  }
  set_register(m, t->rd, result);
}

static uint32_t reversed_bits(uint32_t a) {
  a = (a >> 1 & 0x55555555U) | (a & 0x55555555U) << 1;
  a = (a >> 2 & 0x33333333U) | (a & 0x33333333U) << 2;
  a = (a >> 4 & 0x0F0F0F0FU) | (a & 0x0F0F0F0FU) << 4;
  return __builtin_bswap32(a);
}

static void run_bits(struct lanes *m, const struct thumb *t) {
  struct word *result = &m->t[2];
  struct word *turned = &m->t[0];
  const unsigned low = t->field_low;
  const uint32_t ones = t->field_bits == 32 ? UINT32_MAX : (UINT32_C(1) << t->field_bits) - 1;
  const uint32_t top = t->sign || t->operation == THUMB_SIGNED_FIELD ? (ones >> 1) + 1 : 0;
  const struct word *x;

  switch (t->operation) {
    case THUMB_FIELD:
    case THUMB_SIGNED_FIELD:
      x = read_operand(m, t->rn, 0);
      ONE_WORD(result, x, ((a >> low & ones) ^ top) - top);
      break;
    case THUMB_INSERT:
      copy(m, turned, operand(m, t->rd));
      if (t->rn == PC) { /* clears */
        ONE_WORD(result, turned, a & ~(ones << low));
      } else {
        x = read_operand(m, t->rn, 0);
        TWO_WORDS(result, turned, x, (a & ~(ones << low)) | (b & ones) << low);
      }
      break;
    case THUMB_EXTEND:
      x = read_operand(m, t->rm, 1);
      ONE_WORD(turned, x, a >> t->shift_bits | a << ((32 - t->shift_bits) & 31));
      ONE_WORD(result, turned, ((a & ones) ^ top) - top);
      if (t->rn != THUMB_NONE) {
        x = read_operand(m, t->rn, 0);
        copy(m, turned, result);
        TWO_WORDS(result, turned, x, a + b);
      }
      break;
    case THUMB_REVERSE_BYTES:
      x = read_operand(m, t->rm, 1);
      ONE_WORD(result, x, __builtin_bswap32(a));
      break;
    case THUMB_REVERSE_HALVES:
      x = read_operand(m, t->rm, 1);
      ONE_WORD(result, x, (a & 0xFF00FF00U) >> 8 | (a & 0x00FF00FFU) << 8);
      break;
    case THUMB_REVERSE_BITS:
      x = read_operand(m, t->rm, 1);
      ONE_WORD(result, x, reversed_bits(a));
      break;
    default:
      x = read_operand(m, t->rm, 1);
      ONE_WORD(result, x, a == 0 ? 32 : (uint32_t)__builtin_clz(a));
  }
  set_register(m, t->rd, result);
}

static void run_product(struct lanes *m, const struct thumb *t, bool flags) {
  struct word *first = &m->t[0];
  struct word *second = &m->t[1];
  struct word *low = &m->t[2];
  struct word *high = &m->t[3];
  const bool signs = t->operation == THUMB_LONG_SIGNED || t->operation == THUMB_LONG_SIGNED_ADD;

  copy(m, first, read_operand(m, t->rn, 0));
  copy(m, second, read_operand(m, t->rm, 1));
  if (t->operation <= THUMB_MULTIPLY_SUBTRACT) {
    TWO_WORDS(low, first, second, a * b);
    if (t->operation == THUMB_MULTIPLY_ADD) {
      copy(m, first, low);
      TWO_WORDS(low, first, operand(m, t->ra), b + a);
    } else if (t->operation == THUMB_MULTIPLY_SUBTRACT) {
      copy(m, first, low);
      TWO_WORDS(low, first, operand(m, t->ra), b - a);
    }
    if (flags) {
      copy(m, &m->flag_result, low);
    }
    set_register(m, t->rd, low);
    return;
  }
  copy(m, low, operand(m, t->rd));
  copy(m, high, operand(m, t->ra));
  const bool adds = t->operation == THUMB_LONG_ADD || t->operation == THUMB_LONG_SIGNED_ADD;
  const bool two = t->operation == THUMB_LONG_ADD_TWO;
  const bool varied =
      first->varied || second->varied || ((adds || two) && (low->varied || high->varied));
  const size_t count = varied ? m->count : 1;
  if (varied) {
    spread(m, first);
    spread(m, second);
    spread(m, low);
    spread(m, high);
  } else {
    first->many[0] = first->one;
    second->many[0] = second->one;
    low->many[0] = low->one;
    high->many[0] = high->one;
  }
  const uint32_t *a = first->many;
  const uint32_t *b = second->many;
  for (size_t i = 0; i < count; i++) {
    uint64_t wide =
        signs ? (uint64_t)((int64_t)(int32_t)a[i] * (int32_t)b[i]) : (uint64_t)a[i] * b[i];
    if (adds) {
      wide += (uint64_t)high->many[i] << 32 | low->many[i];
    } else if (two) {
      wide += (uint64_t)high->many[i] + low->many[i];
    }
    low->many[i] = (uint32_t)wide;
    high->many[i] = (uint32_t)(wide >> 32);
  }
  low->varied = high->varied = varied;
  low->one = low->many[0];
  high->one = high->many[0];
  struct word *kept = &m->t[0]; /* t[3] is that of add_words and store */
  copy(m, kept, high);
  set_register(m, t->rd, low);
  set_register(m, t->ra, kept);
}

/* Compilers' functions on strings use these; no secret meets them. */
static void run_bytes(struct lanes *m, const struct thumb *t) {
  const char *otherwise = "a sum of bytes depends on the lane";
  const uint32_t a = same(m, operand(m, t->rn), otherwise);
  const uint32_t b = same(m, operand(m, t->rm), otherwise);

  if (t->operation == THUMB_SELECT_BYTES) {
    set_one(&m->t[2], (a & m->carries) | (b & ~m->carries));
  } else {
    uint32_t sums = 0;
    m->carries = 0;
    for (unsigned i = 0; i < 32; i += 8) {
      const uint32_t sum = (a >> i & 0xFF) + (b >> i & 0xFF);
      sums |= (sum & 0xFF) << i;
      m->carries |= sum > 0xFF ? UINT32_C(0xFF) << i : 0;
    }
    set_one(&m->t[2], sums);
  }
  set_register(m, t->rd, &m->t[2]);
}

static void run_divide(struct lanes *m, const struct thumb *t) {
  const uint32_t a = same(m, operand(m, t->rn), "a division depends on the lane");
  const uint32_t b = same(m, operand(m, t->rm), "a division depends on the lane");

  set_one(&m->t[2], b == 0 ? 0 : a / b);
  set_register(m, t->rd, &m->t[2]);
}

static void run_memory(struct lanes *m, const struct thumb *t) {
  const char *otherwise = "an address depends on the lane";
  const uint32_t base = same(m, operand(m, t->rn), otherwise) & (t->rn == PC ? ~3U : ~0U);
  const uint32_t offset =
      t->has_immediate ? t->immediate : same(m, operand(m, t->rm), otherwise) << t->shift_bits;
  const uint32_t address = t->indexed ? base + offset : base;
  const bool pair = t->size == 8;
  const unsigned bytes = pair ? 4 : t->size;

  if (t->operation == THUMB_LOAD) {
    load(m, &m->t[0], address, bytes, t->sign);
    if (pair) {
      load(m, &m->t[1], address + 4, 4, false);
      set_register(m, t->ra, &m->t[1]);
    }
  } else {
    copy(m, &m->t[0], operand(m, t->rd));
    store(m, &m->t[0], address, bytes);
    if (pair) {
      copy(m, &m->t[0], operand(m, t->ra));
      store(m, &m->t[0], address + 4, 4);
    }
  }
  if (t->operation == THUMB_STORE_EXCLUSIVE) {
    set_one(&m->t[1], 0);
    set_register(m, t->ra, &m->t[1]);
  }
  if (t->write_back) {
    set_one(&m->t[1], base + offset);
    set_register(m, t->rn, &m->t[1]);
  }
  if (t->operation == THUMB_LOAD) {
    set_register(m, t->rd, &m->t[0]);
  }
}

static void run_many(struct lanes *m, const struct thumb *t) {
  const uint32_t base = same(m, operand(m, t->rn), "an address depends on the lane");
  const uint32_t length = 4 * (uint32_t)__builtin_popcount(t->immediate);
  uint32_t address = t->down ? base - length : base;
  uint32_t target = 0;

  if (t->write_back) {
    set_one(&m->t[1], t->down ? base - length : base + length);
    set_register(m, t->rn, &m->t[1]);
  }
  for (unsigned r = 0; r < 16; r++) {
    if ((t->immediate >> r & 1) == 0) {
      continue;
    }
    if (t->operation == THUMB_LOAD_MANY) {
      load(m, &m->t[0], address, 4, false);
      if (r == PC) {
        target = same(m, &m->t[0], "a branch depends on the lane");
        m->pc = target & ~UINT32_C(1);
      } else {
        set_register(m, r, &m->t[0]);
      }
    } else {
      copy(m, &m->t[0], operand(m, r));
      store(m, &m->t[0], address, 4);
    }
    address += 4;
  }
}

static void run_branch(struct lanes *m, const struct thumb *t) {
  const char *otherwise = "a branch depends on the lane";
  const uint32_t next = m->pc + t->bytes;
  uint32_t x;

  switch (t->operation) {
    case THUMB_BRANCH:
      m->pc = t->immediate;
      return;
    case THUMB_CALL:
      set_one(&m->r[LR], next | 1);
      m->pc = t->immediate;
      return;
    case THUMB_CALL_REGISTER:
    case THUMB_BRANCH_REGISTER:
      x = same(m, operand(m, t->rm), otherwise);
      if (t->operation == THUMB_CALL_REGISTER) {
        set_one(&m->r[LR], next | 1);
      }
      m->pc = x & ~UINT32_C(1);
      return;
    case THUMB_BRANCH_ZERO:
      x = same(m, operand(m, t->rn), otherwise);
      m->pc = (x != 0) == t->sign ? t->immediate : next;
      return;
    default: /* a table of halves of distances */
      x = same(m, operand(m, t->rn), otherwise) + t->size * same(m, operand(m, t->rm), otherwise);
      load(m, &m->t[0], x, t->size, false);
      m->pc += 4 + 2 * same(m, &m->t[0], otherwise);
  }
}

static void run_instruction(struct lanes *m, const struct thumb *t) {
  const bool in_block = m->condition_count > 0;
  const bool flags = t->needs_flags && !(t->narrow && in_block);
  const uint32_t at = m->pc;
  unsigned condition = t->condition;

  if (in_block) {
    condition = m->conditions[0];
    m->condition_count -= 1;
    memmove(m->conditions, m->conditions + 1, 3);
  }
  if (condition != THUMB_ALWAYS && !holds(m, condition)) {
    m->pc += t->bytes;
    return;
  }
  if (t->operation >= THUMB_AND && t->operation <= THUMB_PACK) {
    run_data(m, t, flags);
  } else if (t->operation == THUMB_SHIFT) {
    run_shift(m, t, flags);
  } else if (t->operation >= THUMB_FIELD && t->operation <= THUMB_LEADING_ZEROS) {
    run_bits(m, t);
  } else if (t->operation == THUMB_ADD_BYTES || t->operation == THUMB_SELECT_BYTES) {
    run_bytes(m, t);
  } else if (t->operation == THUMB_DIVIDE) {
    run_divide(m, t);
  } else if (t->operation >= THUMB_MULTIPLY && t->operation <= THUMB_LONG_ADD_TWO) {
    run_product(m, t, flags);
  } else if (t->operation >= THUMB_LOAD && t->operation <= THUMB_STORE_EXCLUSIVE) {
    run_memory(m, t);
  } else if (t->operation == THUMB_LOAD_MANY || t->operation == THUMB_STORE_MANY) {
    run_many(m, t);
  } else if (t->operation >= THUMB_BRANCH && t->operation <= THUMB_TABLE) {
    run_branch(m, t);
    return;
  } else if (t->operation == THUMB_IF) {
    const unsigned first = t->immediate >> 4;
    const unsigned mask = t->immediate & 15;
    m->condition_count = 4 - (size_t)__builtin_ctz(mask);
    for (unsigned i = 0; i < 4; i++) {
      m->conditions[i] = (uint8_t)(i == 0 ? first : (first & 14) | (mask >> (4 - i) & 1));
    }
  } else if (t->operation == THUMB_UNKNOWN) {
    fail(m, "an instruction that is not known");
  }
  if (m->pc == at) {
    m->pc += t->bytes;
  }
}

/* --- Calls ------------------------------------------------------------------------------------ */

struct lanes *lanes_new(size_t count) {
  struct lanes *m = calloc(1, sizeof *m);

  if (m == NULL || count == 0 || count % 2 != 0) {
    free(m);
    return NULL;
  }
  m->count = count;
  m->decoded = calloc(FLASH_BYTES / 2, sizeof *m->decoded);
  m->ram = calloc(RAM_WORDS, sizeof *m->ram);
  m->test.weights = malloc(count);
  if (m->decoded == NULL || m->ram == NULL || m->test.weights == NULL) {
    lanes_free(m);
    return NULL;
  }
  struct word *const words[] = {&m->flag_result, &m->flag_carry, &m->flag_overflow, m->latch,
                                m->latch + 1,    &m->bus,        &m->zero};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    words[i]->many = take(m);
  }
  for (size_t i = 0; i < 16; i++) {
    m->r[i].many = take(m);
  }
  for (size_t i = 0; i < sizeof m->t / sizeof m->t[0]; i++) {
    m->t[i].many = take(m);
  }
  m->test.lanes = count;
  return m;
}

void lanes_free(struct lanes *m) {
  for (size_t i = 0; m != NULL && i < m->block_count; i++) {
    free(m->blocks[i]);
  }
  if (m != NULL) {
    free(m->blocks);
    free(m->spare);
    free(m->decoded);
    free(m->ram);
    free(m->test.weights);
  }
  free(m);
}

bool lanes_write(struct lanes *m, uint32_t address, const uint8_t *bytes, size_t length) {
  struct word word = {NULL, 0, false};

  if (address < FLASH_BYTES && length <= FLASH_BYTES - address) {
    memcpy(m->flash + address, bytes, length);
    return true;
  }
  if (address - RAM >= RAM_BYTES || length > RAM_BYTES - (address - RAM)) {
    return false;
  }
  for (size_t i = 0; i < length; i++) {
    const uint32_t at = address + (uint32_t)i;
    struct cell *cell = cell_at(m, at);
    const unsigned shift = 8 * (at & 3);
    word.one = (cell->many == NULL ? cell->one : 0) & ~(UINT32_C(0xFF) << shift);
    word.one |= (uint32_t)bytes[i] << shift;
    put_word(m, at, &word);
  }
  return true;
}

bool lanes_write_each(struct lanes *m, uint32_t address, const uint8_t *bytes, size_t length) {
  if (address - RAM >= RAM_BYTES || length > RAM_BYTES - (address - RAM)) {
    return false;
  }
  for (size_t i = 0; i < length; i++) {
    const uint32_t at = address + (uint32_t)i;
    struct cell *cell = cell_at(m, at);
    if (cell->many == NULL) {
      cell->many = take(m);
      for (size_t k = 0; k < m->count; k++) {
        cell->many[k] = cell->one;
      }
    }
    for (size_t k = 0; k < m->count; k++) {
      ((uint8_t *)(cell->many + k))[at & 3] = bytes[k * length + i];
    }
  }
  return true;
}

bool lanes_read_each(struct lanes *m, uint32_t address, uint8_t *bytes, size_t length) {
  if (address - RAM >= RAM_BYTES || length > RAM_BYTES - (address - RAM)) {
    return false;
  }
  for (size_t i = 0; i < length; i++) {
    const uint32_t at = address + (uint32_t)i;
    const struct cell *cell = cell_at(m, at);
    for (size_t k = 0; k < m->count; k++) {
      const uint32_t word = cell->many != NULL ? cell->many[k] : cell->one;
      bytes[k * length + i] = (uint8_t)(word >> 8 * (at & 3));
    }
  }
  return true;
}

uint32_t lanes_address(const struct lanes *m) {
  return m->pc;
}

const char *lanes_call(struct lanes *m, uint32_t function, uint32_t stack,
                       const uint32_t *arguments, const struct leak_options *options,
                       struct leak_report *report) {
  memset(report, 0, sizeof *report);
  for (unsigned r = 0; r < 16; r++) {
    set_one(&m->r[r], r < 4 ? arguments[r] : 0);
  }
  set_one(&m->r[SP], stack);
  set_one(&m->r[LR], NEVER_RETURNS);
  set_one(&m->latch[0], 0);
  set_one(&m->latch[1], 0);
  set_one(&m->bus, 0);
  m->condition_count = 0;
  m->error = NULL;
  m->pc = function & ~UINT32_C(1);
  m->test.options = options;
  m->test.report = report;
  while (m->pc != (NEVER_RETURNS & ~UINT32_C(1)) && m->error == NULL) {
    if (m->pc >= FLASH_BYTES - 4) {
      fail(m, "no code at an address");
      break;
    }
    const struct thumb *t = decoded_at(m, m->pc);
    m->test.step = report->instructions;
    m->test.address = m->pc;
    const uint32_t at = m->pc;
    run_instruction(m, t);
    report->instructions += 1;
    if (m->error != NULL) {
      m->pc = at;
    }
  }
  return m->error;
}
