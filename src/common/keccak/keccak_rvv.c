/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] with the vectors of RISC-V (base/rvv.h): lane i of one state or of two is in
 * register i, and seven registers are left for what comes and goes. So nothing leaves the registers
 * during the rounds, as it does where there are 31 general ones.
 */
#include "base/isa.h"
#include "base/rvv.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if defined(CODEKEM_HAVE_RVV)

/* Assembler macros, taken back at the end because the statement may be copied. Registers are named
 * by their numbers. */
#define MACROS                                                           \
  ".macro sum_up to, a, b, c, d, e\n\t" /* of a column */                \
  "vxor.vv v\\to, v\\a, v\\b\n\t"                                        \
  "vxor.vv v\\to, v\\to, v\\c\n\t"                                       \
  "vxor.vv v\\to, v\\to, v\\d\n\t"                                       \
  "vxor.vv v\\to, v\\to, v\\e\n\t"                                       \
  ".endm\n\t"                                                            \
  ".macro theta left, right, a, b, c, d, e\n\t" /* adds neighbours */    \
  "vsll.vi v30, v\\right, 1\n\t"                                         \
  "vsrl.vx v31, v\\right, %[r63]\n\t"                                    \
  "vxor.vv v30, v30, v\\left\n\t"                                        \
  "vxor.vv v30, v30, v31\n\t"                                            \
  ".irp lane, \\a, \\b, \\c, \\d, \\e\n\t"                               \
  "vxor.vv v\\lane, v\\lane, v30\n\t"                                    \
  ".endr\n\t"                                                            \
  ".endm\n\t"                                                            \
  ".macro move_s to, from, left, right\n\t" /* by less than 32 places */ \
  "vsll.vi v30, v\\from, \\left\n\t"                                     \
  "vsrl.vx v\\to, v\\from, \\right\n\t"                                  \
  "vxor.vv v\\to, v\\to, v30\n\t"                                        \
  ".endm\n\t"                                                            \
  ".macro move_l to, from, left, right\n\t" /* by more */                \
  "vsll.vx v30, v\\from, \\left\n\t"                                     \
  "vsrl.vi v\\to, v\\from, \\right\n\t"                                  \
  "vxor.vv v\\to, v\\to, v30\n\t"                                        \
  ".endm\n\t"                                                            \
  ".macro mask to, a, b\n\t"                                             \
  "vnot.v v\\to, v\\a\n\t"                                               \
  "vand.vv v\\to, v\\to, v\\b\n\t"                                       \
  ".endm\n\t"                                                            \
  ".macro chi a, b, c, d, e\n\t" /* on a row */                          \
  "mask 25, \\b, \\c\n\tmask 26, \\c, \\d\n\tmask 27, \\d, \\e\n\t"      \
  "mask 28, \\e, \\a\n\tmask 29, \\a, \\b\n\t"                           \
  "vxor.vv v\\a, v\\a, v25\n\tvxor.vv v\\b, v\\b, v26\n\t"               \
  "vxor.vv v\\c, v\\c, v27\n\tvxor.vv v\\d, v\\d, v28\n\t"               \
  "vxor.vv v\\e, v\\e, v29\n\t"                                          \
  ".endm\n\t"
#define END_OF_MACROS                                     \
  ".purgem sum_up\n\t.purgem theta\n\t.purgem move_s\n\t" \
  ".purgem move_l\n\t.purgem mask\n\t.purgem chi"

#define FOR_EACH_LANE                                     \
  ".irp lane, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, " \
  "13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24\n\t"

/* Applies the permutation to one state or two, so many bytes apart. Of a rotation's two shifts one
 * is by 32 and more, and takes its count from a general register. */
