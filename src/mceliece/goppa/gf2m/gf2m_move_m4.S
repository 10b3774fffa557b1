/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Moves the elements of some groups (gf2m_m4.h) to the next place on Armv7E-M: each plane is one
 * long number that is doubled, with the carry from word to word.
 *
 * No branch and no address depends on the operands.
 */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* Plane after plane from \off on: the lowest bit of r1 comes in. */
.macro move_planes degree, groups, off
  .if \off < 4 * \degree
  lsrs r1, r1, #1
  ldr r2, [r0, #\off]
  adcs r2, r2, r2
  str r2, [r0, #\off]
  .if \groups > 1
  ldr r2, [r0, #\off + 4 * \degree]
  adcs r2, r2, r2
  str r2, [r0, #\off + 4 * \degree]
  .endif
  .if \groups > 2
  ldr r2, [r0, #\off + 8 * \degree]
  adcs r2, r2, r2
  str r2, [r0, #\off + 8 * \degree]
  .endif
  .if \groups > 3
  ldr r2, [r0, #\off + 12 * \degree]
  adcs r2, r2, r2
  str r2, [r0, #\off + 12 * \degree]
  .endif
  move_planes \degree, \groups, "(\off + 4)"
  .endif
.endm

/* void gf2m_move_up_GROUPS_DEGREE_m4(uint32_t *groups, uint32_t in)
 * The element in gets the first place; what was in the last one is lost. */
.macro define_move name, degree, groups
  .global \name
  .type \name, %function
  .thumb_func
\name:
  move_planes \degree, \groups, 0
  bx lr
  .size \name, . - \name
.endm

  define_move ckem_gf2m_move_up_2_12_m4, 12, 2
  define_move ckem_gf2m_move_up_3_13_m4, 13, 3
  define_move ckem_gf2m_move_up_4_13_m4, 13, 4

#endif
