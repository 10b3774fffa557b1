/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Storing the vector registers as a call has left them. */
#ifndef CODEKEM_TESTS_HARNESS_REGISTERS_H
#define CODEKEM_TESTS_HARNESS_REGISTERS_H

#include <stdint.h>
#include <string.h>

#include "base/cpu.h"
#include "base/isa.h"
#include "base/rvv.h"

/* 32 vectors of 512 bits, or of 1024 with RISC-V, and eight masks. */
#define REGISTERS_BYTES (32 * 128 + 64)

#define STORE_4(store, a, b, c, d) store(a) store(b) store(c) store(d)
#define STORE_16(store)        \
  STORE_4(store, 0, 1, 2, 3)   \
  STORE_4(store, 4, 5, 6, 7)   \
  STORE_4(store, 8, 9, 10, 11) \
  STORE_4(store, 12, 13, 14, 15)
#define STORE_HIGH_16(store)     \
  STORE_4(store, 16, 17, 18, 19) \
  STORE_4(store, 20, 21, 22, 23) \
  STORE_4(store, 24, 25, 26, 27) \
  STORE_4(store, 28, 29, 30, 31)

/* Inline and in assembly, so that nothing comes between the call and this. */
static inline __attribute__((always_inline)) void registers_store(uint8_t *out) {
#if defined(__x86_64__)
#define STORE_ZMM(n) "vmovdqu64 %%zmm" #n ", 64*" #n "(%0)\n\t"
#define STORE_YMM(n) "vmovdqu %%ymm" #n ", 64*" #n "(%0)\n\t"
#define STORE_XMM(n) "movdqu %%xmm" #n ", 64*" #n "(%0)\n\t"
#define STORE_MASK(n) "kmovw %%k" #n ", 4096+8*" #n "(%0)\n\t"
  if (__builtin_cpu_supports("avx512f")) {
    __asm__ volatile(STORE_16(STORE_ZMM) STORE_HIGH_16(STORE_ZMM) STORE_4(STORE_MASK, 0, 1, 2, 3)
                         STORE_4(STORE_MASK, 4, 5, 6, 7)
                     :
                     : "r"(out)
                     : "memory");
  } else if (__builtin_cpu_supports("avx")) {
    __asm__ volatile(STORE_16(STORE_YMM) : : "r"(out) : "memory");
  } else {
    __asm__ volatile(STORE_16(STORE_XMM) : : "r"(out) : "memory");
  }
#elif defined(__aarch64__)
#define STORE_Q(n) "str q" #n ", [%0, #16*" #n "]\n\t"
  __asm__ volatile(STORE_16(STORE_Q) STORE_HIGH_16(STORE_Q) : : "r"(out) : "memory");
#elif defined(CODEKEM_HAVE_NEON32)
  if (ckem_cpu_has_neon()) {
    __asm__ volatile(".fpu neon\n\tvstmia %0!, {d0-d15}\n\tvstmia %0, {d16-d31}"
                     : "+r"(out)
                     :
                     : "memory");
  }
#elif defined(CODEKEM_HAVE_RVV)
  if (ckem_cpu_has_rvv()) {
    for (size_t i = 0; i < 4; i++) { /* of at most 1024 bits each */
      switch (i) {
#define STORE_GROUP(i, v)                                                              \
  case i:                                                                              \
    __asm__ volatile(RVV_BEGIN "vs8r.v " #v ", (%0)" RVV_END : : "r"(out) : "memory"); \
    break
        STORE_GROUP(0, v0);
        STORE_GROUP(1, v8);
        STORE_GROUP(2, v16);
        STORE_GROUP(3, v24);
        default:
          break;
      }
      out += REGISTERS_BYTES / 4 / 8 * 8;
    }
  }
#else
  (void)out;
#endif
}

#endif
