// SPDX-License-Identifier: Apache-2.0 OR MIT
// SOFIA with working memory of its own: its operations on vectors of bytes, and on messages in
// parts.
#include "signature_instance.hpp"

#include <algorithm>

#include "errors.hpp"

namespace codekem {
namespace {

constexpr std::size_t memory_bytes =
    std::max({CODEKEM_SOFIA_KEYPAIR_WORKSPACE, CODEKEM_SOFIA_SIGN_WORKSPACE,
              CODEKEM_SOFIA_VERIFY_WORKSPACE});

using update_function = codekem_sofia_status (*)(void *, const std::uint8_t *, std::size_t);

// Gives the whole message to update. Returns the first status that is no success.
codekem_sofia_status absorb(const signature_instance::message_source &message,
                            update_function update, void *memory) {
  codekem_sofia_status status = CODEKEM_SOFIA_OK;
  message([&](const std::uint8_t *part, std::size_t length) {
    if (status == CODEKEM_SOFIA_OK) {
      status = update(memory, part, length);
    }
  });
  return status;
}

}  // namespace

void signature_instance::deleter::operator()(std::uint8_t *memory) const {
  codekem_wipe(memory, memory_bytes);  // an input may have failed between two steps
  ::operator delete(memory, std::align_val_t{CODEKEM_WORKSPACE_ALIGNMENT});
}

signature_instance::signature_instance()
    : memory_(static_cast<std::uint8_t *>(
          ::operator new(memory_bytes, std::align_val_t{CODEKEM_WORKSPACE_ALIGNMENT}))) {}

codekem_sofia_status signature_instance::keypair(bytes &public_key, bytes &secret_key) {
  bytes seed(CODEKEM_SOFIA_KEYPAIR_SEED);
  return codekem_random_system(nullptr, seed.data(), seed.size())
             ? keypair_derand(public_key, secret_key, seed)
             : CODEKEM_SOFIA_ERROR_RANDOM;
}

codekem_sofia_status signature_instance::keypair_derand(bytes &public_key, bytes &secret_key,
                                                        const bytes &seed) {
  public_key.resize(CODEKEM_SOFIA_PUBLIC_KEY);
  secret_key.resize(CODEKEM_SOFIA_SECRET_KEY);
  return codekem_sofia_keypair_workspace(public_key.data(), secret_key.data(), seed.data(),
                                         memory_.get(), memory_bytes);
}

codekem_sofia_status signature_instance::sign(bytes &signature, const message_source &message,
                                              const bytes &secret_key) {
  void *memory = memory_.get();
  signature.resize(CODEKEM_SOFIA_SIGNATURE);
  codekem_sofia_status status = codekem_sofia_sign_start(memory, memory_bytes, secret_key.data());
  if (status == CODEKEM_SOFIA_OK) {
    status = absorb(message, codekem_sofia_sign_update, memory);
  }
  if (status == CODEKEM_SOFIA_OK) {
    status = codekem_sofia_sign_again(memory);
  }
  if (status == CODEKEM_SOFIA_OK) {
    status = absorb(message, codekem_sofia_sign_update, memory);
  }
  return status == CODEKEM_SOFIA_OK ? codekem_sofia_sign_finish(memory, signature.data()) : status;
}

codekem_sofia_status signature_instance::sign(bytes &signature, const bytes &message,
                                              const bytes &secret_key) {
  signature.resize(CODEKEM_SOFIA_SIGNATURE);
  return codekem_sofia_sign_workspace(signature.data(), message.data(), message.size(),
                                      secret_key.data(), memory_.get(), memory_bytes);
}

codekem_sofia_status signature_instance::verify(const message_source &message,
                                                const bytes &signature, const bytes &public_key) {
  void *memory = memory_.get();
  codekem_sofia_status status = codekem_sofia_verify_start(memory, memory_bytes, signature.data(),
                                                           signature.size(), public_key.data());
  if (status == CODEKEM_SOFIA_OK) {
    status = absorb(message, codekem_sofia_verify_update, memory);
  }
  return status == CODEKEM_SOFIA_OK ? codekem_sofia_verify_finish(memory) : status;
}

codekem_sofia_status signature_instance::verify(const bytes &message, const bytes &signature,
                                                const bytes &public_key) {
  return codekem_sofia_verify_workspace(message.data(), message.size(), signature.data(),
                                        signature.size(), public_key.data(), memory_.get(),
                                        memory_bytes);
}

void require_ok(codekem_sofia_status status, const std::string &action) {
  if (status != CODEKEM_SOFIA_OK) {
    throw failure(action + " failed: " + codekem_sofia_status_text(status) +
                  "; run 'codekem selftest'");
  }
}

}  // namespace codekem
