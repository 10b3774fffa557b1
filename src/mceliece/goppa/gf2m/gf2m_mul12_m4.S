/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products of 32 elements of GF(2^12) on Armv7E-M (gf2m_m4.h), in the tower GF(2^6)[y] modulo
 * y^2 + y + 1/x; GF(2^6) is GF(2)[x] modulo x^6 + x + 1. Three products in GF(2^6) by Karatsuba's
 * method; each is Horner's rule in registers, so that the reduction costs one instruction a step.
 *
 * No branch and no address depends on the operands.
 */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* (c5, c0, ..., c4) = x (c0, ..., c5) + (r0, ..., r5) times the word at sp + off. */
.macro step c0, c1, c2, c3, c4, c5, off
  ldr r12, [sp, #\off]
  eor \c0, \c0, \c5
  and lr, r0, r12
  eor \c5, \c5, lr
  and lr, r1, r12
  eor \c0, \c0, lr
  and lr, r2, r12
  eor \c1, \c1, lr
  and lr, r3, r12
  eor \c2, \c2, lr
  and lr, r4, r12
  eor \c3, \c3, lr
  and lr, r5, r12
  eor \c4, \c4, lr
.endm

/* r6 to r11 = r0 to r5 times the six words at sp + off, in GF(2^6). Changes r12 and lr. */
.macro product off
  ldr r12, [sp, #\off + 20]
  and r11, r0, r12
  and r6, r1, r12
  and r7, r2, r12
  and r8, r3, r12
  and r9, r4, r12
  and r10, r5, r12
  step r11, r6, r7, r8, r9, r10, \off + 16
  step r10, r11, r6, r7, r8, r9, \off + 12
  step r9, r10, r11, r6, r7, r8, \off + 8
  step r8, r9, r10, r11, r6, r7, \off + 4
  step r7, r8, r9, r10, r11, r6, \off
.endm

/* Adds r0 to r5 to six registers. */
.macro add_to c0, c1, c2, c3, c4, c5
  eor \c0, \c0, r0
  eor \c1, \c1, r1
  eor \c2, \c2, r2
  eor \c3, \c3, r3
  eor \c4, \c4, r4
  eor \c5, \c5, r5
.endm

/* Puts b, from r2 on, and the sum of its halves on the stack. */
.macro push_second
  ldm r2, {r2-r12, lr}
  push {r2-r12, lr}
  eor r2, r2, r8
  eor r3, r3, r9
  eor r4, r4, r10
  eor r5, r5, r11
  eor r6, r6, r12
  eor r7, r7, lr
  push {r2-r7}
.endm

/* Puts the upper half of a, from \from on, and the sum of its halves on the stack; the lower half
 * stays in r0 to r5. The stack is then: the sum of a, a1, the sum of b, b0, b1. */
.macro push_first from
  ldm \from, {r0-r11}
  push {r6-r11}
  add_to r6, r7, r8, r9, r10, r11
  push {r6-r11}
.endm

/* The lower half of the product in r7 to r12, and a0 b0 on the stack before the rest. */
.macro lower_half
  product 72
  push {r6-r11}
  add r12, sp, #48
  ldm r12, {r0-r5}
  product 120
  ldm sp, {r0-r5}
  eor r7, r7, r6
  eor r7, r7, r0
  eor r8, r8, r1
  eor r9, r9, r2
  eor r10, r10, r3
  eor r11, r11, r4
  eor r12, r6, r5
.endm

/* The upper half in r6 to r11. */
.macro upper_half
  add r12, sp, #24
  ldm r12, {r0-r5}
  product 72
  ldm sp, {r0-r5}
  add_to r6, r7, r8, r9, r10, r11
.endm

/* What the functions push in front: pointers at sp + 144 of the halves. */
#define POINTERS 144

/* void ckem_gf2m_multiply_12_m4(uint32_t *out, const uint32_t *a, const uint32_t *b) */
  .global ckem_gf2m_multiply_12_m4
  .type ckem_gf2m_multiply_12_m4, %function
  .thumb_func
ckem_gf2m_multiply_12_m4:
  push {r0, r4-r11, lr}
  push_second
  push_first r1
  lower_half
  ldr lr, [sp, #POINTERS]
  stm lr, {r7-r12}
  upper_half
  ldr lr, [sp, #POINTERS]
  add lr, lr, #24
  stm lr, {r6-r11}
  add sp, sp, #POINTERS + 4
  pop {r4-r11, pc}
  .size ckem_gf2m_multiply_12_m4, . - ckem_gf2m_multiply_12_m4

/* void ckem_gf2m_multiply_add_12_m4(uint32_t *sum, const uint32_t *a, const uint32_t *b) */
  .global ckem_gf2m_multiply_add_12_m4
  .type ckem_gf2m_multiply_add_12_m4, %function
  .thumb_func
ckem_gf2m_multiply_add_12_m4:
  push {r0, r4-r11, lr}
  push_second
  push_first r1
  lower_half
  ldr lr, [sp, #POINTERS]
  ldm lr, {r0-r5}
  add_to r7, r8, r9, r10, r11, r12
  stm lr, {r7-r12}
  upper_half
  ldr lr, [sp, #POINTERS]
  add lr, lr, #24
  ldm lr, {r0-r5}
  add_to r6, r7, r8, r9, r10, r11
  stm lr, {r6-r11}
  add sp, sp, #POINTERS + 4
  pop {r4-r11, pc}
  .size ckem_gf2m_multiply_add_12_m4, . - ckem_gf2m_multiply_add_12_m4

/* void ckem_gf2m_butterfly_12_m4(uint32_t *u, uint32_t *v, const uint32_t *gamma)
 * u += gamma v, then v += u. */
  .global ckem_gf2m_butterfly_12_m4
  .type ckem_gf2m_butterfly_12_m4, %function
  .thumb_func
ckem_gf2m_butterfly_12_m4:
  push {r0, r1, r4-r11, lr}
  push_second
  push_first r1
  lower_half
  ldr lr, [sp, #POINTERS]
  ldm lr, {r0-r5}
  add_to r7, r8, r9, r10, r11, r12
  stm lr, {r7-r12}
  ldr lr, [sp, #POINTERS + 4]
  ldm lr, {r0-r5}
  add_to r7, r8, r9, r10, r11, r12
  stm lr, {r7-r12}
  upper_half
  ldr lr, [sp, #POINTERS]
  add lr, lr, #24
  ldm lr, {r0-r5}
  add_to r6, r7, r8, r9, r10, r11
  stm lr, {r6-r11}
  ldr lr, [sp, #POINTERS + 4]
  add lr, lr, #24
  ldm lr, {r0-r5}
  add_to r6, r7, r8, r9, r10, r11
  stm lr, {r6-r11}
  add sp, sp, #POINTERS + 8
  pop {r4-r11, pc}
  .size ckem_gf2m_butterfly_12_m4, . - ckem_gf2m_butterfly_12_m4

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

/* void ckem_gf2m_butterfly_transposed_12_m4(uint32_t *u, uint32_t *v, const uint32_t *gamma)
 * u += v, then v += gamma u. */
  .global ckem_gf2m_butterfly_transposed_12_m4
  .type ckem_gf2m_butterfly_transposed_12_m4, %function
  .thumb_func
ckem_gf2m_butterfly_transposed_12_m4:
  push {r0, r1, r4-r11, lr}
  push_second
  add_words
  add_words
  sub r1, r0, #48
  push_first r1
  lower_half
  ldr lr, [sp, #POINTERS + 4]
  ldm lr, {r0-r5}
  add_to r7, r8, r9, r10, r11, r12
  stm lr, {r7-r12}
  upper_half
  ldr lr, [sp, #POINTERS + 4]
  add lr, lr, #24
  ldm lr, {r0-r5}
  add_to r6, r7, r8, r9, r10, r11
  stm lr, {r6-r11}
  add sp, sp, #POINTERS + 8
  pop {r4-r11, pc}
  .size ckem_gf2m_butterfly_transposed_12_m4, . - ckem_gf2m_butterfly_transposed_12_m4

#endif
