/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Words of all lanes, memory and registers. */
#include "machine.h"

#include <stdlib.h>

/* --- Words of all lanes ----------------------------------------------------------------------- */

/* Returns memory for a word of all lanes, or ends the program: there is no answer without. */
uint32_t *lanes_take(struct lanes *m) {
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

void lanes_give(struct lanes *m, uint32_t *many) {
  m->spare[m->spare_count] = many;
  m->spare_count += 1;
}

/* Holds it once in every lane. */
const uint32_t *lanes_spread(const struct lanes *m, struct word *x) {
  if (!x->varied) {
    for (size_t i = 0; i < m->count; i++) {
      x->many[i] = x->one;
    }
  }
  return x->many;
}

/* What is the same in all lanes. */
uint32_t lanes_same(struct lanes *m, const struct word *x, const char *otherwise) {
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

/* --- Memory ----------------------------------------------------------------------------------- */

struct cell *lanes_cell_at(struct lanes *m, uint32_t address) {
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
  const struct cell *cell = lanes_cell_at(m, address);
  if (cell->many == NULL) {
    set_one(out, cell->one);
  } else {
    out->varied = true;
    memcpy(out->many, cell->many, m->count * sizeof(uint32_t));
  }
}

void lanes_put_word(struct lanes *m, uint32_t address, const struct word *x) {
  struct cell *cell = lanes_cell_at(m, address & ~UINT32_C(3));

  if (x->varied) {
    if (cell->many == NULL) {
      cell->many = lanes_take(m);
    }
    memcpy(cell->many, x->many, m->count * sizeof(uint32_t));
    return;
  }
  if (cell->many != NULL) {
    lanes_give(m, cell->many);
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
void lanes_load(struct lanes *m, struct word *out, uint32_t address, unsigned bytes, bool sign) {
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
    lanes_put_word(m, address, x);
    return;
  }
  TWO_WORDS(new, old, x, (a & ~mask) | (b & mask));
  leak_examine(&m->test, LEAK_MEMORY, new, old);
  lanes_put_word(m, address, new);
}

void lanes_store(struct lanes *m, const struct word *x, uint32_t address, unsigned bytes) {
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
const struct word *lanes_operand(struct lanes *m, unsigned r) {
  if (r == PC) {
    set_one(&m->r[PC], m->pc + 4);
  }
  return &m->r[r];
}

/* An operand at an input of the arithmetic unit. */
const struct word *lanes_read_operand(struct lanes *m, unsigned r, unsigned input) {
  const struct word *x = lanes_operand(m, r);

  leak_examine(&m->test, input == 0 ? LEAK_OPERAND_1 : LEAK_OPERAND_2, x, &m->latch[input]);
  copy(m, &m->latch[input], x);
  return x;
}

/* Puts a result, which is lost, into a register. */
void lanes_set_register(struct lanes *m, unsigned r, struct word *x) {
  leak_examine(&m->test, LEAK_VALUE, x, &m->zero);
  leak_examine(&m->test, LEAK_REGISTER, x, &m->r[r]);
  swap(&m->r[r], x);
  if (r == PC) {
    m->pc = lanes_same(m, &m->r[PC], "a branch depends on the lane") & ~UINT32_C(1);
  }
}

bool lanes_holds(struct lanes *m, unsigned condition) {
  const char *otherwise = "a condition depends on the lane";
  const uint32_t result = lanes_same(m, &m->flag_result, otherwise);
  const bool negative = result >> 31 != 0;
  const bool zero = result == 0;
  const bool carry = lanes_same(m, &m->flag_carry, otherwise) != 0;
  const bool overflow = lanes_same(m, &m->flag_overflow, otherwise) != 0;
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
