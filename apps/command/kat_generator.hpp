// SPDX-License-Identifier: Apache-2.0 OR MIT
// The generators of pseudorandom bytes from which the published known-answer files were made.
#ifndef CODEKEM_CLI_KAT_GENERATOR_HPP
#define CODEKEM_CLI_KAT_GENERATOR_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "sha3.hpp"

namespace codekem {

constexpr std::size_t kat_seed_bytes = 48;
using kat_seed = std::array<std::uint8_t, kat_seed_bytes>;

// A generator that was started from a seed. What it makes is published: nothing here is secret.
class kat_generator {
 public:
  virtual ~kat_generator() = default;

  // Fills out[length] with the next bytes.
  virtual void random(std::uint8_t *out, std::size_t length) = 0;
};

// NIST's: AES-256 CTR_DRBG without derivation function or reseeding [SP800-90A, 10.2.1]. After each
// request the rest of the last block is lost, and the state moves on. Used by BIKE.
class nist_drbg : public kat_generator {
 public:
  explicit nist_drbg(const kat_seed &seed);
  void random(std::uint8_t *out, std::size_t length) override;

 private:
  std::array<std::uint8_t, 16> next_block();
  void update(const kat_seed &data);

  std::array<std::uint8_t, 32> key_{};
  std::array<std::uint8_t, 16> counter_{};  // a 128-bit number, most significant byte first
};

// The stream SHAKE256(seed || domain), cut into requests of any length. Used by HQC, whose domain
// is 0, and was 1 in 2023.
class shake256_stream : public kat_generator {
 public:
  explicit shake256_stream(const kat_seed &seed, std::uint8_t domain = 0);
  void random(std::uint8_t *out, std::size_t length) override;

 private:
  shake256_reader stream_;
};

}  // namespace codekem

#endif
