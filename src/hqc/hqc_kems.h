/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of the HQC family, by name. */
#ifndef CODEKEM_HQC_HQC_KEMS_H
#define CODEKEM_HQC_HQC_KEMS_H

#include "kem.h"

#define HQC_KEM_COUNT 6

extern const codekem_kem hqc_kems[HQC_KEM_COUNT];

#endif
