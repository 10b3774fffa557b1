// SPDX-License-Identifier: Apache-2.0 OR MIT
// `codekem selftest`: checks every KEM on every back end that this processor can run.
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "errors.hpp"
#include "file_output.hpp"
#include "kem_instance.hpp"
#include "kems.hpp"
#include "known_answers.hpp"
#include "sha3.hpp"
#include "terminal.hpp"
#ifdef CODEKEM_HAVE_SOFIA
#include "signature_instance.hpp"
#endif

namespace codekem {
namespace {

struct selftest_options {
  std::vector<std::string> kems;
  std::vector<std::string> backends;
};

// The result of one check: empty if it passed, otherwise what went wrong.
using verdict = std::string;

struct exchange_values {
  bytes public_key, secret_key, ciphertext, shared_secret, recovered;
};

verdict failed_call(const char *call, codekem_status status) {
  return status == CODEKEM_OK ? "" : std::string(call) + ": " + codekem_status_text(status);
}

verdict first_problem(std::initializer_list<verdict> verdicts) {
  const auto *bad =
      std::find_if(verdicts.begin(), verdicts.end(), [](const verdict &v) { return !v.empty(); });
  return bad == verdicts.end() ? "" : *bad;
}

std::string hex(const std::array<std::uint8_t, 32> &digest) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::uint8_t byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

// Compares one deterministic exchange with the digest built into the command.
verdict check_known_answer(const codekem_kem &kem, kem_instance &instance) {
  exchange_values v;
  bytes keypair_seed(kem.length_keypair_seed);
  bytes encaps_seed(kem.length_encaps_seed);
  for (std::size_t i = 0; i < keypair_seed.size(); i++) {
    keypair_seed[i] = static_cast<std::uint8_t>(i);
  }
  for (std::size_t i = 0; i < encaps_seed.size(); i++) {
    encaps_seed[i] = static_cast<std::uint8_t>(0xFF - i);
  }
  const verdict calls = first_problem(
      {failed_call("keypair", instance.keypair(v.public_key, v.secret_key, {&keypair_seed})),
       failed_call("encaps",
                   instance.encaps(v.ciphertext, v.shared_secret, v.public_key, {&encaps_seed}))});
  if (!calls.empty()) {
    return calls;
  }
  bytes all;
  for (const bytes *part : {&v.public_key, &v.secret_key, &v.ciphertext, &v.shared_secret}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  const std::string expected = known_answer(kem.method_name);
  const std::string digest = hex(ckem_sha3_256(all.data(), all.size()));
  if (expected.empty()) {
    return "no answer is known for this KEM; got " + digest;
  }
  return digest == expected ? "" : "expected " + expected + ", got " + digest;
}

// Makes a random key pair and ciphertext; a correct exchange and valid encodings.
verdict check_exchange(kem_instance &instance, exchange_values &v) {
  const verdict calls = first_problem(
      {failed_call("keypair", instance.keypair(v.public_key, v.secret_key)),
       failed_call("encaps", instance.encaps(v.ciphertext, v.shared_secret, v.public_key)),
       failed_call("decaps", instance.decaps(v.recovered, v.ciphertext, v.secret_key)),
       failed_call("public key check", instance.check_public_key(v.public_key)),
       failed_call("secret key check", instance.check_secret_key(v.secret_key)),
       failed_call("ciphertext check", instance.check_ciphertext(v.ciphertext))});
  if (!calls.empty()) {
    return calls;
  }
  return v.recovered == v.shared_secret ? "" : "the two sides hold different secrets";
}

// A changed ciphertext must give another secret, the same one each time, and no error.
verdict check_rejection(kem_instance &instance, exchange_values &v) {
  bytes again;
  v.ciphertext[0] ^= 1;
  const verdict calls = first_problem(
      {failed_call("decaps", instance.decaps(v.recovered, v.ciphertext, v.secret_key)),
       failed_call("decaps", instance.decaps(again, v.ciphertext, v.secret_key))});
  if (!calls.empty()) {
    return calls;
  }
  if (v.recovered == v.shared_secret) {
    return "a changed ciphertext gives the secret of the genuine one";
  }
  return v.recovered == again ? "" : "a changed ciphertext gives another secret each time";
}

struct report {
  unsigned passed = 0;
  std::vector<std::string> problems;
};

// Counts the outcomes of the three checks and returns the cells of their columns.
std::vector<std::string> cells_of(const std::string &name_of_scheme, const std::string &backend,
                                  const verdict &known, const verdict &exchange,
                                  const verdict &rejection, const style &colours, report &result) {
  std::vector<std::string> cells;
  const std::pair<const char *, const verdict *> checks[] = {
      {"known answer", &known}, {"exchange", &exchange}, {"rejection", &rejection}};
  for (const auto &[name, outcome] : checks) {
    cells.push_back(outcome->empty() ? colours.green("ok") : colours.red("FAILED"));
    if (outcome->empty()) {
      result.passed++;
    } else {
      result.problems.push_back(name_of_scheme + ", back end " + backend + ", " + name + ": " +
                                *outcome);
    }
  }
  return cells;
}

// Runs the three checks and returns the cells of their columns.
std::vector<std::string> check_kem(const codekem_kem &kem, const std::string &backend,
                                   const style &colours, report &result) {
  kem_instance instance(kem);
  exchange_values values;
  const verdict known = check_known_answer(kem, instance);
  const verdict exchange = check_exchange(instance, values);
  const verdict rejection = exchange.empty() ? check_rejection(instance, values)
                                             : "not tried, because the exchange failed";
  return cells_of(kem.method_name, backend, known, exchange, rejection, colours, result);
}

#ifdef CODEKEM_HAVE_SOFIA
constexpr const char *signature_schemes[] = {CODEKEM_SOFIA_NAME};

verdict failed_call(const char *call, codekem_sofia_status status) {
  return status == CODEKEM_SOFIA_OK ? ""
                                    : std::string(call) + ": " + codekem_sofia_status_text(status);
}

// Compares a key pair and a signature of this text with the digest built into the command.
verdict check_known_signature(signature_instance &instance) {
  bytes seed(CODEKEM_SOFIA_KEYPAIR_SEED), public_key, secret_key, signature;
  const bytes message = {'a', 'b', 'c'};
  for (std::size_t i = 0; i < seed.size(); i++) {
    seed[i] = static_cast<std::uint8_t>(i);
  }
  const verdict calls =
      first_problem({failed_call("keypair", instance.keypair_derand(public_key, secret_key, seed)),
                     failed_call("sign", instance.sign(signature, message, secret_key))});
  if (!calls.empty()) {
    return calls;
  }
  bytes all;
  for (const bytes *part : {&public_key, &secret_key, &signature}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  const std::string expected = known_answer(CODEKEM_SOFIA_NAME);
  const std::string digest = hex(ckem_sha3_256(all.data(), all.size()));
  return digest == expected ? "" : "expected " + expected + ", got " + digest;
}

// The three checks: a known signature; one of a random key, which verifies; the same, changed.
std::vector<std::string> check_signatures(const std::string &backend, const style &colours,
                                          report &result) {
  signature_instance instance;
  bytes public_key, secret_key, signature;
  const bytes message(1000, 0x5A);
  const verdict known = check_known_signature(instance);
  const verdict exchange =
      first_problem({failed_call("keypair", instance.keypair(public_key, secret_key)),
                     failed_call("sign", instance.sign(signature, message, secret_key)),
                     failed_call("verify", instance.verify(message, signature, public_key))});
  signature[signature.size() / 2] ^= 1;
  const verdict rejection =
      instance.verify(message, signature, public_key) == CODEKEM_SOFIA_ERROR_SIGNATURE
          ? ""
          : "a changed signature is not refused";
  return cells_of(CODEKEM_SOFIA_NAME, backend, known, exchange, rejection, colours, result);
}
#else
const std::vector<const char *> signature_schemes;

std::vector<std::string> check_signatures(const std::string &, const style &, report &) {
  return {};
}
#endif

// Takes the names of signature schemes out of names, and returns them; without names all.
std::vector<std::string> take_signature_schemes(std::vector<std::string> &names) {
  std::vector<std::string> found;
  const bool all = names.empty();
  for (const char *scheme : signature_schemes) {
    const auto end = std::remove(names.begin(), names.end(), scheme);
    if (all || end != names.end()) {
      found.push_back(scheme);
    }
    names.erase(end, names.end());
  }
  return found;
}

int run_selftest(const selftest_options &options) {
  std::vector<std::string> names = options.kems;
  const std::vector<std::string> signatures = take_signature_schemes(names);
  const bool only_signatures = names.empty() && !options.kems.empty();
  const std::vector<const codekem_kem *> kems =
      only_signatures ? std::vector<const codekem_kem *>() : find_kems(names, true);
  const std::string original = codekem_backend_current();
  const std::vector<std::string> backends =
      options.backends.empty() ? supported_backends() : options.backends;
  std::size_t kem_width = 0, backend_width = 0;
  for (const codekem_kem *kem : kems) {
    kem_width = std::max(kem_width, std::string(kem->method_name).size());
  }
  for (const std::string &scheme : signatures) {
    kem_width = std::max(kem_width, scheme.size());
  }
  for (const std::string &backend : backends) {
    select_backend(backend);  // a wrong name fails before the first check
    backend_width = std::max(backend_width, backend.size());
  }

  const style colours(STDOUT_FILENO);
  const table columns({{"KEM", kem_width, false},
                       {"back end", backend_width, false},
                       {"known answer", 0, false},
                       {"exchange", 6, false},
                       {"rejection", 6, false}});
  progress_line progress;
  report result;
  write_stdout(columns.header(colours));
  for (const codekem_kem *kem : kems) {
    for (const std::string &backend : backends) {
      progress.show(std::string(kem->method_name) + " on " + backend);
      select_backend(backend);
      std::vector<std::string> cells = check_kem(*kem, backend, colours, result);
      cells.insert(cells.begin(), {kem->method_name, backend});
      progress.clear();
      write_stdout(columns.row(cells));
    }
  }
  for (const std::string &scheme : signatures) {
    for (const std::string &backend : backends) {
      select_backend(backend);
      std::vector<std::string> cells = check_signatures(backend, colours, result);
      cells.insert(cells.begin(), {scheme, backend});
      write_stdout(columns.row(cells));
    }
  }
  select_backend(original);

  std::string summary = "\n";
  for (const std::string &problem : result.problems) {
    summary += problem + "\n";
  }
  summary += std::to_string(result.passed) + " checks passed, " +
             std::to_string(result.problems.size()) + " failed\n";
  write_stdout(summary);
  if (!result.problems.empty()) {
    throw failure("the self-test failed; do not use this build on this machine");
  }
  return exit_success;
}

}  // namespace

void add_selftest(CLI::App &app, action &chosen) {
  CLI::App *command =
      app.add_subcommand("selftest", "Check every KEM on every back end of this processor");
  const auto options = std::make_shared<selftest_options>();
  command->add_option("--kem", options->kems, "Check this KEM only (may be repeated)")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--backend", options->backends, "Check this back end only (may be repeated)")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->callback([&chosen, options] { chosen = [options] { return run_selftest(*options); }; });
}

}  // namespace codekem
