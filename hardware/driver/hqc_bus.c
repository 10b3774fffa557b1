/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An HQC core on a bus as the device of hqc_device.h; see the header. */
#include "hqc_bus.h"

enum { HQC_ID = 0x00435148 };

bool hqc_bus_open(kem_device *device, kem_bus *bus) {
  if (!kem_bus_has(bus, HQC_ID)) return false;
  kem_bus_device(device, bus);
  return true;
}
