// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keys in PEM as the OpenSSL provider writes them (docs/tls.md): from bytes to a key and back.
#ifndef CODEKEM_CLI_PEM_HPP
#define CODEKEM_CLI_PEM_HPP

#include <codekem.h>

#include <string>

#include "bytes.hpp"
#include "key_file.hpp"

namespace codekem {

// Returns how long a file with a key of any KEM in PEM may be, with room for text around it.
std::size_t pem_max_bytes();

// Says whether data begins as a file in PEM does.
bool is_pem(const bytes &data);

// Fails unless keys of kem have an object identifier.
void require_pem(const codekem_kem &kem);

// What a secret key has in PEM.
enum class key_form { seed, both, expanded };

// Returns the PEM of a public key, or of a secret key and the seed that it was made from in a form.
bytes write_pem_public(const codekem_kem &kem, const bytes &public_key);
bytes write_pem_secret(const codekem_kem &kem, const bytes &secret_key, const bytes &seed,
                       key_form form);

// Says that the public key in a private one is that of another.
[[noreturn]] void fail_mismatch(const std::string &name);

struct pem_key {
  const codekem_kem *kem;
  bytes payload;     // maybe of a wrong length, or not valid
  bytes public_key;  // that a private key has with it, maybe of another key; empty if it has none
};

// Reads data, the contents of the file called name, as a key of kind, which is public_key or
// secret_key. Fails, and says what is wrong; a seed must belong to the secret key beside it.
pem_key read_pem(const std::string &name, const bytes &data, file_kind kind);

}  // namespace codekem

#endif
