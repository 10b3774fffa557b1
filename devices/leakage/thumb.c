/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decodes Thumb-2 [ARMv7-M, A5]: what compilers and the library use of it. */
#include "thumb.h"

#define BITS(x, high, low) ((uint32_t)(x) >> (low) & ((2U << ((high) - (low))) - 1))

static uint32_t sign_extended(uint32_t x, unsigned bits) {
  const uint32_t sign = UINT32_C(1) << (bits - 1);

  return (x ^ sign) - sign;
}

static uint32_t rotated_right(uint32_t x, unsigned n) {
  return n == 0 ? x : x >> n | x << (32 - n);
}

/* The 12 bits of a modified immediate [A5.3.2]. */
static uint32_t expanded(uint32_t bits) {
  const uint32_t byte = bits & 0xFF;

  switch (bits >> 8) {
    case 0:
      return byte;
    case 1:
      return byte << 16 | byte;
    case 2:
      return byte << 24 | byte << 8;
    case 3:
      return byte * 0x01010101U;
    default:
      return rotated_right(0x80 | (bits & 0x7F), bits >> 7);
  }
}

static void set_shift(struct thumb *t, unsigned type, unsigned bits) {
  t->shift = (uint8_t)type;
  t->shift_bits =
      (uint8_t)(bits == 0 && (type == THUMB_RIGHT || type == THUMB_ARITHMETIC) ? 32 : bits);
}

static void set_memory(struct thumb *t, bool load, unsigned size, unsigned rt, unsigned rn,
                       uint32_t offset) {
  t->operation = load ? THUMB_LOAD : THUMB_STORE;
  t->size = (uint8_t)size;
  t->rd = (uint8_t)rt;
  t->rn = (uint8_t)rn;
  t->has_immediate = true;
  t->immediate = offset;
  t->indexed = true;
}

/* Two-operand instructions on low registers. */
static void decode_low_registers(struct thumb *t, uint16_t h) {
  static const uint8_t operations[16] = {THUMB_AND,
                                         THUMB_XOR,
                                         THUMB_SHIFT,
                                         THUMB_SHIFT,
                                         THUMB_SHIFT,
                                         THUMB_ADD_CARRY,
                                         THUMB_SUBTRACT_CARRY,
                                         THUMB_SHIFT,
                                         THUMB_AND,
                                         THUMB_SUBTRACT_FROM,
                                         THUMB_SUBTRACT,
                                         THUMB_ADD,
                                         THUMB_OR,
                                         THUMB_MULTIPLY,
                                         THUMB_BIC,
                                         THUMB_NOT};
  static const uint8_t shifts[16] = {
      [2] = THUMB_LEFT, [3] = THUMB_RIGHT, [4] = THUMB_ARITHMETIC, [7] = THUMB_ROTATE};
  const unsigned op = BITS(h, 9, 6);

  t->operation = operations[op];
  t->rd = t->rn = (uint8_t)BITS(h, 2, 0);
  t->rm = (uint8_t)BITS(h, 5, 3);
  t->sets_flags = t->narrow = true;
  if (t->operation == THUMB_SHIFT) {
    t->shift = shifts[op];
  }
  if (op == 8 || op == 10 || op == 11) {
    t->no_result = true;
    t->narrow = false;
  }
  if (op == 9) {
    t->rn = t->rm;
    t->has_immediate = true;
  }
}

static void decode_high_registers(struct thumb *t, uint16_t h) {
  const uint8_t low = (uint8_t)(BITS(h, 2, 0) | BITS(h, 7, 7) << 3);

  t->rm = (uint8_t)BITS(h, 6, 3);
  switch (BITS(h, 9, 8)) {
    case 0:
      t->operation = THUMB_ADD;
      t->rd = t->rn = low;
      break;
    case 1:
      t->operation = THUMB_SUBTRACT;
      t->rn = low;
      t->sets_flags = t->no_result = true;
      break;
    case 2:
      t->operation = THUMB_MOVE;
      t->rd = low;
      break;
    default:
      t->operation = BITS(h, 7, 7) != 0 ? THUMB_CALL_REGISTER : THUMB_BRANCH_REGISTER;
  }
}

