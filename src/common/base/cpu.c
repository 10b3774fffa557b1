/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the processor and the operating system allow [Intel SDM, volume 1, 13.2 and 14.3],
 * [Linux HWCAP], [Linux hwprobe]. */
#define _DEFAULT_SOURCE /* for syscall */

#include "base/cpu.h"

#include "base/isa.h"

#if defined(__x86_64__) && !defined(__FRAMAC__)

#include <cpuid.h>
#include <stdint.h>

struct features {
  uint32_t leaf1_ecx;
  uint32_t leaf7_ebx;
  uint32_t leaf7_ecx;
  uint32_t extended1_ecx;
  uint64_t saved_state; /* XCR0: which registers the system saves on a switch */
};

/* Bits of CPUID and XCR0. */
#define LEAF1_PCLMULQDQ (UINT32_C(1) << 1)
#define LEAF1_POPCNT (UINT32_C(1) << 23)
#define LEAF1_OSXSAVE (UINT32_C(1) << 27)
#define LEAF1_AVX (UINT32_C(1) << 28)
#define LEAF7_BMI1 (UINT32_C(1) << 3)
#define LEAF7_AVX2 (UINT32_C(1) << 5)
#define LEAF7_BMI2 (UINT32_C(1) << 8)
#define LEAF7_AVX512F (UINT32_C(1) << 16)
#define LEAF7_AVX512DQ (UINT32_C(1) << 17)
#define LEAF7_AVX512BW (UINT32_C(1) << 30)
#define LEAF7_AVX512VL (UINT32_C(1) << 31)
#define LEAF7_AVX512VBMI (UINT32_C(1) << 1)
#define LEAF7_AVX512VBMI2 (UINT32_C(1) << 6)
#define LEAF7_GFNI (UINT32_C(1) << 8)
#define LEAF7_VPCLMULQDQ (UINT32_C(1) << 10)
#define LEAF7_AVX512VPOPCNTDQ (UINT32_C(1) << 14)
#define EXTENDED1_LZCNT (UINT32_C(1) << 5)
#define STATE_XMM_YMM UINT64_C(0x06)
#define STATE_OPMASK_ZMM UINT64_C(0xE0)

static struct features read_features(void) {
  struct features f = {0, 0, 0, 0, 0};
  uint32_t eax, ebx, ecx, edx;

  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
    f.leaf1_ecx = ecx;
  }
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
    f.leaf7_ebx = ebx;
    f.leaf7_ecx = ecx;
  }
  if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx)) {
    f.extended1_ecx = ecx;
  }
  if ((f.leaf1_ecx & LEAF1_OSXSAVE) != 0) {
    __asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    f.saved_state = (uint64_t)edx << 32 | eax;
  }
  return f;
}

static bool all_of(uint64_t value, uint64_t wanted) {
  return (value & wanted) == wanted;
}

bool ckem_cpu_has_avx2(void) {
  const struct features f = read_features();

  return all_of(f.leaf1_ecx, LEAF1_PCLMULQDQ | LEAF1_POPCNT | LEAF1_OSXSAVE | LEAF1_AVX) &&
         all_of(f.leaf7_ebx, LEAF7_BMI1 | LEAF7_AVX2 | LEAF7_BMI2) &&
         all_of(f.extended1_ecx, EXTENDED1_LZCNT) && all_of(f.saved_state, STATE_XMM_YMM);
}

bool ckem_cpu_has_avx2_vpclmul(void) {
  const struct features f = read_features();

  return ckem_cpu_has_avx2() && all_of(f.leaf7_ecx, LEAF7_VPCLMULQDQ);
}

bool ckem_cpu_has_avx2_gfni(void) {
  const struct features f = read_features();

  return ckem_cpu_has_avx2_vpclmul() && all_of(f.leaf7_ecx, LEAF7_GFNI);
}

