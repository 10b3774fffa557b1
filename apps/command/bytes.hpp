// SPDX-License-Identifier: Apache-2.0 OR MIT
// A vector of bytes that is wiped before its memory is given back, for keys and secrets.
#ifndef CODEKEM_CLI_BYTES_HPP
#define CODEKEM_CLI_BYTES_HPP

#include <codekem.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace codekem {

template <typename T>
struct wiping_allocator {
  using value_type = T;

  wiping_allocator() = default;
  template <typename U>
  wiping_allocator(const wiping_allocator<U> &) {}

  T *allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
  void deallocate(T *memory, std::size_t count) {
    codekem_wipe(memory, count * sizeof(T));
    std::allocator<T>().deallocate(memory, count);
  }
  template <typename U>
  bool operator==(const wiping_allocator<U> &) const {
    return true;
  }
  template <typename U>
  bool operator!=(const wiping_allocator<U> &) const {
    return false;
  }
};

using bytes = std::vector<std::uint8_t, wiping_allocator<std::uint8_t>>;

}  // namespace codekem

#endif