static void decode_miscellaneous(struct thumb *t, uint16_t h, uint32_t address) {
  if ((h & 0xFF00) == 0xB000) {
    t->operation = BITS(h, 7, 7) != 0 ? THUMB_SUBTRACT : THUMB_ADD;
    t->rd = t->rn = 13;
    t->has_immediate = true;
    t->immediate = 4 * BITS(h, 6, 0);
  } else if ((h & 0xF500) == 0xB100) {
    t->operation = THUMB_BRANCH_ZERO;
    t->rn = (uint8_t)BITS(h, 2, 0);
    t->sign = BITS(h, 11, 11) != 0; /* if not zero */
    t->immediate = address + 4 + (BITS(h, 9, 9) << 6 | BITS(h, 7, 3) << 1);
  } else if ((h & 0xFF00) == 0xB200) {
    t->operation = THUMB_EXTEND;
    t->rd = (uint8_t)BITS(h, 2, 0);
    t->rm = (uint8_t)BITS(h, 5, 3);
    t->field_bits = BITS(h, 6, 6) != 0 ? 8 : 16;
    t->sign = BITS(h, 7, 7) == 0;
  } else if ((h & 0xFE00) == 0xB400) {
    t->operation = THUMB_STORE_MANY;
    t->rn = 13;
    t->down = t->write_back = true;
    t->immediate = BITS(h, 7, 0) | BITS(h, 8, 8) << 14;
  } else if ((h & 0xFE00) == 0xBC00) {
    t->operation = THUMB_LOAD_MANY;
    t->rn = 13;
    t->write_back = true;
    t->immediate = BITS(h, 7, 0) | BITS(h, 8, 8) << 15;
  } else if ((h & 0xFF80) == 0xBA00) {
    t->operation = BITS(h, 6, 6) != 0 ? THUMB_REVERSE_HALVES : THUMB_REVERSE_BYTES;
    t->rd = (uint8_t)BITS(h, 2, 0);
    t->rm = (uint8_t)BITS(h, 5, 3);
  } else if ((h & 0xFF00) == 0xBF00) {
    t->operation = BITS(h, 3, 0) != 0 ? THUMB_IF : THUMB_NOTHING;
    t->immediate = BITS(h, 7, 0);
  } else if ((h & 0xFFE0) == 0xB660) {
    t->operation = THUMB_NOTHING; /* interrupts on and off */
  }
}

static void decode_narrow(struct thumb *t, uint16_t h, uint32_t address) {
  static const uint8_t sizes[8] = {4, 2, 1, 1, 4, 2, 1, 2};
  static const uint8_t immediates[4] = {THUMB_MOVE, THUMB_SUBTRACT, THUMB_ADD, THUMB_SUBTRACT};

  switch (h >> 12) {
    case 0:
    case 1:
      t->sets_flags = t->narrow = true;
      t->rd = (uint8_t)BITS(h, 2, 0);
      if (BITS(h, 12, 11) < 3) {
        t->operation = THUMB_MOVE;
        t->rm = (uint8_t)BITS(h, 5, 3);
        set_shift(t, BITS(h, 12, 11), BITS(h, 10, 6));
      } else {
        t->operation = BITS(h, 9, 9) != 0 ? THUMB_SUBTRACT : THUMB_ADD;
        t->rn = (uint8_t)BITS(h, 5, 3);
        t->has_immediate = BITS(h, 10, 10) != 0;
        t->immediate = BITS(h, 8, 6);
        t->rm = t->has_immediate ? THUMB_NONE : (uint8_t)BITS(h, 8, 6);
      }
      break;
    case 2:
    case 3:
      t->operation = immediates[BITS(h, 12, 11)];
      t->no_result = BITS(h, 12, 11) == 1;
      t->sets_flags = true;
      t->narrow = !t->no_result;
      t->rd = t->rn = (uint8_t)BITS(h, 10, 8);
      t->has_immediate = true;
      t->immediate = BITS(h, 7, 0);
      break;
    case 4:
      if (BITS(h, 11, 11) != 0) {
        set_memory(t, true, 4, BITS(h, 10, 8), 15, 4 * BITS(h, 7, 0));
      } else if (BITS(h, 10, 10) != 0) {
        decode_high_registers(t, h);
      } else {
        decode_low_registers(t, h);
      }
      break;
    case 5:
      set_memory(t, BITS(h, 11, 9) >= 3, sizes[BITS(h, 11, 9)], BITS(h, 2, 0), BITS(h, 5, 3), 0);
      t->has_immediate = false;
      t->rm = (uint8_t)BITS(h, 8, 6);
      t->sign = BITS(h, 11, 9) == 3 || BITS(h, 11, 9) == 7;
      break;
    case 6:
    case 7:
      set_memory(t, BITS(h, 11, 11) != 0, BITS(h, 12, 12) != 0 ? 1 : 4, BITS(h, 2, 0),
                 BITS(h, 5, 3), BITS(h, 10, 6) * (BITS(h, 12, 12) != 0 ? 1 : 4));
      break;
    case 8:
      set_memory(t, BITS(h, 11, 11) != 0, 2, BITS(h, 2, 0), BITS(h, 5, 3), 2 * BITS(h, 10, 6));
      break;
    case 9:
      set_memory(t, BITS(h, 11, 11) != 0, 4, BITS(h, 10, 8), 13, 4 * BITS(h, 7, 0));
      break;
    case 10:
      t->operation = THUMB_ADD;
      t->rd = (uint8_t)BITS(h, 10, 8);
      t->rn = BITS(h, 11, 11) != 0 ? 13 : 15;
      t->has_immediate = true;
      t->immediate = 4 * BITS(h, 7, 0);
      break;
    case 11:
      decode_miscellaneous(t, h, address);
      break;
    case 12:
      t->operation = BITS(h, 11, 11) != 0 ? THUMB_LOAD_MANY : THUMB_STORE_MANY;
      t->rn = (uint8_t)BITS(h, 10, 8);
      t->immediate = BITS(h, 7, 0);
      t->write_back = BITS(h, 11, 11) == 0 || (t->immediate >> t->rn & 1) == 0;
      break;
    case 13:
      if (BITS(h, 11, 8) < 14) {
        t->operation = THUMB_BRANCH;
        t->condition = (uint8_t)BITS(h, 11, 8);
        t->immediate = address + 4 + sign_extended(2 * BITS(h, 7, 0), 9);
      }
      break;
    default:
      t->operation = THUMB_BRANCH;
      t->immediate = address + 4 + sign_extended(2 * BITS(h, 10, 0), 12);
  }
}

