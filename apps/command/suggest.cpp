// SPDX-License-Identifier: Apache-2.0 OR MIT
// "Did you mean": the known word nearest to a mistyped one.
#include "suggest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace codekem {
namespace {

std::string lower_case(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

// Counts the characters to insert, drop, replace or swap with a neighbour to turn a into b.
std::size_t distance(const std::string &a, const std::string &b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); i++) {
    for (std::size_t j = 0; j <= b.size(); j++) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(const std::string &word, const std::vector<std::string> &candidates) {
  constexpr std::size_t longest_word = 64;  // longer words are not typing mistakes
  if (word.size() > longest_word) {
    return "";
  }
  std::string best;
  std::size_t best_distance = 1 + std::max<std::size_t>(1, word.size() / 3);
  for (const std::string &candidate : candidates) {
    const std::size_t d = distance(lower_case(word), lower_case(candidate));
    if (d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates,
                         const std::string &fallback) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? "; " + fallback : "; did you mean '" + best + "'?";
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

}  // namespace codekem
