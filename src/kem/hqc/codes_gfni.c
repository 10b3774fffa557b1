/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The codes of HQC with GFNI on vectors of 256 bits: Reed-Solomon, 32 field elements in a vector.
 * Reed-Muller is that of AVX2. */
#include "base/ct.h"
#include "base/intrinsics.h"
#include "hqc/codes.h"

#if defined(CODEKEM_HAVE_GFNI)
ISA_BEGIN_GFNI

#include "hqc/gf256_gfni.template.h"

#define TEMPLATE_SUFFIX gfni
#include "hqc/reed_solomon.template.h"

const struct hqc_codes ckem_hqc_codes_gfni = {
    .name = "gfni",
    .reed_muller_decode = ckem_reed_muller_decode_avx2,
    .reed_solomon_encode = reed_solomon_encode_gfni,
    .reed_solomon_decode = reed_solomon_decode_gfni,
};

ISA_END
#endif
