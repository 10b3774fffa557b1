/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the library takes of assert.h, for targets without a C library. This crate is built with
 * NDEBUG everywhere. */
#pragma once

#define assert(condition) ((void)0)
#define static_assert _Static_assert
