# SPDX-License-Identifier: Apache-2.0 OR MIT
# Completes the command codekem in bash: subcommands, options, KEMs, back ends, files.

_codekem() {
  local current previous subcommand word words
  current=${COMP_WORDS[COMP_CWORD]}
  previous=${COMP_WORDS[COMP_CWORD - 1]}
  # "--kem=NAME" reaches us as three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi

  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      list | keygen | encaps | decaps | kat | acvp | selftest | speed | sign-keygen | sign | verify)
        subcommand=$word
        break
        ;;
    esac
  done

  case $previous in
    --kem) words=$("${COMP_WORDS[0]}" list --names 2>/dev/null) ;;
    --backend)
      words=$("${COMP_WORDS[0]}" list --backends 2>/dev/null)
      [[ $subcommand == selftest ]] || words+=' simulated'
      ;;
    --format)
      words='codekem raw pem'
      case $subcommand in
        sign-keygen | sign | verify) words='codekem raw' ;;
      esac
      ;;
    --form) words='seed both expanded' ;;
    --prompt | --public | --secret | --ciphertext | --shared | --message | --signature)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    --batch | --count | --seed | --seconds) return ;;
    *)
      case $subcommand in
        '')
          words='list keygen encaps decaps kat acvp selftest speed sign-keygen sign verify'
          words+=' --help --version -h -V'
          ;;
        list) words='--json --names --backends --help -h' ;;
        keygen) words='--kem --public --secret --format --form --force --help -f -h' ;;
        encaps) words='--kem --public --ciphertext --shared --format --force --help -f -h' ;;
        decaps) words='--kem --secret --ciphertext --shared --format --force --help -f -h' ;;
        kat) words='--kem --count --seed --backend --help -h' ;;
        acvp) words='--prompt --help -h' ;;
        selftest) words='--kem --backend --help -h' ;;
        speed) words='--kem --backend --seconds --batch --json --help -h' ;;
        sign-keygen) words='--public --secret --format --force --help -f -h' ;;
        sign) words='--secret --message --signature --format --force --help -f -h' ;;
        verify) words='--public --message --signature --format --help -h' ;;
      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _codekem codekem
