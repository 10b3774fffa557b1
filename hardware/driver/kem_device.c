/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The table of the drivers; see the header. */
#include "kem_device.h"

#include <string.h>

#include "bike_device.h"
#include "hqc_device.h"

#define BIKE(level)                                                               \
  {"BIKE-L" #level, level, bike_device_keypair_derand, bike_device_encaps_derand, \
   bike_device_decaps}
#define HQC(level) \
  {"HQC-" #level, level, hqc_device_keypair_derand, hqc_device_encaps_derand, hqc_device_decaps}

static const kem_driver drivers[] = {BIKE(1), BIKE(3), BIKE(5), HQC(1), HQC(3), HQC(5)};

const kem_driver *kem_driver_of(const char *kem) {
  for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; ++i) {
    if (strcmp(kem, drivers[i].kem) == 0) return &drivers[i];
  }
  return NULL;
}
