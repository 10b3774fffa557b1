/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Names that are neither static nor of the public interface get the prefix codekem_ here, so that
 * none clashes with another library's in one program (secure_wipe, say). The sources keep the short
 * ones. Each folder has such a list for what it defines; every header that declares one of them
 * includes it. tests/packaging/test_symbols.py says which line is missing.
 */
#ifndef CODEKEM_BASE_NAMES_H
#define CODEKEM_BASE_NAMES_H

#define cpu_has_avx2 codekem_cpu_has_avx2
#define cpu_has_avx512 codekem_cpu_has_avx512
#define cpu_has_dit codekem_cpu_has_dit
#define cpu_has_neon codekem_cpu_has_neon
#define cpu_has_neon_sha3 codekem_cpu_has_neon_sha3
#define cpu_has_rvv codekem_cpu_has_rvv
#define cpu_has_rvv_zvbc codekem_cpu_has_rvv_zvbc
#define cpu_has_ymm codekem_cpu_has_ymm
#define cpu_has_zbc codekem_cpu_has_zbc
#define cpu_has_zmm codekem_cpu_has_zmm
#define entry_begin codekem_entry_begin
#define entry_restore codekem_entry_restore
#define random_from_system codekem_random_from_system
#define secure_wipe codekem_secure_wipe
#define secure_wipe_registers codekem_secure_wipe_registers
#define secure_wipe_stack codekem_secure_wipe_stack
#define stack_has_room codekem_stack_has_room
#define wipe_registers_neon32 codekem_wipe_registers_neon32

#endif
