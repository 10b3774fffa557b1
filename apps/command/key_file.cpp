// SPDX-License-Identifier: Apache-2.0 OR MIT
// The codekem file format (docs/file-format.md): from bytes to a key and back, without any I/O.
#include "key_file.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sha3.hpp"

namespace codekem {
namespace {

constexpr std::string_view magic = "codekem ";
constexpr std::string_view version = "1";
constexpr std::size_t max_name = 64;
constexpr std::size_t max_length_digits = 8;  // payloads stay below 100 MB
constexpr file_kind all_kinds[] = {file_kind::public_key, file_kind::secret_key,
                                   file_kind::ciphertext, file_kind::shared_secret,
                                   file_kind::signature};

key_file_result problem(key_file_error error, const std::string &explanation) {
  return {error, explanation, std::nullopt};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '+' ||
         c == '-';
}

bool is_name(std::string_view word) {
  return !word.empty() && word.size() <= max_name &&
         std::all_of(word.begin(), word.end(), is_name_character);
}

// Accepts decimal digits without leading zeros, so that a number is written in one way only.
std::optional<std::size_t> parse_number(std::string_view word) {
  if (word.empty() || word.size() > max_length_digits || (word.size() > 1 && word[0] == '0') ||
      !std::all_of(word.begin(), word.end(), is_digit)) {
    return std::nullopt;
  }
  std::size_t value = 0;
  for (char c : word) {
    value = value * 10 + static_cast<std::size_t>(c - '0');
  }
  return value;
}

// Splits at every single space; two spaces in a row give an empty word.
std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t space = line.find(' ');
    words.push_back(line.substr(0, space));
    if (space == std::string_view::npos) {
      return words;
    }
    line.remove_prefix(space + 1);
  }
}

struct header {
  file_kind kind;
  std::string kem;
  std::size_t payload_bytes;
};

// Reads the words after the magic: version, kind, KEM, length.
key_file_result read_header(std::string_view line, std::optional<header> &out) {
  const std::vector<std::string_view> words = split(line);
  const std::string damaged = "; the file is damaged, get it again";

  if (words[0] != version) {
    if (parse_number(words[0])) {
      return problem(key_file_error::unknown_version,
                     "is in version " + std::string(words[0]) +
                         " of the codekem file format, and this command knows version 1 only; " +
                         "use a newer codekem");
    }
    return problem(key_file_error::bad_header, "has no version number in its header" + damaged);
  }
  if (!line.empty() && line.back() == '\r') {
    return problem(key_file_error::bad_header,
                   "has changed line ends, as after a transfer in text mode; "
                   "transfer it again in binary mode");
  }
  if (words.size() != 4) {
    return problem(key_file_error::bad_header, "has " + std::to_string(words.size() + 1) +
                                                   " words in its header instead of 5" + damaged);
  }
  const file_kind *kind = std::find_if(std::begin(all_kinds), std::end(all_kinds),
                                       [&](file_kind k) { return words[1] == kind_word(k); });
  if (kind == std::end(all_kinds)) {
    return problem(key_file_error::bad_header,
                   "names an unknown kind of content in its header" + damaged);
  }
  if (!is_name(words[2])) {
    return problem(key_file_error::bad_header, "has no valid KEM name in its header" + damaged);
  }
  const std::optional<std::size_t> payload_bytes = parse_number(words[3]);
  if (!payload_bytes) {
    return problem(key_file_error::bad_header, "has no valid length in its header" + damaged);
  }
  out = header{*kind, std::string(words[2]), *payload_bytes};
  return problem(key_file_error::none, "");
}

}  // namespace

const char *kind_word(file_kind kind) {
  switch (kind) {
    case file_kind::public_key:
      return "public-key";
    case file_kind::secret_key:
      return "secret-key";
    case file_kind::ciphertext:
      return "ciphertext";
    case file_kind::signature:
      return "signature";
    case file_kind::shared_secret:
      break;
  }
  return "shared-secret";
}

const char *kind_text(file_kind kind) {
  switch (kind) {
    case file_kind::public_key:
      return "public key";
    case file_kind::secret_key:
      return "secret key";
    case file_kind::ciphertext:
      return "ciphertext";
    case file_kind::signature:
      return "signature";
    case file_kind::shared_secret:
      break;
  }
  return "shared secret";
}

key_file_result read_key_file(const std::uint8_t *data, std::size_t length) {
  if (length == 0) {
    return problem(key_file_error::empty, "is empty; get it again");
  }
  const std::string_view all(reinterpret_cast<const char *>(data), length);
  const std::size_t compared = std::min(length, magic.size());
  if (all.substr(0, compared) != magic.substr(0, compared)) {
    return problem(key_file_error::not_codekem,
                   "is not a codekem file; if it holds the bare bytes of the specification, "
                   "add --format raw and --kem NAME");
  }
  const std::size_t line_end = all.substr(0, key_file_max_header).find('\n');
  if (line_end == std::string_view::npos) {
    if (length < key_file_max_header) {
      return problem(key_file_error::truncated, "ends inside its header: it is cut off after " +
                                                    std::to_string(length) +
                                                    " bytes; get it again");
    }
    return problem(key_file_error::bad_header, "has a header longer than " +
                                                   std::to_string(key_file_max_header) +
                                                   " bytes; the file is damaged, get it again");
  }
  std::optional<header> parsed;
  key_file_result result = read_header(all.substr(magic.size(), line_end - magic.size()), parsed);
  if (!parsed) {
    return result;
  }
  const std::size_t checked = line_end + 1 + parsed->payload_bytes;
  const std::size_t expected = checked + key_file_checksum_bytes;
  if (length < expected) {
    return problem(key_file_error::truncated, "is cut off: its header announces " +
                                                  std::to_string(expected) + " bytes, and it has " +
                                                  std::to_string(length) + "; get it again");
  }
  if (length > expected) {
    return problem(key_file_error::trailing_bytes, "goes on after its end: its header announces " +
                                                       std::to_string(expected) +
                                                       " bytes, and more follow; get it again");
  }
  const std::array<std::uint8_t, 32> digest = ckem_sha3_256(data, checked);
  if (!std::equal(data + checked, data + expected, digest.begin())) {
    return problem(key_file_error::bad_checksum,
                   "is damaged: its checksum does not match; get it again");
  }
  result.file = key_file{parsed->kind, parsed->kem, bytes(data + line_end + 1, data + checked)};
  return result;
}

bytes write_key_file(file_kind kind, const std::string &kem, const bytes &payload) {
  std::string line(magic);
  line.append(version).append(" ").append(kind_word(kind)).append(" ").append(kem);
  line.append(" ").append(std::to_string(payload.size())).append("\n");

  bytes file;
  file.reserve(line.size() + payload.size() + key_file_checksum_bytes);
  file.insert(file.end(), line.begin(), line.end());
  file.insert(file.end(), payload.begin(), payload.end());
  const std::array<std::uint8_t, 32> digest = ckem_sha3_256(file.data(), file.size());
  file.insert(file.end(), digest.begin(), digest.begin() + key_file_checksum_bytes);
  return file;
}

}  // namespace codekem
