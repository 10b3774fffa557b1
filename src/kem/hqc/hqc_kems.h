/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the KEMs of the HQC family share, for those that are defined elsewhere (codekem-legacy). */
#ifndef CODEKEM_HQC_HQC_KEMS_H
#define CODEKEM_HQC_HQC_KEMS_H

#include "hqc/names.h"
#include "kem.h"

/* With HQC_WORKSPACE_WORDS for each operation. */
extern const struct kem_stacks hqc_level1_stacks, hqc_level3_stacks, hqc_level5_stacks;

#endif
