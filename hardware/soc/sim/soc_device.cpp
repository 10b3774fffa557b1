// SPDX-License-Identifier: Apache-2.0 OR MIT
// The simulated system as a device: the interface of hardware/sim/simulated_device.hpp, whose
// operations are commands to the program devices/riscv/operations.c, which lets the core do them.
// Cycles are those of the call in the system, with transfers and waiting.
#include <cstring>
#include <exception>
#include <queue>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../sim/simulated_device.hpp"
#include "simulated_soc.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Lengths {
  std::size_t public_key, secret_key, ciphertext, key_seed, seed;
};

Lengths lengths_of(const std::string &kem) {
  // lengths: made by parameters/generate.py
  if (kem == "BIKE-L1") return {1541, 5223, 1573, 64, 32};
  if (kem == "BIKE-L3") return {3083, 10105, 3115, 64, 32};
  if (kem == "BIKE-L5") return {5122, 16494, 5154, 64, 32};
  if (kem == "HQC-1") return {2241, 2321, 4433, 32, 32};
  if (kem == "HQC-3") return {4514, 4602, 8978, 32, 40};
  if (kem == "HQC-5") return {7237, 7333, 14421, 32, 48};
  // lengths: end
  throw std::invalid_argument("no KEM " + kem);
}

constexpr std::size_t shared_secret_bytes = 32;
constexpr std::uint64_t patience = 100'000'000;  // cycles, more than any operation of a core

struct System {
  kem_device device{};
  Lengths lengths = lengths_of(KEM_NAME);
  unsigned long long cycles = 0;
  std::queue<std::uint8_t> in;
  std::string line;  // of output, as far as it has come
  Bytes out;         // what came behind it
  bool line_ended = false;
  hardware::SimulatedSoc soc{
      hardware::read_program(SOC_PROGRAM),
      [this] { return next(); },
      [this](std::uint8_t byte) { take(byte); },
  };

  int next() {
    if (in.empty()) return hardware::SimulatedSoc::no_input;
    const std::uint8_t byte = in.front();
    in.front() = 0;  // it may be secret
    in.pop();
    return byte;
  }

  void take(std::uint8_t byte) {
    if (line_ended) {
      out.push_back(byte);
    } else if (byte == '\n') {
      line_ended = true;
    } else {
      line.push_back(static_cast<char>(byte));
    }
  }

  // Runs an operation; returns its outputs.
  void run(const char *operation,
           std::initializer_list<std::pair<const std::uint8_t *, std::size_t>> inputs,
           std::initializer_list<std::pair<std::uint8_t *, std::size_t>> outputs) {
    std::size_t expected = 0;
    for (const auto &output : outputs) expected += output.second;
    put(std::string(KEM_NAME) + " " + operation + " core\n");
    for (const auto &input : inputs) {
      for (std::size_t i = 0; i < input.second; ++i) in.push(input.first[i]);
    }
    answer(expected);
    std::istringstream words(line);
    std::string status;
    words >> status >> cycles;
    std::size_t at = 0;
    for (const auto &output : outputs) {
      std::memcpy(output.first, out.data() + at, output.second);
      at += output.second;
    }
    std::fill(out.begin(), out.end(), 0);
    put("forget\n");
    answer(0);
  }

  void put(const std::string &text) {
    for (const char c : text) in.push(static_cast<std::uint8_t>(c));
  }

  // Lets the system run until a line that begins with ok and so many bytes have come.
  void answer(std::size_t expected) {
    line.clear();
    out.clear();
    out.reserve(expected);  // so that no copy of a secret stays where it grew
    line_ended = false;
    for (std::uint64_t i = 0; !line_ended || out.size() < expected; ++i) {
      if (!soc.step() || i == patience) throw std::runtime_error("the program has ended: " + line);
      if (line_ended && line.rfind("ok", 0) != 0) throw std::runtime_error(line);
    }
  }
};

template <typename Call>
int guarded(const kem_device *device, Call call) {
  try {
    call(*static_cast<System *>(device->context));
    return 0;
  } catch (const std::exception &) {  // nothing may pass C code
    return KEM_DEVICE_TRANSPORT;
  }
}

int keypair(const kem_device *device, std::uint8_t *public_key, std::uint8_t *secret_key,
            const std::uint8_t *seed) {
  return guarded(device, [&](System &s) {
    s.run("keypair", {{seed, s.lengths.key_seed}},
          {{public_key, s.lengths.public_key}, {secret_key, s.lengths.secret_key}});
  });
}

int encaps(const kem_device *device, std::uint8_t *ciphertext, std::uint8_t *shared_secret,
           const std::uint8_t *public_key, const std::uint8_t *seed) {
  return guarded(device, [&](System &s) {
    s.run("encaps", {{public_key, s.lengths.public_key}, {seed, s.lengths.seed}},
          {{ciphertext, s.lengths.ciphertext}, {shared_secret, shared_secret_bytes}});
  });
}

int decaps(const kem_device *device, std::uint8_t *shared_secret, const std::uint8_t *ciphertext,
           const std::uint8_t *secret_key) {
  return guarded(device, [&](System &s) {
    s.run("decaps", {{ciphertext, s.lengths.ciphertext}, {secret_key, s.lengths.secret_key}},
          {{shared_secret, shared_secret_bytes}});
  });
}

constexpr kem_driver driver = {KEM_NAME, KEM_NAME[sizeof KEM_NAME - 2] - '0', keypair, encaps,
                               decaps};

}  // namespace

const kem_driver *kem_driver_of(const char *kem) {
  return std::strcmp(kem, KEM_NAME) == 0 ? &driver : nullptr;
}

kem_device *kem_simulated_open(unsigned level) {
  try {
    auto *system = new System;
    system->device.level = level;
    system->device.context = system;
    return &system->device;
  } catch (const std::exception &) {
    return nullptr;
  }
}

void kem_simulated_close(kem_device *device) {
  if (device != nullptr) delete static_cast<System *>(device->context);
}

unsigned long long kem_simulated_cycles(const kem_device *device) {
  return static_cast<const System *>(device->context)->cycles;
}

const char *kem_simulated_kem(void) {
  return KEM_NAME;
}

const char *kem_simulated_parameters(void) {
  return "system on a chip, " KEM_PARAMETERS;
}
