/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] on Armv7E-M (Cortex-M4) with bit-interleaved lanes [KeccakTools]: the even bits of
 * a lane in one word and the odd bits in another, so that a rotation of the lane is one of each
 * word (and exchanges the two, if it is odd).
 *
 * No rotation costs an instruction [Adomnicai]: a word is stored as it was before rho, and the
 * instruction that uses it, an addition, rotates it. So word (x, y) always lacks the rotation
 * by LEFT, which depends on its place alone: that of the lane that pi moved there. Only three
 * places remain where rotations are made: those column sums that are the first operand of theta's
 * second addition, and all words before the first round and after the last one.
 *
 * The halves of the state are planes of 25 words, row after row. The two rounds of the loop go from
 * one pair of planes to the other.
 */


#if defined(CODEKEM_HAVE_M4)

  .syntax unified
  .cpu cortex-m4
  .thumb
  .text

/* Rho's offset of lane (x, y). */
.macro offsets y, x0, x1, x2, x3, x4
  .set RHO_0\y, \x0
  .set RHO_1\y, \x1
  .set RHO_2\y, \x2
  .set RHO_3\y, \x3
  .set RHO_4\y, \x4
.endm
  offsets 0, 0, 1, 62, 28, 27
  offsets 1, 36, 44, 6, 55, 20
  offsets 2, 3, 10, 43, 25, 39
  offsets 3, 41, 45, 15, 21, 8
  offsets 4, 18, 2, 61, 56, 14

/* Pi: row y of the next state is made of the lanes (x0, 0), (x1, 1), ... (x4, 4). STORED_xy is
 * rho's offset of the lane that goes to (x, y). */
.macro pi_row y, x0, x1, x2, x3, x4
  .set STORED_0\y, RHO_\x0\()0
  .set STORED_1\y, RHO_\x1\()1
  .set STORED_2\y, RHO_\x2\()2
  .set STORED_3\y, RHO_\x3\()3
  .set STORED_4\y, RHO_\x4\()4
.endm
  pi_row 0, 0, 1, 2, 3, 4
  pi_row 1, 3, 4, 0, 1, 2
  pi_row 2, 1, 2, 3, 4, 0
  pi_row 3, 4, 0, 1, 2, 3
  pi_row 4, 2, 3, 4, 0, 1

/* By how much an offset rotates the new word of a half to the left: half 0 has the even bits. */
#define LEFT(offset, half) (((offset) + 1 - (half)) >> 1)

/* The frame. */
  /* theta's sums of the odd half; those of the even half are in r1 to r5 */
  .set ODD_SUMS, 0
  .set CONSTANT, 20        /* where the next round constant stands */
  .set STATE, 24
  .set FIRST, 32           /* the pairs of planes */
  .set SECOND, FIRST + 200
  .set FRAME_BYTES, SECOND + 200

/* sum += word (x, y) of a half, in the rotation of word (x, 0). */
.macro add_word sum, word, x, y, half
  eor \sum, \sum, \word, ror #((LEFT(STORED_\x\()0, \half) - LEFT(STORED_\x\y, \half)) & 31)
.endm

/* Adds row y of the plane at r0 to the column sums. */
.macro add_even_row y
  ldmia r0!, {r6-r10}
  add_word r1, r6, 0, \y, 0
  add_word r2, r7, 1, \y, 0
  add_word r3, r8, 2, \y, 0
  add_word r4, r9, 3, \y, 0
  add_word r5, r10, 4, \y, 0
.endm

.macro add_odd_row y
  ldmia r0!, {r11, r12, lr}
  add_word r6, r11, 0, \y, 1
  add_word r7, r12, 1, \y, 1
  add_word r8, lr, 2, \y, 1
  ldmia r0!, {r11, r12}
  add_word r9, r11, 3, \y, 1
  add_word r10, r12, 4, \y, 1
.endm

/* Rotates a column sum of the even half into place. */
.macro align sum, x
  .if LEFT(STORED_\x\()0, 0) & 31
  ror \sum, \sum, #((32 - LEFT(STORED_\x\()0, 0)) & 31)
  .endif
.endm

/* out = even + the sum of odd bits of column x, rotated into place and more to the left by more. */
.macro add_odd out, even, odd, x, more
  eor \out, \even, \odd, ror #((32 - LEFT(STORED_\x\()0, 1) - \more) & 31)
.endm

/* What theta adds to each column x, C[x - 1] + C[x + 1] rotated by one. The odd half goes to
 * memory. */
