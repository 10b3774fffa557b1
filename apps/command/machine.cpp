// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a measurement depends on: the processor, the system, the compiler; and the clocks.
#include "machine.hpp"

#include <codekem.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "system.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

namespace codekem {
namespace {

using nlohmann::ordered_json;

// The processor features on which the speed of some back end depends, as /proc/cpuinfo names them
// on x86-64 and on 64-bit Arm.
constexpr const char *relevant_features[] = {
    "bmi1",      "bmi2",         "popcnt",       "aes",
    "pclmulqdq", "avx2",         "vaes",         "vpclmulqdq",
    "gfni",      "avx512f",      "avx512bw",     "avx512dq",
    "avx512vl",  "avx512vbmi",   "avx512_vbmi2", "avx512_vpopcntdq",
    "sha_ni",    "constant_tsc", "nonstop_tsc",  "asimd",
    "pmull",     "sha3",         "sha512",       "sve",
    "sve2"};

std::string trimmed(const std::string &text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  return first == std::string::npos
             ? ""
             : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

ordered_json text_or_null(const std::string &text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

std::string first_line(const char *path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return trimmed(line);
}

// Returns the value of the first of these fields in /proc/cpuinfo.
std::string cpuinfo(const std::vector<std::string> &fields) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos &&
        std::find(fields.begin(), fields.end(), trimmed(line.substr(0, colon))) != fields.end()) {
      return trimmed(line.substr(colon + 1));
    }
  }
  return "";
}

ordered_json features() {
  std::istringstream words(cpuinfo({"flags", "Features"}));
  std::vector<std::string> present;
  for (std::string word; words >> word;) {
    present.push_back(word);
  }
  ordered_json found = ordered_json::array();
  for (const char *feature : relevant_features) {
    if (std::find(present.begin(), present.end(), feature) != present.end()) {
      found.push_back(feature);
    }
  }
  return found;
}

std::string os_name() {
  std::ifstream file("/etc/os-release");
  const std::string field = "PRETTY_NAME=";
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(field, 0) == 0) {
      line = line.substr(field.size());
      line.erase(std::remove(line.begin(), line.end(), '"'), line.end());
      return line;
    }
  }
  return "";
}

std::string compiler() {
#if defined(__clang__)
  return __VERSION__;
#elif defined(__GNUC__)
  return "gcc " __VERSION__;
#else
  return "";
#endif
}

}  // namespace

bool has_cycle_counter() {
#if defined(__x86_64__) || defined(__i386__)
  return true;
#else
  return false;
#endif
}

std::uint64_t read_cycles() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_lfence();
  const std::uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
#else
  return 0;
#endif
}

std::optional<std::uint64_t> measure_cycle_rate() {
  if (!has_cycle_counter()) {
    return std::nullopt;
  }
  using clock = std::chrono::steady_clock;
  const clock::time_point start = clock::now();
  const std::uint64_t first = read_cycles();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::uint64_t last = read_cycles();
  const std::chrono::duration<double> elapsed = clock::now() - start;
  return static_cast<std::uint64_t>(static_cast<double>(last - first) / elapsed.count());
}

ordered_json describe_machine() {
  const system::description system = system::describe();
  const std::optional<std::uint64_t> rate = measure_cycle_rate();
  std::string model = cpuinfo({"model name", "Model", "Hardware", "processor model"});

  return {{"cpu", text_or_null(model)},
          {"architecture", text_or_null(system.machine)},
          {"features", features()},
          {"logical_cpus", std::thread::hardware_concurrency()},
          {"governor",
           text_or_null(first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))},
          {"tsc_hz", rate ? ordered_json(*rate) : ordered_json(nullptr)},
          {"os", text_or_null(os_name())},
          {"kernel", trimmed(system.name + " " + system.release)},
          {"compiler", text_or_null(compiler())},
          {"build_type", CODEKEM_BUILD_TYPE},
          {"codekem", codekem_version()}};
}

}  // namespace codekem
