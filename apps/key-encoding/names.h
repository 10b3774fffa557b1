/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix of external names (src/common/base/names.h says why). */
#ifndef CODEKEM_KEY_ENCODING_NAMES_H
#define CODEKEM_KEY_ENCODING_NAMES_H

#define key_der_normal_oid codekem_key_der_normal_oid
#define key_der_private_info codekem_key_der_private_info
#define key_der_read_oid codekem_key_der_read_oid
#define key_der_read_private codekem_key_der_read_private
#define key_der_read_public codekem_key_der_read_public
#define key_der_write_private codekem_key_der_write_private
#define key_der_write_public codekem_key_der_write_public
#define key_kem_of_oid codekem_key_kem_of_oid
#define key_oid_of_kem codekem_key_oid_of_kem

#endif
