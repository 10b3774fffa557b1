#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Exchanges a secret with every KEM: three processes, files between them, both secrets compared.
#
# Usage: tools/exchange.sh [COMMAND]
# COMMAND is the command codekem to try; by default the one of `make build`, else that on the path.
# Exit status: 0 if every exchange succeeded, 1 if one failed, 2 if there is nothing to try.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
built=$here/../build/default/bin/codekem
if [ $# -gt 0 ]; then
  command=$1
elif [ -x "$built" ]; then
  command=$built
else
  command=codekem
fi
if ! command -v "$command" >/dev/null; then
  echo "exchange.sh: error: there is no command '$command'; run 'make build' first" >&2
  exit 2
fi

# The files hold secrets: nobody else may enter the folder, and it goes whatever happens.
umask 077
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Exchanges a secret with KEM $1.
exchange() {
  "$command" keygen --kem "$1" --public "$folder/public" --secret "$folder/secret" --force &&
    "$command" encaps --public "$folder/public" --ciphertext "$folder/ciphertext" \
      --shared "$folder/sender" --force &&
    "$command" decaps --secret "$folder/secret" --ciphertext "$folder/ciphertext" \
      --shared "$folder/receiver" --force &&
    cmp "$folder/sender" "$folder/receiver"
}

kems=$("$command" list --names)
total=$(printf '%s\n' "$kems" | grep -c .) || {
  echo "exchange.sh: error: '$command list' names no KEM" >&2
  exit 2
}
number=0
failed=0
for kem in $kems; do
  number=$((number + 1))
  if exchange "$kem"; then
    result='both sides hold the same secret'
  else
    result=FAILED
    failed=$((failed + 1))
  fi
  printf '[%d/%d] %s: %s\n' "$number" "$total" "$kem" "$result"
done
if [ "$failed" -ne 0 ]; then
  echo "exchange.sh: error: $failed of $total exchanges failed" >&2
  exit 1
fi
