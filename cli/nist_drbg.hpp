// SPDX-License-Identifier: Apache-2.0 OR MIT
// The generator of NIST's known-answer tests: AES-256 CTR_DRBG without derivation function or
// reseeding [SP800-90A, 10.2.1].
#ifndef CODEKEM_CLI_NIST_DRBG_HPP
#define CODEKEM_CLI_NIST_DRBG_HPP

#include <array>
#include <cstddef>
#include <cstdint>

namespace codekem {

constexpr std::size_t drbg_seed_bytes = 48;
using drbg_seed = std::array<std::uint8_t, drbg_seed_bytes>;

class nist_drbg {
 public:
  explicit nist_drbg(const drbg_seed &seed);

  // Fills out[length]; the rest of the last block is lost, and the state moves on.
  void random(std::uint8_t *out, std::size_t length);

 private:
  std::array<std::uint8_t, 16> next_block();
  void update(const drbg_seed &data);

  std::array<std::uint8_t, 32> key_{};
  std::array<std::uint8_t, 16> counter_{};  // a 128-bit number, most significant byte first
};

}  // namespace codekem

#endif
