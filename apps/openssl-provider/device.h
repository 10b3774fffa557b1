/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* KEMs whose operations a device does: a core in hardware, or the simulation of one. */
#ifndef CODEKEM_PROVIDER_DEVICE_H
#define CODEKEM_PROVIDER_DEVICE_H

#include <codekem.h>
#include <stdbool.h>
#include <stdint.h>

struct device;
struct provider;

/* Fills provider->devices with what the configuration names (docs/tls.md). Returns false, with an
 * error, if a library cannot be loaded or is not one for its KEM. */
bool ckem_devices_load(struct provider *provider);

void ckem_devices_free(struct provider *provider);

/* Returns the device for a KEM, or NULL if the library does it. */
struct device *ckem_device_of(const struct provider *provider, const codekem_kem *kem);

/* As the functions codekem_kem_*_derand and codekem_kem_decaps. One operation at a time runs on a
 * device; others wait. Return false, with an error and the outputs zeroed, if the device fails. */
bool ckem_device_keypair(struct device *device, uint8_t *public_key, uint8_t *secret_key,
                         const uint8_t *seed);
bool ckem_device_encaps(struct device *device, uint8_t *ciphertext, uint8_t *shared_secret,
                        const uint8_t *public_key, const uint8_t *seed);
bool ckem_device_decaps(struct device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                        const uint8_t *secret_key);

#endif
