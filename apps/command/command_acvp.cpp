// SPDX-License-Identifier: Apache-2.0 OR MIT
// `codekem acvp`: answers the questions of a laboratory, in JSON as ACVP has it for ML-KEM.
//
// A prompt is an object, or an array whose last item it is, with mode "keyGen" or "encapDecap" and
// testGroups; each has parameterSet, the name of a KEM, for encapDecap function, and tests. The
// response has the same groups and tests with their numbers and what came out:
//
//   keyGen                              seed         ek, dk
//   encapDecap, encapsulation           ek, m        c, k
//   encapDecap, decapsulation           dk, c        k
//   encapDecap, encapsulationKeyCheck   ek           testPassed
//   encapDecap, decapsulationKeyCheck   dk           testPassed
//
// seed and m are what the KEM draws; what ACVP writes as d and z of ML-KEM is one seed here.
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "errors.hpp"
#include "file_input.hpp"
#include "file_output.hpp"
#include "hexadecimal.hpp"
#include "kem_instance.hpp"
#include "kems.hpp"
#include "system.hpp"

namespace codekem {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t largest_prompt = std::size_t{256} << 20;

// One test of a group, and where it stands for messages, which show no values.
struct question {
  const json &test;
  std::string place;
};

const json &member(const json &of, const char *name, const std::string &place) {
  if (!of.is_object() || !of.contains(name)) {
    throw failure(place + " has no " + name + "; see the manual page for the form of a prompt");
  }
  return of[name];
}

std::string text_of(const json &of, const char *name, const std::string &place) {
  const json &value = member(of, name, place);
  if (!value.is_string()) {
    throw failure(place + ": " + name + " is not a string; see the manual page");
  }
  return value.get<std::string>();
}

// Returns the bytes of a member, which must have this length.
bytes bytes_of(const question &asked, const char *name, std::size_t length) {
  const json &value = member(asked.test, name, asked.place);
  if (!value.is_string()) {
    throw failure(asked.place + ": " + name + " is not a string; see the manual page");
  }
  const auto &text = value.get_ref<const std::string &>();
  if (text.size() != 2 * length) {
    throw failure(asked.place + ": " + name + " has " + std::to_string(text.size()) +
                  " hexadecimal digits where " + std::to_string(2 * length) +
                  " are needed; give a whole value");
  }
  bytes out(length);
  for (std::size_t i = 0; i < length; i++) {
    const int high = hex_digit(text[2 * i]);
    const int low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) {
      throw failure(asked.place + ": " + name + " is not hexadecimal near digit " +
                    std::to_string(2 * i + 1) + "; use the digits 0 to 9 and A to F");
    }
    out[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return out;
}

json make_keys(const codekem_kem &kem, kem_instance &instance, const question &asked) {
  const bytes seed = bytes_of(asked, "seed", kem.length_keypair_seed);
  bytes public_key, secret_key;
  require_ok(instance.keypair(public_key, secret_key, {&seed}), asked.place);
  return {{"ek", upper_hex(public_key)}, {"dk", upper_hex(secret_key)}};
}

json encapsulate(const codekem_kem &kem, kem_instance &instance, const question &asked) {
  const bytes public_key = bytes_of(asked, "ek", kem.length_public_key);
  const bytes seed = bytes_of(asked, "m", kem.length_encaps_seed);
  bytes ciphertext, shared_secret;
  require_ok(instance.encaps(ciphertext, shared_secret, public_key, {&seed}), asked.place);
  return {{"c", upper_hex(ciphertext)}, {"k", upper_hex(shared_secret)}};
}

json decapsulate(const codekem_kem &kem, kem_instance &instance, const question &asked) {
  const bytes secret_key = bytes_of(asked, "dk", kem.length_secret_key);
  const bytes ciphertext = bytes_of(asked, "c", kem.length_ciphertext);
  bytes shared_secret;
  require_ok(instance.decaps(shared_secret, ciphertext, secret_key), asked.place);
  return {{"k", upper_hex(shared_secret)}};
}

json check_public_key(const codekem_kem &kem, kem_instance &instance, const question &asked) {
  const bytes public_key = bytes_of(asked, "ek", kem.length_public_key);
  return {{"testPassed", instance.check_public_key(public_key) == CODEKEM_OK}};
}

json check_secret_key(const codekem_kem &kem, kem_instance &instance, const question &asked) {
  const bytes secret_key = bytes_of(asked, "dk", kem.length_secret_key);
  return {{"testPassed", instance.check_secret_key(secret_key) == CODEKEM_OK}};
}

using answering = json (*)(const codekem_kem &kem, kem_instance &instance, const question &asked);

answering function_of(const std::string &mode, const json &group, const std::string &place) {
  if (mode == "keyGen") {
    return make_keys;
  }
  if (mode != "encapDecap") {
    throw failure("there is no mode '" + mode + "'; choose keyGen or encapDecap");
  }
  const std::pair<const char *, answering> functions[] = {
      {"encapsulation", encapsulate},
      {"decapsulation", decapsulate},
      {"encapsulationKeyCheck", check_public_key},
      {"decapsulationKeyCheck", check_secret_key}};
  const std::string wanted = text_of(group, "function", place);
  for (const auto &[name, function] : functions) {
    if (wanted == name) {
      return function;
    }
  }
  throw failure(place + ": there is no function '" + wanted +
                "'; choose encapsulation, decapsulation, encapsulationKeyCheck or "
                "decapsulationKeyCheck");
}

// Returns the items of an array.
const json &list_of(const json &of, const char *name, const std::string &place) {
  const json &found = member(of, name, place);
  if (!found.is_array()) {
    throw failure(place + ": " + name + " is not an array; see the manual page");
  }
  return found;
}

// As find_kem; a wrong name is one of the data here, not of the command line.
const codekem_kem &kem_of(const json &group, const std::string &place) {
  const std::string name = text_of(group, "parameterSet", place);
  try {
    return find_kem(name);
  } catch (const usage_failure &error) {
    throw failure(place + ": " + error.what());
  }
}

json answer_group(const std::string &mode, const json &group) {
  const json &number = member(group, "tgId", "a group");
  const std::string place = "group " + number.dump();
  const codekem_kem &kem = kem_of(group, place);
  const answering answer = function_of(mode, group, place);
  kem_instance instance(kem);
  json tests = json::array();
  for (const json &test : list_of(group, "tests", place)) {
    const json &test_number = member(test, "tcId", "a test of " + place);
    json answered = {{"tcId", test_number}};
    answered.update(answer(kem, instance, {test, place + ", test " + test_number.dump()}));
    tests.push_back(answered);
  }
  return {{"tgId", number}, {"tests", tests}};
}

json answer_prompt(const json &prompt) {
  json response = json::object();
  for (const char *name : {"vsId", "algorithm", "mode", "revision"}) {
    if (prompt.is_object() && prompt.contains(name)) {
      response[name] = prompt[name];
    }
  }
  const std::string mode = text_of(prompt, "mode", "the prompt");
  response["testGroups"] = json::array();
  for (const json &group : list_of(prompt, "testGroups", "the prompt")) {
    response["testGroups"].push_back(answer_group(mode, group));
  }
  return response;
}

int run_acvp(const std::string &path) {
  system::forbid_core_files();
  const bytes text = read_input(path, largest_prompt + 1);
  if (text.size() > largest_prompt) {
    throw failure(input_name(path) + " is larger than 256 MiB; give fewer tests at a time");
  }
  json document = json::parse(text.begin(), text.end(), nullptr, false);
  if (document.is_discarded()) {
    throw failure(input_name(path) + " is not JSON; see the manual page for the form of a prompt");
  }
  // In an array other items come before the prompt, such as the version of ACVP.
  if (document.is_array() && !document.empty()) {
    document.back() = answer_prompt(json(document.back()));
  } else {
    document = answer_prompt(json(document));
  }
  write_stdout(document.dump(2) + "\n");
  return exit_success;
}

}  // namespace

void add_acvp(CLI::App &app, action &chosen) {
  CLI::App *command =
      app.add_subcommand("acvp", "Answer test vectors in JSON, as laboratories ask them (ACVP)");
  const auto path = std::make_shared<std::string>("-");
  command->add_option("--prompt", *path, "File with the prompt (default -: standard input)")
      ->type_name("FILE");
  command->footer("The response goes to standard output, all of it or nothing.");
  command->callback([&chosen, path] { chosen = [path] { return run_acvp(*path); }; });
}

}  // namespace codekem
