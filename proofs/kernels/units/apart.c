/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A file whose inline functions stay functions: so what they compute can be proved alone, and who
 * calls them can be seen.
 *
 * UNIT is the file.
 */
#include "base/intrinsics.h" /* before the next line, which is not for it */

#define always_inline noinline

#include UNIT
