/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Constants of the additive Fourier transform (gf2m_transform.template.h). */
#ifndef CODEKEM_GF2M_GF2M_TABLES_H
#define CODEKEM_GF2M_GF2M_TABLES_H

#include <stdint.h>

#include "gf2m/gf2m.h"

#define GF2M_LEVELS 8
#define GF2M_LANES 256 /* coefficients in a transform */

/*
 * Level l works on the points of a basis with degree - l elements b_j: at level 0 those of natural
 * order. With c = b_last and g_j = b_j / c it needs
 *   gamma  the element sum_j i_j g_j for i = e mod 2^(degree - 1 - l), 0 <= e < 512, in planes;
 *          from i = 512 on add
 *   high   g_9, g_10, g_11: those of the bits 9, 10 and 11 of i
 *   twist  c^(k / 2^l) for coefficient k, which is at place reverse(k) of 256, in planes
 * The basis of the next level is g_j^2 + g_j.
 */
struct gf2m_level {
  _Alignas(64) uint64_t gamma[13][8];
  uint16_t high[3];
  _Alignas(64) uint64_t twist[13][4];
};

#endif
