// SPDX-License-Identifier: Apache-2.0 OR MIT
// Measures the three operations of a KEM.
#ifndef CODEKEM_CLI_MEASURE_HPP
#define CODEKEM_CLI_MEASURE_HPP

#include <codekem.h>
#ifdef CODEKEM_HAVE_MASKED
#include <codekem_masked.h>
#endif

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bytes.hpp"

namespace codekem {

struct measurement {
  std::string kem;
  std::string backend;
  std::string operation;  // "keygen", "encaps", "decaps", "sign" or "verify"
  std::size_t samples;    // calls measured, each by itself
  double median_us, p25_us, p75_us;
  std::optional<double> median_cycles;  // of the time-stamp counter, where there is one
};

// The operations, in the order in which measure_kem measures them.
constexpr const char *operations[] = {"keygen", "encaps", "decaps"};

// Measures kem on the back end in use, for about seconds per operation after a warm-up, and at
// least three calls. Each call works on other random inputs than the one before. Calls
// starting(operation) before each operation and done(measurement) after it.
void measure_kem(const codekem_kem &kem, double seconds,
                 const std::function<void(const std::string &)> &starting,
                 const std::function<void(const measurement &)> &done);

#ifdef CODEKEM_HAVE_MASKED
// What the name of a KEM in shares ends with, here and in what is printed.
constexpr const char *masked_suffix = "-masked";

// Measures a KEM in shares likewise: masks and seeds are drawn as they are by default.
void measure_masked(const codekem_masked_kem &kem, double seconds,
                    const std::function<void(const std::string &)> &starting,
                    const std::function<void(const measurement &)> &done);
#endif

#ifdef CODEKEM_HAVE_SOFIA
// The operations of a signature scheme, measured likewise.
constexpr const char *signature_operations[] = {"keygen", "sign", "verify"};

// Measures SOFIA as measure_kem does a KEM, on messages of 32 bytes.
void measure_signatures(double seconds, const std::function<void(const std::string &)> &starting,
                        const std::function<void(const measurement &)> &done);
#endif

}  // namespace codekem

#endif
