/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Values of SOFIA's polynomials by tables, with functions that stay functions: so what is added for
 * half a row can be proved alone, and what an evaluation calls can be seen.
 *
 * UNIT is the file of the back end.
 */
#include "base/intrinsics.h" /* before the next line, which is not for it */

#define always_inline noinline

#include UNIT
