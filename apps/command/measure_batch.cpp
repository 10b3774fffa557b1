// SPDX-License-Identifier: Apache-2.0 OR MIT
// Measures batches beside single calls.
#include "measure_batch.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

#include "errors.hpp"
#include "kem_instance.hpp"
#include "kems.hpp"
#include "statistics.hpp"

namespace codekem {
namespace {

using steady = std::chrono::steady_clock;

constexpr std::size_t min_samples = 3;
constexpr std::size_t max_samples = 100000;

double microseconds_since(steady::time_point start) {
  return std::chrono::duration<double, std::micro>(steady::now() - start).count();
}

// Time of this thread on the processor: a batch is long, and another program that runs in between
// would count. Where the system does not tell, the time of the clock.
double processor_us() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  timespec time = {};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0) {
    return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
  }
#endif
  return std::chrono::duration<double, std::micro>(steady::now().time_since_epoch()).count();
}

spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75)};
}

// The keys and ciphertexts of one batch, item behind item, and single ones.
struct batch_data {
  bytes public_keys, secret_keys, ciphertexts, shared_secrets, received;
  std::vector<bytes> public_key, secret_key, ciphertext;  // one each
};

std::vector<bytes> split(const bytes &all, std::size_t count) {
  const std::size_t length = all.size() / count;
  std::vector<bytes> items;
  for (std::size_t i = 0; i < count; i++) {
    const auto start = all.begin() + static_cast<std::ptrdiff_t>(i * length);
    items.emplace_back(start, start + static_cast<std::ptrdiff_t>(length));
  }
  return items;
}

// Calls single() for each of count operations and then batch(), in turn, until the time is up.
template <typename Single, typename Batch>
batch_measurement take_pairs(std::size_t count, double seconds, const Single &single,
                             const Batch &batch) {
  std::vector<double> alone, together, ratios;
  const steady::time_point start = steady::now();
  const double n = static_cast<double>(count);
  bool warm = false;
  while (alone.size() < min_samples ||
         (alone.size() < max_samples && microseconds_since(start) < 1e6 * seconds)) {
    const double first = processor_us();
    for (std::size_t i = 0; i < count; i++) {
      single(i);
    }
    const double second = processor_us();
    batch();
    const double single_us = (second - first) / n;
    const double batch_us = (processor_us() - second) / n;
    if (warm) {
      alone.push_back(single_us);
      together.push_back(batch_us);
      ratios.push_back(single_us / batch_us);
    }
    warm = true;  // the first pair is not counted
  }
  batch_measurement m;
  m.batch = count;
  m.samples = alone.size();
  m.single_us = spread_of(alone);
  m.batch_us = spread_of(together);
  m.ratio = spread_of(ratios);
  return m;
}

}  // namespace

void measure_batches(const codekem_kem &kem, std::size_t count, double seconds,
                     const std::function<void(const std::string &)> &starting,
                     const std::function<void(const batch_measurement &)> &done) {
  kem_instance instance(kem);
  batch_data d;
  bytes public_key, secret_key, ciphertext, shared_secret;
  const auto run = [&](const char *operation, const auto &single, const auto &batch) {
    starting(operation);
    batch_measurement m = take_pairs(count, seconds, single, batch);
    m.kem = kem.method_name;
    m.backend = codekem_backend_current();
    m.operation = operation;
    done(m);
  };

  run(
      batch_operations[0],
      [&](std::size_t) { require_ok(instance.keypair(public_key, secret_key), "keygen"); },
      [&] { require_ok(instance.keypair_batch(count, d.public_keys, d.secret_keys), "keygen"); });
  d.public_key = split(d.public_keys, count);
  d.secret_key = split(d.secret_keys, count);
  for (const std::size_t distance : {std::size_t{1}, std::size_t{0}}) {
    const std::size_t operation = distance == 1 ? 1 : 3;
    run(
        batch_operations[operation],
        [&](std::size_t i) {
          require_ok(instance.encaps(ciphertext, shared_secret, d.public_key[i * distance]),
                     "encaps");
        },
        [&] {
          require_ok(instance.encaps_batch(count, d.ciphertexts, d.shared_secrets, d.public_keys,
                                           distance * kem.length_public_key),
                     "encaps");
        });
    d.ciphertext = split(d.ciphertexts, count);
    run(
        batch_operations[operation + 1],
        [&](std::size_t i) {
          require_ok(instance.decaps(shared_secret, d.ciphertext[i], d.secret_key[i * distance]),
                     "decaps");
        },
        [&] {
          require_ok(instance.decaps_batch(count, d.received, d.ciphertexts, d.secret_keys,
                                           distance * kem.length_secret_key),
                     "decaps");
        });
    if (d.received != d.shared_secrets) {
      throw failure(std::string(kem.method_name) +
                    ": decapsulation gives a wrong secret; run 'codekem selftest'");
    }
  }
}

}  // namespace codekem
