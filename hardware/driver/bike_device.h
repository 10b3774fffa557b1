/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Driver of the BIKE core: the library's keys, ciphertexts and order of arguments, on a device. */
#ifndef CODEKEM_BIKE_DEVICE_H
#define CODEKEM_BIKE_DEVICE_H

#include "kem_device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef kem_device bike_device;

#define BIKE_DEVICE_TRANSPORT KEM_DEVICE_TRANSPORT
#define BIKE_DEVICE_LEVEL KEM_DEVICE_LEVEL

/* As codekem_kem_keypair_with a seed, of 64 bytes. Outputs are zeroed on an error. */
int bike_device_keypair_derand(const bike_device *device, uint8_t *public_key, uint8_t *secret_key,
                               const uint8_t *seed);
/* As codekem_kem_encaps_with a seed, of 32 bytes. */
int bike_device_encaps_derand(const bike_device *device, uint8_t *ciphertext,
                              uint8_t *shared_secret, const uint8_t *public_key,
                              const uint8_t *seed);
/* As codekem_kem_decaps. */
int bike_device_decaps(const bike_device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                       const uint8_t *secret_key);
/* Clears all data in the core. */
int bike_device_wipe(const bike_device *device);

#ifdef __cplusplus
}
#endif

#endif
