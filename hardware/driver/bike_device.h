/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Driver of the BIKE core: the library's keys, ciphertexts and order of arguments, on a device. */
#ifndef CODEKEM_BIKE_DEVICE_H
#define CODEKEM_BIKE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the packets reach the core: the simulation, or registers and DMA behind AXI.
   run() gives a packet to the core, starts op and takes the output packet of exactly out_words
   words. Returns the core's error (err_e of bike_pkg.sv), or BIKE_DEVICE_TRANSPORT. */
typedef struct bike_device {
  unsigned level; /* 1, 3 or 5: of the core */
  int (*run)(void *context, unsigned op, const uint32_t *in, size_t in_words, uint32_t *out,
             size_t out_words);
  void *context;
} bike_device;

/* 0 is success; 1 to 5 are the core's errors. */
#define BIKE_DEVICE_TRANSPORT 16 /* the device answered with another number of words */
#define BIKE_DEVICE_LEVEL 17     /* no such level */

/* As codekem_kem_keypair_derand: seed has 64 bytes. Outputs are zeroed on an error. */
int bike_device_keypair_derand(const bike_device *device, uint8_t *public_key, uint8_t *secret_key,
                               const uint8_t *seed);
/* As codekem_kem_encaps_derand: seed has 32 bytes. */
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
