/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* KEMs whose operations are done by the library or by a core, as the program chooses for each. */
#ifndef CODEKEM_RISCV_OFFLOAD_H
#define CODEKEM_RISCV_OFFLOAD_H

#include "codekem.h"
#include "kem_device.h"

/* Who does an operation: the core on this device, or the library if it is null. The device must be
 * of the KEM's scheme and level; if not, the functions return CODEKEM_ERROR_BACKEND. They return
 * that, too, if the core fails; the outputs are zero then. Nothing secret is left in memory but the
 * outputs. Timing: as the library's and the core's, which do not depend on secrets. */
typedef const kem_device *offload_to;

codekem_status offload_keypair_derand(offload_to core, const codekem_kem *kem, uint8_t *public_key,
                                      uint8_t *secret_key, const uint8_t *seed);
codekem_status offload_encaps_derand(offload_to core, const codekem_kem *kem, uint8_t *ciphertext,
                                     uint8_t *shared_secret, const uint8_t *public_key,
                                     const uint8_t *seed);
codekem_status offload_decaps(offload_to core, const codekem_kem *kem, uint8_t *shared_secret,
                              const uint8_t *ciphertext, const uint8_t *secret_key);

#endif
