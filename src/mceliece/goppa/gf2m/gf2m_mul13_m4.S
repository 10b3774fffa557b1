/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products of 32 elements of GF(2^13) on Armv7E-M (gf2m_m4.h), modulo z^13 + z^4 + z^3 + z + 1.
 *
 * Operands are cut into seven and six words, for three products by Karatsuba's method: L of the
 * lower parts, H of the upper ones, M of the sums. A product goes down the columns: six sums are in
 * registers, and the lowest leaves in each step. The modulus is (z + 1)(z^3 + 1) + z^13, so what is
 * above is multiplied by z + 1, then added twice.
 *
 * No branch and no address depends on the operands.
 */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* The stack: L, H and M, the sum of a's parts, its upper and its
 * lower part, the same of b. */
#define L 0
#define H 52
#define M 96
#define AS 124
#define A1 152
#define A0 176
#define BS 204
#define B1 232
#define B0 256
#define PARTS 124
#define POINTERS 284

/* c0 to c5 += r0 to r5 times the word at sp + off; c0 goes to sp + out. Then c0 is the seventh word
 * of a, at sp + last, times that word. */
.macro step7 c0, c1, c2, c3, c4, c5, off, out, last
  ldr r12, [sp, #\off]
  and lr, r0, r12
  eor \c0, \c0, lr
  and lr, r1, r12
  eor \c1, \c1, lr
  and lr, r2, r12
  eor \c2, \c2, lr
  and lr, r3, r12
  eor \c3, \c3, lr
  and lr, r4, r12
  eor \c4, \c4, lr
  and lr, r5, r12
  eor \c5, \c5, lr
  str \c0, [sp, #\out]
  ldr \c0, [sp, #\last]
  and \c0, \c0, r12
.endm

/* The product of seven words, six of them in r0 to r5 and one at sp + last, and those at sp + off.
 * The lower seven words go to sp + out, the upper six to r6 to r11. */
.macro product7 off, out, last
  ldr r12, [sp, #\off]
  and lr, r0, r12
  and r6, r1, r12
  and r7, r2, r12
  and r8, r3, r12
  and r9, r4, r12
  and r10, r5, r12
  str lr, [sp, #\out]
  ldr r11, [sp, #\last]
  and r11, r11, r12
  step7 r6, r7, r8, r9, r10, r11, \off + 4, \out + 4, \last
  step7 r7, r8, r9, r10, r11, r6, \off + 8, \out + 8, \last
  step7 r8, r9, r10, r11, r6, r7, \off + 12, \out + 12, \last
  step7 r9, r10, r11, r6, r7, r8, \off + 16, \out + 16, \last
  step7 r10, r11, r6, r7, r8, r9, \off + 20, \out + 20, \last
  step7 r11, r6, r7, r8, r9, r10, \off + 24, \out + 24, \last
.endm

/* The same for six words. */
.macro step6 c0, c1, c2, c3, c4, c5, off, out
  ldr r12, [sp, #\off]
  and lr, r0, r12
  eor \c0, \c0, lr
  and lr, r1, r12
  eor \c1, \c1, lr
  and lr, r2, r12
  eor \c2, \c2, lr
  and lr, r3, r12
  eor \c3, \c3, lr
  and lr, r4, r12
  eor \c4, \c4, lr
  and \c5, r5, r12
  .ifge \out
  str \c0, [sp, #\out]
  .endif
.endm

/* The product of r0 to r5 and six words at sp + off: the lower five words go to sp + out, the upper
 * six to r6 to r11. */
.macro product6 off, out
  ldr r12, [sp, #\off]
  and lr, r0, r12
  and r8, r1, r12
  and r9, r2, r12
  and r10, r3, r12
  and r11, r4, r12
  and r6, r5, r12
  str lr, [sp, #\out]
  step6 r8, r9, r10, r11, r6, r7, \off + 4, \out + 4
  step6 r9, r10, r11, r6, r7, r8, \off + 8, \out + 8
  step6 r10, r11, r6, r7, r8, r9, \off + 12, \out + 12
  step6 r11, r6, r7, r8, r9, r10, \off + 16, \out + 16
  step6 r6, r7, r8, r9, r10, r11, \off + 20, -1
.endm

/* Adds r0 to r5 to r6 to r11. */
.macro add_six
  eor r6, r6, r0
  eor r7, r7, r1
  eor r8, r8, r2
  eor r9, r9, r3
  eor r10, r10, r4
  eor r11, r11, r5
.endm

/* L, H and M; M's upper six words stay in r6 to r11. */
.macro three_products
  add r12, sp, #A0
  ldm r12, {r0-r5}
  product7 B0, L, A0 + 24
  add r12, sp, #L + 28
  stm r12, {r6-r11}
  add r12, sp, #A1
  ldm r12, {r0-r5}
  product6 B1, H
  add r12, sp, #H + 20
  stm r12, {r6-r11}
  add r12, sp, #AS
  ldm r12, {r0-r5}
  product7 BS, M, AS + 24
.endm

/* From M's upper words in r6 to r11 to the twelve words above z^12, in r5 to r11 and r0 to r4. */
.macro join_upper
  add r12, sp, #L + 28
  ldm r12, {r0-r5}
  add_six
  add r12, sp, #H + 28
  ldm r12, {r0-r3}
  eor r6, r6, r0
  eor r7, r7, r1
  eor r8, r8, r2
  eor r9, r9, r3
  add r12, sp, #H
  ldm r12, {r0-r5}
  add_six
  add r12, sp, #H + 24
  ldm r12, {r0-r4}
  ldr r5, [sp, #M + 24]
  ldr r12, [sp, #L + 24]
  eor r5, r5, r0
  eor r5, r5, r12
.endm

/* What they are modulo the field's polynomial but for the last addition: thirteen words to add,
 * and three places higher, in r5 to r11, r0 to r4 and r12. */
.macro multiply_upper
  mov r12, r4
  eor r4, r4, r3
  eor r3, r3, r2
  eor r2, r2, r1
  eor r1, r1, r0
  eor r0, r0, r11
  eor r11, r11, r10
  eor r10, r10, r9
  eor r9, r9, r8
  eor r8, r8, r7
  eor r7, r7, r6
  eor r6, r6, r5
  eor r5, r5, r3
  eor r6, r6, r3
  eor r6, r6, r4
  eor r7, r7, r4
  eor r7, r7, r12
  eor r8, r8, r12
.endm

/* Adds L's word 7 + i and word i of L + H + M, and another register. */
.macro add_middle c, other, i
  eor \c, \c, \other
  ldr lr, [sp, #L + 28 + 4 * \i]
  eor \c, \c, lr
  ldr lr, [sp, #L + 4 * \i]
  eor \c, \c, lr
  ldr lr, [sp, #H + 4 * \i]
  eor \c, \c, lr
  ldr lr, [sp, #M + 4 * \i]
  eor \c, \c, lr
.endm

.macro add_lower c, i
  ldr lr, [sp, #L + 4 * \i]
  eor \c, \c, lr
.endm

/* The product in r5 to r11, r0 to r4, r12. */
.macro reduced
  three_products
  join_upper
  multiply_upper
  add_middle r12, r2, 5
  add_middle r4, r1, 4
  add_middle r3, r0, 3
  add_middle r2, r11, 2
  add_middle r1, r10, 1
  add_middle r0, r9, 0
  eor r11, r11, r8
  add_lower r11, 6
  eor r10, r10, r7
  add_lower r10, 5
  eor r9, r9, r6
  add_lower r9, 4
  eor r8, r8, r5
  add_lower r8, 3
  add_lower r7, 2
  add_lower r6, 1
  add_lower r5, 0
.endm

/* Puts r3 to r9 on the stack, the six registers of the upper part, and the sum. */
.macro push_parts
  push {r3-r9}
  push {r0, r2, r10-r12, lr}
  eor r3, r3, r0
  eor r4, r4, r2
  eor r5, r5, r10
  eor r6, r6, r11
  eor r7, r7, r12
  eor r8, r8, lr
  push {r3-r9}
.endm

.macro push_b
  ldm r2!, {r3-r9}
  ldm r2, {r0, r2, r10-r12, lr}
  push_parts
.endm

.macro push_a
  ldm r1!, {r3-r9}
  ldm r1, {r0, r2, r10-r12, lr}
  push_parts
.endm

/* Puts both operands on the stack, a from r1 and b from r2 on, and makes room for L, H and M. */
.macro push_operands
  push_b
  push_a
  sub sp, sp, #PARTS
.endm

/* Writes the product to lr. */
.macro store_to_lr
  stm lr!, {r5-r11}
  stm lr!, {r0-r4}
  str r12, [lr]
.endm

/* void ckem_gf2m_multiply_13_m4(uint32_t *out, const uint32_t *a, const uint32_t *b) */
  .global ckem_gf2m_multiply_13_m4
  .type ckem_gf2m_multiply_13_m4, %function
  .thumb_func
ckem_gf2m_multiply_13_m4:
  push {r0, r4-r11, lr}
  push_operands
  reduced
  ldr lr, [sp, #POINTERS]
  store_to_lr
  add sp, sp, #POINTERS + 4
  pop {r4-r11, pc}
  .size ckem_gf2m_multiply_13_m4, . - ckem_gf2m_multiply_13_m4

/* Adds six words, and then the product's, at sp + off, to those at lr. Pointers move on. */
.macro add_six_to_lr off
  add r12, sp, #\off
  ldm r12, {r0-r5}
  ldm lr, {r6-r11}
  add_six
  stm lr!, {r6-r11}
.endm

/* void ckem_gf2m_multiply_add_13_m4(uint32_t *sum, const uint32_t *a, const uint32_t *b) */
  .global ckem_gf2m_multiply_add_13_m4
  .type ckem_gf2m_multiply_add_13_m4, %function
  .thumb_func
ckem_gf2m_multiply_add_13_m4:
  push {r0, r4-r11, lr}
  push_operands
  reduced
  add lr, sp, #L
  store_to_lr
  ldr lr, [sp, #POINTERS]
  add_six_to_lr L
  add_six_to_lr L + 24
  ldr r0, [sp, #L + 48]
  ldr r1, [lr]
  eor r1, r1, r0
  str r1, [lr]
  add sp, sp, #POINTERS + 4
  pop {r4-r11, pc}
  .size ckem_gf2m_multiply_add_13_m4, . - ckem_gf2m_multiply_add_13_m4

/* Adds six words of the product, at sp + off, to those at lr, and these to those at r12. */
.macro butterfly_six off
  add r10, sp, #\off
  ldm r10, {r0-r5}
  ldm lr, {r6-r11}
  add_six
  stm lr!, {r6-r11}
  ldm r12, {r0-r5}
  add_six
  stm r12!, {r6-r11}
.endm

/* void ckem_gf2m_butterfly_13_m4(uint32_t *u, uint32_t *v, const uint32_t *gamma)
 * u += gamma v, then v += u. */
  .global ckem_gf2m_butterfly_13_m4
  .type ckem_gf2m_butterfly_13_m4, %function
  .thumb_func
ckem_gf2m_butterfly_13_m4:
  push {r0, r1, r4-r11, lr}
  push_operands
  reduced
  add lr, sp, #L
  store_to_lr
  ldr lr, [sp, #POINTERS]
  ldr r12, [sp, #POINTERS + 4]
  butterfly_six L
  butterfly_six L + 24
  ldr r0, [sp, #L + 48]
  ldr r1, [lr]
  ldr r2, [r12]
  eor r1, r1, r0
  eor r2, r2, r1
  str r1, [lr]
  str r2, [r12]
  add sp, sp, #POINTERS + 8
  pop {r4-r11, pc}
  .size ckem_gf2m_butterfly_13_m4, . - ckem_gf2m_butterfly_13_m4

/* Adds six words at r1 to those at r0; both pointers move on. */
.macro add_words
  ldm r0, {r2-r7}
  ldm r1!, {r8-r12, lr}
  eor r2, r2, r8
  eor r3, r3, r9
  eor r4, r4, r10
  eor r5, r5, r11
  eor r6, r6, r12
  eor r7, r7, lr
  stm r0!, {r2-r7}
.endm

/* void ckem_gf2m_butterfly_transposed_13_m4(uint32_t *u, uint32_t *v, const uint32_t *gamma)
 * u += v, then v += gamma u. */
  .global ckem_gf2m_butterfly_transposed_13_m4
  .type ckem_gf2m_butterfly_transposed_13_m4, %function
  .thumb_func
ckem_gf2m_butterfly_transposed_13_m4:
  push {r0, r1, r4-r11, lr}
  push_b
  ldr r0, [sp, #80]
  add_words
  add_words
  ldr r2, [r0]
  ldr r3, [r1]
  eor r2, r2, r3
  str r2, [r0]
  sub r1, r0, #48
  push_a
  sub sp, sp, #PARTS
  reduced
  add lr, sp, #L
  store_to_lr
  ldr lr, [sp, #POINTERS + 4]
  add_six_to_lr L
  add_six_to_lr L + 24
  ldr r0, [sp, #L + 48]
  ldr r1, [lr]
  eor r1, r1, r0
  str r1, [lr]
  add sp, sp, #POINTERS + 8
  pop {r4-r11, pc}
  .size ckem_gf2m_butterfly_transposed_13_m4, . - ckem_gf2m_butterfly_transposed_13_m4

#endif
