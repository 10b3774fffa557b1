/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For reed_solomon.template.h where elements are as in the specification, and a product by one
 * element is like any other. */
#ifndef CODEKEM_HQC_GF256_PLAIN_H
#define CODEKEM_HQC_GF256_PLAIN_H

#define gf256_scalar gf256_vector
#define gf256_prepare(v) (v)
#define gf256_scale(scalar, v) gf256_mul(*(scalar), v)

#define gf256_enter(v) (v)
#define gf256_leave(v) (v)

#endif
