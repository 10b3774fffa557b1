/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Erasing vector registers, those that a function may change: callers expect nothing in them.
 *
 * All that the processor has are cleared, whatever the back end uses: memcpy uses the widest. Where
 * there is nothing to clear, as in WebAssembly, or nothing is known, the function is empty.
 */
#include "base/cpu.h"
#include "base/isa.h"
#include "base/rvv.h"
#include "base/wipe.h"

#if !defined(__FRAMAC__) && \
    (defined(__x86_64__) || defined(CODEKEM_HAVE_RVV) || defined(CODEKEM_HAVE_NEON32))

#include <stdatomic.h>

static atomic_uint known_registers; /* the kind plus 1, or 0 */

/* Returns kind(), which takes long on some processors: it is asked once. */
static unsigned kind_of_registers(unsigned (*kind)(void)) {
  unsigned answer = atomic_load_explicit(&known_registers, memory_order_relaxed);

  if (answer == 0) {
    answer = kind() + 1;
    atomic_store_explicit(&known_registers, answer, memory_order_relaxed);
  }
  return answer - 1;
}

#endif

#if defined(__x86_64__) && !defined(__FRAMAC__)

/* Where some of them are the caller's (Windows), the compiler saves and restores their halves. */
#define LOW_CLOBBERS                                                                       \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
      "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

static unsigned kind_of_x86(void) {
  return ckem_cpu_has_zmm() ? 2 : ckem_cpu_has_ymm();
}

static void clear_xmm(void) {
  __asm__ volatile(
      "pxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1\n\tpxor %%xmm2, %%xmm2\n\t"
      "pxor %%xmm3, %%xmm3\n\tpxor %%xmm4, %%xmm4\n\tpxor %%xmm5, %%xmm5\n\t"
      "pxor %%xmm6, %%xmm6\n\tpxor %%xmm7, %%xmm7\n\tpxor %%xmm8, %%xmm8\n\t"
      "pxor %%xmm9, %%xmm9\n\tpxor %%xmm10, %%xmm10\n\tpxor %%xmm11, %%xmm11\n\t"
      "pxor %%xmm12, %%xmm12\n\tpxor %%xmm13, %%xmm13\n\tpxor %%xmm14, %%xmm14\n\t"
      "pxor %%xmm15, %%xmm15"
      :
      :
      : LOW_CLOBBERS);
}

static void clear_ymm(void) {
  __asm__ volatile("vzeroall" : : : LOW_CLOBBERS);
}

/* Compilers that do not use them here do not let us name them. */
#if defined(__AVX512F__)
#define HIGH_CLOBBERS                                                                           \
  "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",     \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", \
      "k6", "k7"
#else
#define HIGH_CLOBBERS "memory"
#endif

/* The masks, and the registers that vzeroall does not know. */
static void clear_high_zmm(void) {
  __asm__ volatile(
      "vpxord %%zmm16, %%zmm16, %%zmm16\n\tvpxord %%zmm17, %%zmm17, %%zmm17\n\t"
      "vpxord %%zmm18, %%zmm18, %%zmm18\n\tvpxord %%zmm19, %%zmm19, %%zmm19\n\t"
      "vpxord %%zmm20, %%zmm20, %%zmm20\n\tvpxord %%zmm21, %%zmm21, %%zmm21\n\t"
      "vpxord %%zmm22, %%zmm22, %%zmm22\n\tvpxord %%zmm23, %%zmm23, %%zmm23\n\t"
      "vpxord %%zmm24, %%zmm24, %%zmm24\n\tvpxord %%zmm25, %%zmm25, %%zmm25\n\t"
      "vpxord %%zmm26, %%zmm26, %%zmm26\n\tvpxord %%zmm27, %%zmm27, %%zmm27\n\t"
      "vpxord %%zmm28, %%zmm28, %%zmm28\n\tvpxord %%zmm29, %%zmm29, %%zmm29\n\t"
      "vpxord %%zmm30, %%zmm30, %%zmm30\n\tvpxord %%zmm31, %%zmm31, %%zmm31\n\t"
      "kxorw %%k0, %%k0, %%k0\n\tkxorw %%k1, %%k1, %%k1\n\t"
      "kxorw %%k2, %%k2, %%k2\n\tkxorw %%k3, %%k3, %%k3\n\t"
      "kxorw %%k4, %%k4, %%k4\n\tkxorw %%k5, %%k5, %%k5\n\t"
      "kxorw %%k6, %%k6, %%k6\n\tkxorw %%k7, %%k7, %%k7"
      :
      :
      : HIGH_CLOBBERS);
}

void ckem_secure_wipe_registers(void) {
  switch (kind_of_registers(kind_of_x86)) {
    case 2:
      clear_high_zmm();
      clear_ymm();
      break;
    case 1:
      clear_ymm();
      break;
    default:
      clear_xmm();
  }
}

#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__FRAMAC__)

/* The lower halves of v8 to v15 are the caller's. */
void ckem_secure_wipe_registers(void) {
  __asm__ volatile(
      "movi v0.2d, #0\n\tmovi v1.2d, #0\n\tmovi v2.2d, #0\n\tmovi v3.2d, #0\n\t"
      "movi v4.2d, #0\n\tmovi v5.2d, #0\n\tmovi v6.2d, #0\n\tmovi v7.2d, #0\n\t"
      "mov v8.d[1], xzr\n\tmov v9.d[1], xzr\n\tmov v10.d[1], xzr\n\tmov v11.d[1], xzr\n\t"
      "mov v12.d[1], xzr\n\tmov v13.d[1], xzr\n\tmov v14.d[1], xzr\n\tmov v15.d[1], xzr\n\t"
      "movi v16.2d, #0\n\tmovi v17.2d, #0\n\tmovi v18.2d, #0\n\tmovi v19.2d, #0\n\t"
      "movi v20.2d, #0\n\tmovi v21.2d, #0\n\tmovi v22.2d, #0\n\tmovi v23.2d, #0\n\t"
      "movi v24.2d, #0\n\tmovi v25.2d, #0\n\tmovi v26.2d, #0\n\tmovi v27.2d, #0\n\t"
      "movi v28.2d, #0\n\tmovi v29.2d, #0\n\tmovi v30.2d, #0\n\tmovi v31.2d, #0"
      :
      :
      : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21",
        "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
}

#elif defined(CODEKEM_HAVE_NEON32)

static unsigned kind_of_arm(void) {
  return ckem_cpu_has_neon();
}

void ckem_secure_wipe_registers(void) {
  if (kind_of_registers(kind_of_arm) != 0) {
    ckem_wipe_registers_neon32();
  }
}

#elif defined(CODEKEM_HAVE_RVV)

static unsigned kind_of_riscv(void) {
  return ckem_cpu_has_rvv();
}

void ckem_secure_wipe_registers(void) {
  size_t length;

  if (kind_of_registers(kind_of_riscv) != 0) {
    __asm__ volatile(RVV_BEGIN
                     "vsetvli %0, zero, e8, m8, ta, ma\n\t"
                     "vmv.v.i v0, 0\n\tvmv.v.i v8, 0\n\tvmv.v.i v16, 0\n\tvmv.v.i v24, 0" RVV_END
                     : "=r"(length)
                     :
                     : RVV_CLOBBERS);
  }
}

#else

void ckem_secure_wipe_registers(void) {}

#endif