bool ckem_cpu_has_avx512(void) {
  const struct features f = read_features();

  return ckem_cpu_has_avx2() &&
         all_of(f.leaf7_ebx, LEAF7_AVX512F | LEAF7_AVX512DQ | LEAF7_AVX512BW | LEAF7_AVX512VL) &&
         all_of(f.leaf7_ecx, LEAF7_AVX512VBMI | LEAF7_AVX512VBMI2 | LEAF7_GFNI | LEAF7_VPCLMULQDQ |
                                 LEAF7_AVX512VPOPCNTDQ) &&
         all_of(f.saved_state, STATE_XMM_YMM | STATE_OPMASK_ZMM);
}

bool ckem_cpu_has_ymm(void) {
  const struct features f = read_features();

  return all_of(f.leaf1_ecx, LEAF1_AVX) && all_of(f.saved_state, STATE_XMM_YMM);
}

bool ckem_cpu_has_zmm(void) {
  const struct features f = read_features();

  return all_of(f.leaf1_ecx, LEAF1_AVX) && all_of(f.leaf7_ebx, LEAF7_AVX512F) &&
         all_of(f.saved_state, STATE_XMM_YMM | STATE_OPMASK_ZMM);
}

#else

bool ckem_cpu_has_avx2(void) {
  return false;
}

bool ckem_cpu_has_avx2_vpclmul(void) {
  return false;
}

bool ckem_cpu_has_avx2_gfni(void) {
  return false;
}

bool ckem_cpu_has_ymm(void) {
  return false;
}

bool ckem_cpu_has_zmm(void) {
  return false;
}

bool ckem_cpu_has_avx512(void) {
  return false;
}

#endif

#if (defined(__aarch64__) || defined(__arm__)) && \
    (defined(__linux__) || defined(__FreeBSD__) || defined(__OpenBSD__))

#include <sys/auxv.h>

/* Bits of AT_HWCAP, the same on these systems. */
#if defined(__arm__)
#define HWCAP_NEON_BIT (1UL << 12)
#else
#define HWCAP_NEON_BIT (1UL << 4) /* that of PMULL */
#endif
#define HWCAP_SHA3_BIT (1UL << 17)
#define HWCAP_DIT_BIT (1UL << 24)

static unsigned long hardware_capabilities(void) {
#if defined(__linux__)
  return getauxval(AT_HWCAP);
#else
  unsigned long found = 0;

  return elf_aux_info(AT_HWCAP, &found, (int)sizeof found) == 0 ? found : 0;
#endif
}

bool ckem_cpu_has_neon(void) {
  return (hardware_capabilities() & HWCAP_NEON_BIT) != 0;
}

#if defined(__aarch64__)
bool ckem_cpu_has_neon_sha3(void) {
  return ckem_cpu_has_neon() && (hardware_capabilities() & HWCAP_SHA3_BIT) != 0;
}

bool ckem_cpu_has_dit(void) {
  return (hardware_capabilities() & HWCAP_DIT_BIT) != 0;
}
#else
bool ckem_cpu_has_neon_sha3(void) {
  return false;
}

bool ckem_cpu_has_dit(void) {
  return false;
}
#endif

#elif defined(__aarch64__) && defined(__APPLE__)

#include <stddef.h>
#include <sys/types.h>
#include <sys/sysctl.h>

/* A name that the system does not know is a feature that it does not report. */
static bool system_reports(const char *name) {
  int value = 0;
  size_t length = sizeof value;

  return sysctlbyname(name, &value, &length, NULL, 0) == 0 && value != 0;
}

/* Systems before macOS 12 and iOS 15 know the second names alone; all of Apple's processors for
 * macOS have both. */
bool ckem_cpu_has_neon(void) {
  return system_reports("hw.optional.arm.FEAT_PMULL") || system_reports("hw.optional.armv8_crypto");
}

bool ckem_cpu_has_neon_sha3(void) {
  return ckem_cpu_has_neon() && (system_reports("hw.optional.arm.FEAT_SHA3") ||
                                 system_reports("hw.optional.armv8_2_sha3"));
}

bool ckem_cpu_has_dit(void) {
  return system_reports("hw.optional.arm.FEAT_DIT");
}

#elif defined(__aarch64__) && defined(_WIN32)

#include <windows.h>

/* Earlier headers lack the second. The first says AES, SHA-1, SHA-2 and PMULL. */
#if !defined(PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE)
#define PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE 30
#endif
#if !defined(PF_ARM_SHA3_INSTRUCTIONS_AVAILABLE)
#define PF_ARM_SHA3_INSTRUCTIONS_AVAILABLE 64
#endif

