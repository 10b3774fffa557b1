/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs instructions on all lanes at once. */
#include "lanes.h"

#include <stdlib.h>

#include "machine.h"

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

static void run_memory(struct lanes *m, const struct thumb *t) {
  const char *otherwise = "an address depends on the lane";
  const uint32_t base =
      lanes_same(m, lanes_operand(m, t->rn), otherwise) & (t->rn == PC ? ~3U : ~0U);
  const uint32_t offset = t->has_immediate
                              ? t->immediate
                              : lanes_same(m, lanes_operand(m, t->rm), otherwise) << t->shift_bits;
  const uint32_t address = t->indexed ? base + offset : base;
  const bool pair = t->size == 8;
  const unsigned bytes = pair ? 4 : t->size;

  if (t->operation == THUMB_LOAD) {
    lanes_load(m, &m->t[0], address, bytes, t->sign);
    if (pair) {
      lanes_load(m, &m->t[1], address + 4, 4, false);
      lanes_set_register(m, t->ra, &m->t[1]);
    }
  } else {
    copy(m, &m->t[0], lanes_operand(m, t->rd));
    lanes_store(m, &m->t[0], address, bytes);
    if (pair) {
      copy(m, &m->t[0], lanes_operand(m, t->ra));
      lanes_store(m, &m->t[0], address + 4, 4);
    }
  }
  if (t->operation == THUMB_STORE_EXCLUSIVE) {
    set_one(&m->t[1], 0);
    lanes_set_register(m, t->ra, &m->t[1]);
  }
  if (t->write_back) {
    set_one(&m->t[1], base + offset);
    lanes_set_register(m, t->rn, &m->t[1]);
  }
  if (t->operation == THUMB_LOAD) {
    lanes_set_register(m, t->rd, &m->t[0]);
  }
}

static void run_many(struct lanes *m, const struct thumb *t) {
  const uint32_t base = lanes_same(m, lanes_operand(m, t->rn), "an address depends on the lane");
  const uint32_t length = 4 * (uint32_t)__builtin_popcount(t->immediate);
  uint32_t address = t->down ? base - length : base;
  uint32_t target = 0;

  if (t->write_back) {
    set_one(&m->t[1], t->down ? base - length : base + length);
    lanes_set_register(m, t->rn, &m->t[1]);
  }
  for (unsigned r = 0; r < 16; r++) {
    if ((t->immediate >> r & 1) == 0) {
      continue;
    }
    if (t->operation == THUMB_LOAD_MANY) {
      lanes_load(m, &m->t[0], address, 4, false);
      if (r == PC) {
        target = lanes_same(m, &m->t[0], "a branch depends on the lane");
        m->pc = target & ~UINT32_C(1);
      } else {
        lanes_set_register(m, r, &m->t[0]);
      }
    } else {
      copy(m, &m->t[0], lanes_operand(m, r));
      lanes_store(m, &m->t[0], address, 4);
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
      x = lanes_same(m, lanes_operand(m, t->rm), otherwise);
      if (t->operation == THUMB_CALL_REGISTER) {
        set_one(&m->r[LR], next | 1);
      }
      m->pc = x & ~UINT32_C(1);
      return;
    case THUMB_BRANCH_ZERO:
      x = lanes_same(m, lanes_operand(m, t->rn), otherwise);
      m->pc = (x != 0) == t->sign ? t->immediate : next;
      return;
    default: /* a table of halves of distances */
      x = lanes_same(m, lanes_operand(m, t->rn), otherwise) +
          t->size * lanes_same(m, lanes_operand(m, t->rm), otherwise);
      lanes_load(m, &m->t[0], x, t->size, false);
      m->pc += 4 + 2 * lanes_same(m, &m->t[0], otherwise);
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
  if (condition != THUMB_ALWAYS && !lanes_holds(m, condition)) {
    m->pc += t->bytes;
    return;
  }
  if (t->operation >= THUMB_AND && t->operation <= THUMB_PACK) {
    lanes_run_data(m, t, flags);
  } else if (t->operation == THUMB_SHIFT) {
    lanes_run_shift(m, t, flags);
  } else if (t->operation >= THUMB_FIELD && t->operation <= THUMB_LEADING_ZEROS) {
    lanes_run_bits(m, t);
  } else if (t->operation == THUMB_ADD_BYTES || t->operation == THUMB_SELECT_BYTES) {
    lanes_run_bytes(m, t);
  } else if (t->operation == THUMB_DIVIDE) {
    lanes_run_divide(m, t);
  } else if (t->operation >= THUMB_MULTIPLY && t->operation <= THUMB_LONG_ADD_TWO) {
    lanes_run_product(m, t, flags);
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
    words[i]->many = lanes_take(m);
  }
  for (size_t i = 0; i < 16; i++) {
    m->r[i].many = lanes_take(m);
  }
  for (size_t i = 0; i < sizeof m->t / sizeof m->t[0]; i++) {
    m->t[i].many = lanes_take(m);
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
    struct cell *cell = lanes_cell_at(m, at);
    const unsigned shift = 8 * (at & 3);
    word.one = (cell->many == NULL ? cell->one : 0) & ~(UINT32_C(0xFF) << shift);
    word.one |= (uint32_t)bytes[i] << shift;
    lanes_put_word(m, at, &word);
  }
  return true;
}

bool lanes_write_each(struct lanes *m, uint32_t address, const uint8_t *bytes, size_t length) {
  if (address - RAM >= RAM_BYTES || length > RAM_BYTES - (address - RAM)) {
    return false;
  }
  for (size_t i = 0; i < length; i++) {
    const uint32_t at = address + (uint32_t)i;
    struct cell *cell = lanes_cell_at(m, at);
    if (cell->many == NULL) {
      cell->many = lanes_take(m);
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
    const struct cell *cell = lanes_cell_at(m, at);
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

/* Whether there is a recording, with no room left. */
static bool is_full(const struct leak_test *test) {
  const struct leak_options *options = test->options;

  return options != NULL && options->recorded != NULL &&
         test->report->recorded >= options->recorded_points;
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
  while (m->pc != (NEVER_RETURNS & ~UINT32_C(1)) && m->error == NULL && !is_full(&m->test)) {
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
