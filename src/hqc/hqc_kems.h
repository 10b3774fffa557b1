/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of the HQC family, by name. */
#ifndef CODEKEM_HQC_HQC_KEMS_H
#define CODEKEM_HQC_HQC_KEMS_H

#include "kem.h"

extern const codekem_kem hqc_1, hqc_3, hqc_5, hqc_1_v5_0_0, hqc_3_v5_0_0, hqc_5_v5_0_0;

/* The addresses of all of them, for tables. */
#define HQC_KEMS &hqc_1, &hqc_3, &hqc_5, &hqc_1_v5_0_0, &hqc_3_v5_0_0, &hqc_5_v5_0_0

#endif
