/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sparse elements on Armv7E-M (Cortex-M4): adding a word at a secret place of an array, where every
 * word is visited and a multiplication by 1 or 0 chooses; and searching a list.
 */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* Adds five words to the row at r1, multiplied by a factor of 1 or 0. */
.macro visit_row factor
  ldm r1, {r9-r12, lr}
  mla r9, r4, \factor, r9
  mla r10, r5, \factor, r10
  mla r11, r6, \factor, r11
  mla r12, r7, \factor, r12
  mla lr, r8, \factor, lr
  stmia r1!, {r9-r12, lr}
.endm

/* void ckem_sparse_place_m4(uint32_t row, uint32_t *out, const uint32_t words[5], uint32_t rows);
 * Adds words to row number row of out, which has rows of five words, at least eight. A row beyond
 * the end changes nothing. */
  .section .text.ckem_sparse_place_m4, "ax", %progbits
  .global ckem_sparse_place_m4
  .hidden ckem_sparse_place_m4
  .type ckem_sparse_place_m4, %function
  .thumb_func
  .align 2
ckem_sparse_place_m4:
  push {r3-r11, lr}
  ldm r2, {r4-r8}
  ands r3, r3, #7
  beq 2f
1:                         /* rows before groups of eight; r0: the distance to the row */
  clz r2, r0
  lsr r2, r2, #5           /* 1 if r0 = 0, else 0 */
  visit_row r2
  sub r0, r0, #1
  subs r3, r3, #1
  bne 1b
2:
  lsr r2, r0, #3
  and r9, r0, #7
  clz r2, r2
  lsr r2, r2, #5
  lsl r2, r2, r9           /* bit number r0, if it is one of eight */
  .irp number, 0, 1, 2, 3, 4, 5, 6, 7
  ubfx r3, r2, #\number, #1
  visit_row r3
  .endr
  sub r0, r0, #8
  ldr r3, [sp]
  subs r3, r3, #8
  str r3, [sp]
  cmp r3, #8
  bhs 2b
  pop {r3-r11, pc}
  .size ckem_sparse_place_m4, . - ckem_sparse_place_m4

/* uint32_t ckem_sparse_search_m4(uint32_t position, const uint32_t *list, uint32_t count);
 * Returns a number of which bit 5 is set if position is in list[count]: only zero has 32 leading
 * zeros. */
  .section .text.ckem_sparse_search_m4, "ax", %progbits
  .global ckem_sparse_search_m4
  .hidden ckem_sparse_search_m4
  .type ckem_sparse_search_m4, %function
  .thumb_func
  .align 2
ckem_sparse_search_m4:
  push {r4-r11, lr}
  mov r12, #0
  subs r2, r2, #8
  blo 2f
1:
  ldmia r1!, {r4-r11}
  .irp word, r4, r5, r6, r7, r8, r9, r10, r11
  eor \word, \word, r0
  clz \word, \word
  orr r12, r12, \word
  .endr
  subs r2, r2, #8
  bhs 1b
2:
  adds r2, r2, #8
  beq 4f
3:
  ldr r4, [r1], #4
  eor r4, r4, r0
  clz r4, r4
  orr r12, r12, r4
  subs r2, r2, #1
  bne 3b
4:
  mov r0, r12
  pop {r4-r11, pc}
  .size ckem_sparse_search_m4, . - ckem_sparse_search_m4

#endif
