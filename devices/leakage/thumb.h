/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Instructions of the Cortex-M4 as lanes.c runs them [ARMv7-M]. */
#ifndef THUMB_H
#define THUMB_H

#include <stdbool.h>
#include <stdint.h>

enum thumb_operation {
  THUMB_UNKNOWN,
  THUMB_NOTHING,
  /* rd = rn operation operand, where the operand is rm, shifted, or an immediate */
  THUMB_AND,
  THUMB_BIC,
  THUMB_OR,
  THUMB_OR_NOT,
  THUMB_XOR,
  THUMB_ADD,
  THUMB_ADD_CARRY,
  THUMB_SUBTRACT_CARRY,
  THUMB_SUBTRACT,
  THUMB_SUBTRACT_FROM,
  THUMB_MOVE,
  THUMB_NOT,
  THUMB_MOVE_TOP,
  THUMB_PACK,
  /* rd = rn shifted by the lowest byte of rm, by shift */
  THUMB_SHIFT,
  /* rd = bits of rn: field_low, field_bits */
  THUMB_FIELD,
  THUMB_SIGNED_FIELD,
  THUMB_INSERT,
  THUMB_EXTEND,
  THUMB_REVERSE_BYTES,
  THUMB_REVERSE_HALVES,
  THUMB_REVERSE_BITS,
  THUMB_LEADING_ZEROS,
  /* rd = sums of bytes, whose carries choose; rd = bytes of rn or rm */
  THUMB_ADD_BYTES,
  THUMB_SELECT_BYTES,
  THUMB_MULTIPLY,
  THUMB_MULTIPLY_ADD,
  THUMB_MULTIPLY_SUBTRACT,
  THUMB_DIVIDE,
  /* (rd, ra) = the low and the high word */
  THUMB_LONG,
  THUMB_LONG_SIGNED,
  THUMB_LONG_ADD,
  THUMB_LONG_SIGNED_ADD,
  THUMB_LONG_ADD_TWO,
  THUMB_LOAD,
  THUMB_STORE,
  THUMB_STORE_EXCLUSIVE, /* ra = 0 */
  THUMB_LOAD_MANY,
  THUMB_STORE_MANY,
  THUMB_BRANCH,
  THUMB_CALL,
  THUMB_BRANCH_REGISTER,
  THUMB_CALL_REGISTER,
  THUMB_BRANCH_ZERO,
  THUMB_TABLE,
  THUMB_IF,
};

enum thumb_shift { THUMB_LEFT, THUMB_RIGHT, THUMB_ARITHMETIC, THUMB_ROTATE };

enum { THUMB_ALWAYS = 14, THUMB_NONE = 16 };

struct thumb {
  uint8_t operation;
  uint8_t bytes; /* 2 or 4 */
  uint8_t rd, rn, rm, ra;
  uint8_t shift, shift_bits; /* of the operand; ROR by 0 is RRX */
  uint8_t condition;
  bool has_immediate;
  bool sets_flags;
  bool narrow;      /* sets them outside of IT only */
  bool no_result;   /* a comparison */
  bool needs_flags; /* somebody reads those it sets: thumb_decode does not say that */
  uint32_t immediate; /* operand, offset, target of a branch, registers of a list */
  /* Of memory: bytes of an access, 8 for two registers; whether the base is changed, and before. */
  uint8_t size;
  bool sign, indexed, write_back, down;
  uint8_t field_low, field_bits;
};

/* Decodes the instruction at an address from its halfwords; the second counts for some only. */
struct thumb thumb_decode(uint32_t address, uint16_t first, uint16_t second);

#endif
