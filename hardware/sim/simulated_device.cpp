// SPDX-License-Identifier: Apache-2.0 OR MIT
// The simulated core as a device for the driver; see the header.
#include "simulated_device.hpp"

#include <algorithm>
#include <exception>

#include "simulated_core.hpp"

namespace {

struct Simulated {
  kem_device device{};
  hardware::SimulatedCore core;
  unsigned long long cycles = 0;
};

int run(void *context, unsigned op, const std::uint32_t *in, std::size_t in_words,
        std::uint32_t *out, std::size_t out_words) {
  auto *simulated = static_cast<Simulated *>(context);
  try {
    const hardware::Result result = simulated->core.run(op, {in, in + in_words});
    simulated->cycles = result.cycles;
    if (result.error != 0) return static_cast<int>(result.error);
    if (result.out.size() != out_words) return KEM_DEVICE_TRANSPORT;
    std::copy(result.out.begin(), result.out.end(), out);
    return 0;
  } catch (const std::exception &) {  // nothing may pass C code
    return KEM_DEVICE_TRANSPORT;
  }
}

}  // namespace

kem_device *kem_simulated_open(unsigned level) {
  try {
    auto *simulated = new Simulated;
    simulated->device = {level, run, simulated, nullptr};
    return &simulated->device;
  } catch (const std::exception &) {
    return nullptr;
  }
}

void kem_simulated_close(kem_device *device) {
  if (device != nullptr) delete static_cast<Simulated *>(device->context);
}

unsigned long long kem_simulated_cycles(const kem_device *device) {
  return static_cast<const Simulated *>(device->context)->cycles;
}

const char *kem_simulated_kem(void) { return KEM_NAME; }

const char *kem_simulated_parameters(void) { return KEM_PARAMETERS; }
