/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Rotation by secret amounts on Armv7E-M (Cortex-M4).
 *
 * SEL takes each byte from one register or the other as four flags say, which UADD8 of a mask with
 * itself sets all at once: one instruction chooses a word, without branch and without address.
 */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* void ckem_gf2x_rotate_step_m4(uint32_t *out, const uint32_t *in, uint32_t words,
 *                               uint32_t distance, uint32_t mask);
 * out[i] = in[i + distance] if mask is all ones, in[i] if it is zero; out may be in. Works on whole
 * groups of twenty words. */
  .section .text.ckem_gf2x_rotate_step_m4, "ax", %progbits
  .global ckem_gf2x_rotate_step_m4
  .hidden ckem_gf2x_rotate_step_m4
  .type ckem_gf2x_rotate_step_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_rotate_step_m4:
  push {r4-r11, lr}
  ldr r4, [sp, #36]
  uadd8 r4, r4, r4
  add r3, r1, r3, lsl #2
1:
  .rept 4
  ldmia r1!, {r4-r8}
  ldmia r3!, {r9-r12, lr}
  sel r4, r9, r4
  sel r5, r10, r5
  sel r6, r11, r6
  sel r7, r12, r7
  sel r8, lr, r8
  stmia r0!, {r4-r8}
  .endr
  subs r2, r2, #20
  bhi 1b
  pop {r4-r11, pc}
  .size ckem_gf2x_rotate_step_m4, . - ckem_gf2x_rotate_step_m4

/* void ckem_gf2x_rotate_end_m4(uint32_t *out, const uint32_t *in, uint32_t words, uint32_t mask,
 *                         uint32_t factor);
 * With y[i] = in[i + 1] or in[i], as before: out[i] = high(y[i] factor) + low(y[i + 1] factor),
 * which for factor = 2^(31 - s) shifts by s + 1 bits. Works on whole groups of four words. */
  .section .text.ckem_gf2x_rotate_end_m4, "ax", %progbits
  .global ckem_gf2x_rotate_end_m4
  .hidden ckem_gf2x_rotate_end_m4
  .type ckem_gf2x_rotate_end_m4, %function
  .thumb_func
  .align 2
ckem_gf2x_rotate_end_m4:
  push {r4-r11, lr}
  uadd8 r3, r3, r3
  ldr r3, [sp, #36]
  ldmia r1!, {r4, r5}
  sel r4, r5, r4
  umull r12, lr, r4, r3    /* lr: the high word of y[0] */
1:
  ldmia r1!, {r6-r9}
  sel r5, r6, r5
  umull r4, r10, r5, r3
  orr r4, r4, lr
  sel r6, r7, r6
  umull r5, r11, r6, r3
  orr r5, r5, r10
  sel r7, r8, r7
  umull r6, r12, r7, r3
  orr r6, r6, r11
  sel r8, r9, r8
  umull r7, lr, r8, r3
  orr r7, r7, r12
  stmia r0!, {r4-r7}
  mov r5, r9
  subs r2, r2, #4
  bhi 1b
  pop {r4-r11, pc}
  .size ckem_gf2x_rotate_end_m4, . - ckem_gf2x_rotate_end_m4

#endif