bool ckem_cpu_has_neon(void) {
  return IsProcessorFeaturePresent(PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE) != 0;
}

bool ckem_cpu_has_neon_sha3(void) {
  return ckem_cpu_has_neon() && IsProcessorFeaturePresent(PF_ARM_SHA3_INSTRUCTIONS_AVAILABLE) != 0;
}

/* There is no name for it. */
bool ckem_cpu_has_dit(void) {
  return false;
}

#else

/* On other systems, such as NetBSD, the compiler's target decides: it includes only what every
 * processor of the target has. */
bool ckem_cpu_has_neon(void) {
#if (defined(__aarch64__) && defined(__ARM_FEATURE_AES)) || \
    (defined(__arm__) && defined(__ARM_NEON))
  return true;
#else
  return false;
#endif
}

bool ckem_cpu_has_neon_sha3(void) {
#if defined(__aarch64__) && defined(__ARM_FEATURE_SHA3)
  return ckem_cpu_has_neon();
#else
  return false;
#endif
}

bool ckem_cpu_has_dit(void) {
  return false;
}

#endif

#if defined(__riscv) && defined(__linux__)

#include <stdint.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The system call riscv_hwprobe, of Linux 6.4 and later. */
#define RISCV_HWPROBE 258L
#define KEY_EXTENSIONS 4
#define EXTENSION_V (UINT64_C(1) << 2)
#define EXTENSION_ZBC (UINT64_C(1) << 7)
#define EXTENSION_ZVBC (UINT64_C(1) << 18)
#define HWCAP_V (1UL << ('v' - 'a'))

/* Sets extensions to those that all processors have, and returns whether the system knows. */
static bool probe_extensions(uint64_t *extensions) {
  struct {
    int64_t key;
    uint64_t value;
  } pair = {KEY_EXTENSIONS, 0};

  /* One pair, all processors, no flags. An unknown key becomes negative. */
  if (syscall(RISCV_HWPROBE, &pair, (size_t)1, (size_t)0, NULL, 0U) != 0 ||
      pair.key != KEY_EXTENSIONS) {
    return false;
  }
  *extensions = pair.value;
  return true;
}

#endif

#if defined(CODEKEM_HAVE_RVV)

#include "base/rvv.h"

bool ckem_cpu_has_rvv(void) {
  uint64_t extensions;
  size_t length = 0;

  if (probe_extensions(&extensions)) {
    return (extensions & EXTENSION_V) != 0;
  }
  /* Systems without the call may report vectors of a draft (0.7.1), for which this type of vectors
   * is none, so that the length becomes 0. */
  if ((getauxval(AT_HWCAP) & HWCAP_V) != 0) {
    __asm__ volatile(RVV_BEGIN "vsetvli %0, %1, e64, m1, ta, ma" RVV_END
                     : "=r"(length)
                     : "r"((size_t)2)
                     : RVV_CLOBBERS);
  }
  return length == 2;
}

/* Before Linux 6.8 there is no way to ask. */
bool ckem_cpu_has_rvv_zvbc(void) {
#if defined(__riscv_zvbc)
  return ckem_cpu_has_rvv(); /* the compiler's target has the rest */
#else
  uint64_t extensions;

  return ckem_cpu_has_rvv() && probe_extensions(&extensions) && (extensions & EXTENSION_ZVBC) != 0;
#endif
}

#else

bool ckem_cpu_has_rvv(void) {
  return false;
}

bool ckem_cpu_has_rvv_zvbc(void) {
  return false;
}

#endif

#if defined(__riscv_zbc)

/* The compiler's target has it. */
bool ckem_cpu_has_zbc(void) {
  return true;
}

#elif defined(__riscv) && defined(__linux__)

/* Before Linux 6.4 there is no way to ask. */
bool ckem_cpu_has_zbc(void) {
  uint64_t extensions;

  return probe_extensions(&extensions) && (extensions & EXTENSION_ZBC) != 0;
}

#else

bool ckem_cpu_has_zbc(void) {
  return false;
}

#endif
