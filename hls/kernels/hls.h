/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For kernels of codekem-hls. PUBLIC before a scalar argument: trip counts may depend on it. */
#ifndef CODEKEM_HLS_H
#define CODEKEM_HLS_H

#include <stdint.h>

#ifdef CODEKEM_HLS_DECLARATIONS
#define PUBLIC __attribute__((annotate("public")))
#else
#define PUBLIC
#endif

#endif
