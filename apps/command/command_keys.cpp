// SPDX-License-Identifier: Apache-2.0 OR MIT
// `codekem keygen`, `encaps` and `decaps`: a key exchange, step by step, through files.
#include <memory>

#include "commands.hpp"
#include "errors.hpp"
#include "file_input.hpp"
#include "file_output.hpp"
#include "kem_instance.hpp"
#include "kems.hpp"
#include "key_import.hpp"
#include "pem.hpp"
#include "suggest.hpp"
#include "system.hpp"

namespace codekem {
namespace {

struct key_options {
  std::string kem;
  std::string public_path;
  std::string secret_path;
  std::string ciphertext_path;
  std::string shared_path;
  std::string format = "codekem";
  std::string form;
  bool force = false;
};

// What the three commands do first. Returns the KEM of --kem, or null if it may be left out.
const codekem_kem *prepare(const key_options &options, key_format format) {
  system::forbid_core_files();
  if (format == key_format::raw && options.kem.empty()) {
    throw usage_failure(
        "--format raw needs --kem, because raw files do not name their KEM; "
        "add --kem NAME");
  }
  if (format == key_format::pem) {
    require_libcrypto();
  }
  return options.kem.empty() ? nullptr : &find_kem(options.kem);
}

// Makes a key pair and, for PEM, which stores it, the seed that it comes from.
void make_key_pair(const codekem_kem &kem, key_format format, bytes &public_key, bytes &secret_key,
                   bytes &seed) {
  kem_instance instance(kem);
  if (format != key_format::pem) {
    require_ok(instance.keypair(public_key, secret_key), "making a key pair");
    return;
  }
  seed.resize(kem.length_keypair_seed);
  require_ok(codekem_random_system(nullptr, seed.data(), seed.size()) ? CODEKEM_OK
                                                                      : CODEKEM_ERROR_RANDOM,
             "making a key pair");
  require_ok(instance.keypair(public_key, secret_key, {&seed}), "making a key pair");
}

// Returns what --form says that a secret key in PEM has.
key_form find_form(const key_options &options, key_format format) {
  if (options.form.empty()) {
    return key_form::seed;
  }
  if (format != key_format::pem) {
    throw usage_failure("--form is for --format pem, which alone has several forms");
  }
  if (options.form == "seed") {
    return key_form::seed;
  }
  if (options.form == "both") {
    return key_form::both;
  }
  if (options.form == "expanded") {
    return key_form::expanded;
  }
  throw usage_failure("there is no form '" + options.form + "'" +
                      did_you_mean(options.form, {"seed", "both", "expanded"},
                                   "choose seed, both or expanded"));
}

int run_keygen(const key_options &options) {
  const key_format format = find_format(options.format);
  const key_form form = find_form(options, format);
  const codekem_kem &kem = *prepare(options, format);
  if (format == key_format::pem) {
    require_pem(kem);
  }
  output_set outputs(options.force);
  outputs.add(options.public_path, false);
  outputs.add(options.secret_path, true);

  bytes public_key, secret_key, seed;
  make_key_pair(kem, format, public_key, secret_key, seed);

  const bytes public_file = export_key(public_key, file_kind::public_key, format, kem);
  const bytes secret_file = export_key(secret_key, file_kind::secret_key, format, kem, seed, form);
  outputs.commit({&public_file, &secret_file});
  return exit_success;
}

int run_encaps(const key_options &options) {
  const key_format format = find_format(options.format);
  const codekem_kem *asked = prepare(options, format);
  const imported_key key = import_key(options.public_path, file_kind::public_key, format, asked);
  output_set outputs(options.force);
  outputs.protect_input(options.public_path);
  outputs.add(options.ciphertext_path, false);
  outputs.add(options.shared_path, true);

  bytes ciphertext, shared_secret;
  require_ok(kem_instance(*key.kem).encaps(ciphertext, shared_secret, key.payload),
             "encapsulating");

  const bytes ciphertext_file = export_key(ciphertext, file_kind::ciphertext, format, *key.kem);
  const bytes shared_file = export_key(shared_secret, file_kind::shared_secret, format, *key.kem);
  outputs.commit({&ciphertext_file, &shared_file});
  return exit_success;
}

int run_decaps(const key_options &options) {
  const key_format format = find_format(options.format);
  const codekem_kem *asked = prepare(options, format);
  require_separate_inputs(options.secret_path, options.ciphertext_path);
  const imported_key key = import_key(options.secret_path, file_kind::secret_key, format, asked);
  const imported_key ciphertext =
      import_key(options.ciphertext_path, file_kind::ciphertext, format, key.kem);
  output_set outputs(options.force);
  outputs.protect_input(options.secret_path);
  outputs.protect_input(options.ciphertext_path);
  outputs.add(options.shared_path, true);

  bytes shared_secret;
  const codekem_status status =
      kem_instance(*key.kem).decaps(shared_secret, ciphertext.payload, key.payload);
  if (status == CODEKEM_ERROR_CIPHERTEXT) {  // as the reference code of Classic McEliece says
    throw failure(input_name(options.ciphertext_path) + ": is not a ciphertext of " +
                  key.kem->method_name +
                  ": bits of its syndrome's last byte are set that no ciphertext uses; get it "
                  "again from its maker");
  }
  require_ok(status, "decapsulating");

  const bytes shared_file = export_key(shared_secret, file_kind::shared_secret, format, *key.kem);
  outputs.commit({&shared_file});
  return exit_success;
}

using key_runner = int (*)(const key_options &);

// Adds what the three commands share, after the options of their own.
void finish_command(CLI::App *command, const std::shared_ptr<key_options> &options, key_runner run,
                    action &chosen) {
  command
      ->add_option("--format", options->format, "codekem (default), pem, or raw, which needs --kem")
      ->type_name("FORMAT");
  command->add_flag("-f,--force", options->force,
                    "Replace existing files, and write to a terminal");
  command->footer(
      "'-' is standard input or standard output. The format codekem carries the KEM's name and a\n"
      "checksum; raw is the bytes of the specification; pem is for keys, as OpenSSL's provider\n"
      "has them.");
  command->callback([&chosen, options, run] { chosen = [options, run] { return run(*options); }; });
}

CLI::Option *add_file(CLI::App *command, const char *name, std::string &path, const char *text) {
  return command->add_option(name, path, text)->type_name("FILE")->required();
}

CLI::Option *add_kem(CLI::App *command, std::string &kem, const char *text) {
  return command->add_option("--kem", kem, text)->type_name("NAME");
}

}  // namespace

void add_keygen(CLI::App &app, action &chosen) {
  CLI::App *command = app.add_subcommand("keygen", "Make a key pair");
  const auto options = std::make_shared<key_options>();
  add_kem(command, options->kem, "KEM of the key pair ('codekem list' shows them)")->required();
  add_file(command, "--public", options->public_path, "Write the public key to this file");
  add_file(command, "--secret", options->secret_path,
           "Write the secret key to this file (mode 0600)");
  command
      ->add_option("--form", options->form,
                   "What a secret key in PEM has: seed (default), both, expanded")
      ->type_name("FORM");
  finish_command(command, options, run_keygen, chosen);
}

void add_encaps(CLI::App &app, action &chosen) {
  CLI::App *command =
      app.add_subcommand("encaps", "Make a shared secret and a ciphertext for a public key");
  const auto options = std::make_shared<key_options>();
  add_kem(command, options->kem, "KEM that the public key must be for");
  add_file(command, "--public", options->public_path, "Read the public key from this file");
  add_file(command, "--ciphertext", options->ciphertext_path, "Write the ciphertext to this file");
  add_file(command, "--shared", options->shared_path,
           "Write the shared secret to this file (mode 0600)");
  finish_command(command, options, run_encaps, chosen);
}

void add_decaps(CLI::App &app, action &chosen) {
  CLI::App *command = app.add_subcommand("decaps", "Recover the shared secret from a ciphertext");
  const auto options = std::make_shared<key_options>();
  add_kem(command, options->kem, "KEM that the secret key must be for");
  add_file(command, "--secret", options->secret_path, "Read the secret key from this file");
  add_file(command, "--ciphertext", options->ciphertext_path, "Read the ciphertext from this file");
  add_file(command, "--shared", options->shared_path,
           "Write the shared secret to this file (mode 0600)");
  finish_command(command, options, run_decaps, chosen);
}

}  // namespace codekem
