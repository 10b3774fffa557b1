/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Operations by the library or by a core; see the header. */
#include "offload.h"

/* The driver for the KEM, if the core on the device is one for it. Which scheme that is, was
 * decided when the device was opened. */
static const kem_driver *driver_of(offload_to core, const codekem_kem *kem) {
  const kem_driver *driver = kem_driver_of(kem->method_name);

  return driver != NULL && driver->level == core->level ? driver : NULL;
}

static codekem_status status_of(int status) {
  return status == 0 ? CODEKEM_OK : CODEKEM_ERROR_BACKEND;
}

codekem_status offload_keypair_derand(offload_to core, const codekem_kem *kem, uint8_t *public_key,
                                      uint8_t *secret_key, const uint8_t *seed) {
  if (core == NULL) {
    return codekem_kem_keypair_with(kem, public_key, secret_key, CODEKEM_OPTIONS(.seed = seed));
  }
  const kem_driver *driver = driver_of(core, kem);
  return driver == NULL ? CODEKEM_ERROR_BACKEND
                        : status_of(driver->keypair_derand(core, public_key, secret_key, seed));
}

codekem_status offload_encaps_derand(offload_to core, const codekem_kem *kem, uint8_t *ciphertext,
                                     uint8_t *shared_secret, const uint8_t *public_key,
                                     const uint8_t *seed) {
  if (core == NULL) {
    return codekem_kem_encaps_with(kem, ciphertext, shared_secret, public_key,
                                   CODEKEM_OPTIONS(.seed = seed));
  }
  const kem_driver *driver = driver_of(core, kem);
  return driver == NULL
             ? CODEKEM_ERROR_BACKEND
             : status_of(driver->encaps_derand(core, ciphertext, shared_secret, public_key, seed));
}

codekem_status offload_decaps(offload_to core, const codekem_kem *kem, uint8_t *shared_secret,
                              const uint8_t *ciphertext, const uint8_t *secret_key) {
  if (core == NULL) {
    return codekem_kem_decaps(kem, shared_secret, ciphertext, secret_key);
  }
  const kem_driver *driver = driver_of(core, kem);
  return driver == NULL ? CODEKEM_ERROR_BACKEND
                        : status_of(driver->decaps(core, shared_secret, ciphertext, secret_key));
}
