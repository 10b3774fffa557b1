/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The library's portable back end on this system: pieces of it can be left to hardware. */
#ifndef CODEKEM_RISCV_PIECES_H
#define CODEKEM_RISCV_PIECES_H

#include <stdbool.h>

/* Says which pieces of hardware the library uses from now on: the permutation of Keccak, products
 * of polynomials; it begins with none. Returns false, and changes nothing, if the system has not
 * all of them. */
bool pieces_use(bool keccak, bool product);

#endif
