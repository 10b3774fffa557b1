/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What liboqs's build means for a copy of codekem; the C file includes it first. */
#ifndef CODEKEM_OQS_CONFIG_H
#define CODEKEM_OQS_CONFIG_H

#include <oqs/oqsconfig.h>

/* Its checks of constant time then know what may be public. */
#if defined(OQS_ENABLE_TEST_CONSTANT_TIME)
#define CODEKEM_CHECK_VALGRIND 1
#endif

#endif
