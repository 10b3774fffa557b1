/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A BIKE core on a bus as the device of bike_device.h. */
#ifndef CODEKEM_BIKE_BUS_H
#define CODEKEM_BIKE_BUS_H

#include "bike_device.h"
#include "kem_bus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads from the registers which level the core has, and makes the device; the bus must outlive
   it. Returns false if no BIKE core, or one with another map of registers, is there. */
bool bike_bus_open(bike_device *device, kem_bus *bus);

#ifdef __cplusplus
}
#endif

#endif
