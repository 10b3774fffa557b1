/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The codes of HQC in plain C. */
#include "hqc/hqc_ops.h"
#include "hqc/reed_muller.h"

const struct hqc_ops hqc_ops_portable = {
    .name = "portable",
    .reed_muller_decode = reed_muller_decode,
    .reed_solomon_encode = reed_solomon_encode,
    .reed_solomon_decode = reed_solomon_decode,
};