.macro theta from
  add r0, sp, #\from
  ldmia r0!, {r1-r5}
  add_even_row 1
  add_even_row 2
  add_even_row 3
  add_even_row 4
  ldmia r0!, {r6-r10}
  add_odd_row 1
  add_odd_row 2
  add_odd_row 3
  add_odd_row 4
  align r1, 0
  align r2, 1
  align r3, 2
  align r4, 3
  align r5, 4
  add_odd r11, r2, r10, 4, 0
  add_odd r12, r3, r6, 0, 0
  strd r11, r12, [sp, #ODD_SUMS]
  add_odd r11, r4, r7, 1, 0
  add_odd r12, r5, r8, 2, 0
  strd r11, r12, [sp, #ODD_SUMS + 8]
  add_odd r11, r1, r9, 3, 0
  str r11, [sp, #ODD_SUMS + 16]
  add_odd r5, r5, r7, 1, 1
  add_odd r1, r1, r8, 2, 1
  add_odd r2, r2, r9, 3, 1
  add_odd r3, r3, r10, 4, 1
  add_odd r4, r4, r6, 0, 1
.endm
/* Where theta leaves the even sum of column x. */
sum_0 .req r5
sum_1 .req r1
sum_2 .req r2
sum_3 .req r3
sum_4 .req r4

/* Loads the word of lane (x, y) that becomes one of this half, with theta's sum. */
.macro load_lane word, x, y, half, from
  .set source, (\half + RHO_\x\y) & 1
  ldr \word, [sp, #\from + 100 * source + 4 * \x + 20 * \y]
  .if source
  ldr r11, [sp, #ODD_SUMS + 4 * \x]
  eor \word, r11, \word, ror #((32 - LEFT(STORED_\x\y, source)) & 31)
  .else
  eor \word, sum_\x, \word, ror #((32 - LEFT(STORED_\x\y, source)) & 31)
  .endif
.endm

/* out = b and not a, in the rotation of b: they lack those by left_b and left_a. */
.macro and_not out, b, a, left_b, left_a
  bic \out, \b, \a, ror #((\left_b - \left_a) & 31)
.endm

/* a += b, in the rotation of a. */
.macro add_to a, b, left_a, left_b
  eor \a, \a, \b, ror #((\left_a - \left_b) & 31)
.endm

/* Half a row of the next state, of the lanes (x0, 0), ... (x4, 4), into r6 to r10: chi. */
.macro half_row half, from, x0, x1, x2, x3, x4
  load_lane r6, \x0, 0, \half, \from
  load_lane r7, \x1, 1, \half, \from
  load_lane r8, \x2, 2, \half, \from
  load_lane r9, \x3, 3, \half, \from
  load_lane r10, \x4, 4, \half, \from
  .set left_0, LEFT(RHO_\x0\()0, \half)
  .set left_1, LEFT(RHO_\x1\()1, \half)
  .set left_2, LEFT(RHO_\x2\()2, \half)
  .set left_3, LEFT(RHO_\x3\()3, \half)
  .set left_4, LEFT(RHO_\x4\()4, \half)
  and_not r11, r8, r7, left_2, left_1
  and_not r12, r6, r10, left_0, left_4
  and_not lr, r7, r6, left_1, left_0
  add_to r6, r11, left_0, left_2
  and_not r11, r10, r9, left_4, left_3
  add_to r10, lr, left_4, left_1
  and_not lr, r9, r8, left_3, left_2
  add_to r9, r12, left_3, left_0
  add_to r8, r11, left_2, left_4
  add_to r7, lr, left_1, left_3
.endm

/* Half a round: row 0, with the round constant, and the other rows. */
.macro half_round half, from
  half_row \half, \from, 0, 1, 2, 3, 4
  ldr r11, [sp, #CONSTANT]
  ldr r12, [r11], #4
  str r11, [sp, #CONSTANT]
  eor r6, r6, r12          /* lane (0, 0) lacks no rotation */
  stmia r0!, {r6-r10}
  half_row \half, \from, 3, 4, 0, 1, 2
  stmia r0!, {r6-r10}
  half_row \half, \from, 1, 2, 3, 4, 0
  stmia r0!, {r6-r10}
  half_row \half, \from, 4, 0, 1, 2, 3
  stmia r0!, {r6-r10}
  half_row \half, \from, 2, 3, 4, 0, 1
  stmia r0!, {r6-r10}
.endm

.macro keccak_round from, to
  theta \from
  add r0, sp, #\to
  half_round 0, \from
  half_round 1, \from
.endm

/* Rotates the words of the first planes to the left by sign times what they lack. */
.macro turn word, offset, half, sign
  .if LEFT(\offset, \half) & 31
  ror \word, \word, #((0 - \sign * LEFT(\offset, \half)) & 31)
  .endif
.endm

.macro turn_row y, half, sign
  ldm r0, {r1-r5}
  turn r1, STORED_0\y, \half, \sign
  turn r2, STORED_1\y, \half, \sign
  turn r3, STORED_2\y, \half, \sign
  turn r4, STORED_3\y, \half, \sign
  turn r5, STORED_4\y, \half, \sign
  stmia r0!, {r1-r5}
.endm

.macro turn_all sign
  add r0, sp, #FIRST
  .irp half, 0, 1
  turn_row 0, \half, \sign
  turn_row 1, \half, \sign
  turn_row 2, \half, \sign
  turn_row 3, \half, \sign
  turn_row 4, \half, \sign
  .endr
.endm

/* Exchanges the bits of the high word that mask selects with those of the low word distance places
 * above them. Five such steps move the lowest bit of a bit's number in its lane to the top, and all
 * others
 * down: even bits to the low word and odd ones to the high word. */
.macro exchange distance, mask
  eor r4, r3, r2, lsr #\distance
  and r4, r4, #\mask
  eor r3, r3, r4
  eor r2, r2, r4, lsl #\distance
.endm

.macro exchange_halves
  pkhbt r4, r2, r3, lsl #16
  pkhtb r3, r3, r2, asr #16
  mov r2, r4
.endm

/* void ckem_keccak_permute_m4(uint64_t state[25]); */
  .section .text.ckem_keccak_permute_m4, "ax", %progbits
  .global ckem_keccak_permute_m4
  .hidden ckem_keccak_permute_m4
  .type ckem_keccak_permute_m4, %function
  .thumb_func
  .align 2
ckem_keccak_permute_m4:
  push {r4-r11, lr}
  sub sp, sp, #FRAME_BYTES
  str r0, [sp, #STATE]
  ldr r1, =constants
  str r1, [sp, #CONSTANT]

  add r1, sp, #FIRST
  add r12, sp, #FIRST + 100
1:
  ldrd r2, r3, [r0], #8
  exchange_halves
  exchange 8, 0x00FF00FF
  exchange 4, 0x0F0F0F0F
  exchange 2, 0x33333333
  exchange 1, 0x55555555
  str r3, [r1, #100]
  str r2, [r1], #4
  cmp r1, r12
  bne 1b
  turn_all -1

2:
  keccak_round FIRST, SECOND
  keccak_round SECOND, FIRST
  ldr r1, [sp, #CONSTANT]
  ldr r2, =constants_end
  cmp r1, r2
  bne 2b

  turn_all 1
  ldr r0, [sp, #STATE]
  add r1, sp, #FIRST
  add r12, sp, #FIRST + 100
3:
  ldr r3, [r1, #100]
  ldr r2, [r1], #4
  exchange 1, 0x55555555
  exchange 2, 0x33333333
  exchange 4, 0x0F0F0F0F
  exchange 8, 0x00FF00FF
  exchange_halves
  strd r2, r3, [r0], #8
  cmp r1, r12
  bne 3b
  add sp, sp, #FRAME_BYTES
  pop {r4-r11, pc}
  .ltorg
  .size ckem_keccak_permute_m4, . - ckem_keccak_permute_m4

/* The round constants of [FIPS 202, 3.2.5], even and odd bits. */
  .section .rodata.keccak_constants_m4, "a", %progbits
  .align 2
constants:
  .word 1, 0x00000000, 0, 0x00000089, 0, 0x8000008B, 0, 0x80008080
  .word 1, 0x0000008B, 1, 0x00008000, 1, 0x80008088, 1, 0x80000082
  .word 0, 0x0000000B, 0, 0x0000000A, 1, 0x00008082, 0, 0x00008003
  .word 1, 0x0000808B, 1, 0x8000000B, 1, 0x8000008A, 1, 0x80000081
  .word 0, 0x80000081, 0, 0x80000008, 0, 0x00000083, 0, 0x80008003
  .word 1, 0x80008088, 0, 0x80000088, 1, 0x00008000, 0, 0x80008082
constants_end:

#endif
