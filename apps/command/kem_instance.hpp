// SPDX-License-Identifier: Apache-2.0 OR MIT
// A KEM with working memory of its own: its operations on vectors of bytes.
#ifndef CODEKEM_CLI_KEM_INSTANCE_HPP
#define CODEKEM_CLI_KEM_INSTANCE_HPP

#include <codekem.h>

#include <cstddef>
#include <memory>
#include <new>

#include "bytes.hpp"

namespace codekem {

// Where a call takes its randomness from: the operating system, unless a seed or a source is given.
struct drawing {
  const bytes *seed = nullptr;
  codekem_random_function random = nullptr;
  void *context = nullptr;
};

// Runs the operations in memory of the heap, because the stack is too small for some KEMs. Sets the
// length of every output. Inputs must have the lengths of the KEM; so must seeds.
class kem_instance {
 public:
  // Fails if something that the KEM needs cannot be loaded.
  explicit kem_instance(const codekem_kem &kem);

  codekem_status keypair(bytes &public_key, bytes &secret_key, const drawing &from = {});
  codekem_status encaps(bytes &ciphertext, bytes &shared_secret, const bytes &public_key,
                        const drawing &from = {});
  codekem_status decaps(bytes &shared_secret, const bytes &ciphertext, const bytes &secret_key);

  // Several at once. Buffers hold count items one behind the other; the keys that go in are stride
  // bytes apart, 0 where all are one.
  codekem_status keypair_batch(std::size_t count, bytes &public_keys, bytes &secret_keys);
  codekem_status encaps_batch(std::size_t count, bytes &ciphertexts, bytes &shared_secrets,
                              const bytes &public_keys, std::size_t stride);
  codekem_status decaps_batch(std::size_t count, bytes &shared_secrets, const bytes &ciphertexts,
                              const bytes &secret_keys, std::size_t stride);

  codekem_status check_public_key(const bytes &public_key) const;
  codekem_status check_secret_key(const bytes &secret_key);
  codekem_status check_ciphertext(const bytes &ciphertext) const;

  // Of a secret key that is a good one.
  codekem_status derive_public_key(bytes &public_key, const bytes &secret_key);

 private:
  struct release {
    void operator()(std::uint8_t *memory) const {
      ::operator delete(memory, std::align_val_t{CODEKEM_WORKSPACE_ALIGNMENT});
    }
  };

  // In this memory, with the randomness of a call that draws some.
  codekem_options options(const drawing &from = {}) const;

  const codekem_kem &kem_;
  std::size_t length_;
  std::unique_ptr<std::uint8_t, release> memory_;  // the library wipes it after each call
};

}  // namespace codekem

#endif
