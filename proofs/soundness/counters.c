/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The counters of BIKE's decoder, as in products.c: the rotation of a syndrome, the sum of a group
 * and the comparison alone, and all of it over their specifications.
 */
#include <__fc_builtin.h>
#include <stdint.h>

#include "base/isa.h"
#include "bike/bike.h"
#include "bike/counters.h"

#define WORDS GF2X_WORDS(R_BITS)
#define STRIDE GF2X_STRIDE(R_BITS)
#define REACH (WORDS <= 256 ? 256 : WORDS <= 512 ? 512 : 1024)

#if ISA_WORDS_OF_32_BITS
#define ROTATED ((WORDS + 1) / 2 * 2) /* pairs of words */
#else
#define ROTATED WORDS
#endif

/*@ requires ring: ring == &RING && reach == REACH;
    requires extended: \initialized(extended + (0 .. 3 * STRIDE - 1));
    requires out: \valid(out + (0 .. ROTATED - 1));
    requires work: \valid(work + (0 .. 2 * STRIDE - 1)) &&
        (!ISA_WORDS_OF_32_BITS || \initialized(work + (0 .. 2 * STRIDE - 1)));
    requires apart: \separated(out + (0 .. ROTATED - 1), extended + (0 .. 3 * STRIDE - 1)) &&
        \separated(out + (0 .. ROTATED - 1), work + (0 .. 2 * STRIDE - 1)) &&
        \separated(work + (0 .. 2 * STRIDE - 1), extended + (0 .. 3 * STRIDE - 1));
    assigns out[0 .. ROTATED - 1] \from extended[0 .. 3 * STRIDE - 1], amount;
    assigns work[0 .. 2 * STRIDE - 1] \from extended[0 .. 3 * STRIDE - 1], amount;
    ensures set: \initialized(out + (0 .. ROTATED - 1)); */
static void rotate_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *extended,
                            uint32_t amount, uint32_t reach, uint64_t *work);

/*@ requires size: words == WORDS && stride == STRIDE;
    requires planes: \valid(planes + (0 .. 8 * STRIDE - 1)) &&
        \initialized(planes + (0 .. 8 * STRIDE - 1));
    requires group: \initialized(group + (0 .. WORDS - 1)) &&
        \initialized(group + (STRIDE .. STRIDE + WORDS - 1)) &&
        \initialized(group + (2 * STRIDE .. 2 * STRIDE + WORDS - 1)) &&
        \initialized(group + (3 * STRIDE .. 3 * STRIDE + WORDS - 1)) &&
        \initialized(group + (4 * STRIDE .. 4 * STRIDE + WORDS - 1)) &&
        \initialized(group + (5 * STRIDE .. 5 * STRIDE + WORDS - 1)) &&
        \initialized(group + (6 * STRIDE .. 6 * STRIDE + WORDS - 1)) &&
        \initialized(group + (7 * STRIDE .. 7 * STRIDE + WORDS - 1));
    requires apart: \separated(planes + (0 .. 8 * STRIDE - 1), group + (0 .. 8 * STRIDE - 1));
    assigns planes[0 .. 8 * STRIDE - 1] \from planes[0 .. 8 * STRIDE - 1],
        group[0 .. 8 * STRIDE - 1];
    ensures set: \initialized(planes + (0 .. 8 * STRIDE - 1)); */
static void add_group_portable(size_t words, size_t stride, uint64_t *planes,
                               const uint64_t *group);

/*@ requires ring: ring == &RING;
    requires planes: \initialized(planes + (0 .. 8 * STRIDE - 1));
    requires out: \valid(out + (0 .. STRIDE - 1));
    requires apart: \separated(out + (0 .. STRIDE - 1), planes + (0 .. 8 * STRIDE - 1));
    assigns out[0 .. STRIDE - 1] \from planes[0 .. 8 * STRIDE - 1], threshold;
    ensures set: \initialized(out + (0 .. STRIDE - 1)); */
static void compare_portable(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *planes,
                             uint32_t threshold);

#include "bike/counters_portable.c"

extern const uint64_t any_syndrome[STRIDE];
extern const uint32_t any_support[KEY_WEIGHT];
extern const uint32_t any_threshold;
extern const uint32_t any_threshold_low;
extern const uint32_t any_amount;
extern const uint64_t any_extended[3 * STRIDE];
extern const uint64_t any_planes[8 * STRIDE];

void analyse_rotate(void) {
  uint64_t out[ROTATED], work[2 * STRIDE];

#if ISA_WORDS_OF_32_BITS
  Frama_C_make_unknown((char *)work, sizeof work);
#endif
  rotate_portable(&RING, out, any_extended, any_amount, REACH, work);
  //@ assert out: \initialized(out + (0 .. ROTATED - 1));
  Frama_C_show_each_end();
}

/* What is behind the words of a vector has no values. */
void analyse_add_group(void) {
  uint64_t planes[8 * STRIDE], group[8 * STRIDE];

  Frama_C_make_unknown((char *)planes, sizeof planes);
  for (size_t v = 0; v < 8; v++) {
    Frama_C_make_unknown((char *)(group + v * STRIDE), WORDS * sizeof *group);
  }
  add_group_portable(WORDS, STRIDE, planes, group);
  //@ assert planes: \initialized(planes + (0 .. 8 * STRIDE - 1));
  Frama_C_show_each_end();
}

void analyse_compare(void) {
  uint64_t out[STRIDE];

  compare_portable(&RING, out, any_planes, any_threshold);
  //@ assert out: \initialized(out + (0 .. STRIDE - 1));
  Frama_C_show_each_end();
}

/* With the second output or without. That it is set, where there is one, is asserted in the source:
 * here both cases have come together again. */
void analyse_count_unsatisfied(void) {
  uint64_t reached[STRIDE];
  uint64_t reached_low[STRIDE];
  uint64_t scratch[BIKE_COUNT_SCRATCH_WORDS(R_BITS)];

  ckem_bike_counters_portable.count_unsatisfied(&RING, reached, any_threshold,
                                                Frama_C_interval(0, 1) != 0 ? reached_low : NULL,
                                                any_threshold_low, any_syndrome, any_support,
                                                KEY_WEIGHT, scratch);
  //@ assert reached: \initialized(reached + (0 .. STRIDE - 1));
  Frama_C_show_each_end();
}
