/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a build for small devices decides differently: how much memory is set aside. Where the
 * back end for the Cortex-M4 is the only one, its needs are enough.
 * Words of scratch memory: of a ring operation; of mul_add; of mul_lean, which only HQC's rings have.
 * And in ring elements, of the decoder's counters. GF2X_STRIDE and GF2X_WORDS are those of gf2x.h. */
#ifndef CODEKEM_BASE_PROFILE_H
#define CODEKEM_BASE_PROFILE_H

#if defined(CODEKEM_SMALL) && defined(CODEKEM_HAVE_M4)

#define PROFILE_RING_WORDS(r_bits) \
  ((r_bits) < 16384 ? 7 * GF2X_STRIDE(r_bits) / 2 + 4 : 4 * GF2X_STRIDE(r_bits))
#define PROFILE_RING_ADD_WORDS(r_bits) (5 * GF2X_STRIDE(r_bits))
#define PROFILE_RING_LEAN_WORDS(r_bits) PROFILE_RING_WORDS(r_bits)
/* The smallest ring is counted in three blocks, the others in two; the largest has one plane more. */
#define PROFILE_COUNT_STRIDES(r_bits) ((r_bits) < 16384 ? 7 : (r_bits) < 32768 ? 9 : 10)

#else

#define PROFILE_RING_WORDS(r_bits) (20 * GF2X_STRIDE(r_bits) + 64)
#define PROFILE_RING_ADD_WORDS(r_bits) PROFILE_RING_WORDS(r_bits)
#if defined(CODEKEM_SMALL) && !defined(CODEKEM_HAVE_AVX512)
#define PROFILE_RING_LEAN_WORDS(r_bits) (5 * GF2X_WORDS(r_bits) + 64)
#else
/* What AVX-512 takes for the shortest ring, and a little more than it takes for the longest. */
#define PROFILE_RING_LEAN_WORDS(r_bits) 4352
#endif
#define PROFILE_COUNT_STRIDES(r_bits) 22

#endif

/* How deep below the entry points functions may leave traces on the stack, in bytes. The back ends in
 * the build decide, not how small it is meant to be: portable code goes 4.2 KiB deep, vector code 10,
 * that of the Cortex-M4 less than 2 (tests/memory, tests/embedded). */
#if defined(CODEKEM_SMALL) && defined(CODEKEM_HAVE_M4)
#define PROFILE_TRACE_BYTES 2048
#elif defined(CODEKEM_SMALL) && !defined(CODEKEM_HAVE_AVX2) && !defined(CODEKEM_HAVE_NEON)
#define PROFILE_TRACE_BYTES 8192
#else
#define PROFILE_TRACE_BYTES 12288
#endif

#endif
