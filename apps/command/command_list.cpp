// SPDX-License-Identifier: Apache-2.0 OR MIT
// `codekem list`: the KEMs, their sizes and what they claim; the back ends.
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "errors.hpp"
#include "file_output.hpp"
#include "kems.hpp"
#include "terminal.hpp"

namespace codekem {
namespace {

struct list_options {
  bool json = false;
  bool names = false;
  bool backends = false;
};

std::string lines(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) {
    text += word + "\n";
  }
  return text;
}

std::string kem_names() {
  std::vector<std::string> names;
  for (const codekem_kem *kem : all_kems()) {
    names.push_back(kem->method_name);
  }
  return lines(names);
}

std::string json_text() {
  nlohmann::ordered_json document = {{"codekem", codekem_version()},
                                     {"backend", codekem_backend_current()},
                                     {"backends", nlohmann::ordered_json::array()},
                                     {"kems", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < codekem_backend_count(); i++) {
    document["backends"].push_back({{"name", codekem_backend_name(i)},
                                    {"supported", codekem_backend_supported(i)}});
  }
  for (const codekem_kem *each : all_kems()) {
    const codekem_kem &kem = *each;
    nlohmann::ordered_json facts = {{"name", kem.method_name},
                                    {"family", kem.family},
                                    {"version", kem.alg_version},
                                    {"legacy", kem.superseded},
                                    {"claimed_nist_category", kem.claimed_nist_level},
                                    {"security", kem.security},
                                    {"ind_cca", kem.ind_cca},
                                    {"public_key_bytes", kem.length_public_key},
                                    {"secret_key_bytes", kem.length_secret_key},
                                    {"ciphertext_bytes", kem.length_ciphertext},
                                    {"shared_secret_bytes", kem.length_shared_secret}};
    if (warning_of(kem) != nullptr) {
      facts["warning"] = warning_of(kem);
    }
    document["kems"].push_back(facts);
  }
  return document.dump(2) + "\n";
}

std::string table_text() {
  const style colours(1);
  std::size_t name_width = 0, version_width = 0;
  for (const codekem_kem *kem : all_kems()) {
    name_width = std::max(name_width, std::string(kem->method_name).size());
    version_width = std::max(version_width, std::string(kem->alg_version).size());
  }
  const table columns({{"KEM", name_width, false},
                       {"version", version_width, false},
                       {"category", 0, true},
                       {"claims", 8, false},
                       {"public key", 0, true},
                       {"secret key", 0, true},
                       {"ciphertext", 0, true},
                       {"secret", 0, true}});
  std::string text = columns.header(colours);
  for (const codekem_kem *each : all_kems()) {
    const codekem_kem &kem = *each;
    text += columns.row(
        {kem.method_name, kem.alg_version, std::to_string(kem.claimed_nist_level), kem.security,
         std::to_string(kem.length_public_key), std::to_string(kem.length_secret_key),
         std::to_string(kem.length_ciphertext), std::to_string(kem.length_shared_secret)});
  }
  for (const codekem_kem *kem : all_kems()) {
    if (warning_of(*kem) != nullptr) {
      text += "\n" + std::string(warning_of(*kem)) + ".\n";
      break;  // one library has all of them
    }
  }
  const std::string current = codekem_backend_current();
  text += "\nSizes are in bytes. Back ends:";
  for (const std::string &name : supported_backends()) {
    text += " " + name + (name == current ? " (in use)" : "");
  }
  return text + "\n";
}

int run_list(const list_options &options) {
  if (options.json + options.names + options.backends > 1) {
    throw usage_failure("--json, --names and --backends exclude each other; give one of them");
  }
  write_stdout(options.json       ? json_text()
               : options.names    ? kem_names()
               : options.backends ? lines(supported_backends())
                                  : table_text());
  return exit_success;
}

}  // namespace

void add_list(CLI::App &app, action &chosen) {
  CLI::App *command = app.add_subcommand("list", "Show the KEMs and their sizes");
  const auto options = std::make_shared<list_options>();
  command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("--names", options->names, "Print only the names of the KEMs, one per line");
  command->add_flag("--backends", options->backends, "Print only the back ends that can run here");
  command->callback([&chosen, options] { chosen = [options] { return run_list(*options); }; });
}

}  // namespace codekem
