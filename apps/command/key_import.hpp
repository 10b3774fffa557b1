// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads keys and ciphertexts in any format and checks them; builds the files to write.
#ifndef CODEKEM_CLI_KEY_IMPORT_HPP
#define CODEKEM_CLI_KEY_IMPORT_HPP

#include <codekem.h>

#include <string>

#include "bytes.hpp"
#include "key_file.hpp"
#include "pem.hpp"

namespace codekem {

// In the format pem, keys are as the OpenSSL provider's, and ciphertexts and secrets are raw, as
// `openssl pkeyutl` has them.
enum class key_format { codekem, raw, pem };

// Returns the format called name, or fails.
key_format find_format(const std::string &name);

struct imported_key {
  const codekem_kem *kem;
  bytes payload;          // of exactly the length that kem has for its kind
  bytes public_key = {};  // that a secret key had with it, and that belongs to it
};

// Reads path ("-": standard input), which must hold what kind says, for kem if that is not null.
// The raw format needs kem. Fails, with the name of the file and what is wrong, unless an honest
// party could have made the contents.
imported_key import_key(const std::string &path, file_kind kind, key_format format,
                        const codekem_kem *kem);

// Returns the contents of the file for payload. Secret keys in PEM need their seed, too, and have
// what form says.
bytes export_key(const bytes &payload, file_kind kind, key_format format, const codekem_kem &kem,
                 const bytes &seed = {}, key_form form = key_form::seed);

}  // namespace codekem

#endif
