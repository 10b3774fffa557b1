#compdef codekem
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Completes the command codekem in zsh: subcommands, options, KEMs, back ends, files.

_codekem_kems() {
  local -a names
  names=(${(f)"$(_call_program kems $service list --names 2>/dev/null)"})
  _describe -t kems 'KEM' names
}

_codekem_backends() {
  local -a names
  names=(${(f)"$(_call_program backends $service list --backends 2>/dev/null)"} $@)
  _describe -t backends 'back end' names
}

_codekem() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands help file_options sign_options
  commands=(
    'list:Show the KEMs and their sizes'
    'keygen:Make a key pair'
    'encaps:Make a shared secret and a ciphertext for a public key'
    'decaps:Recover the shared secret from a ciphertext'
    "kat:Print the response file of NIST's known-answer tests"
    'acvp:Answer test vectors in JSON, as laboratories ask them (ACVP)'
    'selftest:Check every KEM on every back end of this processor'
    'speed:Measure how fast the operations are'
    'sign-keygen:Make a key pair for signatures (SOFIA, for research)'
    'sign:Sign a message (SOFIA, for research)'
    'verify:Verify a signature'
  )
  sign_options=('--format[Format of the files]:format:(codekem raw)')
  file_options=(
    '--format[Format of the files]:format:(codekem raw pem)'
    '(-f --force)'{-f,--force}'[Replace existing files, and write to a terminal]'
  )

  _arguments -C \
    '(- *)'{-h,--help}'[Show this help]' \
    '(- *)'{-V,--version}'[Show the version]' \
    '1: :->command' \
    '*:: :->arguments' && return

  case $state in
    command)
      _describe -t commands 'codekem command' commands
      ;;
    arguments)
      help=('(- *)'{-h,--help}'[Show this help]')
      case $line[1] in
        list)
          _arguments $help \
            '(--names --backends)--json[Print JSON]' \
            '(--json --backends)--names[Print the names of the KEMs only]' \
            '(--json --names)--backends[Print the names of the back ends]'
          ;;
        keygen)
          _arguments $help $file_options \
            '--kem[KEM of the key pair]: :_codekem_kems' \
            '--form[What a secret key in PEM has]:form:(seed both expanded)' \
            '--public[Write the public key here]:public key:_files' \
            '--secret[Write the secret key here]:secret key:_files'
          ;;
        encaps)
          _arguments $help $file_options \
            '--kem[KEM that the public key must be for]: :_codekem_kems' \
            '--public[Read the public key here]:public key:_files' \
            '--ciphertext[Write the ciphertext here]:ciphertext:_files' \
            '--shared[Write the shared secret here]:shared secret:_files'
          ;;
        decaps)
          _arguments $help $file_options \
            '--kem[KEM that the secret key must be for]: :_codekem_kems' \
            '--secret[Read the secret key here]:secret key:_files' \
            '--ciphertext[Read the ciphertext here]:ciphertext:_files' \
            '--shared[Write the shared secret here]:shared secret:_files'
          ;;
        kat)
          _arguments $help \
            '--kem[KEM to test]: :_codekem_kems' \
            '--count[Number of records]:number: ' \
            '--seed[Seed of the generator]:96 hexadecimal digits: ' \
            '--backend[Compute on this back end]: :_codekem_backends simulated'
          ;;
        acvp)
          _arguments $help '--prompt[Read the prompt here]:prompt:_files'
          ;;
        selftest)
          _arguments $help \
            '*--kem[Check this KEM only]: :_codekem_kems' \
            '*--backend[Check this back end only]: :_codekem_backends'
          ;;
        speed)
          _arguments $help \
            '*--kem[Measure this KEM]: :_codekem_kems' \
            '*--backend[Measure this back end]: :_codekem_backends simulated' \
            '--seconds[Time to measure each operation for]:seconds: ' \
            '--batch[Operations at once]:count: ' \
            '--json[Print JSON]'
          ;;
        sign-keygen)
          _arguments $help $sign_options \
            '(-f --force)'{-f,--force}'[Replace existing files, and write to a terminal]' \
            '--public[Write the public key here]:public key:_files' \
            '--secret[Write the secret key here]:secret key:_files'
          ;;
        sign)
          _arguments $help $sign_options \
            '(-f --force)'{-f,--force}'[Replace existing files, and write to a terminal]' \
            '--secret[Read the secret key here]:secret key:_files' \
            '--message[Sign this file]:message:_files' \
            '--signature[Write the signature here]:signature:_files'
          ;;
        verify)
          _arguments $help $sign_options \
            '--public[Read the public key here]:public key:_files' \
            '--message[Read the message here]:message:_files' \
            '--signature[Read the signature here]:signature:_files'
          ;;
      esac
      ;;
  esac
}

_codekem "$@"
