#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds a checkout of liboqs in several ways, and prints the options that measure it beside
# codekem.
#
# usage: liboqs.sh SOURCE FOLDER [WAY]...
#
# SOURCE is a checkout of liboqs, 0.16 or later; FOLDER is made. The ways, all or those named:
#   portable  C for any processor of this kind (OQS_OPT_TARGET=generic): to set beside `portable`
#   dist      liboqs's default (OQS_DIST_BUILD): it takes what vector code it has at run time
#   vpclmul   the same with its code for VPCLMULQDQ, on x86-64, after dist. liboqs 0.16 has it but
#             leaves it out: its test of the compiler finds neither its own headers nor a main
#             function
# All are Release builds with liboqs's default options but for the list of algorithms. Then:
#   codekem-evaluation run --full $(liboqs.sh SOURCE FOLDER)
# CC in the environment names the compiler. build.py check takes the libraries, too. Those of a
# liboqs with our code (docs/liboqs.md) take the back end that CODEKEM_CPU names.
set -eu

fail() {
  echo "liboqs.sh: $*" >&2
  exit 1
}

[ $# -ge 2 ] || fail "usage: liboqs.sh SOURCE FOLDER [WAY]..."
source=$1
[ -f "$source/src/common/common.h" ] ||
  fail "$source is not a checkout of liboqs: it has no src/common/common.h"
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
ways=${*:-portable dist vpclmul}
kems="bike_l1 bike_l3 bike_l5 hqc_1 hqc_3 hqc_5"
only=$(for kem in $kems; do printf 'KEM_%s;' "$kem"; done)

# Builds liboqs and a shared library for each KEM; prints the options of --peer.
build() { # NAME OPTION-OF-CMAKE...
  way=$1
  shift
  case " $ways " in *" $way "*) ;; *) return 0 ;; esac
  log=$folder/$way.log
  {
    cmake -G Ninja -S "$source" -B "$folder/$way" -DCMAKE_BUILD_TYPE=Release \
      -DOQS_BUILD_ONLY_LIB=ON -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
      "-DOQS_MINIMAL_BUILD=$only" "$@" &&
      cmake --build "$folder/$way"
  } >"$log" 2>&1 || fail "liboqs does not build; $log says why"
  config=$folder/$way/include/oqs/oqsconfig.h
  version=$(sed -n 's/^#define OQS_VERSION_TEXT "\(.*\)"/\1/p' "$config")
  crypto=
  grep -q '^#define OQS_USE_OPENSSL 1' "$config" && crypto=-lcrypto
  for kem in $kems; do
    library=$folder/$way-$kem.so
    select=$(nm "$folder/$way/lib/liboqs.a" 2>/dev/null |
      sed -n "s/.* T \(\(oqs_\)\{0,1\}${kem%_*}_codekem_backend_select\)$/-DSELECT=\1/p")
    # shellcheck disable=SC2086  # $select and $crypto may be nothing
    "${CC:-cc}" -O2 -shared -fPIC "-DKEM=$kem" $select "-I$folder/$way/include" \
      "$here/liboqs_kem.c" \
      "$folder/$way/lib/liboqs.a" $crypto -Wl,-Bsymbolic -Wl,--exclude-libs,ALL -o "$library" \
      >>"$log" 2>&1 || fail "$kem does not link; $log says why"
    name=$(echo "$kem" | tr 'a-z_' 'A-Z-')
    # Its own vector code is for BIKE alone.
    code=portable
    case $way-$kem in portable-*) ;; *-bike_*) [ "$(uname -m)" != x86_64 ] || code=vector ;; esac
    [ -z "$select" ] || code=vector
    echo "--peer liboqs-$version-$way:$name=$library@$code"
  done
}

build portable -DOQS_DIST_BUILD=OFF -DOQS_OPT_TARGET=generic
build dist -DOQS_DIST_BUILD=ON
[ "$(uname -m)" != x86_64 ] ||
  build vpclmul -DOQS_DIST_BUILD=ON "-DCMAKE_C_FLAGS=-DX86_64 -I$folder/dist/include" \
    -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY
