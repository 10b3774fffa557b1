// SPDX-License-Identifier: Apache-2.0 OR MIT
// The back end "simulated": a core of hardware/ in simulation, loaded when it is asked for.
#include "simulated.hpp"

#include <simulated_device.hpp>

#include <cstdlib>
#include <string>
#include <vector>

#include "errors.hpp"
#include "kems.hpp"
#include "shared_library.h"
#include "suggest.hpp"
#include "system.hpp"

namespace codekem {
namespace {

constexpr const char *variable = "CODEKEM_SIMULATED";
std::string how_to_build(const kem_facts &facts) {
  const std::string scheme = facts.of == scheme::hqc ? "hqc" : "bike";
  return "build one by 'python3 hardware/sim/build.py " +
         std::string(facts.of == scheme::hqc ? "--scheme hqc " : "") +
         "build/core LEVEL=" + std::to_string(facts.level) +
         " PRESET=2' in codekem's sources and set " + variable + " to build/core/lib" + scheme +
         "_simulated.so";
}

std::string how_to_build() { return how_to_build(*kems_with_core().front()); }

std::string library_path() {
  const char *path = system::trusted_environment(variable);
  if (path == nullptr || *path == '\0') {
    throw usage_failure(std::string("the environment variable ") + variable +
                        " does not name a simulated core; " + how_to_build());
  }
  // Without a slash the loader would search the system for the name.
  const std::string text = path;
  return system::last_separator(text) == std::string::npos ? "./" + text : text;
}

void *open_library(const std::string &path) {
  void *library = ckem_shared_library_open(path.c_str());
  if (library == nullptr) {
    throw usage_failure("the simulated core cannot be loaded: " +
                        std::string(ckem_shared_library_error()) + "; " + how_to_build());
  }
  return library;
}

template <typename Function>
void find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(ckem_shared_library_find(library, name));
  if (function == nullptr) {
    throw usage_failure(std::string(variable) +
                        " names a library that is no simulated core, or an "
                        "older one: it lacks " +
                        name + "; " + how_to_build());
  }
}

void require_success(int status, const char *operation) {
  if (status != 0) {
    throw failure("the simulated core failed in " + std::string(operation) + " with error " +
                  std::to_string(status) + "; docs/hardware.md lists the errors");
  }
}

struct close_library {
  void operator()(void *library) const { ckem_shared_library_close(library); }
};

}  // namespace

struct simulated_core::loaded {
  std::string path = library_path();
  std::unique_ptr<void, close_library> handle{open_library(path)};
  decltype(&kem_driver_of) driver_of;
  decltype(&kem_simulated_open) open;
  decltype(&kem_simulated_close) close;
  decltype(&kem_simulated_cycles) cycles;
  decltype(&kem_simulated_kem) name;
  decltype(&kem_simulated_parameters) parameters;
  const codekem_kem *kem = nullptr;
  const kem_driver *driver = nullptr;
  kem_device *device = nullptr;
};

simulated_core::simulated_core() : loaded_(std::make_unique<loaded>()) {
  loaded &l = *loaded_;
  void *const handle = l.handle.get();
  find(handle, "kem_driver_of", l.driver_of);
  find(handle, "kem_simulated_open", l.open);
  find(handle, "kem_simulated_close", l.close);
  find(handle, "kem_simulated_cycles", l.cycles);
  find(handle, "kem_simulated_kem", l.name);
  find(handle, "kem_simulated_parameters", l.parameters);
  l.kem = &find_kem(l.name());
  l.driver = l.driver_of(l.name());
  l.device = l.driver == nullptr ? nullptr : l.open(l.driver->level);
  if (l.device == nullptr) {
    throw failure("the simulated core does not start; rebuild " + l.path);
  }
}

simulated_core::~simulated_core() { loaded_->close(loaded_->device); }

const codekem_kem &simulated_core::kem() const { return *loaded_->kem; }
std::string simulated_core::path() const { return loaded_->path; }
std::string simulated_core::parameters() const { return loaded_->parameters(); }
bool simulated_core::redraws() const { return facts_of(kem()).of == scheme::hqc; }

std::uint64_t simulated_core::keypair(bytes &public_key, bytes &secret_key, const bytes &seed) {
  public_key.resize(kem().length_public_key);
  secret_key.resize(kem().length_secret_key);
  require_success(loaded_->driver->keypair_derand(loaded_->device, public_key.data(),
                                                  secret_key.data(), seed.data()),
                  "KeyGen");
  return loaded_->cycles(loaded_->device);
}

std::uint64_t simulated_core::encaps(bytes &ciphertext, bytes &shared_secret,
                                     const bytes &public_key, const bytes &seed) {
  ciphertext.resize(kem().length_ciphertext);
  shared_secret.resize(kem().length_shared_secret);
  require_success(loaded_->driver->encaps_derand(loaded_->device, ciphertext.data(),
                                                 shared_secret.data(), public_key.data(),
                                                 seed.data()),
                  "Encaps");
  return loaded_->cycles(loaded_->device);
}

std::uint64_t simulated_core::decaps(bytes &shared_secret, const bytes &ciphertext,
                                     const bytes &secret_key) {
  shared_secret.resize(kem().length_shared_secret);
  require_success(loaded_->driver->decaps(loaded_->device, shared_secret.data(), ciphertext.data(),
                                          secret_key.data()),
                  "Decaps");
  return loaded_->cycles(loaded_->device);
}

void require_kem(const simulated_core &core, const std::string &name) {
  if (name == core.kem().method_name) {
    return;
  }
  std::string advice;
  std::vector<std::string> names;
  for (const kem_facts *facts : kems_with_core()) {
    names.push_back(facts->name);
    if (name == facts->name) {
      advice = how_to_build(*facts);
    }
  }
  if (advice.empty()) {
    advice = "hardware/ has cores for " + joined(names);
  }
  throw usage_failure("the simulated core " + core.path() + " is one for " +
                      core.kem().method_name + ", not for " + name + "; " + advice);
}

}  // namespace codekem
