// SPDX-License-Identifier: Apache-2.0 OR MIT
// A simulated bike_axi as a device for the driver on registers (driver/kem_bus.h), with C linkage.
#pragma once

#include "../driver/bike_bus.h"

extern "C" {

// How packets reach the streams, and how the driver waits.
enum bike_bus_way { BIKE_BUS_FIFO = 0, BIKE_BUS_FIFO_IRQ = 1, BIKE_BUS_DMA = 2 };

// Makes a simulated core on its bus; null if that fails. limit: of struct kem_bus.
kem_bus *bike_bus_simulated_open(int way, uint32_t limit);
void bike_bus_simulated_close(kem_bus *bus);
void bike_bus_simulated_reset(kem_bus *bus);
// The device on it, null if bike_bus_open() finds no core.
bike_device *bike_bus_simulated_device(kem_bus *bus);
// Whether all buffers of the DMA are zero.
bool bike_bus_simulated_is_wiped(kem_bus *bus);
// How often the interrupt was waited for.
unsigned bike_bus_simulated_waits(kem_bus *bus);
}
