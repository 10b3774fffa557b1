/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An HQC core on a bus as the device of hqc_device.h. */
#ifndef CODEKEM_HQC_BUS_H
#define CODEKEM_HQC_BUS_H

#include "hqc_device.h"
#include "kem_bus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads from the registers which level the core has, and makes the device; the bus must outlive
   it. Returns false if no HQC core, or one with another map of registers, is there. */
bool hqc_bus_open(kem_device *device, kem_bus *bus);

#ifdef __cplusplus
}
#endif

#endif
