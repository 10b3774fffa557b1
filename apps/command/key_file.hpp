// SPDX-License-Identifier: Apache-2.0 OR MIT
// The codekem file format (docs/file-format.md): from bytes to a key and back, without any I/O.
#ifndef CODEKEM_CLI_KEY_FILE_HPP
#define CODEKEM_CLI_KEY_FILE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bytes.hpp"

namespace codekem {

enum class file_kind { public_key, secret_key, ciphertext, shared_secret, signature };

// Returns the word for kind in a file header: "public-key", "secret-key", ...
const char *kind_word(file_kind kind);

// Returns kind for messages: "public key", "secret key", ...
const char *kind_text(file_kind kind);

struct key_file {
  file_kind kind;
  std::string kem;  // or signature scheme: letters, digits, '.', '+', '-'; maybe unknown here
  bytes payload;
};

enum class key_file_error {
  none,
  empty,
  not_codekem,
  unknown_version,
  bad_header,
  truncated,
  trailing_bytes,
  bad_checksum,
};

struct key_file_result {
  key_file_error error;
  std::string explanation;  // "what is wrong; what to do"; empty if nothing is
  std::optional<key_file> file;  // present if error is none
};

// The longest header line with its line end, and the checksum: what a file has beside its payload.
constexpr std::size_t key_file_max_header = 128;
constexpr std::size_t key_file_checksum_bytes = 16;

// Reads the file data[length]. Never throws on bad data, never reads beyond length. The explanation
// quotes nothing from the file but well-formed header words, so it cannot show a secret.
key_file_result read_key_file(const std::uint8_t *data, std::size_t length);

// Returns the file that holds payload.
bytes write_key_file(file_kind kind, const std::string &kem, const bytes &payload);

}  // namespace codekem

#endif
