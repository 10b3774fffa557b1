// SPDX-License-Identifier: Apache-2.0 OR MIT
// The simulated core as a device for the driver (driver/bike_device.h), with C linkage.
#pragma once

#include "../driver/bike_device.h"

extern "C" {

// Makes a simulated core of this level (the one it was built for); null if that fails.
bike_device *bike_simulated_open(unsigned level);
void bike_simulated_close(bike_device *device);
// Cycles of the last operation.
unsigned long long bike_simulated_cycles(const bike_device *device);
// What the core was built with (sim/build.py): its level, and all parameters given, "LEVEL=1
// PRESET=2".
unsigned bike_simulated_level(void);
const char *bike_simulated_parameters(void);
}
