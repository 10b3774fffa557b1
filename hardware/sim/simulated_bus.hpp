// SPDX-License-Identifier: Apache-2.0 OR MIT
// A simulated bike_axi or hqc_axi as a device for the driver on registers (driver/kem_bus.h), with
// C linkage.
#pragma once

#include "../driver/bike_bus.h"
#include "../driver/hqc_bus.h"

#ifdef __cplusplus
extern "C" {
#endif

// How packets reach the streams, and how the driver waits.
enum kem_bus_way {
  KEM_BUS_SIMULATED_FIFO = 0,
  KEM_BUS_SIMULATED_FIFO_IRQ = 1,
  KEM_BUS_SIMULATED_DMA = 2
};

// Makes a simulated core on its bus; null if that fails. limit: of struct kem_bus.
kem_bus *kem_bus_simulated_open(int way, uint32_t limit);
void kem_bus_simulated_close(kem_bus *bus);
void kem_bus_simulated_reset(kem_bus *bus);
// The device on it, null if bike_bus_open(), or hqc_bus_open(), finds no core.
kem_device *kem_bus_simulated_device(kem_bus *bus);
// Whether all buffers of the DMA are zero.
bool kem_bus_simulated_is_wiped(kem_bus *bus);
// How often the interrupt was waited for.
unsigned kem_bus_simulated_waits(kem_bus *bus);
#ifdef __cplusplus
}
#endif
