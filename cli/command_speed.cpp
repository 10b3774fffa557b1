// SPDX-License-Identifier: Apache-2.0 OR MIT
// `codekem speed`: measures the operations of KEMs and shows medians and their spread.
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "commands.hpp"
#include "errors.hpp"
#include "file_output.hpp"
#include "kems.hpp"
#include "machine.hpp"
#include "measure.hpp"
#include "terminal.hpp"

namespace codekem {
namespace {

constexpr double min_seconds = 0.001;
constexpr double max_seconds = 3600;

struct speed_options {
  std::vector<std::string> kems;
  std::vector<std::string> backends;
  double seconds = 1;
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
          {"median_cycles", m.median_cycles
                                ? nlohmann::ordered_json(static_cast<std::uint64_t>(*m.median_cycles))
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

table make_table(const std::vector<const codekem_kem *> &kems) {
  std::size_t kem_width = 0;
  for (const codekem_kem *kem : kems) {
    kem_width = std::max(kem_width, std::string(kem->method_name).size());
  }
  return table({{"KEM", kem_width, false},
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
  return value.is_string() ? value.get<std::string>() : "unknown";
}

std::string machine_text(const nlohmann::ordered_json &machine) {
  std::string text = "codekem " + text_of(machine["codekem"]) + " on " + text_of(machine["cpu"]) +
                     ", " + text_of(machine["os"]) + ", " + text_of(machine["compiler"]);
  if (!machine["tsc_hz"].is_null()) {
    text += ", time-stamp counter at " + decimal(machine["tsc_hz"].get<double>() / 1e6, 0) + " MHz";
  }
  return text + "\n\n";
}

int run_speed(const speed_options &options) {
  if (!(options.seconds >= min_seconds && options.seconds <= max_seconds)) {  // refuses NaN, too
    throw usage_failure("--seconds is out of range; give a number from 0.001 to 3600");
  }
  require_backend();
  const std::vector<const codekem_kem *> kems = find_kems(options.kems, false);
  const std::string original = codekem_backend_current();
  const std::vector<std::string> backends =
      options.backends.empty() ? std::vector<std::string>{original} : options.backends;
  for (const std::string &backend : backends) {
    select_backend(backend);  // a wrong name fails before the first measurement
  }

  const table columns = make_table(kems);
  const std::size_t total = kems.size() * backends.size() * std::size(operations);
  std::size_t number = 0;
  progress_line progress;
  nlohmann::ordered_json document = {{"machine", describe_machine()},
                                     {"results", nlohmann::ordered_json::array()}};
  if (!options.json) {
    write_stdout(machine_text(document["machine"]) + columns.header(style(STDOUT_FILENO)));
  }
  for (const std::string &backend : backends) {
    select_backend(backend);
    for (const codekem_kem *kem : kems) {
      measure_kem(
          *kem, options.seconds,
          [&](const std::string &operation) {
            progress.show("[" + std::to_string(++number) + "/" + std::to_string(total) + "] " +
                          kem->method_name + " " + operation + " on " + backend);
          },
          [&](const measurement &m) {
            progress.clear();
            if (options.json) {
              document["results"].push_back(to_json(m));
            } else {
              write_stdout(columns.row(to_cells(m)));
            }
          });
    }
  }
  select_backend(original);
  if (options.json) {
    write_stdout(document.dump(2) + "\n");
  }
  return exit_success;
}

}  // namespace

void add_speed(CLI::App &app, action &chosen) {
  CLI::App *command = app.add_subcommand("speed", "Measure how fast the operations are");
  const auto options = std::make_shared<speed_options>();
  command
      ->add_option("--kem", options->kems,
                   "Measure this KEM (may be repeated; default: all)")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--backend", options->backends,
                   "Measure this back end (may be repeated)")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--seconds", options->seconds, "Time for each operation (default 1)")
      ->type_name("N");
  command->add_flag("--json", options->json, "Print JSON");
  command->footer("Legacy KEMs are measured if named. The default back end is the one in use.");
  command->callback([&chosen, options] { chosen = [options] { return run_speed(*options); }; });
}

}  // namespace codekem
