/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* As oqs/sha3.h here. */
#include <oqs/common.h>
#include <oqs/rand.h>
