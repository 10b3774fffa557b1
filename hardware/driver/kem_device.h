/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the drivers of all cores share: a device, status codes, and the table of the drivers. */
#ifndef CODEKEM_KEM_DEVICE_H
#define CODEKEM_KEM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fields of a packet, in the caller's memory; each begins at a word of the packet. */
typedef struct kem_in_field {
  const uint8_t *bytes;
  size_t length;
} kem_in_field;

typedef struct kem_out_field {
  uint8_t *bytes;
  size_t length;
} kem_out_field;

/* How the packets reach the core: the simulation, or registers and DMA behind AXI.
   run() gives a packet to the core, starts op and takes the output packet of exactly out_words
   words. Returns the core's error (err_e of kem_pkg.sv), or KEM_DEVICE_TRANSPORT.
   run_fields(), which may be null, does the same with packets whose fields are where the caller has
   them: a DMA that can gather bytes makes no copies. Then run() is not called. */
typedef struct kem_device {
  unsigned level; /* 1, 3 or 5: of the core */
  int (*run)(void *context, unsigned op, const uint32_t *in, size_t in_words, uint32_t *out,
             size_t out_words);
  void *context;
  int (*run_fields)(void *context, unsigned op, const kem_in_field *in, size_t in_fields,
                    const kem_out_field *out, size_t out_fields);
} kem_device;

/* 0 is success; 1 to 7 are the core's errors. */
#define KEM_DEVICE_TRANSPORT 16 /* the device answered with another number of words */
#define KEM_DEVICE_LEVEL 17     /* no such level */

/* The driver of a KEM's core, with the library's keys, ciphertexts and order of arguments, as
   codekem_kem_keypair_with a seed and so on. Outputs are zeroed on an error. */
typedef struct kem_driver {
  const char *kem; /* "BIKE-L1" */
  unsigned level;
  int (*keypair_derand)(const kem_device *device, uint8_t *public_key, uint8_t *secret_key,
                        const uint8_t *seed);
  int (*encaps_derand)(const kem_device *device, uint8_t *ciphertext, uint8_t *shared_secret,
                       const uint8_t *public_key, const uint8_t *seed);
  int (*decaps)(const kem_device *device, uint8_t *shared_secret, const uint8_t *ciphertext,
                const uint8_t *secret_key);
} kem_driver;

/* Returns the driver for the KEM of this name; null if no core has it. */
const kem_driver *kem_driver_of(const char *kem);

#ifdef __cplusplus
}
#endif

#endif
