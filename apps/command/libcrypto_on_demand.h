/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Loads OpenSSL's libcrypto when something needs it: keys in PEM, BIKE's known answers, AES of the
 * legacy KEMs. Linking and starting it would be most of what a short command does. */
#ifndef CODEKEM_CLI_LIBCRYPTO_ON_DEMAND_H
#define CODEKEM_CLI_LIBCRYPTO_ON_DEMAND_H

#ifdef __cplusplus
extern "C" {
#endif

/* Loads libcrypto, unless it is there already. Returns NULL, or a text that says why it cannot. */
const char *libcrypto_load(void);

#ifdef __cplusplus
}
#endif

#endif
