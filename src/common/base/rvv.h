/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Vectors of RISC-V (V 1.0) in assembly within C: compilers that have functions for them are newer
 * than many that build this library, and give no form for single files.
 *
 * Each statement is a whole loop, RVV_BEGIN ... RVV_END, that takes as many elements at a time as
 * the processor's vectors hold, so any length of vectors will do; V has at least 128 bits. On
 * secrets only logic, shifts, sums and products are used, no masks and no indices.
 */
#ifndef CODEKEM_BASE_RVV_H
#define CODEKEM_BASE_RVV_H

#include "base/isa.h"

#if defined(CODEKEM_HAVE_RVV)

#define RVV_BEGIN ".option push\n\t.option arch, +v\n\t"
#define RVV_END "\n\t.option pop"

/* What a statement changes. Compilers that do not use vectors do not know their names. */
#if defined(__riscv_v) && (defined(__clang__) || __GNUC__ >= 13)
#define RVV_CLOBBERS                                                                             \
  "memory", "vl", "vtype", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10",    \
      "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", \
      "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"
#else
#define RVV_CLOBBERS "memory"
#endif

#endif

#endif
