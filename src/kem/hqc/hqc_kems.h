/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the KEMs of the HQC family share, for those that are defined elsewhere (codekem-legacy). */
#ifndef CODEKEM_HQC_HQC_KEMS_H
#define CODEKEM_HQC_HQC_KEMS_H

#include "hqc/hqc_levels.h"
#include "kem.h"

/* With HQC_WORKSPACE_WORDS for each operation. */
#define HQC_DECLARE_STACKS(level) extern const struct kem_stacks ckem_hqc_level##level##_stacks;
HQC_LEVELS(HQC_DECLARE_STACKS)
#undef HQC_DECLARE_STACKS

#endif
