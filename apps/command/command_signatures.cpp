// SPDX-License-Identifier: Apache-2.0 OR MIT
// `codekem sign-keygen`, `sign` and `verify`: signatures of SOFIA-4-128, through files.
#include <limits>
#include <memory>

#include "commands.hpp"
#include "errors.hpp"
#include "file_input.hpp"
#include "file_output.hpp"
#include "key_import.hpp"
#include "signature_instance.hpp"
#include "system.hpp"

namespace codekem {
namespace {

struct sign_options {
  std::string public_path;
  std::string secret_path;
  std::string message_path;
  std::string signature_path;
  std::string format = "codekem";
  bool force = false;
};

// Nobody has given keys of this scheme an object identifier, which PEM needs.
bool is_raw(const sign_options &options) {
  const key_format format = find_format(options.format);
  if (format == key_format::pem) {
    throw usage_failure("keys of " CODEKEM_SOFIA_NAME
                        " have no object identifier, so there is no PEM for them; "
                        "choose --format codekem or raw");
  }
  return format == key_format::raw;
}

std::size_t length_of(file_kind kind) {
  return kind == file_kind::public_key   ? CODEKEM_SOFIA_PUBLIC_KEY
         : kind == file_kind::secret_key ? CODEKEM_SOFIA_SECRET_KEY
                                         : CODEKEM_SOFIA_SIGNATURE;
}

const char *source_of(file_kind kind) {
  return kind == file_kind::public_key   ? "'codekem sign-keygen --public'"
         : kind == file_kind::secret_key ? "'codekem sign-keygen --secret'"
                                         : "'codekem sign --signature'";
}

// Reads a key or a signature and checks everything but what only verification can.
bytes import_file(const std::string &path, file_kind kind, bool raw) {
  const std::string name = input_name(path);
  const std::size_t expected = length_of(kind);
  // Room for the largest file of any kind, to say what it is if it is another.
  bytes data =
      read_input(path, CODEKEM_SOFIA_SIGNATURE + key_file_max_header + key_file_checksum_bytes + 1);
  if (!raw) {
    key_file_result result = read_key_file(data.data(), data.size());
    if (!result.file) {
      throw failure(name + ": " + result.explanation);
    }
    if (result.file->kind != kind) {
      throw failure(name + ": is a " + kind_text(result.file->kind) + ", not a " + kind_text(kind) +
                    "; give the file that " + source_of(kind) + " wrote");
    }
    if (result.file->kem != CODEKEM_SOFIA_NAME) {
      throw failure(name + ": is for " + result.file->kem +
                    ", not " CODEKEM_SOFIA_NAME "; give the file that " + source_of(kind) +
                    " wrote");
    }
    data = std::move(result.file->payload);
  }
  if (data.size() != expected) {
    throw failure(name + ": has the wrong size: expected " + std::to_string(expected) +
                  " bytes for a " + kind_text(kind) + " of " CODEKEM_SOFIA_NAME ", got " +
                  (data.size() > expected ? "more" : std::to_string(data.size())) +
                  "; check the file and --format");
  }
  return data;
}

bytes export_file(const bytes &payload, file_kind kind, bool raw) {
  return raw ? payload : write_key_file(kind, CODEKEM_SOFIA_NAME, payload);
}

int run_sign_keygen(const sign_options &options) {
  const bool raw = is_raw(options);
  system::forbid_core_files();
  output_set outputs(options.force);
  outputs.add(options.public_path, false);
  outputs.add(options.secret_path, true);

  bytes public_key, secret_key;
  require_ok(signature_instance().keypair(public_key, secret_key), "making a key pair");

  const bytes public_file = export_file(public_key, file_kind::public_key, raw);
  const bytes secret_file = export_file(secret_key, file_kind::secret_key, raw);
  outputs.commit({&public_file, &secret_file});
  return exit_success;
}

int run_sign(const sign_options &options) {
  const bool raw = is_raw(options);
  system::forbid_core_files();
  require_separate_inputs(options.secret_path, options.message_path);
  const bytes secret_key = import_file(options.secret_path, file_kind::secret_key, raw);
  output_set outputs(options.force);
  outputs.protect_input(options.secret_path);
  outputs.protect_input(options.message_path);
  outputs.add(options.signature_path, false);

  signature_instance instance;
  bytes signature;
  codekem_sofia_status status = CODEKEM_SOFIA_OK;
  if (is_regular_file(options.message_path)) {
    status = instance.sign(
        signature,
        [&](const signature_instance::part_taker &take) {
          read_in_parts(options.message_path, take);
        },
        secret_key);
  } else {  // what comes through a pipe comes once
    const bytes message =
        read_input(options.message_path, std::numeric_limits<std::size_t>::max() / 2);
    status = instance.sign(signature, message, secret_key);
  }
  if (status == CODEKEM_SOFIA_ERROR_MESSAGE) {
    throw failure(input_name(options.message_path) +
                  ": was changed while it was read; sign it when nothing writes to it");
  }
  require_ok(status, "signing");

  const bytes signature_file = export_file(signature, file_kind::signature, raw);
  outputs.commit({&signature_file});
  return exit_success;
}

int run_verify(const sign_options &options) {
  const bool raw = is_raw(options);
  require_separate_inputs(options.public_path, options.message_path);
  require_separate_inputs(options.public_path, options.signature_path);
  require_separate_inputs(options.signature_path, options.message_path);
  const bytes public_key = import_file(options.public_path, file_kind::public_key, raw);
  const bytes signature = import_file(options.signature_path, file_kind::signature, raw);

  const codekem_sofia_status status = signature_instance().verify(
      [&](const signature_instance::part_taker &take) {
        read_in_parts(options.message_path, take);
      },
      signature, public_key);
  if (status == CODEKEM_SOFIA_ERROR_SIGNATURE) {
    throw failure(input_name(options.signature_path) + ": is not a signature of " +
                  input_name(options.message_path) +
                  " for this public key; do not trust the message");
  }
  require_ok(status, "verifying");
  return exit_success;
}

using sign_runner = int (*)(const sign_options &);

CLI::Option *add_sign_file(CLI::App *command, const char *name, std::string &path,
                           const char *text) {
  return command->add_option(name, path, text)->type_name("FILE")->required();
}

// Adds what the three commands share.
void finish_sign_command(CLI::App *command, const std::shared_ptr<sign_options> &options,
                         sign_runner run, bool writes, action &chosen) {
  command->add_option("--format", options->format, "codekem (default) or raw")->type_name("FORMAT");
  if (writes) {
    command->add_flag("-f,--force", options->force,
                      "Replace existing files, and write to a terminal");
  }
  command->footer(
      "SOFIA-4-128 is a research scheme of 2017 and no standard: do not rely on its signatures.\n"
      "'-' is standard input or standard output.");
  command->callback([&chosen, options, run] { chosen = [options, run] { return run(*options); }; });
}

}  // namespace

void add_sign_keygen(CLI::App &app, action &chosen) {
  CLI::App *command =
      app.add_subcommand("sign-keygen", "Make a key pair for signatures (SOFIA, for research)");
  const auto options = std::make_shared<sign_options>();
  add_sign_file(command, "--public", options->public_path, "Write the public key to this file");
  add_sign_file(command, "--secret", options->secret_path,
                "Write the secret key to this file (mode 0600)");
  finish_sign_command(command, options, run_sign_keygen, true, chosen);
}

void add_sign(CLI::App &app, action &chosen) {
  CLI::App *command = app.add_subcommand("sign", "Sign a message (SOFIA, for research)");
  const auto options = std::make_shared<sign_options>();
  add_sign_file(command, "--secret", options->secret_path, "Read the secret key from this file");
  add_sign_file(command, "--message", options->message_path, "Sign the contents of this file");
  add_sign_file(command, "--signature", options->signature_path,
                "Write the signature to this file");
  finish_sign_command(command, options, run_sign, true, chosen);
}

void add_verify(CLI::App &app, action &chosen) {
  CLI::App *command =
      app.add_subcommand("verify", "Verify a signature: exit status 0 if it is good, 1 if not");
  const auto options = std::make_shared<sign_options>();
  add_sign_file(command, "--public", options->public_path, "Read the public key from this file");
  add_sign_file(command, "--message", options->message_path, "Read the message from this file");
  add_sign_file(command, "--signature", options->signature_path,
                "Read the signature from this file");
  finish_sign_command(command, options, run_verify, false, chosen);
}

}  // namespace codekem
