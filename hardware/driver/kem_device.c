/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The table of the drivers; see the header. */
#include "kem_device.h"

#include <stdbool.h>

#include "bike_device.h"
#include "hqc_device.h"

#define BIKE(level)                                                               \
  {"BIKE-L" #level, level, bike_device_keypair_derand, bike_device_encaps_derand, \
   bike_device_decaps}
#define HQC(level) \
  {"HQC-" #level, level, hqc_device_keypair_derand, hqc_device_encaps_derand, hqc_device_decaps}

static const kem_driver drivers[] = {BIKE(1), BIKE(3), BIKE(5), HQC(1), HQC(3), HQC(5)};

static bool same(const char *a, const char *b) { /* without a library for strings */
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

const kem_driver *kem_driver_of(const char *kem) {
  for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; ++i) {
    if (same(kem, drivers[i].kem)) return &drivers[i];
  }
  return NULL;
}
