/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a build for small devices decides differently: how much memory is set aside. Where the
 * back end for the Cortex-M4 is the only one, its needs are enough. */
#ifndef CODEKEM_BASE_PROFILE_H
#define CODEKEM_BASE_PROFILE_H

#if defined(CODEKEM_SMALL) && defined(CODEKEM_HAVE_M4)

#define PROFILE_RING_STRIDES 5
/* The smallest ring is counted in three blocks, the others in two; the largest has one plane more. */
#define PROFILE_COUNT_STRIDES(r_bits) ((r_bits) < 16384 ? 7 : (r_bits) < 32768 ? 9 : 10)

#else

/* Scratch memory of a ring operation and of the decoder's counters, in ring elements. */
#define PROFILE_RING_STRIDES 20
#define PROFILE_COUNT_STRIDES(r_bits) 22

#endif

/* How deep below the entry points functions may leave traces on the stack, in bytes. */
#if defined(CODEKEM_SMALL)
#define PROFILE_TRACE_BYTES 2048
#else
#define PROFILE_TRACE_BYTES 12288
#endif

#endif
