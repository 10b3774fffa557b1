/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Adds a word at a secret place of an array on Armv7E-M (Cortex-M4): every word is visited, and a
 * multiplication by 1 or 0 chooses. */
  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* Adds five words where r0, the distance to the row, is zero. */
.macro visit_row
  ldm r1, {r9-r12, lr}
  clz r2, r0
  lsr r2, r2, #5           /* 1 if r0 = 0, else 0 */
  mla r9, r4, r2, r9
  mla r10, r5, r2, r10
  mla r11, r6, r2, r11
  mla r12, r7, r2, r12
  mla lr, r8, r2, lr
  stmia r1!, {r9-r12, lr}
  sub r0, r0, #1
.endm

/* void sparse_place_m4(uint32_t row, uint32_t *out, const uint32_t words[5], uint32_t rows);
 * Adds words to row number row of out, which has rows of five words, at least two. A row beyond the
 * end changes nothing. */
  .section .text.sparse_place_m4, "ax", %progbits
  .global sparse_place_m4
  .hidden sparse_place_m4
  .type sparse_place_m4, %function
  .thumb_func
  .align 2
sparse_place_m4:
  push {r4-r11, lr}
  ldm r2, {r4-r8}
  tst r3, #1
  beq 1f
  visit_row
  sub r3, r3, #1
1:
  visit_row
  visit_row
  subs r3, r3, #2
  bhi 1b
  pop {r4-r11, pc}
  .size sparse_place_m4, . - sparse_place_m4
