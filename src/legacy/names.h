/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (base/names.h says why). */
#ifndef CODEKEM_LEGACY_NAMES_H
#define CODEKEM_LEGACY_NAMES_H

#define legacy_aes_sha2 codekem_legacy_aes_sha2

#endif
