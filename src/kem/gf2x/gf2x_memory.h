/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sizes of ring elements, and of the scratch memory of ring operations (gf2x.h). Scratch memory is
 * enough for every back end of the build, in words. */
#ifndef CODEKEM_GF2X_GF2X_MEMORY_H
#define CODEKEM_GF2X_GF2X_MEMORY_H

#include "base/isa.h"
#include "base/profile.h"

/* Words that hold r bits; the same rounded up to whole 512-bit vectors. */
#define GF2X_WORDS(r_bits) (((r_bits) + 63) / 64)
#define GF2X_STRIDE(r_bits) (((r_bits) + 511) / 512 * 8)
#define GF2X_BYTES(r_bits) (((r_bits) + 7) / 8)

/* GF2X_SCRATCH_WORDS: of all operations but mul_add (GF2X_ADD_SCRATCH_WORDS).
 * GF2X_MUL_SCRATCH_WORDS, which is no more, is enough for mul. */
#if PROFILE_M4_ONLY

#define GF2X_SCRATCH_WORDS(r_bits) \
  ((r_bits) < 16384 ? 7 * GF2X_STRIDE(r_bits) / 2 + 4 : 4 * GF2X_STRIDE(r_bits))
#define GF2X_MUL_SCRATCH_WORDS(r_bits) GF2X_SCRATCH_WORDS(r_bits)
#define GF2X_ADD_SCRATCH_WORDS(r_bits) (5 * GF2X_STRIDE(r_bits))

#else

#if PROFILE_PORTABLE_ONLY
/* What powers take: two matrices of up to 36 blocks of 64 words. */
#define GF2X_SCRATCH_WORDS(r_bits) (9 * GF2X_STRIDE(r_bits) + 128)
#else
#define GF2X_SCRATCH_WORDS(r_bits) (20 * GF2X_STRIDE(r_bits) + 64)
#endif
#define GF2X_ADD_SCRATCH_WORDS(r_bits) GF2X_SCRATCH_WORDS(r_bits)
#if defined(CODEKEM_HAVE_NEON32)
/* NEON on 32-bit Arm cuts elements into seven parts of whole words. */
#define GF2X_PART_BYTES_NEON32(r_bits) ((GF2X_BYTES(r_bits) + 55) / 56 * 8)
#define GF2X_MUL_SCRATCH_WORDS(r_bits) \
  (2 * GF2X_STRIDE(r_bits) + 10 * GF2X_PART_BYTES_NEON32(r_bits) + 40)
#elif defined(CODEKEM_HAVE_RVV)
/* Two products and what makes them; V cuts nothing into parts. */
#define GF2X_MUL_SCRATCH_WORDS(r_bits) (8 * GF2X_STRIDE(r_bits) + 64)
#elif defined(CODEKEM_SMALL) && !defined(CODEKEM_HAVE_AVX512)
#define GF2X_MUL_SCRATCH_WORDS(r_bits) (5 * GF2X_WORDS(r_bits) + 64)
#else
/* Whether AVX-512 cuts elements into thirds first. */
#define GF2X_IN_THIRDS_AVX512(r_bits) ((r_bits) > 332 * 128)
/* What AVX-512 takes; up to 330 blocks of 128 bits that is more than AVX2's product in lanes. */
#define GF2X_MUL_SCRATCH_WORDS(r_bits)                                \
  (GF2X_IN_THIRDS_AVX512(r_bits) ? 14 * GF2X_STRIDE(r_bits) / 3 + 200 \
   : (r_bits) <= 40960           ? 17 * GF2X_STRIDE(r_bits) / 2 + 144 \
                                 : 9 * GF2X_STRIDE(r_bits) + 112)
#endif

#endif

/* The seven parts of NEON on 32-bit Arm are not longer than an element. */
#if defined(CODEKEM_HAVE_NEON32)
#define GF2X_HAS_MEMORY_NEON32(r_bits) \
  (7 * GF2X_PART_BYTES_NEON32(r_bits) <= 8 * GF2X_STRIDE(r_bits))
#else
#define GF2X_HAS_MEMORY_NEON32(r_bits) 1
#endif

/* Whether the back ends of the build have memory enough for all operations but powers by plans.
 * 2 generates the multiplicative group modulo r, which is 3 or 5 modulo 8. */
#define GF2X_MIN_R_BITS 8192
#define GF2X_MAX_R_BITS 58368
#define GF2X_HAS_MEMORY(r_bits)                                \
  ((r_bits) > GF2X_MIN_R_BITS && (r_bits) < GF2X_MAX_R_BITS && \
   ((r_bits) % 8 == 3 || (r_bits) % 8 == 5) && GF2X_HAS_MEMORY_NEON32(r_bits))

#endif
