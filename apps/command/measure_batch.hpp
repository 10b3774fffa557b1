// SPDX-License-Identifier: Apache-2.0 OR MIT
// Measures batches beside single calls.
#ifndef CODEKEM_CLI_MEASURE_BATCH_HPP
#define CODEKEM_CLI_MEASURE_BATCH_HPP

#include <codekem.h>

#include <cstddef>
#include <functional>
#include <string>

namespace codekem {

struct spread {
  double median, p25, p75;
};

struct batch_measurement {
  std::string kem;
  std::string backend;
  std::string operation;
  std::size_t batch;    // operations at once
  std::size_t samples;  // of batches, and of as many single calls
  spread single_us, batch_us;  // of one operation, in processor time
  spread ratio;                // single calls over the batch, sample by sample
};

// The operations, in the order in which measure_batches measures them: the last two with one key
// for the whole batch.
constexpr const char *batch_operations[] = {"keygen", "encaps", "decaps", "encaps-one-key",
                                            "decaps-one-key"};

// Measures batches of count operations of kem on the back end in use, for about seconds per
// operation and at least three times: in turn count single calls and one batch, so that what else
// the machine does meets both. Calls starting(operation) before each operation and
// done(measurement) after it.
void measure_batches(const codekem_kem &kem, std::size_t count, double seconds,
                     const std::function<void(const std::string &)> &starting,
                     const std::function<void(const batch_measurement &)> &done);

}  // namespace codekem

#endif
