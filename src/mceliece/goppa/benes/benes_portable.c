/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Benes networks in portable C. */
#include "benes/benes.h"
#include "benes/benes_find.h"
#include "benes/benes_words.h"

static void find_control_bits_portable(unsigned m, uint8_t *control, const uint16_t *pi,
                                       uint64_t *scratch) {
  ckem_benes_find(&ckem_benes_steps_portable, &ckem_sort_portable, m, control, pi, scratch);
}

const struct benes_ops ckem_benes_portable = {
    .name = "portable",
    .find_control_bits = find_control_bits_portable,
    .prepare = ckem_benes_prepare_words,
    .apply = ckem_benes_apply_words,
    .apply_reversed = ckem_benes_apply_words_reversed,
    .permutation = ckem_benes_permutation_of_words,
};
