/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between numbers and planes, in 64-bit words: for back ends without a better way. */
#ifndef CODEKEM_GF2M_GF2M_PACK_H
#define CODEKEM_GF2M_GF2M_PACK_H

#include "gf2m/gf2m.h"

/* As pack and unpack of struct gf2m_ops. */
void ckem_gf2m_pack_words(const struct gf2m_field *field, uint64_t *out, const uint16_t *in,
                          size_t count);
void ckem_gf2m_unpack_words(const struct gf2m_field *field, uint16_t *out, const uint64_t *in,
                            size_t count);

#endif
