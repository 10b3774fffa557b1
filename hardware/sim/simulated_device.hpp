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
}
