/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_LEGACY_NAMES_H
#define CODEKEM_LEGACY_NAMES_H

#define hqc_128_2023 codekem_hqc_128_2023
#define hqc_192_2023 codekem_hqc_192_2023
#define hqc_2023_hash_start codekem_hqc_2023_hash_start
#define hqc_2023_open codekem_hqc_2023_open
#define hqc_2023_sample codekem_hqc_2023_sample
#define hqc_256_2023 codekem_hqc_256_2023
#define legacy_aes_sha2 codekem_legacy_aes_sha2

#endif
