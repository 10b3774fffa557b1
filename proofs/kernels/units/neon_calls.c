/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Calls functions with operands from standard input, for test_intrinsics_arm.py. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gf2x/neon/gf2x_neon.h"

enum { VECTOR = 64, OPERANDS = 5 };

struct request {
  uint32_t function;
  uint64_t operands[OPERANDS][VECTOR / 8];
};

typedef void function(uint64_t *out, uint64_t operands[OPERANDS][VECTOR / 8]);

extern function *const functions[];

/* Those that are assembly in the library. */
function pmull, pmull_square, pmull2, pmull2_square;

ISA_BEGIN_NEON

void pmull(uint64_t *out, uint64_t operands[OPERANDS][VECTOR / 8]) {
  vst1q_u64(out, multiply_low(vld1q_u64(operands[0]), vld1q_u64(operands[1])));
}

void pmull_square(uint64_t *out, uint64_t operands[OPERANDS][VECTOR / 8]) {
  vst1q_u64(out, square_low(vld1q_u64(operands[0])));
}

void pmull2(uint64_t *out, uint64_t operands[OPERANDS][VECTOR / 8]) {
  vst1q_u64(out, multiply_high(vld1q_u64(operands[0]), vld1q_u64(operands[1])));
}

void pmull2_square(uint64_t *out, uint64_t operands[OPERANDS][VECTOR / 8]) {
  vst1q_u64(out, square_high(vld1q_u64(operands[0])));
}

ISA_END

int main(void) {
  struct request request;
  uint64_t out[VECTOR / 8];

  while (fread(&request.function, sizeof request.function, 1, stdin) == 1 &&
         fread(request.operands, sizeof request.operands, 1, stdin) == 1) {
    memset(out, 0, sizeof out);
    functions[request.function](out, request.operands);
    fwrite(out, sizeof out, 1, stdout);
  }
  return ferror(stdin) != 0 || fflush(stdout) != 0;
}
