// SPDX-License-Identifier: Apache-2.0 OR MIT
// The back end "simulated": a core of hardware/ in simulation, loaded when it is asked for.
#ifndef CODEKEM_CLI_SIMULATED_HPP
#define CODEKEM_CLI_SIMULATED_HPP

#include <codekem.h>

#include <cstdint>
#include <memory>
#include <string>

#include "bytes.hpp"

namespace codekem {

constexpr const char *simulated_backend = "simulated";

// A core that runs. Each operation gives the cycles of the core from its start to its end, with the
// transfer of keys and ciphertext; how long the simulation took says nothing about the core.
class simulated_core {
 public:
  // Loads the shared library that the environment variable CODEKEM_SIMULATED names.
  simulated_core();
  ~simulated_core();
  simulated_core(const simulated_core &) = delete;
  simulated_core &operator=(const simulated_core &) = delete;

  const codekem_kem &kem() const;  // the one that the core was built for
  std::string path() const;
  std::string parameters() const;  // of the hardware, "LEVEL=1 PRESET=2"
  // Whether making a key, and Decaps with it, take longer for some seeds (HQC rejects candidates).
  bool redraws() const;

  // As the functions of codekem.h, from seeds, of that KEM; outputs take the right length.
  std::uint64_t keypair(bytes &public_key, bytes &secret_key, const bytes &seed);
  std::uint64_t encaps(bytes &ciphertext, bytes &shared_secret, const bytes &public_key,
                       const bytes &seed);
  std::uint64_t decaps(bytes &shared_secret, const bytes &ciphertext, const bytes &secret_key);

 private:
  struct loaded;
  std::unique_ptr<loaded> loaded_;
};

// Fails, and says what to do, if the core was built for another KEM than the one called name.
void require_kem(const simulated_core &core, const std::string &name);

}  // namespace codekem

#endif
