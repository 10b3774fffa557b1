/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Networks on 64-bit words: for back ends without a better way. */
#ifndef CODEKEM_BENES_BENES_WORDS_H
#define CODEKEM_BENES_BENES_WORDS_H

#include <stdint.h>

/* As in struct benes_ops. A layer of distance d has 2^(m-6) words of network. For d < 64 word w has
 * its control bits at the lower places of the pairs in word w of the data. For larger d there is a
 * word for each pair of words, in the order of the lower ones, and as many zeros behind. */
void ckem_benes_prepare_words(unsigned m, uint64_t *network, const uint8_t *control);
void ckem_benes_apply_words(unsigned m, uint64_t *data, const uint64_t *network);
void ckem_benes_apply_words_reversed(unsigned m, uint64_t *data, const uint64_t *network);
void ckem_benes_permutation_of_words(unsigned m, uint16_t *pi, const uint64_t *network,
                                     uint64_t *scratch);

/* The permutation of a network in the form that `apply` wants. */
typedef void benes_apply_function(unsigned m, uint64_t *data, const uint64_t *network);
void ckem_benes_permutation_by(benes_apply_function *apply, unsigned m, uint16_t *pi,
                               const uint64_t *network, uint64_t *scratch);

#endif
