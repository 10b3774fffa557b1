/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors over GF(2^m) on 64-bit words. */
#include <stdbool.h>

#include "gf2m/gf2m.h"
#include "gf2m/gf2m_pack.h"

typedef uint64_t vector;

#define VECTOR_WORDS 1
#define TEMPLATE_SUFFIX portable
#define TEMPLATE_BACKEND "portable"
#define vector_load(p) (*(p))
#define vector_store(p, x) ((void)(*(p) = (x)))
#define vector_store_any vector_store
#define vector_xor(a, b) ((a) ^ (b))
#define vector_and(a, b) ((a) & (b))
#define vector_add_product(sum, a, b) ((sum) ^ ((a) & (b)))
#define vector_fill(w) ((uint64_t)(w))
#define vector_shift_left(x, count) ((x) << (count))
#define vector_shift_right(x, count) ((x) >> (count))
#define pack_elements ckem_gf2m_pack_words
#define unpack_elements ckem_gf2m_unpack_words

#include "gf2m/gf2m_vectors.template.h"
/* The order matters: these build on those. */
#include "gf2m/gf2m_transform.template.h"
