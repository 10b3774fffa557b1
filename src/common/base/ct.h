/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Constant-time masks: the only place that turns secret conditions into data.
 *
 * A mask is all ones for true and zero for false. Value barriers hide from the compiler where a
 * mask came from, so that it cannot turn the arithmetic back into a branch.
 */
#ifndef CODEKEM_BASE_CT_H
#define CODEKEM_BASE_CT_H

#include <stddef.h>
#include <stdint.h>

/* Without a barrier a compiler may turn masks back into branches, and nobody would notice. clang-cl
 * defines __clang__ alone. */
#if !defined(__GNUC__) && !defined(__clang__)
#error \
    "codekem knows no value barrier for this compiler: build it with gcc or clang (clang-cl, too)"
#endif

/* Returns x and hides its value from the compiler. MemorySanitizer cannot follow a value through
 * assembly; a volatile variable hides where it came from as well, but costs time. */
static inline uint64_t ct_barrier_u64(uint64_t x) {
#if defined(CODEKEM_CHECK_MSAN)
  volatile uint64_t hidden = x;
  return hidden;
#elif !defined(__FRAMAC__)
  __asm__("" : "+r"(x));
#endif
  return x;
}

static inline uint32_t ct_barrier_u32(uint32_t x) {
#if defined(CODEKEM_CHECK_MSAN)
  volatile uint32_t hidden = x;
  return hidden;
#elif !defined(__FRAMAC__)
  __asm__("" : "+r"(x));
#endif
  return x;
}

/* Returns a mask from the lowest bit of x. The barrier stands before the negation: of a barrier
 * behind it compilers still know that its operand is a choice of two constants, and clang for
 * WebAssembly makes that choice with `select`, which an engine may run as a branch. */
static inline uint64_t ct_mask_bit_u64(uint64_t x) {
  return UINT64_C(0) - ct_barrier_u64(x & 1);
}

static inline uint32_t ct_mask_bit_u32(uint32_t x) {
  return UINT32_C(0) - ct_barrier_u32(x & 1);
}

/* Returns a mask: x == 0. */
static inline uint32_t ct_mask_zero_u32(uint32_t x) {
  return ct_mask_bit_u32(((x | (UINT32_C(0) - x)) >> 31) ^ 1);
}

static inline uint64_t ct_mask_zero_u64(uint64_t x) {
  return ct_mask_bit_u64(((x | (UINT64_C(0) - x)) >> 63) ^ 1);
}

/* Returns a mask: a == b. */
static inline uint32_t ct_mask_equal_u32(uint32_t a, uint32_t b) {
  return ct_mask_zero_u32(a ^ b);
}

/* Returns a mask: a < b, for every a and b. */
static inline uint32_t ct_mask_less_u32(uint32_t a, uint32_t b) {
  return ct_mask_bit_u32((uint32_t)(((uint64_t)a - (uint64_t)b) >> 63));
}

/* Returns mask ? a : b. */
static inline uint32_t ct_select_u32(uint32_t mask, uint32_t a, uint32_t b) {
  return b ^ (mask & (a ^ b));
}

static inline uint64_t ct_select_u64(uint64_t mask, uint64_t a, uint64_t b) {
  return b ^ (mask & (a ^ b));
}

/* Returns x shifted by n < 64 places. A count that is secret needs these: for 32-bit processors
 * compilers may branch on whether it is below 32. */
static inline uint64_t ct_shift_left_u64(uint64_t x, unsigned n) {
#if SIZE_MAX > UINT32_MAX
  return x << n;
#else
  const uint32_t whole = ct_mask_bit_u32(n >> 5); /* moves by 32 */
  const uint32_t low = (uint32_t)x;
  const uint32_t high = ct_select_u32(whole, low, (uint32_t)(x >> 32));
  const uint32_t rest = low & ~whole;
  const unsigned s = n & 31;

  return (uint64_t)(high << s | rest >> 1 >> (31 - s)) << 32 | rest << s;
#endif
}

static inline uint64_t ct_shift_right_u64(uint64_t x, unsigned n) {
#if SIZE_MAX > UINT32_MAX
  return x >> n;
#else
  const uint32_t whole = ct_mask_bit_u32(n >> 5);
  const uint32_t high = (uint32_t)(x >> 32);
  const uint32_t low = ct_select_u32(whole, high, (uint32_t)x);
  const uint32_t rest = high & ~whole;
  const unsigned s = n & 31;

  return (uint64_t)(rest >> s) << 32 | (low >> s | rest << 1 << (31 - s));
#endif
}

/* Tells the constant-time checkers (valgrind, MemorySanitizer) that buffer[length] may be public
 * from here on. Each call states why. It does nothing in ordinary builds. */
#if defined(CODEKEM_CHECK_VALGRIND)
#include <valgrind/memcheck.h>
#define ct_declassify(buffer, length) ((void)VALGRIND_MAKE_MEM_DEFINED((buffer), (length)))
#elif defined(CODEKEM_CHECK_MSAN)
#include <sanitizer/msan_interface.h>
#define ct_declassify(buffer, length) __msan_unpoison((buffer), (length))
#elif defined(CODEKEM_CHECK_WASM)
/* WebAssembly under valgrind: whoever runs the module tells the checker. */
__attribute__((import_module("codekem_check"), import_name("declassify"))) void
ct_declassify_outside(const void *buffer, size_t length);
#define ct_declassify(buffer, length) ct_declassify_outside((buffer), (length))
#else
#define ct_declassify(buffer, length) ((void)(buffer), (void)(length))
#endif

#endif
