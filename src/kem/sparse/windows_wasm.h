/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Windows on a ring element, with the 128-bit vectors of WebAssembly.
 *
 * An element that is written twice, one behind the other, holds all its rotations as windows of r
 * bits: the one that starts at bit q is x^(r - q) times the element. A window is found in steps
 * that do not depend on q, which is secret: whole vectors by choices between a vector and one
 * farther on, bytes by `swizzle`, bits by a shift.
 */
#ifndef CODEKEM_SPARSE_WINDOWS_WASM_H
#define CODEKEM_SPARSE_WINDOWS_WASM_H

#include "base/intrinsics.h"
#include "gf2x/gf2x.h"

#if defined(CODEKEM_HAVE_WASM)

/* Words of memory for the windows of an element. */
#define WINDOWS_WORDS(r_bits) (8 * (((r_bits) + 127) / 128) + 8)

struct windows {
  uint32_t reach; /* a window starts in one of so many vectors */
  size_t count;   /* vectors of a window, and two behind it */
  size_t total;   /* vectors that windows touch */
  v128_t *twice;  /* the element, written twice, and then zeros: total */
  v128_t *moved;  /* the window, but for a distance below a vector: as many */
};

/* Prepares the windows of a in memory[WINDOWS_WORDS]. An element has more than 64
 * vectors. */
void ckem_windows_of_wasm(struct windows *windows, const struct gf2x_ring *ring, const uint64_t *a,
                          uint64_t *memory);

/* Adds to sum the window that starts at bit before + 1, for before < r; for others some window.
 * Whatever a window has from bit r on is added, too, to the end of the vector that has bit
 * r - 1. */
void ckem_windows_add_wasm(const struct windows *windows, uint64_t *sum, uint32_t before);

#endif

#endif
