/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A BIKE core on a bus as the device of bike_device.h; see the header. */
#include "bike_bus.h"

enum { BIKE_ID = 0x454b4942 };

bool bike_bus_open(bike_device *device, kem_bus *bus) {
  if (!kem_bus_has(bus, BIKE_ID)) return false;
  kem_bus_device(device, bus);
  return true;
}
