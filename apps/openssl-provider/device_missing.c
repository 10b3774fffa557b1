/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stands for device.c in a build without hardware/: a configuration with a device is refused. */
#include "device.h"

#include "provider.h"
#include "settings.h"

bool ckem_devices_load(struct provider *provider) {
  for (size_t i = 0; i < ALGORITHMS; i++) {
    const char *const kem = ckem_provider_algorithms[i].kem;

    if (kem != NULL && ckem_settings_entry(provider, "devices", kem) != NULL) {
      return RAISE(provider, REASON_BAD_CONFIGURATION,
                   "devices.%s: this provider was built without hardware/, so it has no devices",
                   kem);
    }
  }
  return true;
}

void ckem_devices_free(struct provider *provider) {
  (void)provider;
}

struct device *ckem_device_of(const struct provider *provider, const codekem_kem *kem) {
  (void)provider, (void)kem;
  return NULL;
}

/* There is no device to call these of. */
bool ckem_device_keypair(struct device *device, uint8_t *public_key, uint8_t *secret_key,
                         const uint8_t *seed) {
  (void)device, (void)public_key, (void)secret_key, (void)seed;
  return false;
}

bool ckem_device_encaps(struct device *device, uint8_t *ciphertext, uint8_t *shared_secret,
                        const uint8_t *public_key, const uint8_t *seed) {
  (void)device, (void)ciphertext, (void)shared_secret, (void)public_key, (void)seed;
  return false;
}

bool ckem_device_decaps(struct device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                        const uint8_t *secret_key) {
  (void)device, (void)shared_secret, (void)ciphertext, (void)secret_key;
  return false;
}
