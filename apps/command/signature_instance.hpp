// SPDX-License-Identifier: Apache-2.0 OR MIT
// SOFIA with working memory of its own: its operations on vectors of bytes, and on messages in
// parts.
#ifndef CODEKEM_CLI_SIGNATURE_INSTANCE_HPP
#define CODEKEM_CLI_SIGNATURE_INSTANCE_HPP

#include <codekem_sofia.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <string>

#include "bytes.hpp"

namespace codekem {

class signature_instance {
 public:
  // Takes one part of a message.
  using part_taker = std::function<void(const std::uint8_t *, std::size_t)>;
  // Gives a whole message to a taker, part by part.
  using message_source = std::function<void(const part_taker &)>;

  signature_instance();

  codekem_sofia_status keypair(bytes &public_key, bytes &secret_key);
  codekem_sofia_status keypair_derand(bytes &public_key, bytes &secret_key, const bytes &seed);

  // Asks for the message twice.
  codekem_sofia_status sign(bytes &signature, const message_source &message,
                            const bytes &secret_key);
  codekem_sofia_status sign(bytes &signature, const bytes &message, const bytes &secret_key);

  // Asks for the message once, or not at all if the signature has a wrong length.
  codekem_sofia_status verify(const message_source &message, const bytes &signature,
                              const bytes &public_key);
  codekem_sofia_status verify(const bytes &message, const bytes &signature,
                              const bytes &public_key);

 private:
  struct deleter {
    void operator()(std::uint8_t *memory) const;
  };
  std::unique_ptr<std::uint8_t, deleter> memory_;
};

// Fails if status is not CODEKEM_SOFIA_OK; action says what was being done.
void require_ok(codekem_sofia_status status, const std::string &action);

}  // namespace codekem

#endif