static void permute_states_rvv(uint64_t *state, uintptr_t distance, size_t count) {
  const uint64_t *constant = ckem_keccak_round_constants;
  const uint64_t *const end = constant + KECCAK_ROUNDS;
  uint64_t *place = state;
  uint64_t value;

  __asm__ volatile(RVV_BEGIN MACROS
                   "vsetvli zero, %[count], e64, m1, ta, ma\n\t" FOR_EACH_LANE
                   "vlse64.v v\\lane, (%[place]), %[distance]\n\t"
                   "addi %[place], %[place], 8\n\t"
                   ".endr\n"
                   "1: sum_up 25, 0, 5, 10, 15, 20\n\tsum_up 26, 1, 6, 11, 16, 21\n\t"
                   "sum_up 27, 2, 7, 12, 17, 22\n\tsum_up 28, 3, 8, 13, 18, 23\n\t"
                   "sum_up 29, 4, 9, 14, 19, 24\n\t"
                   "theta 29, 26, 0, 5, 10, 15, 20\n\ttheta 25, 27, 1, 6, 11, 16, 21\n\t"
                   "theta 26, 28, 2, 7, 12, 17, 22\n\ttheta 27, 29, 3, 8, 13, 18, 23\n\t"
                   "theta 28, 25, 4, 9, 14, 19, 24\n\t"
                   "move_s 29, 1, 1, %[r63]\n\tmove_l 1, 6, %[r44], 20\n\t"
                   "move_s 6, 9, 20, %[r44]\n\tmove_l 9, 22, %[r61], 3\n\t"
                   "move_l 22, 14, %[r39], 25\n\tmove_s 14, 20, 18, %[r46]\n\t"
                   "move_l 20, 2, %[r62], 2\n\tmove_l 2, 12, %[r43], 21\n\t"
                   "move_s 12, 13, 25, %[r39]\n\tmove_s 13, 19, 8, %[r56]\n\t"
                   "move_l 19, 23, %[r56], 8\n\tmove_l 23, 15, %[r41], 23\n\t"
                   "move_s 15, 4, 27, %[r37]\n\tmove_s 4, 24, 14, %[r50]\n\t"
                   "move_s 24, 21, 2, %[r62]\n\tmove_l 21, 8, %[r55], 9\n\t"
                   "move_l 8, 16, %[r45], 19\n\tmove_l 16, 5, %[r36], 28\n\t"
                   "move_s 5, 3, 28, %[r36]\n\tmove_s 3, 18, 21, %[r43]\n\t"
                   "move_s 18, 17, 15, %[r49]\n\tmove_s 17, 11, 10, %[r54]\n\t"
                   "move_s 11, 7, 6, %[r58]\n\tmove_s 7, 10, 3, %[r61]\n\t"
                   "vmv.v.v v10, v29\n\t"
                   "ld %[value], (%[constant])\n\t"
                   "addi %[constant], %[constant], 8\n\t"
                   "chi 0, 1, 2, 3, 4\n\tchi 5, 6, 7, 8, 9\n\tchi 10, 11, 12, 13, 14\n\t"
                   "chi 15, 16, 17, 18, 19\n\tchi 20, 21, 22, 23, 24\n\t"
                   "vxor.vx v0, v0, %[value]\n\t"
                   "bne %[constant], %[end], 1b\n\t"
                   "addi %[place], %[place], -200\n\t" FOR_EACH_LANE
                   "vsse64.v v\\lane, (%[place]), %[distance]\n\t"
                   "addi %[place], %[place], 8\n\t"
                   ".endr\n\t" END_OF_MACROS RVV_END
                   : [place] "+&r"(place), [constant] "+&r"(constant), [value] "=&r"(value)
                   : [end] "r"(end), [count] "r"(count), [distance] "r"(distance), [r36] "r"(36L),
                     [r37] "r"(37L), [r39] "r"(39L), [r41] "r"(41L), [r43] "r"(43L), [r44] "r"(44L),
                     [r45] "r"(45L), [r46] "r"(46L), [r49] "r"(49L), [r50] "r"(50L), [r54] "r"(54L),
                     [r55] "r"(55L), [r56] "r"(56L), [r58] "r"(58L), [r61] "r"(61L), [r62] "r"(62L),
                     [r63] "r"(63L)
                   : RVV_CLOBBERS);
}

static void permute_rvv(uint64_t state[KECCAK_LANES]) {
  permute_states_rvv(state, 0, 1);
}

static void permute_pair_rvv(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  permute_states_rvv(first, (uintptr_t)second - (uintptr_t)first, 2);
}

const struct keccak_ops ckem_keccak_rvv = {
    .name = "rvv",
    .permute = permute_rvv,
    .permute_pair = permute_pair_rvv,
    .width = 1,
    .permute_many = permute_rvv,
};

#endif
