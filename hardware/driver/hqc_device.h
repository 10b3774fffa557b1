/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Driver of the HQC core: the library's keys, ciphertexts and order of arguments, on a device. */
#ifndef CODEKEM_HQC_DEVICE_H
#define CODEKEM_HQC_DEVICE_H

#include "kem_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As codekem_kem_keypair_with a seed, of 32 bytes. Outputs are zeroed on an error. */
int hqc_device_keypair_derand(const kem_device *device, uint8_t *public_key, uint8_t *secret_key,
                              const uint8_t *seed);
/* As codekem_kem_encaps_with a seed, of 32, 40 or 48 bytes, for m and the salt. */
int hqc_device_encaps_derand(const kem_device *device, uint8_t *ciphertext, uint8_t *shared_secret,
                             const uint8_t *public_key, const uint8_t *seed);
/* As codekem_kem_decaps. */
int hqc_device_decaps(const kem_device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                      const uint8_t *secret_key);
/* Clears all data in the core. */
int hqc_device_wipe(const kem_device *device);

#ifdef __cplusplus
}
#endif

#endif
