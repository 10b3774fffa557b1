/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bit-sliced additions on Armv7E-M (Cortex-M4). */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* Adds b and c to a: the sum stays in a, the carry comes to b. Changes c and r12. */
.macro full_add a, b, c
  eor r12, \a, \b
  and \b, \a, \b
  eor \a, r12, \c
  and \c, r12, \c
  orr \b, \b, \c
.endm

/* Adds carry to a; the new carry comes to carry. Changes r12. */
.macro half_add a, carry
  and r12, \a, \carry
  eor \a, \a, \carry
  mov \carry, r12
.endm

/* The sum of four rows and of the lowest two planes: the planes in r4 and r5, the carry in r6. */
.macro add_rows
  ldr r6, [r0, r2]
  ldr r7, [r0, r2, lsl #1]
  ldr r8, [r0, lr]
  ldr r9, [r0], #4
  full_add r4, r6, r7
  full_add r4, r8, r9
  full_add r5, r6, r8
.endm

/* void ckem_bike_add_first_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride,
 *                             uint32_t words, uint32_t column);
 * Adds four rows, stride bytes apart, to the two lowest planes and leaves the carry beside them.
 * planes has for each word a column of that many bytes: the planes 0 and 1, the carry, the
 * others. */
  .section .text.ckem_bike_add_first_m4, "ax", %progbits
  .global ckem_bike_add_first_m4
  .hidden ckem_bike_add_first_m4
  .type ckem_bike_add_first_m4, %function
  .thumb_func
  .align 2
ckem_bike_add_first_m4:
  push {r4-r11, lr}
  ldr r11, [sp, #36]
  add lr, r2, r2, lsl #1
1:
  ldrd r4, r5, [r1]
  add_rows
  stm r1, {r4-r6}
  add r1, r1, r11
  subs r3, r3, #1
  bne 1b
  pop {r4-r11, pc}
  .size ckem_bike_add_first_m4, . - ckem_bike_add_first_m4

/* The same for the next four rows; then adds both carries to the planes from 2 on. */
.macro add_second name, planes
  .section .text.\name, "ax", %progbits
  .global \name
  .hidden \name
  .type \name, %function
  .thumb_func
  .align 2
\name:
  push {r4-r11, lr}
  add lr, r2, r2, lsl #1
1:
  ldrd r4, r5, [r1]
  add_rows
  ldrd r7, r8, [r1, #8]    /* the carry before, plane 2 */
  full_add r8, r6, r7
  strd r4, r5, [r1], #12
  stmia r1!, {r8}
  ldm r1, {r4, r5, r7, r8} /* planes 3 to 6 */
  half_add r4, r6
  half_add r5, r6
  half_add r7, r6
  .if \planes > 7
  half_add r8, r6
  .else
  eor r8, r8, r6
  .endif
  stmia r1!, {r4, r5, r7, r8}
  .if \planes > 7
  ldr r4, [r1]
  eor r4, r4, r6
  stmia r1!, {r4}
  .endif
  subs r3, r3, #1
  bne 1b
  pop {r4-r11, pc}
  .size \name, . - \name
.endm

/* void ckem_bike_add_second_7_m4(const uint32_t *rows, uint32_t *planes, uint32_t stride, uint32_t
 * words); Columns of seven planes and a carry. */
  add_second ckem_bike_add_second_7_m4, 7
/* Columns of eight planes and a carry. */
  add_second ckem_bike_add_second_8_m4, 8

#endif
