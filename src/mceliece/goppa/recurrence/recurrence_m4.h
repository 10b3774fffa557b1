/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The shortest linear recurrence (recurrence.h) for the Cortex-M4. Everything is secret but the
 * field and lengths, on which timing depends. */
#ifndef CODEKEM_RECURRENCE_RECURRENCE_M4_H
#define CODEKEM_RECURRENCE_RECURRENCE_M4_H

#include <stddef.h>
#include <stdint.h>

#include "gf2m/gf2m_m4.h"

#if defined(CODEKEM_HAVE_M4)

/* Words of memory for sequences of 2 length numbers. */
#define RECURRENCE_M4_WORDS(degree, length) \
  ((size_t)(degree) * (3 * (((length) + 31) / 32) + 1) + 16)

/* As find in struct recurrence_ops, for elements of the form of gf2m_m4.h; connection[0] is 1.
 * Returns a mask. memory: RECURRENCE_M4_WORDS; secrets stay in it. */
uint32_t ckem_recurrence_find_m4(const struct gf2m_m4 *field, uint16_t *connection,
                                 const uint16_t *sequence, size_t length, uint32_t *memory);

/* Words of memory of the next function. */
#define RECURRENCE_WEIGHTS_M4_WORDS(degree, length) \
  ((size_t)(degree) * (2 * (((length) + 31) / 32) + 1) + 2 * (length) + 2)

/* For a sequence[2 length] with the monic connection polynomial locator[length + 1], backwards,
 * that has `length` different roots in the field, and a monic polynomial g[length + 1] without a
 * root there: returns a mask: number j is the sum of root^j / g(root)^2. */
uint32_t ckem_recurrence_has_weights_m4(const struct gf2m_m4 *field, const uint16_t *locator,
                                        const uint16_t *sequence, const uint16_t *g, size_t length,
                                        uint32_t *memory);

#endif

#endif
