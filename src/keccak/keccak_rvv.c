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

/* Loads or stores lane i, and goes on to the next. */
#define FIVE_LANES(to, a, b, c, d, e) to(a) to(b) to(c) to(d) to(e)
#define FOR_EACH_LANE(to)                      \
  FIVE_LANES(to, "0", "1", "2", "3", "4")      \
  FIVE_LANES(to, "5", "6", "7", "8", "9")      \
  FIVE_LANES(to, "10", "11", "12", "13", "14") \
  FIVE_LANES(to, "15", "16", "17", "18", "19") \
  FIVE_LANES(to, "20", "21", "22", "23", "24")
#define LOAD(i) "vlse64.v v" i ", (%[place]), %[distance]\n\taddi %[place], %[place], 8\n\t"
#define STORE(i) "vsse64.v v" i ", (%[place]), %[distance]\n\taddi %[place], %[place], 8\n\t"

#define XOR(out, a, b) "vxor.vv v" out ", v" a ", v" b "\n\t"

/* The sum of a column. */
#define SUM_UP(sum, a, b, c, d, e) XOR(sum, a, b) XOR(sum, sum, c) XOR(sum, sum, d) XOR(sum, sum, e)

/* theta: adds a column's neighbours to its lanes. */
#define SPREAD(left, right, a, b, c, d, e)                                          \
  "vsll.vi v30, v" right                                                            \
  ", 1\n\t"                                                                         \
  "vsrl.vx v31, v" right ", %[r63]\n\t" XOR("30", "30", left) XOR("30", "30", "31") \
      XOR(a, a, "30") XOR(b, b, "30") XOR(c, c, "30") XOR(d, d, "30") XOR(e, e, "30")

/* rho and pi: the lane from, rotated to the left, at its place. A shift by 32 and more needs a
 * general register; of the two shifts one always does. */
#define MOVE_SHORT(place, from, left, right) \
  "vsll.vi v30, v" from ", " left            \
  "\n\t"                                     \
  "vsrl.vx v" place ", v" from ", %[r" right "]\n\t" XOR(place, place, "30")
#define MOVE_LONG(place, from, left, right) \
  "vsll.vx v30, v" from ", %[r" left        \
  "]\n\t"                                   \
  "vsrl.vi v" place ", v" from ", " right "\n\t" XOR(place, place, "30")

/* chi on a row. */
#define MASK(out, a, b) "vnot.v v" out ", v" a "\n\tvand.vv v" out ", v" out ", v" b "\n\t"
#define ADD_MASKED(a, b, c, d, e) \
  MASK("25", b, c)                \
  MASK("26", c, d)                \
  MASK("27", d, e)                \
  MASK("28", e, a)                \
  MASK("29", a, b) XOR(a, a, "25") XOR(b, b, "26") XOR(c, c, "27") XOR(d, d, "28") XOR(e, e, "29")

/* Applies the permutation to one state or two, so many bytes apart. */
static void permute_states_rvv(uint64_t *state, uintptr_t distance, size_t count) {
  const uint64_t *constant = keccak_round_constants;
  const uint64_t *const end = constant + KECCAK_ROUNDS;
  uint64_t *place = state;
  uint64_t value;

  __asm__ volatile(
      RVV_BEGIN
      "vsetvli zero, %[count], e64, m1, ta, ma\n\t"
      FOR_EACH_LANE(LOAD)
      "1:\n\t"
      SUM_UP("25", "0", "5", "10", "15", "20") SUM_UP("26", "1", "6", "11", "16", "21")
      SUM_UP("27", "2", "7", "12", "17", "22") SUM_UP("28", "3", "8", "13", "18", "23")
      SUM_UP("29", "4", "9", "14", "19", "24")
      SPREAD("29", "26", "0", "5", "10", "15", "20") SPREAD("25", "27", "1", "6", "11", "16", "21")
      SPREAD("26", "28", "2", "7", "12", "17", "22") SPREAD("27", "29", "3", "8", "13", "18", "23")
      SPREAD("28", "25", "4", "9", "14", "19", "24")
      MOVE_SHORT("29", "1", "1", "63")
      MOVE_LONG("1", "6", "44", "20") MOVE_SHORT("6", "9", "20", "44")
      MOVE_LONG("9", "22", "61", "3") MOVE_LONG("22", "14", "39", "25")
      MOVE_SHORT("14", "20", "18", "46") MOVE_LONG("20", "2", "62", "2")
      MOVE_LONG("2", "12", "43", "21") MOVE_SHORT("12", "13", "25", "39")
      MOVE_SHORT("13", "19", "8", "56") MOVE_LONG("19", "23", "56", "8")
      MOVE_LONG("23", "15", "41", "23") MOVE_SHORT("15", "4", "27", "37")
      MOVE_SHORT("4", "24", "14", "50") MOVE_SHORT("24", "21", "2", "62")
      MOVE_LONG("21", "8", "55", "9") MOVE_LONG("8", "16", "45", "19")
      MOVE_LONG("16", "5", "36", "28") MOVE_SHORT("5", "3", "28", "36")
      MOVE_SHORT("3", "18", "21", "43") MOVE_SHORT("18", "17", "15", "49")
      MOVE_SHORT("17", "11", "10", "54") MOVE_SHORT("11", "7", "6", "58")
      MOVE_SHORT("7", "10", "3", "61")
      "vmv.v.v v10, v29\n\t"
      "ld %[value], (%[constant])\n\t"
      "addi %[constant], %[constant], 8\n\t"
      ADD_MASKED("0", "1", "2", "3", "4") ADD_MASKED("5", "6", "7", "8", "9")
      ADD_MASKED("10", "11", "12", "13", "14") ADD_MASKED("15", "16", "17", "18", "19")
      ADD_MASKED("20", "21", "22", "23", "24")
      "vxor.vx v0, v0, %[value]\n\t"
      "bne %[constant], %[end], 1b\n\t"
      "addi %[place], %[place], -200\n\t"
      FOR_EACH_LANE(STORE)
      RVV_END
      : [place] "+r"(place), [constant] "+r"(constant), [value] "=&r"(value)
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

const struct keccak_ops keccak_rvv = {
    .name = "rvv",
    .permute = permute_rvv,
    .permute_pair = permute_pair_rvv,
};

#endif
