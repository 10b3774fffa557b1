#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Checks for `make install`, and the work of `make uninstall`. DESTDIR goes before each path.
#
# usage: tools/install.sh check PREFIX FOLDER...   fails, and says what to do, if what belongs below
#                                                  PREFIX or in a FOLDER cannot be written
#        tools/install.sh remove MANIFEST          removes the files that CMake's MANIFEST lists
set -eu
staged=${DESTDIR:-}
PATH=$PATH:/usr/sbin:/sbin # ldconfig

refuse() { # says that a folder cannot be written
  echo "$1: you may not write there. Run the same command as root (sudo make ...)$2" >&2
  exit 1
}

check() {
  prefix=$1
  shift
  for folder in "$prefix/bin" "$prefix/include" "$prefix/lib" "$prefix/share" "$@"; do
    [ -n "$folder" ] || continue
    place=$staged$folder
    while [ ! -e "$place" ]; do place=$(dirname "$place"); done
    if [ ! -d "$place" ] || [ ! -w "$place" ]; then
      refuse "$place" ",
or install into a folder of your own: make install PREFIX=\$HOME/.local"
    fi
  done
}

lines() { # prints the lines of the manifest, with DESTDIR; CMake ends the last one without a break
  while IFS= read -r line || [ -n "$line" ]; do
    [ -z "$line" ] || printf '%s\n' "$staged$line"
  done <"$1"
}

remove() {
  if [ ! -f "$1" ]; then
    echo "$1, the list of what was installed, is not there. make install with the same PREFIX" \
      "(and DESTDIR) writes it again" >&2
    exit 1
  fi
  lines "$1" | while IFS= read -r file; do
    folder=$(dirname "$file")
    [ ! -d "$folder" ] || [ -w "$folder" ] || refuse "$folder" ""
  done
  lines "$1" | while IFS= read -r file; do
    if [ -e "$file" ] || [ -L "$file" ]; then
      rm -f -- "$file"
      echo "removed $file"
    fi
    # Folders of our own go with their last file; those that others use stay.
    case "$(dirname "$file")" in
      */codekem) rmdir -- "$(dirname "$file")" 2>/dev/null || true ;;
    esac
  done
  rm -f -- "$1"
  if [ -z "$staged" ] && [ "$(id -u)" -eq 0 ] && command -v ldconfig >/dev/null; then
    ldconfig
  fi
}

case "${1:-}" in
  check)
    shift
    check "$@"
    ;;
  remove) remove "$2" ;;
  *)
    echo "usage: tools/install.sh check PREFIX FOLDER... | remove MANIFEST" >&2
    exit 2
    ;;
esac
