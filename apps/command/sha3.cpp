// SPDX-License-Identifier: Apache-2.0 OR MIT
// SHA-3 and SHAKE [FIPS 202] for checksums and known answers, by the library's Keccak.
//
// The portable one: what `codekem selftest` judges a back end by must not come from that back end.
#include "sha3.hpp"

namespace codekem {

std::array<std::uint8_t, 32> ckem_sha3_256(const std::uint8_t *data, std::size_t length) {
  std::array<std::uint8_t, 32> digest;
  ::ckem_sha3_256(&ckem_keccak_portable, digest.data(), data, length);
  return digest;
}

shake256_reader::shake256_reader(const std::uint8_t *message, std::size_t length) {
  ckem_keccak_init(&sponge_, &ckem_keccak_portable, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(&sponge_, message, length);
  ckem_keccak_finish(&sponge_);
}

void shake256_reader::read(std::uint8_t *out, std::size_t length) {
  ckem_keccak_squeeze(&sponge_, out, length);
}

}  // namespace codekem