/* Operations of wide instructions on data, in bits 8 to 5. */
static void decode_wide_operation(struct thumb *t, uint16_t a, uint16_t b) {
  static const uint8_t operations[16] = {
      [0] = THUMB_AND,       [1] = THUMB_BIC,           [2] = THUMB_OR,
      [3] = THUMB_OR_NOT,    [4] = THUMB_XOR,           [6] = THUMB_PACK,
      [8] = THUMB_ADD,       [10] = THUMB_ADD_CARRY,    [11] = THUMB_SUBTRACT_CARRY,
      [13] = THUMB_SUBTRACT, [14] = THUMB_SUBTRACT_FROM};

  t->operation = operations[BITS(a, 8, 5)];
  t->sets_flags = BITS(a, 4, 4) != 0;
  t->rn = (uint8_t)BITS(a, 3, 0);
  t->rd = (uint8_t)BITS(b, 11, 8);
  t->no_result = t->rd == 15 && t->sets_flags;
  if (t->rn == 15 && t->operation == THUMB_OR) {
    t->operation = THUMB_MOVE;
  } else if (t->rn == 15 && t->operation == THUMB_OR_NOT) {
    t->operation = THUMB_NOT;
  }
  if (t->operation == THUMB_PACK) {
    t->sets_flags = t->no_result = false;
  }
}

static void decode_wide_immediate(struct thumb *t, uint16_t a, uint16_t b) {
  const uint32_t bits = BITS(a, 10, 10) << 11 | BITS(b, 14, 12) << 8 | BITS(b, 7, 0);

  t->has_immediate = true;
  if (BITS(a, 9, 9) == 0) {
    decode_wide_operation(t, a, b);
    t->immediate = expanded(bits);
    return;
  }
  t->rd = (uint8_t)BITS(b, 11, 8);
  t->rn = (uint8_t)BITS(a, 3, 0);
  t->field_low = (uint8_t)(BITS(b, 14, 12) << 2 | BITS(b, 7, 6));
  t->immediate = bits;
  switch (BITS(a, 8, 4)) {
    case 0x00:
      t->operation = THUMB_ADD;
      break;
    case 0x0A:
      t->operation = THUMB_SUBTRACT;
      break;
    case 0x04:
      t->operation = THUMB_MOVE;
      t->immediate = BITS(a, 3, 0) << 12 | bits;
      break;
    case 0x0C:
      t->operation = THUMB_MOVE_TOP;
      t->immediate = BITS(a, 3, 0) << 12 | bits;
      break;
    case 0x14:
    case 0x1C:
      t->operation = BITS(a, 8, 4) == 0x14 ? THUMB_SIGNED_FIELD : THUMB_FIELD;
      t->field_bits = (uint8_t)(BITS(b, 4, 0) + 1);
      break;
    case 0x16:
      t->operation = THUMB_INSERT;
      t->field_bits = (uint8_t)(BITS(b, 4, 0) + 1 - t->field_low);
      break;
    default:
      break;
  }
}

