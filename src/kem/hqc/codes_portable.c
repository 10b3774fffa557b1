/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The codes of HQC in plain C: eight field elements in a 64-bit word. */
#include "hqc/gf256.h"
#include "hqc/codes.h"
#include "hqc/reed_muller.h"

#define TEMPLATE_SUFFIX portable
#include "hqc/reed_solomon.template.h"

const struct hqc_codes ckem_hqc_codes_portable = {
    .name = "portable",
    .reed_muller_decode = ckem_reed_muller_decode,
    .reed_solomon_encode = reed_solomon_encode_portable,
    .reed_solomon_decode = reed_solomon_decode_portable,
};
