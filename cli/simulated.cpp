// SPDX-License-Identifier: Apache-2.0 OR MIT
// The back end "simulated": the BIKE core of hardware/ in simulation, loaded when it is asked for.
#include "simulated.hpp"

#include <dlfcn.h>
#include <simulated_device.hpp>
#include <unistd.h>

#include <cstdlib>

#include "errors.hpp"
#include "kems.hpp"

namespace codekem {
namespace {

constexpr const char *variable = "CODEKEM_SIMULATED";

std::string how_to_build(unsigned level) {
  return "build one by 'python3 hardware/sim/build.py build/core LEVEL=" + std::to_string(level) +
         " PRESET=2' in codekem's sources and set " + variable +
         " to build/core/libbike_simulated.so";
}

// Whoever starts a set-user-ID command must not choose the code that it loads.
const char *environment() {
#ifdef __linux__
  return secure_getenv(variable);
#else
  return issetugid() ? nullptr : std::getenv(variable);
#endif
}

std::string library_path() {
  const char *path = environment();
  if (path == nullptr || *path == '\0') {
    throw usage_failure(std::string("the environment variable ") + variable +
                        " does not name a simulated core; " + how_to_build(1));
  }
  // Without a slash the loader would search the system for the name.
  const std::string text = path;
  return text.find('/') == std::string::npos ? "./" + text : text;
}

void *open_library(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw usage_failure("the simulated core cannot be loaded: " + std::string(dlerror()) + "; " +
                        how_to_build(1));
  }
  return library;
}

template <typename Function>
void find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    throw usage_failure(std::string(variable) +
                        " names a library that is no simulated core, or an "
                        "older one: it lacks " +
                        name + "; " + how_to_build(1));
  }
}

void require_success(int status, const char *operation) {
  if (status != 0) {
    throw failure("the simulated core failed in " + std::string(operation) + " with error " +
                  std::to_string(status) + "; docs/hardware.md lists the errors");
  }
}

struct close_library {
  void operator()(void *library) const { dlclose(library); }
};

}  // namespace

struct simulated_core::loaded {
  std::string path = library_path();
  std::unique_ptr<void, close_library> handle{open_library(path)};
  decltype(&bike_device_keypair_derand) keypair;
  decltype(&bike_device_encaps_derand) encaps;
  decltype(&bike_device_decaps) decaps;
  decltype(&bike_simulated_open) open;
  decltype(&bike_simulated_close) close;
  decltype(&bike_simulated_cycles) cycles;
  decltype(&bike_simulated_level) level;
  decltype(&bike_simulated_parameters) parameters;
  const codekem_kem *kem = nullptr;
  bike_device *device = nullptr;
};

simulated_core::simulated_core() : loaded_(std::make_unique<loaded>()) {
  loaded &l = *loaded_;
  void *const handle = l.handle.get();
  find(handle, "bike_device_keypair_derand", l.keypair);
  find(handle, "bike_device_encaps_derand", l.encaps);
  find(handle, "bike_device_decaps", l.decaps);
  find(handle, "bike_simulated_open", l.open);
  find(handle, "bike_simulated_close", l.close);
  find(handle, "bike_simulated_cycles", l.cycles);
  find(handle, "bike_simulated_level", l.level);
  find(handle, "bike_simulated_parameters", l.parameters);
  l.kem = &find_kem("BIKE-L" + std::to_string(l.level()));
  l.device = l.open(l.level());
  if (l.device == nullptr) {
    throw failure("the simulated core does not start; rebuild " + l.path);
  }
}

simulated_core::~simulated_core() { loaded_->close(loaded_->device); }

const codekem_kem &simulated_core::kem() const { return *loaded_->kem; }
std::string simulated_core::path() const { return loaded_->path; }
std::string simulated_core::parameters() const { return loaded_->parameters(); }

std::uint64_t simulated_core::keypair(bytes &public_key, bytes &secret_key, const bytes &seed) {
  public_key.resize(kem().length_public_key);
  secret_key.resize(kem().length_secret_key);
  require_success(loaded_->keypair(loaded_->device, public_key.data(), secret_key.data(),
                                   seed.data()),
                  "KeyGen");
  return loaded_->cycles(loaded_->device);
}

std::uint64_t simulated_core::encaps(bytes &ciphertext, bytes &shared_secret,
                                     const bytes &public_key, const bytes &seed) {
  ciphertext.resize(kem().length_ciphertext);
  shared_secret.resize(kem().length_shared_secret);
  require_success(loaded_->encaps(loaded_->device, ciphertext.data(), shared_secret.data(),
                                  public_key.data(), seed.data()),
                  "Encaps");
  return loaded_->cycles(loaded_->device);
}

std::uint64_t simulated_core::decaps(bytes &shared_secret, const bytes &ciphertext,
                                     const bytes &secret_key) {
  shared_secret.resize(kem().length_shared_secret);
  require_success(loaded_->decaps(loaded_->device, shared_secret.data(), ciphertext.data(),
                                  secret_key.data()),
                  "Decaps");
  return loaded_->cycles(loaded_->device);
}

void require_kem(const simulated_core &core, const std::string &name) {
  if (name == core.kem().method_name) {
    return;
  }
  const bool has_core = name == "BIKE-L1" || name == "BIKE-L3" || name == "BIKE-L5";
  throw usage_failure("the simulated core " + core.path() + " is one for " +
                      core.kem().method_name + ", not for " + name + "; " +
                      (has_core ? how_to_build(static_cast<unsigned>(name.back() - '0'))
                                : "the core of hardware/ is for BIKE-L1, BIKE-L3 and BIKE-L5"));
}

}  // namespace codekem
