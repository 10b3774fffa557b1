/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* P-256 of OpenSSL's libcrypto as the group of a hybrid: an example to copy. */
#ifndef P256_OPENSSL_H
#define P256_OPENSSL_H

#include "codekem_hybrid.h"

/* Returns the group; the curve is made once, and stays. Ends the program if OpenSSL lacks it. */
codekem_hybrid_group p256_openssl(void);

#endif
