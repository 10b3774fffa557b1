/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Gadgets of two shares on Armv7E-M. Share 1 is rotated by 16 to share 0 (masked/shares.h): what
 * needs both rotates one of them in the instruction itself, so that two shares of a value are never
 * in line in a register, at the same operand one after the other, or on the bus. Neither is a
 * product of one and its other factor. devices/measure_leakage.py looks at every transition.
 */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* One word of share 0: x + NOT y AND z, where the product with the other share's z comes first. It
 * is made in line with that share, and turned back by the addition. */
.macro chi_first x, y, z, at_z, at_x
  ldr r8, [r1, #200 + \at_z]
  bic r9, r8, \y, ror #16
  eor r9, \x, r9, ror #16
  bic r12, \z, \y
  eor r9, r9, r12
  .if \at_x == 0
  eor r9, r9, r2
  .endif
  str r9, [r0, #\at_x]
.endm

/* The same of share 1, without the NOT. */
.macro chi_second x, y, z, at_z, at_x
  ldr r8, [r1, #\at_z]
  and r9, \y, r8, ror #16
  eor r9, r9, \x
  and r12, \y, \z
  eor r9, r9, r12
  .if \at_x == 0
  eor r9, r9, r2, ror #16
  .endif
  str r9, [r0, #200 + \at_x]
.endm

.macro chi_row share, first
  ldr r3, [r1, #\first]
  ldr r4, [r1, #\first + 8]
  ldr r5, [r1, #\first + 16]
  ldr r6, [r1, #\first + 24]
  ldr r7, [r1, #\first + 32]
  chi_\share r3, r4, r5, 16, 0
  chi_\share r4, r5, r6, 24, 8
  chi_\share r5, r6, r7, 32, 16
  chi_\share r6, r7, r3, 0, 24
  chi_\share r7, r3, r4, 8, 32
.endm

/* void ckem_masked_chi_words_m4(uint32_t *out, const uint32_t *in, uint32_t fresh)
 * A word of each of the five lanes of a row, 8 bytes apart; share 1 is 200 bytes behind share 0. */
  .global ckem_masked_chi_words_m4
  .type ckem_masked_chi_words_m4, %function
ckem_masked_chi_words_m4:
  push {r4-r9}
  chi_row first, 0
  chi_row second, 200
  pop {r4-r9}
  bx lr
  .size ckem_masked_chi_words_m4, . - ckem_masked_chi_words_m4

/* sum += a row of four words at r2, where bit k of r12 is 1. */
.macro add_row k
  sbfx lr, r12, #\k, #1
  ldm r2!, {r8-r11}
  and r8, r8, lr
  and r9, r9, lr
  and r10, r10, lr
  and r11, r11, lr
  eor r4, r4, r8
  eor r5, r5, r9
  eor r6, r6, r10
  eor r7, r7, r11
.endm

/* void ckem_masked_add_rows_m4(uint32_t sum[4], const uint32_t *bits, const uint32_t *rows,
 *                              size_t count, unsigned turn)
 * Adds those of count rows of four words whose bit is 1. The bits are in words that are rotated to
 * the right by turn first. */
  .global ckem_masked_add_rows_m4
  .type ckem_masked_add_rows_m4, %function
ckem_masked_add_rows_m4:
  push {r0, r4-r11, lr}
  ldm r0, {r4-r7}
1:
  ldr r12, [r1], #4
  ldr r0, [sp, #40]
  ror r12, r12, r0
  mov r0, #32
  cmp r3, #32
  it lo
  movlo r0, r3
  sub r3, r3, r0
2:
  subs r0, r0, #8
  blo 3f
  add_row 0
  add_row 1
  add_row 2
  add_row 3
  add_row 4
  add_row 5
  add_row 6
  add_row 7
  lsr r12, r12, #8
  b 2b
3:
  adds r0, r0, #8
  beq 5f
4:
  add_row 0
  lsr r12, r12, #1
  subs r0, r0, #1
  bne 4b
5:
  cmp r3, #0
  bne 1b
  pop {r0}
  stm r0, {r4-r7}
  pop {r4-r11, pc}
  .size ckem_masked_add_rows_m4, . - ckem_masked_add_rows_m4

#endif
