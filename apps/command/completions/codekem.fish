# SPDX-License-Identifier: Apache-2.0 OR MIT
# Completes the command codekem in fish: subcommands, options, KEMs, back ends, files.

set -l commands list keygen encaps decaps kat acvp selftest speed sign-keygen sign verify

complete -c codekem -f
complete -c codekem -s h -l help -d 'Show this help'

complete -c codekem -n "not __fish_seen_subcommand_from $commands" -s V -l version \
    -d 'Show the version'
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a list \
    -d 'Show the KEMs and their sizes'
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a keygen \
    -d 'Make a key pair'
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a encaps \
    -d 'Make a shared secret and a ciphertext for a public key'
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a decaps \
    -d 'Recover the shared secret from a ciphertext'
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a kat \
    -d "Print the response file of NIST's known-answer tests"
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a acvp \
    -d 'Answer test vectors in JSON, as laboratories ask them (ACVP)'
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a selftest \
    -d 'Check every KEM on every back end of this processor'
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a speed \
    -d 'Measure how fast the operations are'
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a sign-keygen \
    -d 'Make a key pair for signatures (SOFIA, for research)'
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a sign \
    -d 'Sign a message (SOFIA, for research)'
complete -c codekem -n "not __fish_seen_subcommand_from $commands" -a verify \
    -d 'Verify a signature'

complete -c codekem -n '__fish_seen_subcommand_from keygen encaps decaps kat selftest speed' \
    -l kem -x -a '(codekem list --names)' -d 'KEM'
complete -c codekem -n '__fish_seen_subcommand_from kat selftest speed' \
    -l backend -x -a '(codekem list --backends)' -d 'Back end'
complete -c codekem -n '__fish_seen_subcommand_from kat speed' \
    -l backend -x -a simulated -d 'Core in simulation'

complete -c codekem -n '__fish_seen_subcommand_from acvp' -l prompt -r -F -d 'Read the prompt here'
complete -c codekem -n '__fish_seen_subcommand_from list speed' -l json -d 'Print JSON'
complete -c codekem -n '__fish_seen_subcommand_from list' -l names \
    -d 'Print the names of the KEMs only'
complete -c codekem -n '__fish_seen_subcommand_from list' -l backends \
    -d 'Print the names of the back ends'

complete -c codekem -n '__fish_seen_subcommand_from keygen encaps sign-keygen verify' \
    -l public -r -F -d 'File of the public key'
complete -c codekem -n '__fish_seen_subcommand_from keygen decaps sign-keygen sign' \
    -l secret -r -F -d 'File of the secret key'
complete -c codekem -n '__fish_seen_subcommand_from encaps decaps' -l ciphertext -r -F \
    -d 'File of the ciphertext'
complete -c codekem -n '__fish_seen_subcommand_from encaps decaps' -l shared -r -F \
    -d 'File of the shared secret'
complete -c codekem -n '__fish_seen_subcommand_from keygen encaps decaps' -l format -x \
    -a 'codekem raw pem' -d 'Format of the files'
complete -c codekem -n '__fish_seen_subcommand_from keygen' -l form -x \
    -a 'seed both expanded' -d 'What a secret key in PEM has'
complete -c codekem -n '__fish_seen_subcommand_from keygen encaps decaps sign-keygen sign' \
    -s f -l force \
    -d 'Replace existing files, and write to a terminal'

complete -c codekem -n '__fish_seen_subcommand_from kat' -l count -x -d 'Number of records'
complete -c codekem -n '__fish_seen_subcommand_from kat' -l seed -x -d 'Seed of the generator'
complete -c codekem -n '__fish_seen_subcommand_from speed' -l seconds -x \
    -d 'Time to measure each operation for'
complete -c codekem -n '__fish_seen_subcommand_from speed' -l batch -x -d 'Operations at once'

complete -c codekem -n '__fish_seen_subcommand_from sign verify' -l message -r -F \
    -d 'File of the message'
complete -c codekem -n '__fish_seen_subcommand_from sign verify' -l signature -r -F \
    -d 'File of the signature'
complete -c codekem -n '__fish_seen_subcommand_from sign-keygen sign verify' -l format -x \
    -a 'codekem raw' -d 'Format of the files'
