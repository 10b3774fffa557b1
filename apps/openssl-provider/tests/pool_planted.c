/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The provider's pool with a planted race, to show that the check for races finds it: with PLANTED
 * 1 every thread may enter at any time, with PLANTED 2 the lock no longer orders what is in memory.
 * The linker puts it before the true one. */
#define _GNU_SOURCE
#include <stdatomic.h>

#if PLANTED == 1
#undef atomic_compare_exchange_strong_explicit
#define atomic_compare_exchange_strong_explicit(object, expected, desired, success, failure) \
  ((void)(object), (void)(expected), true)
#else
#define memory_order_acquire memory_order_relaxed
#define memory_order_release memory_order_relaxed
#endif
#define ckem_pool_open __wrap_ckem_pool_open
#define ckem_pool_close __wrap_ckem_pool_close
#define ckem_pool_take __wrap_ckem_pool_take
#define ckem_pool_expire __wrap_ckem_pool_expire
#include "apps/openssl-provider/pool.c"  // NOLINT(bugprone-suspicious-include)
