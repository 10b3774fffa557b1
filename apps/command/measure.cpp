// SPDX-License-Identifier: Apache-2.0 OR MIT
// Measures the three operations of a KEM.
#include "measure.hpp"

#include <algorithm>
#include <chrono>

#include "errors.hpp"
#include "kem_instance.hpp"
#include "kems.hpp"
#include "machine.hpp"
#include "statistics.hpp"
#ifdef CODEKEM_HAVE_SOFIA
#include "signature_instance.hpp"
#endif

namespace codekem {
namespace {

using steady = std::chrono::steady_clock;

constexpr std::size_t max_samples = 1000000;  // bounds the memory of a long run
constexpr std::size_t min_samples = 3;
constexpr std::size_t max_parties = 32;
constexpr std::size_t min_parties = 2;
constexpr double warm_up_share = 0.1;
constexpr double max_warm_up_seconds = 0.5;

double seconds_since(steady::time_point start) {
  return std::chrono::duration<double>(steady::now() - start).count();
}

// One honest exchange, as input of the measured calls.
struct party {
  bytes public_key, secret_key, ciphertext, shared_secret;
};

// Makes as many parties as half a measurement's time allows: a slow back end gets fewer.
std::vector<party> make_parties(kem_instance &instance, double seconds) {
  const steady::time_point start = steady::now();
  std::vector<party> parties;
  while (parties.size() < min_parties ||
         (parties.size() < max_parties && seconds_since(start) < seconds / 2)) {
    party p;
    require_ok(instance.keypair(p.public_key, p.secret_key), "making a key pair");
    require_ok(instance.encaps(p.ciphertext, p.shared_secret, p.public_key), "encapsulating");
    parties.push_back(std::move(p));
  }
  return parties;
}

struct samples {
  std::vector<double> microseconds;
  std::vector<double> cycles;
};

// Calls call(i) for i = 0, 1, ... until the time is up, and times each call by itself.
template <typename Call>
samples take_samples(double seconds, const Call &call) {
  const steady::time_point warm_up = steady::now();
  std::size_t i = 0;
  do {
    call(i++);
  } while (seconds_since(warm_up) < std::min(max_warm_up_seconds, seconds * warm_up_share));

  samples taken;
  const bool counting = has_cycle_counter();
  const steady::time_point start = steady::now();
  while (taken.microseconds.size() < min_samples ||
         (taken.microseconds.size() < max_samples && seconds_since(start) < seconds)) {
    const steady::time_point before = steady::now();
    const std::uint64_t first = read_cycles();
    call(i++);
    const std::uint64_t last = read_cycles();
    const steady::time_point after = steady::now();
    taken.microseconds.push_back(std::chrono::duration<double, std::micro>(after - before).count());
    if (counting) {
      taken.cycles.push_back(static_cast<double>(last - first));
    }
  }
  std::sort(taken.microseconds.begin(), taken.microseconds.end());
  std::sort(taken.cycles.begin(), taken.cycles.end());
  return taken;
}

measurement summarise(const std::string &scheme, const char *operation, const samples &taken) {
  measurement m;
  m.kem = scheme;
  m.backend = codekem_backend_current();
  m.operation = operation;
  m.samples = taken.microseconds.size();
  m.median_us = quantile(taken.microseconds, 0.5);
  m.p25_us = quantile(taken.microseconds, 0.25);
  m.p75_us = quantile(taken.microseconds, 0.75);
  if (!taken.cycles.empty()) {
    m.median_cycles = quantile(taken.cycles, 0.5);
  }
  return m;
}

}  // namespace

void measure_kem(const codekem_kem &kem, double seconds,
                 const std::function<void(const std::string &)> &starting,
                 const std::function<void(const measurement &)> &done) {
  codekem_status status = CODEKEM_OK;  // of the last call; tested after the clock has stopped
  const auto check = [&](const char *operation) { require_ok(status, operation); };

  kem_instance instance(kem);
  bytes public_key, secret_key, ciphertext, shared_secret;

  starting(operations[0]);
  const samples keygen = take_samples(seconds, [&](std::size_t) {
    status = instance.keypair(public_key, secret_key);
    check("keygen");
  });
  done(summarise(kem.method_name, operations[0], keygen));

  starting(operations[1]);
  const std::vector<party> parties = make_parties(instance, seconds);
  const samples encaps = take_samples(seconds, [&](std::size_t i) {
    status = instance.encaps(ciphertext, shared_secret, parties[i % parties.size()].public_key);
    check("encaps");
  });
  done(summarise(kem.method_name, operations[1], encaps));

  starting(operations[2]);
  const samples decaps = take_samples(seconds, [&](std::size_t i) {
    const party &p = parties[i % parties.size()];
    status = instance.decaps(shared_secret, p.ciphertext, p.secret_key);
    check("decaps");
    if (shared_secret != p.shared_secret) {
      throw failure(std::string(kem.method_name) +
                    ": decapsulation gives a wrong secret; run 'codekem selftest'");
    }
  });
  done(summarise(kem.method_name, operations[2], decaps));
}

#ifdef CODEKEM_HAVE_MASKED
void measure_masked(const codekem_masked_kem &kem, double seconds,
                    const std::function<void(const std::string &)> &starting,
                    const std::function<void(const measurement &)> &done) {
  const std::string name = std::string(kem.kem->method_name) + masked_suffix;
  bytes public_key(kem.kem->length_public_key), secret_key(kem.length_secret_key);
  bytes ciphertext(kem.kem->length_ciphertext), shares(kem.length_shared_secret);
  bytes sent(kem.kem->length_shared_secret), received(kem.kem->length_shared_secret);
  const auto keypair = [&](std::size_t) {
    require_ok(codekem_masked_keypair(&kem, public_key.data(), secret_key.data(), nullptr),
               "keygen");
  };
  const auto encaps = [&](std::size_t) {
    require_ok(codekem_masked_encaps(&kem, ciphertext.data(), shares.data(), public_key.data(),
                                     nullptr),
               "encaps");
  };

  starting(operations[0]);
  done(summarise(name, operations[0], take_samples(seconds, keypair)));
  starting(operations[1]);
  done(summarise(name, operations[1], take_samples(seconds, encaps)));
  codekem_masked_join(sent.data(), shares.data(), sent.size());

  starting(operations[2]);
  const samples decaps = take_samples(seconds, [&](std::size_t) {
    require_ok(codekem_masked_decaps(&kem, shares.data(), ciphertext.data(), secret_key.data(),
                                     nullptr),
               "decaps");
    codekem_masked_join(received.data(), shares.data(), received.size());
    if (received != sent) {
      throw failure(name + ": decapsulation gives a wrong secret; run the tests of tests/masked");
    }
  });
  done(summarise(name, operations[2], decaps));
}
#endif

#ifdef CODEKEM_HAVE_SOFIA
void measure_signatures(double seconds, const std::function<void(const std::string &)> &starting,
                        const std::function<void(const measurement &)> &done) {
  signature_instance instance;
  bytes public_key, secret_key, signature, message(32);
  const auto next_message = [&](std::size_t i) {
    message[0] = static_cast<std::uint8_t>(i);
    message[1] = static_cast<std::uint8_t>(i >> 8);
  };

  starting(signature_operations[0]);
  const samples keygen = take_samples(seconds, [&](std::size_t) {
    require_ok(instance.keypair(public_key, secret_key), "keygen");
  });
  done(summarise(CODEKEM_SOFIA_NAME, signature_operations[0], keygen));

  starting(signature_operations[1]);
  const samples sign = take_samples(seconds, [&](std::size_t i) {
    next_message(i);
    require_ok(instance.sign(signature, message, secret_key), "sign");
  });
  done(summarise(CODEKEM_SOFIA_NAME, signature_operations[1], sign));

  starting(signature_operations[2]);
  const samples verify = take_samples(seconds, [&](std::size_t) {
    require_ok(instance.verify(message, signature, public_key), "verify");
  });
  done(summarise(CODEKEM_SOFIA_NAME, signature_operations[2], verify));
}
#endif

}  // namespace codekem
