/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a build for small devices (CODEKEM_SMALL) decides differently: how much memory is set aside.
 * Sizes that depend on a ring or on a scheme are beside the code that takes them. */
#ifndef CODEKEM_BASE_PROFILE_H
#define CODEKEM_BASE_PROFILE_H

#include "base/isa.h"

/* 1 where the back end for the Cortex-M4 is the only one, so that what it needs is enough. */
#if defined(CODEKEM_SMALL) && defined(CODEKEM_HAVE_M4)
#define PROFILE_M4_ONLY 1
#else
#define PROFILE_M4_ONLY 0
#endif

/* 1 where portable code is the only one beside that for the vectors of WebAssembly, which needs no
 * more. */
#if defined(CODEKEM_SMALL) && !PROFILE_M4_ONLY && !defined(CODEKEM_HAVE_AVX2) && \
    !defined(CODEKEM_HAVE_NEON) && !defined(CODEKEM_HAVE_RVV) && !defined(CODEKEM_HAVE_ZBC)
#define PROFILE_PORTABLE_ONLY 1
#else
#define PROFILE_PORTABLE_ONLY 0
#endif

/* How deep below the entry points functions may leave traces on the stack, in bytes. The back ends
 * in the build decide, not how small it is meant to be: portable code goes 4.6 KiB deep, vector
 * code 7, that of the Cortex-M4 less than 2 (tests/memory, devices/tests). */
#if PROFILE_M4_ONLY
#define PROFILE_TRACE_BYTES 2048
#elif defined(CODEKEM_SMALL) && !defined(CODEKEM_HAVE_AVX2) && !defined(CODEKEM_HAVE_NEON)
#define PROFILE_TRACE_BYTES 8192
#else
#define PROFILE_TRACE_BYTES 10240
#endif

#endif
