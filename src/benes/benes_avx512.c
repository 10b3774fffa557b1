/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Benes networks with sorting on vectors. */
#include "base/isa.h"
#include "benes/benes.h"
#include "benes/benes_find.h"
#include "benes/benes_words.h"

#if defined(CODEKEM_HAVE_AVX512)

static void find_control_bits_avx512(unsigned m, uint8_t *control, const uint16_t *pi,
                                   uint64_t *scratch) {
  benes_find(benes_look_up_by_sorting, &sort_avx512, m, control, pi, scratch);
}

const struct benes_ops benes_avx512 = {
    .name = "avx512",
    .find_control_bits = find_control_bits_avx512,
    .prepare = benes_prepare_words,
    .apply = benes_apply_words,
    .apply_reversed = benes_apply_words_reversed,
    .permutation = benes_permutation_of_words,
};

#endif
