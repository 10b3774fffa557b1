/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Encoding on Armv7E-M: rows of the public matrix times the error, and the error's ones.
 *
 * No branch and no address depends on the operands but for their lengths.
 */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* Five words: 12 instructions, all of them four bytes long. r2 += words at r0 times words at r1. */
.macro five_words
  ldm.w r0!, {r3-r7}
  ldm.w r1!, {r8-r12}
  and.w r3, r3, r8
  and.w r4, r4, r9
  and.w r5, r5, r10
  and.w r6, r6, r11
  and.w r7, r7, r12
  eor.w r2, r2, r3
  eor.w r2, r2, r4
  eor.w r2, r2, r5
  eor.w r2, r2, r6
  eor.w r2, r2, r7
.endm

#define FIVES 21
#define FIVE_BYTES 48

/* const uint32_t *ckem_mceliece_fold_rows_m4(uint32_t *sums, const uint32_t *rows, size_t count,
 *                                       const uint32_t *partner, size_t words)
 * Sets sums[i] to the sum of the words of row i times partner, i < count; rows have `words` words
 * each, one behind the other. Returns where the next row begins. */
  .global ckem_mceliece_fold_rows_m4
  .type ckem_mceliece_fold_rows_m4, %function
  .thumb_func
ckem_mceliece_fold_rows_m4:
  push {r0, r2, r3, r4-r11, lr}
  ldr r4, [sp, #48]
  /* words = 105 a + 5 b + c: a, c, and where to jump for b */
  mov r5, #5 * FIVES
  udiv r6, r4, r5
  mls r4, r5, r6, r4
  mov r5, #5
  udiv r7, r4, r5
  mls r4, r5, r7, r4
  mov r5, #FIVE_BYTES
  mul r7, r7, r5
  adr.w r5, 4f
  sub r7, r5, r7
  orr r7, r7, #1
  push {r4, r6, r7}
  mov r0, r1
  /* the stack: c, a, jump, sums, count, partner */
1:
  ldr r1, [sp, #20]
  mov r2, #0
  ldr lr, [sp, #4]
  cmp lr, #0
  beq.w 3f
2:
  .rept FIVES
  five_words
  .endr
  subs lr, lr, #1
  bne.w 2b
3:
  ldr lr, [sp, #8]
  bx lr
  .balign 4
  .rept FIVES
  five_words
  .endr
4:
  ldr r3, [sp]
  cbz r3, 6f
5:
  ldr r4, [r0], #4
  ldr r5, [r1], #4
  and r4, r4, r5
  eor r2, r2, r4
  subs r3, r3, #1
  bne 5b
6:
  ldrd r3, r4, [sp, #12]
  str r2, [r3], #4
  subs r4, r4, #1
  strd r3, r4, [sp, #12]
  bne.w 1b
  add sp, sp, #24
  pop {r4-r11, pc}
  .size ckem_mceliece_fold_rows_m4, . - ckem_mceliece_fold_rows_m4

/* One position in r\word (the word's number) and r\bit. r12 is the word at hand, its number r11. */
.macro place_one word, bit
  cmp \word, r11
  it eq
  orreq r12, r12, \bit
.endm

/* From a position in \word to the number of its word, and its bit there. */
.macro split_position word, bit
  and \bit, \word, #31
  lsl \bit, lr, \bit
  lsr \word, \word, #5
.endm

/* void ckem_mceliece_place_five_m4(uint32_t *error, size_t words, const uint16_t *positions)
 * Sets the bits of five positions. */
  .global ckem_mceliece_place_five_m4
  .type ckem_mceliece_place_five_m4, %function
  .thumb_func
ckem_mceliece_place_five_m4:
  push {r1, r4-r11, lr}
  mov lr, #1
  ldrh r1, [r2]
  ldrh r3, [r2, #2]
  ldrh r5, [r2, #4]
  ldrh r7, [r2, #6]
  ldrh r9, [r2, #8]
  split_position r1, r2
  split_position r3, r4
  split_position r5, r6
  split_position r7, r8
  split_position r9, r10
  ldr lr, [sp]
  mov r11, #0
1:
  ldr r12, [r0]
  place_one r1, r2
  place_one r3, r4
  place_one r5, r6
  place_one r7, r8
  place_one r9, r10
  str r12, [r0], #4
  add r11, r11, #1
  cmp r11, lr
  bne 1b
  pop {r1, r4-r11, pc}
  .size ckem_mceliece_place_five_m4, . - ckem_mceliece_place_five_m4

#endif
