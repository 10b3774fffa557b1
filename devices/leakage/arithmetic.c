/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Instructions on data, on all lanes at once. */
#include "machine.h"

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
  const uint32_t *a = varied ? lanes_spread(m, x) : x->many;
  const uint32_t *b = varied ? lanes_spread(m, y) : y->many;
  const uint32_t *c = varied ? lanes_spread(m, sum) : sum->many;
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
void lanes_run_data(struct lanes *m, const struct thumb *t, bool flags) {
  struct word *second = &m->t[0];
  struct word *first = &m->t[1];
  struct word *result = &m->t[2];
  struct word *carry = flags ? &m->flag_carry : NULL;
  const bool has_first =
      t->operation != THUMB_MOVE && t->operation != THUMB_NOT && t->rn != THUMB_NONE;
  const bool sum = t->operation >= THUMB_ADD && t->operation <= THUMB_SUBTRACT_FROM;
  const bool top = t->operation == THUMB_MOVE_TOP;

  if (has_first && !top) {
    copy(m, first, lanes_read_operand(m, t->rn, 0));
    if (t->rn == PC) {
      first->one &= ~UINT32_C(3);
    }
  }
  if (t->has_immediate) {
    set_one(second, t->immediate);
  } else {
    const struct word *x = lanes_read_operand(m, t->rm, 1);
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
      copy(m, first, lanes_operand(m, t->rd));
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
    lanes_set_register(m, t->rd, result);
  }
}

/* rd = rn shifted by a register. */
void lanes_run_shift(struct lanes *m, const struct thumb *t, bool flags) {
  struct word *result = &m->t[2];
  const struct word *x = lanes_read_operand(m, t->rn, 0);
  const uint32_t bits =
      lanes_same(m, lanes_read_operand(m, t->rm, 1), "a shift depends on the lane") & 0xFF;

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
  lanes_set_register(m, t->rd, result);
}

static uint32_t reversed_bits(uint32_t a) {
  a = (a >> 1 & 0x55555555U) | (a & 0x55555555U) << 1;
  a = (a >> 2 & 0x33333333U) | (a & 0x33333333U) << 2;
  a = (a >> 4 & 0x0F0F0F0FU) | (a & 0x0F0F0F0FU) << 4;
  return __builtin_bswap32(a);
}

void lanes_run_bits(struct lanes *m, const struct thumb *t) {
  struct word *result = &m->t[2];
  struct word *turned = &m->t[0];
  const unsigned low = t->field_low;
  const uint32_t ones = t->field_bits == 32 ? UINT32_MAX : (UINT32_C(1) << t->field_bits) - 1;
  const uint32_t top = t->sign || t->operation == THUMB_SIGNED_FIELD ? (ones >> 1) + 1 : 0;
  const struct word *x;

  switch (t->operation) {
    case THUMB_FIELD:
    case THUMB_SIGNED_FIELD:
      x = lanes_read_operand(m, t->rn, 0);
      ONE_WORD(result, x, ((a >> low & ones) ^ top) - top);
      break;
    case THUMB_INSERT:
      copy(m, turned, lanes_operand(m, t->rd));
      if (t->rn == PC) { /* clears */
        ONE_WORD(result, turned, a & ~(ones << low));
      } else {
        x = lanes_read_operand(m, t->rn, 0);
        TWO_WORDS(result, turned, x, (a & ~(ones << low)) | (b & ones) << low);
      }
      break;
    case THUMB_EXTEND:
      x = lanes_read_operand(m, t->rm, 1);
      ONE_WORD(turned, x, a >> t->shift_bits | a << ((32 - t->shift_bits) & 31));
      ONE_WORD(result, turned, ((a & ones) ^ top) - top);
      if (t->rn != THUMB_NONE) {
        x = lanes_read_operand(m, t->rn, 0);
        copy(m, turned, result);
        TWO_WORDS(result, turned, x, a + b);
      }
      break;
    case THUMB_REVERSE_BYTES:
      x = lanes_read_operand(m, t->rm, 1);
      ONE_WORD(result, x, __builtin_bswap32(a));
      break;
    case THUMB_REVERSE_HALVES:
      x = lanes_read_operand(m, t->rm, 1);
      ONE_WORD(result, x, (a & 0xFF00FF00U) >> 8 | (a & 0x00FF00FFU) << 8);
      break;
    case THUMB_REVERSE_BITS:
      x = lanes_read_operand(m, t->rm, 1);
      ONE_WORD(result, x, reversed_bits(a));
      break;
    default:
      x = lanes_read_operand(m, t->rm, 1);
      ONE_WORD(result, x, a == 0 ? 32 : (uint32_t)__builtin_clz(a));
  }
  lanes_set_register(m, t->rd, result);
}

void lanes_run_product(struct lanes *m, const struct thumb *t, bool flags) {
  struct word *first = &m->t[0];
  struct word *second = &m->t[1];
  struct word *low = &m->t[2];
  struct word *high = &m->t[3];
  const bool signs = t->operation == THUMB_LONG_SIGNED || t->operation == THUMB_LONG_SIGNED_ADD;

  copy(m, first, lanes_read_operand(m, t->rn, 0));
  copy(m, second, lanes_read_operand(m, t->rm, 1));
  if (t->operation <= THUMB_MULTIPLY_SUBTRACT) {
    TWO_WORDS(low, first, second, a * b);
    if (t->operation == THUMB_MULTIPLY_ADD) {
      copy(m, first, low);
      TWO_WORDS(low, first, lanes_operand(m, t->ra), b + a);
    } else if (t->operation == THUMB_MULTIPLY_SUBTRACT) {
      copy(m, first, low);
      TWO_WORDS(low, first, lanes_operand(m, t->ra), b - a);
    }
    if (flags) {
      copy(m, &m->flag_result, low);
    }
    lanes_set_register(m, t->rd, low);
    return;
  }
  copy(m, low, lanes_operand(m, t->rd));
  copy(m, high, lanes_operand(m, t->ra));
  const bool adds = t->operation == THUMB_LONG_ADD || t->operation == THUMB_LONG_SIGNED_ADD;
  const bool two = t->operation == THUMB_LONG_ADD_TWO;
  const bool varied =
      first->varied || second->varied || ((adds || two) && (low->varied || high->varied));
  const size_t count = varied ? m->count : 1;
  if (varied) {
    lanes_spread(m, first);
    lanes_spread(m, second);
    lanes_spread(m, low);
    lanes_spread(m, high);
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
  lanes_set_register(m, t->rd, low);
  lanes_set_register(m, t->ra, kept);
}

/* Compilers' functions on strings use these; no secret meets them. */
void lanes_run_bytes(struct lanes *m, const struct thumb *t) {
  const char *otherwise = "a sum of bytes depends on the lane";
  const uint32_t a = lanes_same(m, lanes_operand(m, t->rn), otherwise);
  const uint32_t b = lanes_same(m, lanes_operand(m, t->rm), otherwise);

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
  lanes_set_register(m, t->rd, &m->t[2]);
}

void lanes_run_divide(struct lanes *m, const struct thumb *t) {
  const uint32_t a = lanes_same(m, lanes_operand(m, t->rn), "a division depends on the lane");
  const uint32_t b = lanes_same(m, lanes_operand(m, t->rm), "a division depends on the lane");

  set_one(&m->t[2], b == 0 ? 0 : a / b);
  lanes_set_register(m, t->rd, &m->t[2]);
}
