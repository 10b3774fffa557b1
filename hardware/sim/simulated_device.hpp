// SPDX-License-Identifier: Apache-2.0 OR MIT
// The simulated core as a device for the driver (driver/kem_device.h), with C linkage.
#pragma once

#include "../driver/kem_device.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes a simulated core, which tells the driver that it is of this level (of the KEM below); null
// if that fails.
kem_device *kem_simulated_open(unsigned level);
void kem_simulated_close(kem_device *device);
// Cycles of the last operation.
unsigned long long kem_simulated_cycles(const kem_device *device);
// What the core was built with (sim/build.py): its KEM, "BIKE-L1", whose driver kem_driver_of()
// gives, and all parameters given, "LEVEL=1 PRESET=2".
const char *kem_simulated_kem(void);
const char *kem_simulated_parameters(void);
#ifdef __cplusplus
}
#endif
