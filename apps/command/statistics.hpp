// SPDX-License-Identifier: Apache-2.0 OR MIT
// Quantiles of a set of measurements.
#ifndef CODEKEM_CLI_STATISTICS_HPP
#define CODEKEM_CLI_STATISTICS_HPP

#include <cstddef>
#include <vector>

namespace codekem {

// Returns the quantile at fraction (0 to 1) of sorted values, at least one, interpolating linearly
// between neighbours.
inline double quantile(const std::vector<double> &sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(position);
  const std::size_t above = below + 1 < sorted.size() ? below + 1 : below;
  return sorted[below] + (sorted[above] - sorted[below]) * (position - static_cast<double>(below));
}

}  // namespace codekem

#endif
