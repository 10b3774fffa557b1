// SPDX-License-Identifier: Apache-2.0 OR MIT
// Bytes in hexadecimal.
#ifndef CODEKEM_CLI_HEXADECIMAL_HPP
#define CODEKEM_CLI_HEXADECIMAL_HPP

#include <string>
#include <string_view>

namespace codekem {

// Returns the value of a digit, -1 of anything else.
inline int hex_digit(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::size_t value =
      digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
  return value == std::string_view::npos ? -1 : static_cast<int>(value);
}

// Returns data with digits in upper case.
template <typename Container>
std::string upper_hex(const Container &data) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string text;
  text.reserve(2 * data.size());
  for (const auto byte : data) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace codekem

#endif
