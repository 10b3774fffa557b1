// SPDX-License-Identifier: Apache-2.0 OR MIT
// SHA-3 and SHAKE [FIPS 202] for checksums and known answers, by the library's Keccak.
#ifndef CODEKEM_CLI_SHA3_HPP
#define CODEKEM_CLI_SHA3_HPP

#include <array>
#include <cstddef>
#include <cstdint>

extern "C" {
#include "keccak/keccak.h"
}

namespace codekem {

// Returns the SHA3-256 digest of data[length].
std::array<std::uint8_t, 32> ckem_sha3_256(const std::uint8_t *data, std::size_t length);

// The output of SHAKE256 on one message, read piece by piece. Its state is not wiped.
class shake256_reader {
 public:
  shake256_reader(const std::uint8_t *message, std::size_t length);
  void read(std::uint8_t *out, std::size_t length);

 private:
  keccak_sponge sponge_;
};

}  // namespace codekem

#endif
