// SPDX-License-Identifier: Apache-2.0 OR MIT
// `codekem speed`: measures the operations of KEMs and shows medians and their spread.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <tuple>

#include "commands.hpp"
#include "errors.hpp"
#include "file_output.hpp"
#include "kem_instance.hpp"
#include "kems.hpp"
#include "machine.hpp"
#include "measure.hpp"
#include "measure_batch.hpp"
#include "printable.hpp"
#include "simulated.hpp"
#include "terminal.hpp"
#ifdef CODEKEM_HAVE_SOFIA
#include <codekem_sofia.h>
#endif

namespace codekem {
namespace {

constexpr double min_seconds = 0.001;
constexpr double max_seconds = 3600;
constexpr std::size_t max_batch = 1024;

struct speed_options {
  std::vector<std::string> kems;
  std::vector<std::string> backends;
  double seconds = 1;
  std::size_t batch = 0;  // 0: single calls
  bool json = false;
};

std::string decimal(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

// Rounds to what a clock of nanoseconds can tell.
double rounded(double microseconds) {
  return static_cast<double>(static_cast<std::int64_t>(microseconds * 1000 + 0.5)) / 1000;
}

nlohmann::ordered_json to_json(const measurement &m) {
  return {{"kem", m.kem},
          {"backend", m.backend},
          {"operation", m.operation},
          {"samples", m.samples},
          {"median_us", rounded(m.median_us)},
          {"median_cycles",
           m.median_cycles ? nlohmann::ordered_json(static_cast<std::uint64_t>(*m.median_cycles))
                           : nlohmann::ordered_json(nullptr)},
          {"p25_us", rounded(m.p25_us)},
          {"p75_us", rounded(m.p75_us)}};
}

std::vector<std::string> to_cells(const measurement &m) {
  return {m.kem,
          m.operation,
          m.backend,
          decimal(1e6 / m.median_us, 0),
          decimal(m.median_us, 1),
          decimal(m.p25_us, 1),
          decimal(m.p75_us, 1),
          m.median_cycles ? decimal(*m.median_cycles, 0) : "-",
          std::to_string(m.samples)};
}

// JSON is UTF-8, but the name of a file or a processor may be anything.
std::string json_text(const nlohmann::ordered_json &document) {
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

nlohmann::ordered_json to_json(const batch_measurement &m) {
  return {{"kem", m.kem},
          {"backend", m.backend},
          {"operation", m.operation},
          {"batch", m.batch},
          {"samples", m.samples},
          {"single_median_us", rounded(m.single_us.median)},
          {"median_us", rounded(m.batch_us.median)},
          {"p25_us", rounded(m.batch_us.p25)},
          {"p75_us", rounded(m.batch_us.p75)},
          {"ratio", rounded(m.ratio.median)},
          {"ratio_p25", rounded(m.ratio.p25)},
          {"ratio_p75", rounded(m.ratio.p75)}};
}

std::vector<std::string> to_cells(const batch_measurement &m) {
  return {m.kem,
          m.operation,
          m.backend,
          decimal(m.single_us.median, 1),
          decimal(m.batch_us.median, 1),
          decimal(m.ratio.median, 2),
          decimal(m.ratio.p25, 2),
          decimal(m.ratio.p75, 2),
          std::to_string(m.samples)};
}

std::size_t name_width(const std::vector<const codekem_kem *> &kems) {
  std::size_t width = 0;
  for (const codekem_kem *kem : kems) {
    width = std::max(width, std::string(kem->method_name).size());
  }
  return width;
}

table make_batch_table(const std::vector<const codekem_kem *> &kems, std::size_t batch) {
  const std::string together = "of " + std::to_string(batch) + ", µs";
  return table({{"KEM", name_width(kems), false},
                {"operation", std::string("encaps-one-key").size(), false},
                {"back end", 9, false},
                {"single, µs", 0, true},
                {together, 10, true},
                {"ratio", 6, true},
                {"25 %", 6, true},
                {"75 %", 6, true},
                {"samples", 0, true}});
}

table make_table(const std::vector<const codekem_kem *> &kems) {
  const std::size_t other_width = std::string("HQC-1-masked").size();  // the longest of others
  return table({{"KEM", std::max(name_width(kems), other_width), false},
                {"operation", 0, false},
                {"back end", 9, false},
                {"per second", 0, true},
                {"median µs", 10, true},
                {"25 % µs", 10, true},
                {"75 % µs", 10, true},
                {"cycles", 12, true},
                {"samples", 0, true}});
}

std::string text_of(const nlohmann::ordered_json &value) {
  return value.is_string() ? printable(value.get<std::string>()) : "unknown";
}

std::string machine_text(const nlohmann::ordered_json &machine) {
  std::string text = "codekem " + text_of(machine["codekem"]) + " on " + text_of(machine["cpu"]) +
                     ", " + text_of(machine["os"]) + ", " + text_of(machine["compiler"]);
  if (!machine["tsc_hz"].is_null()) {
    text += ", time-stamp counter at " + decimal(machine["tsc_hz"].get<double>() / 1e6, 0) + " MHz";
  }
  return text + "\n\n";
}

// --- The simulated core -----------------------------------------------------------------------

struct core_measurement {
  const char *operation;
  std::uint64_t cycles;
  std::size_t samples;
};

// Draws input, runs operation, and compares its output with the library's, for about seconds and at
// least twice. The core is constant in time, so one count of cycles is enough, and a different one
// is a fault.
core_measurement measure_core(const char *name, double seconds,
                              const std::function<std::uint64_t()> &operation) {
  const auto start = std::chrono::steady_clock::now();
  core_measurement m = {name, operation(), 1};
  do {
    const std::uint64_t cycles = operation();
    if (cycles != m.cycles) {
      throw failure(std::string("the simulated core took ") + std::to_string(m.cycles) +
                    " cycles for one " + name + " and " + std::to_string(cycles) +
                    " for another; it must not depend on the data, report this");
    }
    m.samples++;
  } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() <
           seconds);
  return m;
}

// Likewise for a key that is drawn with rejections: the fewest cycles, those of a key without any,
// of at least eight keys; the last one that took so few stays.
constexpr std::size_t enough_keys = 8;

core_measurement measure_redrawing(const char *name, double seconds,
                                   const std::function<std::uint64_t()> &make_key,
                                   const std::function<std::tuple<bytes &, bytes &>()> &key) {
  const auto start = std::chrono::steady_clock::now();
  core_measurement m = {name, std::numeric_limits<std::uint64_t>::max(), 0};
  bytes public_key, secret_key;
  do {
    const std::uint64_t cycles = make_key();
    if (cycles <= m.cycles) {
      m.cycles = cycles;
      std::tie(public_key, secret_key) = key();
    }
    m.samples++;
  } while (m.samples < enough_keys ||
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() <
               seconds);
  key() = std::tie(public_key, secret_key);
  return m;
}

void require_same(const bytes &have, const bytes &want, const std::string &what) {
  if (have != want) {
    throw failure("the simulated core gives another " + what +
                  " than the library; run the tests of hardware/");
  }
}

bytes random_bytes(std::size_t count) {
  std::random_device device;
  bytes drawn(count);
  std::generate(drawn.begin(), drawn.end(), [&] { return static_cast<std::uint8_t>(device()); });
  return drawn;
}

// Measures the operations on the core; what it computes is compared with the library.
void measure_operations(simulated_core &core, double seconds,
                        const std::function<void(const core_measurement &)> &done) {
  const codekem_kem &kem = core.kem();
  bytes public_key, secret_key, ciphertext, shared_secret;
  kem_instance library(kem);
  bytes library_key, library_secret_key, library_ciphertext, library_secret;
  const auto make_key = [&] {
    const bytes seed = random_bytes(kem.length_keypair_seed);
    const std::uint64_t cycles = core.keypair(public_key, secret_key, seed);
    require_ok(library.keypair(library_key, library_secret_key, {&seed}), "making a key pair");
    require_same(public_key, library_key, "public key");
    require_same(secret_key, library_secret_key, "secret key");
    return cycles;
  };
  const auto encapsulate = [&] {
    const bytes seed = random_bytes(kem.length_encaps_seed);
    const std::uint64_t cycles = core.encaps(ciphertext, shared_secret, public_key, seed);
    require_ok(library.encaps(library_ciphertext, library_secret, public_key, {&seed}),
               "encapsulating");
    require_same(ciphertext, library_ciphertext, "ciphertext");
    require_same(shared_secret, library_secret, "shared secret");
    return cycles;
  };
  const auto decapsulate = [&] {
    require_ok(library.encaps(ciphertext, library_secret, public_key), "encapsulating");
    const std::uint64_t cycles = core.decaps(shared_secret, ciphertext, secret_key);
    require_same(shared_secret, library_secret, "shared secret");
    return cycles;
  };
  if (core.redraws()) {
    done(measure_redrawing(operations[0], seconds, make_key,
                           [&] { return std::tie(public_key, secret_key); }));
  } else {
    done(measure_core(operations[0], seconds, make_key));
  }
  done(measure_core(operations[1], seconds, encapsulate));
  done(measure_core(operations[2], seconds, decapsulate));
}

int run_simulated(const speed_options &options) {
  if (options.batch != 0) {
    throw usage_failure("the core in simulation has no batches; leave out --batch");
  }
  if (options.backends.size() > 1) {
    throw usage_failure(
        "the back end 'simulated' counts cycles of a core, the others take time; "
        "measure it by itself");
  }
  simulated_core core;
  for (const std::string &name : options.kems) {
    require_kem(core, find_kem(name).method_name);
  }
  nlohmann::ordered_json document = {
      {"core", {{"library", core.path()}, {"parameters", core.parameters()}}},
      {"results", nlohmann::ordered_json::array()}};
  const std::string kem = core.kem().method_name;
  const table columns({{"KEM", kem.size(), false},
                       {"operation", 0, false},
                       {"back end", 9, false},
                       {"cycles of the core", 0, true},
                       {"samples", 0, true}});
  if (!options.json) {
    write_stdout("Core in simulation, " + printable(core.parameters()) +
                 ", streams included; its cycles are exact and no time of this processor\n\n" +
                 columns.header(style(STDOUT_FILENO)));
  }
  measure_operations(core, options.seconds, [&](const core_measurement &m) {
    if (options.json) {
      document["results"].push_back({{"kem", kem},
                                     {"backend", simulated_backend},
                                     {"operation", m.operation},
                                     {"samples", m.samples},
                                     {"core_cycles", m.cycles}});
    } else {
      write_stdout(columns.row({kem, m.operation, simulated_backend, std::to_string(m.cycles),
                                std::to_string(m.samples)}));
    }
  });
  if (options.json) {
    write_stdout(json_text(document));
  }
  return exit_success;
}

// --- The command --------------------------------------------------------------------------------

// Takes the signature scheme out of names. Returns whether it was there and is built.
bool take_signatures(std::vector<std::string> &names) {
#ifdef CODEKEM_HAVE_SOFIA
  const auto end = std::remove(names.begin(), names.end(), CODEKEM_SOFIA_NAME);
  const bool found = end != names.end();
  names.erase(end, names.end());
  return found;
#else
  (void)names;
  return false;
#endif
}

#ifdef CODEKEM_HAVE_MASKED
// Takes KEMs in shares out of names, and returns them.
std::vector<const codekem_masked_kem *> take_masked(std::vector<std::string> &names) {
  const std::string suffix = masked_suffix;
  std::vector<const codekem_masked_kem *> found;
  const auto is_masked = [&](const std::string &name) {
    const std::size_t length = name.size() - std::min(name.size(), suffix.size());
    const codekem_masked_kem *kem = name.substr(length) == suffix
                                        ? codekem_masked_find(name.substr(0, length).c_str())
                                        : nullptr;
    if (kem != nullptr) {
      found.push_back(kem);
    }
    return kem != nullptr;
  };
  names.erase(std::remove_if(names.begin(), names.end(), is_masked), names.end());
  return found;
}
#endif

int run_speed(const speed_options &options) {
  if (!(options.seconds >= min_seconds && options.seconds <= max_seconds)) {  // refuses NaN, too
    throw usage_failure("--seconds is out of range; give a number from 0.001 to 3600");
  }
  if (std::find(options.backends.begin(), options.backends.end(), simulated_backend) !=
      options.backends.end()) {
    return run_simulated(options);
  }
  if (options.batch > max_batch) {
    throw usage_failure("--batch is out of range; give a number from 1 to " +
                        std::to_string(max_batch));
  }
  std::vector<std::string> names = options.kems;
  const bool with_signatures = take_signatures(names);
#ifdef CODEKEM_HAVE_MASKED
  const std::vector<const codekem_masked_kem *> masked = take_masked(names);
#else
  const std::vector<const codekem_kem *> masked;  // none
#endif
  const bool with_others = with_signatures || !masked.empty();
  const std::vector<const codekem_kem *> kems =
      with_others && names.empty() ? std::vector<const codekem_kem *>() : find_kems(names, false);
  const bool batches = options.batch != 0;
  if (batches && with_others) {
    throw usage_failure("--batch is for KEMs; measure SOFIA-4-128 and KEMs in shares without it");
  }
  const std::string original = codekem_backend_current();
  const std::vector<std::string> backends =
      options.backends.empty() ? std::vector<std::string>{original} : options.backends;
  for (const std::string &backend : backends) {
    select_backend(backend);  // a wrong name fails before the first measurement
  }

  const table columns = batches ? make_batch_table(kems, options.batch) : make_table(kems);
  const std::size_t total = (kems.size() + masked.size() + with_signatures) * backends.size() *
                            (batches ? std::size(batch_operations) : std::size(operations));
  std::size_t number = 0;
  progress_line progress;
  nlohmann::ordered_json document = {{"machine", describe_machine()},
                                     {"results", nlohmann::ordered_json::array()}};
  if (!options.json) {
    write_stdout(machine_text(document["machine"]) + columns.header(style(STDOUT_FILENO)));
  }
  const auto show = [&](const auto &m) {
    progress.clear();
    if (options.json) {
      document["results"].push_back(to_json(m));
    } else {
      write_stdout(columns.row(to_cells(m)));
    }
  };
  const auto starting = [&](const std::string &scheme, const std::string &backend) {
    return [&, scheme, backend](const std::string &operation) {
      progress.show("[" + std::to_string(++number) + "/" + std::to_string(total) + "] " + scheme +
                    " " + operation + " on " + backend);
    };
  };
  for (const std::string &backend : backends) {
    select_backend(backend);
    for (const codekem_kem *kem : kems) {
      const auto start = starting(kem->method_name, backend);
      if (batches) {
        measure_batches(*kem, options.batch, options.seconds, start, show);
      } else {
        measure_kem(*kem, options.seconds, start, show);
      }
    }
#ifdef CODEKEM_HAVE_MASKED
    for (const codekem_masked_kem *kem : masked) {
      measure_masked(*kem, options.seconds,
                     starting(std::string(kem->kem->method_name) + masked_suffix, backend), show);
    }
#endif
#ifdef CODEKEM_HAVE_SOFIA
    if (with_signatures) {
      measure_signatures(options.seconds, starting(CODEKEM_SOFIA_NAME, backend), show);
    }
#endif
  }
  select_backend(original);
  if (options.json) {
    write_stdout(json_text(document));
  }
  return exit_success;
}

}  // namespace

void add_speed(CLI::App &app, action &chosen) {
  CLI::App *command = app.add_subcommand("speed", "Measure how fast the operations are");
  const auto options = std::make_shared<speed_options>();
  command->add_option("--kem", options->kems, "Measure this KEM (may be repeated; default: all)")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--backend", options->backends,
                   "Measure this back end (may be repeated), or 'simulated': the core")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--seconds", options->seconds, "Time for each operation (default 1)")
      ->type_name("N");
  command
      ->add_option("--batch", options->batch,
                   "Measure batches of N operations beside N single calls")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Legacy KEMs, Classic McEliece, SOFIA-4-128 and HQC in shares (HQC-1-masked, HQC-3-masked,\n"
      "HQC-5-masked) are measured if named. The default back end is the one in use.");
  command->callback([&chosen, options] { chosen = [options] { return run_speed(*options); }; });
}

}  // namespace codekem
