/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The codes of HQC with AVX-512 and GFNI: Reed-Solomon, 32 field elements in a vector. Reed-Muller
 * is that of AVX2. */
#include "base/ct.h"
#include "base/intrinsics.h"
#include "hqc/codes.h"

#if defined(CODEKEM_HAVE_AVX512)
ISA_BEGIN_AVX512

#include "hqc/gf256_gfni.template.h"

#define TEMPLATE_SUFFIX avx512
#include "hqc/reed_solomon.template.h"

const struct hqc_codes ckem_hqc_codes_avx512 = {
    .name = "avx512",
    .reed_muller_decode = ckem_reed_muller_decode_avx2,
    .reed_solomon_encode = reed_solomon_encode_avx512,
    .reed_solomon_decode = reed_solomon_decode_avx512,
};

ISA_END
#endif
