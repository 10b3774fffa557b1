// SPDX-License-Identifier: Apache-2.0 OR MIT
// The generators of pseudorandom bytes from which the published known-answer files were made.
#include "kat_generator.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>

#include "errors.hpp"
#include "kems.hpp"

namespace codekem {
namespace {

// Returns seed || domain.
std::array<std::uint8_t, kat_seed_bytes + 1> with_domain(const kat_seed &seed,
                                                         std::uint8_t domain) {
  std::array<std::uint8_t, kat_seed_bytes + 1> message{};
  std::copy(seed.begin(), seed.end(), message.begin());
  message.back() = domain;
  return message;
}

}  // namespace

nist_drbg::nist_drbg(const kat_seed &seed) {
  require_libcrypto();
  update(seed);
}

// Counts up and encrypts the counter.
std::array<std::uint8_t, 16> nist_drbg::next_block() {
  for (std::size_t i = counter_.size(); i-- > 0;) {
    if (++counter_[i] != 0) {
      break;
    }
  }
  std::array<std::uint8_t, 16> block;
  int length = 0;
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> cipher(EVP_CIPHER_CTX_new(),
                                                                               EVP_CIPHER_CTX_free);
  if (cipher == nullptr ||
      EVP_EncryptInit_ex2(cipher.get(), EVP_aes_256_ecb(), key_.data(), nullptr, nullptr) != 1 ||
      EVP_CIPHER_CTX_set_padding(cipher.get(), 0) != 1 ||
      EVP_EncryptUpdate(cipher.get(), block.data(), &length, counter_.data(),
                        static_cast<int>(counter_.size())) != 1 ||
      length != static_cast<int>(block.size())) {
    throw failure("OpenSSL's libcrypto cannot compute AES-256; check its configuration");
  }
  return block;
}

// Takes a new key and counter from three blocks, mixed with data.
void nist_drbg::update(const kat_seed &data) {
  kat_seed mixed;
  for (std::size_t i = 0; i < kat_seed_bytes; i += 16) {
    const std::array<std::uint8_t, 16> block = next_block();
    std::transform(block.begin(), block.end(), data.begin() + i, mixed.begin() + i,
                   [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a ^ b); });
  }
  std::copy_n(mixed.begin(), key_.size(), key_.begin());
  std::copy_n(mixed.begin() + key_.size(), counter_.size(), counter_.begin());
}

void nist_drbg::random(std::uint8_t *out, std::size_t length) {
  while (length > 0) {
    const std::array<std::uint8_t, 16> block = next_block();
    const std::size_t taken = std::min(length, block.size());
    out = std::copy_n(block.begin(), taken, out);
    length -= taken;
  }
  update(kat_seed{});
}

shake256_stream::shake256_stream(const kat_seed &seed, std::uint8_t domain)
    : stream_(with_domain(seed, domain).data(), kat_seed_bytes + 1) {}

void shake256_stream::random(std::uint8_t *out, std::size_t length) { stream_.read(out, length); }

}  // namespace codekem
