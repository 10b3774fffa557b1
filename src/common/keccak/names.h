/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_KECCAK_NAMES_H
#define CODEKEM_KECCAK_NAMES_H

#define keccak_absorb codekem_keccak_absorb
#define keccak_absorb_and_squeeze codekem_keccak_absorb_and_squeeze
#define keccak_absorb_pair codekem_keccak_absorb_pair
#define keccak_avx2 codekem_keccak_avx2
#define keccak_avx512 codekem_keccak_avx512
#define keccak_finish codekem_keccak_finish
#define keccak_hash_many codekem_keccak_hash_many
#define keccak_init codekem_keccak_init
#define keccak_m4 codekem_keccak_m4
#define keccak_many_absorb codekem_keccak_many_absorb
#define keccak_many_copy_one codekem_keccak_many_copy_one
#define keccak_many_finish codekem_keccak_many_finish
#define keccak_many_init codekem_keccak_many_init
#define keccak_many_squeeze codekem_keccak_many_squeeze
#define keccak_neon codekem_keccak_neon
#define keccak_neon32 codekem_keccak_neon32
#define keccak_neon_sha3 codekem_keccak_neon_sha3
#define keccak_permute_m4 codekem_keccak_permute_m4
#define keccak_permute_many_avx2 codekem_keccak_permute_many_avx2
#define keccak_permute_many_avx512 codekem_keccak_permute_many_avx512
#define keccak_portable codekem_keccak_portable
#define keccak_reference codekem_keccak_reference
#define keccak_round_constants codekem_keccak_round_constants
#define keccak_rvv codekem_keccak_rvv
#define keccak_squeeze codekem_keccak_squeeze
#define sha3_256 codekem_sha3_256
#define sha3_384 codekem_sha3_384
#define sha3_512 codekem_sha3_512
#define shake128 codekem_shake128
#define shake256 codekem_shake256

#endif
