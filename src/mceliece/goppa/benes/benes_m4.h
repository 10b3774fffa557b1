/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Benes networks (benes.h) for the Cortex-M4: control bits are read as they are, so that none are
 * kept. Everything is secret but m, on which timing depends. */
#ifndef CODEKEM_BENES_BENES_M4_H
#define CODEKEM_BENES_BENES_M4_H

#include <stdbool.h>
#include <stdint.h>

#if defined(CODEKEM_HAVE_M4)

/* Permutes the 2^m bits of data, 9 <= m <= 13, by control bits; in reverse, undoes that. */
void ckem_benes_apply_m4(unsigned m, uint32_t *data, const uint8_t *control, bool reversed);

#endif

#endif
