/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An HQC core on a bus as the device of hqc_device.h; see the header. */
#include "hqc_bus.h"

#include "kem_registers.h"

enum { HQC_ID = 0x00435148 };

bool hqc_bus_open(kem_device *device, kem_bus *bus) {
  if (!kem_bus_has(bus, HQC_ID)) return false;
  device->level = bus->read32(bus->registers, offsetof(kem_t, PARAM0)) & 0xffU;
  device->run = kem_bus_run;
  device->context = bus;
  return true;
}
