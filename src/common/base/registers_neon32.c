/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Erasing vector registers of 32-bit Arm. */
#include "base/isa.h"
#include "base/wipe.h"

#if defined(CODEKEM_HAVE_NEON32)
ISA_BEGIN_NEON32

/* q4 to q7 are the caller's. */
void ckem_wipe_registers_neon32(void) {
  __asm__ volatile(
      "vmov.i32 q0, #0\n\tvmov.i32 q1, #0\n\tvmov.i32 q2, #0\n\tvmov.i32 q3, #0\n\t"
      "vmov.i32 q8, #0\n\tvmov.i32 q9, #0\n\tvmov.i32 q10, #0\n\tvmov.i32 q11, #0\n\t"
      "vmov.i32 q12, #0\n\tvmov.i32 q13, #0\n\tvmov.i32 q14, #0\n\tvmov.i32 q15, #0"
      :
      :
      : "q0", "q1", "q2", "q3", "q8", "q9", "q10", "q11", "q12", "q13", "q14", "q15");
}

ISA_END
#endif
