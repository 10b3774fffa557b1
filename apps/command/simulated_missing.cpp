// SPDX-License-Identifier: Apache-2.0 OR MIT
// What stands for the back end "simulated" in a build without hardware/: it refuses.
#include "errors.hpp"
#include "simulated.hpp"

namespace codekem {
namespace {

[[noreturn]] void refuse() {
  throw usage_failure(
      "this codekem was built without hardware/, so it has no back end 'simulated'");
}

}  // namespace

struct simulated_core::loaded {};

simulated_core::simulated_core() { refuse(); }
simulated_core::~simulated_core() = default;

// There is no object of this class to call these of.
const codekem_kem &simulated_core::kem() const { refuse(); }
std::string simulated_core::path() const { refuse(); }
std::string simulated_core::parameters() const { refuse(); }
bool simulated_core::redraws() const { refuse(); }
std::uint64_t simulated_core::keypair(bytes &, bytes &, const bytes &) { refuse(); }
std::uint64_t simulated_core::encaps(bytes &, bytes &, const bytes &, const bytes &) { refuse(); }
std::uint64_t simulated_core::decaps(bytes &, const bytes &, const bytes &) { refuse(); }
void require_kem(const simulated_core &, const std::string &) { refuse(); }

}  // namespace codekem
