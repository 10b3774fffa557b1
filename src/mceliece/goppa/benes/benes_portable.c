/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Benes networks in portable C. */
#include "benes/benes.h"
#include "benes/benes_find.h"
#include "benes/benes_words.h"

static void find_control_bits_portable(unsigned m, uint8_t *control, const uint16_t *pi,
                                       uint64_t *scratch) {
  benes_find(&benes_steps_portable, &sort_portable, m, control, pi, scratch);
}

const struct benes_ops benes_portable = {
    .name = "portable",
    .find_control_bits = find_control_bits_portable,
    .prepare = benes_prepare_words,
    .apply = benes_apply_words,
    .apply_reversed = benes_apply_words_reversed,
    .permutation = benes_permutation_of_words,
};