static void decode_wide_branch(struct thumb *t, uint16_t a, uint16_t b, uint32_t address) {
  const uint32_t sign = BITS(a, 10, 10);
  const uint32_t j1 = BITS(b, 13, 13);
  const uint32_t j2 = BITS(b, 11, 11);

  if ((b & 0x5000) == 0) {
    if (BITS(a, 9, 6) >= 14) {
      t->operation = (a & 0xFFE0) == 0xF380 || (a & 0xFFE0) == 0xF3A0
                         ? THUMB_NOTHING
                         : THUMB_UNKNOWN; /* barriers */
      return;
    }
    t->operation = THUMB_BRANCH;
    t->condition = (uint8_t)BITS(a, 9, 6);
    t->immediate = sign << 20 | j2 << 19 | j1 << 18 | BITS(a, 5, 0) << 12 | BITS(b, 10, 0) << 1;
    t->immediate = address + 4 + sign_extended(t->immediate, 21);
    return;
  }
  t->operation = (b & 0x4000) != 0 ? THUMB_CALL : THUMB_BRANCH;
  t->immediate = sign << 24 | (1 ^ j1 ^ sign) << 23 | (1 ^ j2 ^ sign) << 22 | BITS(a, 9, 0) << 12 |
                 BITS(b, 10, 0) << 1;
  t->immediate = address + 4 + sign_extended(t->immediate, 25);
}

static void decode_wide_memory(struct thumb *t, uint16_t a, uint16_t b) {
  const unsigned size = 1U << BITS(a, 6, 5);
  const bool load = BITS(a, 4, 4) != 0;
  const unsigned rn = BITS(a, 3, 0);

  if (size == 8) {
    return;
  }
  set_memory(t, load, size, BITS(b, 15, 12), rn, BITS(b, 11, 0));
  t->sign = BITS(a, 8, 8) != 0;
  if (BITS(a, 7, 7) != 0 || rn == 15) {
    t->immediate = BITS(a, 7, 7) != 0 ? t->immediate : 0 - t->immediate;
  } else if (BITS(b, 11, 11) != 0) {
    t->immediate = BITS(b, 9, 9) != 0 ? BITS(b, 7, 0) : 0 - BITS(b, 7, 0);
    t->indexed = BITS(b, 10, 10) != 0;
    t->write_back = BITS(b, 8, 8) != 0;
  } else {
    t->has_immediate = false;
    t->rm = (uint8_t)BITS(b, 3, 0);
    set_shift(t, THUMB_LEFT, BITS(b, 5, 4));
  }
  if (load && size < 4 && t->rd == 15) {
    t->operation = THUMB_NOTHING; /* a hint to the cache */
  }
}

static void decode_pair_or_table(struct thumb *t, uint16_t a, uint16_t b) {
  if ((a & 0xFFF0) == 0xE8D0 && (b & 0xFFE0) == 0xF000) {
    t->operation = THUMB_TABLE;
    t->rn = (uint8_t)BITS(a, 3, 0);
    t->rm = (uint8_t)BITS(b, 3, 0);
    t->size = BITS(b, 4, 4) != 0 ? 2 : 1;
  } else if ((a & 0xFFE0) == 0xE840) {
    set_memory(t, BITS(a, 4, 4) != 0, 4, BITS(b, 15, 12), BITS(a, 3, 0), 4 * BITS(b, 7, 0));
    if (t->operation == THUMB_STORE) {
      t->operation = THUMB_STORE_EXCLUSIVE;
      t->ra = (uint8_t)BITS(b, 11, 8);
    }
  } else if ((a & 0x0120) != 0) {
    set_memory(t, BITS(a, 4, 4) != 0, 8, BITS(b, 15, 12), BITS(a, 3, 0), 4 * BITS(b, 7, 0));
    t->ra = (uint8_t)BITS(b, 11, 8);
    t->immediate = BITS(a, 7, 7) != 0 ? t->immediate : 0 - t->immediate;
    t->indexed = BITS(a, 8, 8) != 0;
    t->write_back = BITS(a, 5, 5) != 0;
  }
}

