// SPDX-License-Identifier: Apache-2.0 OR MIT
// The generators of pseudorandom bytes from which the published known-answer files were made.
#include "kat_generator.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>

#include "errors.hpp"

namespace codekem {

nist_drbg::nist_drbg(const kat_seed &seed) { update(seed); }

// Counts up and encrypts the counter.
std::array<std::uint8_t, 16> nist_drbg::next_block() {
  for (std::size_t i = counter_.size(); i-- > 0;) {
    if (++counter_[i] != 0) {
      break;
    }
  }
  std::array<std::uint8_t, 16> block;
  int length = 0;
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> cipher(
      EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  if (cipher == nullptr ||
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_ecb(), nullptr, key_.data(), nullptr) != 1 ||
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

shake256_stream::shake256_stream(const kat_seed &seed) : seed_(seed) {}

void shake256_stream::random(std::uint8_t *out, std::size_t length) {
  if (stream_.size() - used_ < length) {
    // libcrypto 3.0 gives a stream in one piece only: begin again, and take twice as much.
    const std::uint8_t domain = 0;
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> hash(EVP_MD_CTX_new(),
                                                                       EVP_MD_CTX_free);
    stream_.resize(2 * (used_ + length));
    if (hash == nullptr || EVP_DigestInit_ex(hash.get(), EVP_shake256(), nullptr) != 1 ||
        EVP_DigestUpdate(hash.get(), seed_.data(), seed_.size()) != 1 ||
        EVP_DigestUpdate(hash.get(), &domain, 1) != 1 ||
        EVP_DigestFinalXOF(hash.get(), stream_.data(), stream_.size()) != 1) {
      throw failure("OpenSSL's libcrypto cannot compute SHAKE256; check its configuration");
    }
  }
  std::copy_n(stream_.begin() + static_cast<std::ptrdiff_t>(used_), length, out);
  used_ += length;
}

}  // namespace codekem
