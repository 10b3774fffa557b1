// SPDX-License-Identifier: Apache-2.0 OR MIT
// Text from outside (file names, labels in files, the environment) made fit to be shown.
#include "printable.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace codekem {
namespace {

// One character of UTF-8. length is 0 if there is none.
struct character {
  std::uint32_t code;
  std::size_t length;
};

// Reads the character at the front of text [RFC3629]: no overlong forms, no surrogates.
character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) {
    return {first, 1};
  }
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) {
    return {0, 0};
  }
  std::uint32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; i++) {
    if ((byte(i) & 0xC0) != 0x80) {
      return {0, 0};
    }
    code = code << 6 | (byte(i) & 0x3FU);
  }
  const std::uint32_t smallest = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  const bool good = code >= smallest && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return good ? character{code, length} : character{0, 0};
}

// Says whether a terminal might act on the character, or show it where it does not stand.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ||   // C0, DEL, C1
         code == 0x61C || code == 0xFEFF ||                // Arabic letter mark; byte order mark
         (code >= 0x200B && code <= 0x200F) ||             // without width; marks of direction
         (code >= 0x2028 && code <= 0x202E) ||             // separators of lines; overrides
         (code >= 0x2060 && code <= 0x206F) ||             // invisible operators; isolates
         (code >= 0xE0000 && code <= 0xE007F);             // tags, which nothing shows
}

std::string escaped(const char *form, std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, form, static_cast<unsigned>(value));
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const character next = first_character(text);
    if (next.length == 0) {
      shown += escaped("\\x%02x", static_cast<std::uint8_t>(text[0]));
    } else if (next.code == '\n') {
      shown += "\\n";
    } else if (is_control(next.code)) {
      shown += escaped(next.code < 0x80 ? "\\x%02x" : "\\u{%x}", next.code);
    } else {
      shown += text.substr(0, next.length);
    }
    text.remove_prefix(next.length == 0 ? 1 : next.length);
  }
  return shown;
}

}  // namespace codekem