static void decode_wide_register(struct thumb *t, uint16_t a, uint16_t b) {
  static const uint8_t reversals[4] = {THUMB_REVERSE_BYTES, THUMB_REVERSE_HALVES,
                                       THUMB_REVERSE_BITS, THUMB_UNKNOWN};
  static const struct {
    uint8_t bits;
    bool sign;
  } extensions[6] = {{16, true}, {16, false}, {0, false}, {0, false}, {8, true}, {8, false}};
  const unsigned op1 = BITS(a, 7, 4);
  const unsigned op2 = BITS(b, 7, 4);

  t->rn = (uint8_t)BITS(a, 3, 0);
  t->rm = (uint8_t)BITS(b, 3, 0);
  t->rd = (uint8_t)BITS(b, 11, 8);
  if (op1 < 8 && op2 == 0) {
    t->operation = THUMB_SHIFT;
    t->shift = (uint8_t)(op1 >> 1);
    t->sets_flags = (op1 & 1) != 0;
  } else if (op1 < 6 && op2 >= 8 && extensions[op1].bits != 0) {
    t->operation = THUMB_EXTEND;
    t->field_bits = extensions[op1].bits;
    t->sign = extensions[op1].sign;
    set_shift(t, THUMB_ROTATE, 8 * BITS(b, 5, 4));
    t->rn = t->rn == 15 ? THUMB_NONE : t->rn;
  } else if (op1 == 9 && op2 >= 8 && op2 < 12) {
    t->operation = reversals[op2 - 8];
    t->rn = THUMB_NONE;
  } else if ((op1 == 8 && op2 == 4) || (op1 == 10 && op2 == 8)) {
    t->operation = op1 == 8 ? THUMB_ADD_BYTES : THUMB_SELECT_BYTES;
  } else if (op1 == 11 && op2 == 8) {
    t->operation = THUMB_LEADING_ZEROS;
    t->rn = THUMB_NONE;
  }
}

static void decode_product(struct thumb *t, uint16_t a, uint16_t b) {
  static const uint8_t operations[8] = {THUMB_LONG_SIGNED, THUMB_UNKNOWN,         THUMB_LONG,
                                        THUMB_DIVIDE,      THUMB_LONG_SIGNED_ADD, THUMB_UNKNOWN,
                                        THUMB_LONG_ADD,    THUMB_UNKNOWN};
  const unsigned op1 = BITS(a, 6, 4);
  const unsigned op2 = BITS(b, 7, 4);

  t->rn = (uint8_t)BITS(a, 3, 0);
  t->rm = (uint8_t)BITS(b, 3, 0);
  t->rd = (uint8_t)BITS(b, 11, 8);
  t->ra = (uint8_t)BITS(b, 15, 12);
  if (BITS(a, 7, 7) == 0) {
    if (op1 == 0 && op2 < 2) {
      t->operation = op2 == 1      ? THUMB_MULTIPLY_SUBTRACT
                     : t->ra == 15 ? THUMB_MULTIPLY
                                   : THUMB_MULTIPLY_ADD;
    }
    return;
  }
  t->operation = op1 == 6 && op2 == 6 ? THUMB_LONG_ADD_TWO : operations[op1];
  if (t->operation != THUMB_DIVIDE) { /* rd the low word, ra the high one */
    const uint8_t high = t->rd;
    t->rd = t->ra;
    t->ra = high;
  }
}

struct thumb thumb_decode(uint32_t address, uint16_t a, uint16_t b) {
  struct thumb t = {.bytes = 2,
                    .rd = THUMB_NONE,
                    .rn = THUMB_NONE,
                    .rm = THUMB_NONE,
                    .ra = THUMB_NONE,
                    .condition = THUMB_ALWAYS};

  if (a >> 11 < 0x1D) {
    decode_narrow(&t, a, address);
    return t;
  }
  t.bytes = 4;
  if ((a & 0xFE40) == 0xE800) {
    t.operation = BITS(a, 4, 4) != 0 ? THUMB_LOAD_MANY : THUMB_STORE_MANY;
    t.rn = (uint8_t)BITS(a, 3, 0);
    t.down = BITS(a, 8, 8) != 0;
    t.write_back = BITS(a, 5, 5) != 0;
    t.immediate = b;
  } else if ((a & 0xFE40) == 0xE840) {
    decode_pair_or_table(&t, a, b);
  } else if ((a & 0xFE00) == 0xEA00) {
    decode_wide_operation(&t, a, b);
    t.rm = (uint8_t)BITS(b, 3, 0);
    set_shift(&t, BITS(b, 5, 4), BITS(b, 14, 12) << 2 | BITS(b, 7, 6));
  } else if ((a & 0xF800) == 0xF000) {
    if ((b & 0x8000) != 0) {
      decode_wide_branch(&t, a, b, address);
    } else {
      decode_wide_immediate(&t, a, b);
    }
  } else if ((a & 0xFE00) == 0xF800) {
    decode_wide_memory(&t, a, b);
  } else if ((a & 0xFF00) == 0xFA00) {
    decode_wide_register(&t, a, b);
  } else if ((a & 0xFF00) == 0xFB00) {
    decode_product(&t, a, b);
  }
  return t;
}
