#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The steps of a release, which .github/workflows/release.yml runs, and anybody can try.
#
# usage: [DRY_RUN=1] tools/packaging/release.sh STEP FOLDER
#
#   build FOLDER       makes all archives, each twice, in a fresh Debian 12, into FOLDER, which must
#                      not be there. It needs debootstrap, cargo, go, and root or sudo; and
#                      JAVA_HOME of a JDK, without which the pages of Java's classes are not made
#   site FOLDER        the same for the site of the documents, with the page to try codekem
#   test FOLDER        runs what continuous integration runs in such a system, and leaves no FOLDER
#   collect FOLDER     adds FOLDER/wheels to the digests of FOLDER/SHA256SUMS
#   check FOLDER       compares the archives with these digests, as all steps below do first
#   try-go FOLDER      installs the archive into an empty project and runs the program that
#   try-java FOLDER    docs/packages.md shows
#   try-js FOLDER
#   try-python FOLDER
#   try-rust FOLDER
#   publish-files FOLDER    adds the archives to the release $TAG
#   publish-go FOLDER       pushes tags of packed modules
#   publish-java FOLDER     signs the files, and sends them to Maven Central
#   publish-js FOLDER       npm
#   publish-python FOLDER   PyPI
#   publish-rust FOLDER     crates.io
#
# DRY_RUN=1: the steps publish-* do all but the last command, and print that one.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -n 's/^#define CODEKEM_VERSION_STRING "\(.*\)"/\1/p' "$top/include/codekem.h")

say() { echo "release: $*"; }

fail() {
  echo "release: $*" >&2
  exit 1
}

need() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null || fail "$tool is missing"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# The command that cannot be taken back.
publish() {
  if [ -n "${DRY_RUN:-}" ]; then say "would run: $*"; else "$@"; fi
}

# Works in a folder of its own, which goes at the end.
enter_empty_folder() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
}

# Prints the first program in a language that docs/packages.md shows.
program() { # $1: the word behind the three signs
  awk -v begin="\`\`\`$1" '$0 == begin { on = 1; next } /^```/ && on { exit } on' \
    "$top/docs/packages.md"
}

check() {
  (cd "$folder" && sha256sum --check --quiet --strict SHA256SUMS) || fail "$folder has other bytes"
  say "$(wc -l <"$folder/SHA256SUMS") files are as they were attested"
}

# --- Making ---------------------------------------------------------------------------------------

# Runs a command in the clone of the system made by build, with processes and mounts of its own.
in_system() {
  # shellcheck disable=SC2016  # the inner shell's own variables
  as_root unshare --mount --pid --fork --kill-child sh -c '
    system=$1 rust=$2 go=$3 jdk=$4
    shift 4
    mount -t proc proc "$system/proc" && mount --rbind /dev "$system/dev"
    mount -t tmpfs tmpfs "$system/run"
    cp /etc/resolv.conf /etc/hosts "$system/etc/"
    lend() { mkdir -p "$system/opt/$1" && mount --bind "$2" "$system/opt/$1"; }
    lend rust "$rust"
    lend go "$go"
    if [ -n "$jdk" ]; then lend jdk "$jdk"; fi
    exec chroot "$system" "$@"' sh "$system" "$rust" "$go" "${JAVA_HOME:-}" \
    env -i HOME=/root LANG=C.UTF-8 ${JAVA_HOME:+JAVA_HOME=/opt/jdk} \
    CARGO_HTTP_CAINFO=/etc/ssl/certs/ca-certificates.crt \
    PATH=/opt/rust/bin:/opt/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    sh -c "cd /srv/codekem && $1"
}

# Makes the system, with a clone of the commit in /srv/codekem.
make_system() {
  need debootstrap unshare cargo rustc go
  if [ -e "$folder" ]; then fail "$folder is there already; name another folder"; fi
  rust=$(rustc --print sysroot)
  # In that folder go fetches and names the one that the module asks for.
  go=$(cd "$top/bindings/go" && GOWORK=off go env GOROOT)
  system=$(mktemp -d)
  trap 'as_root rm -rf --one-file-system "$system"' EXIT
  say "making a Debian 12"
  as_root debootstrap --variant=minbase --include=git,make,ca-certificates bookworm "$system" \
    >/dev/null
  as_root chmod 755 "$system"
  # Authorities that this machine knows besides.
  as_root cp -R /usr/local/share/ca-certificates "$system/usr/local/share"
  as_root chroot "$system" update-ca-certificates >/dev/null
  as_root git clone --quiet "$top" "$system/srv/codekem"
}

# Node.js and what makes WebAssembly, which tools/setup.sh leaves to who packs.
JAVASCRIPT="nodejs npm clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32"

install_in_system() { # packages of Debian
  say "installing"
  in_system "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
    --no-install-recommends $* >/dev/null"
}

# Copies what the system has made into FOLDER; the names come from standard input.
take() { # $1: the folder of the clone that they are below
  mkdir -p "$folder"
  as_root tar -C "$system/srv/codekem/$1" -c -T - | tar -C "$folder" --no-same-owner -x
}

build() {
  make_system
  install_in_system "$JAVASCRIPT"
  in_system "tools/setup.sh packages java && make packages ARGS=--twice"
  {
    sed 's/^[0-9a-f]*  //' "$system/srv/codekem/build/packages/SHA256SUMS"
    echo SHA256SUMS
  } | take build/packages
  check
}

site() {
  make_system
  install_in_system "$JAVASCRIPT"
  in_system "make try-page site"
  echo . | take build/site/html
}

tests() {
  make_system
  in_system .ci/run
}

collect() {
  (cd "$folder" && sha256sum wheels/*.whl >>SHA256SUMS)
  check
}

# --- Trying: an empty project, and the program of the page ----------------------------------------

try_python() {
  python3 -m venv environment
  for python in environment/bin/python environment/Scripts/python.exe; do
    if [ -x "$python" ]; then break; fi
  done
  if [ -d "$folder/wheels" ]; then
    "$python" -m pip install --no-index --find-links "$folder/wheels" codekem
  else
    "$python" -m pip install "$folder/codekem-$version.tar.gz"
  fi
  program python >program.py
  "$python" program.py
}

try_js() {
  echo '{"private": true, "type": "module"}' >package.json
  npm install --offline --no-audit --no-fund "$folder/codekem-$version.tgz"
  program js >program.js
  [ "$(node program.js)" = true ]
}

try_go() {
  GOPROXY="file://$folder/go,$(go env GOPROXY)" GONOSUMDB="github.com/codekem/*"
  export GOPROXY GONOSUMDB GOFLAGS=-mod=mod
  go mod init example.org/try
  go get "github.com/codekem/codekem/bindings/go@v$version"
  program go >main.go
  [ "$(go run .)" = "true <nil>" ]
}

try_rust() {
  for crate in codekem-sys codekem; do
    tar -xf "$folder/$crate-$version.crate"
  done
  cargo init --quiet --name trial --vcs none .
  printf '\n[patch.crates-io]\ncodekem-sys = { path = "codekem-sys-%s" }\n' "$version" >>Cargo.toml
  cargo add --quiet --path "codekem-$version"
  # The program of the page is the inside of a function.
  {
    program rust | grep '^use'
    echo 'fn main() {'
    program rust | grep -v '^use'
    echo '}'
  } >src/main.rs
  cargo run --quiet
}

try_java() {
  program java >Example.java
  java --class-path "$folder/java/io/github/codekem/codekem/$version/codekem-$version.jar" \
    --enable-native-access=ALL-UNNAMED Example.java | grep -q -x true
}

# --- Publishing -----------------------------------------------------------------------------------

publish_files() {
  need gh
  cd "$folder"
  # Names of files alone: a release has no folders. Go's and Java's are in their registries.
  sed -n 's/^[0-9a-f]*  \([^/]*\)$/\1/p' SHA256SUMS | tr '\n' '\0' |
    xargs -0 "$0" publish-command gh release upload "${TAG:?}" SHA256SUMS
}

publish_js() {
  publish npm publish --provenance --access public "$folder/codekem-$version.tgz"
}

publish_python() {
  [ -d "$folder/wheels" ] || fail "$folder has no wheels"
  publish uv publish --trusted-publishing always "$folder/codekem-$version.tar.gz" \
    "$folder"/wheels/*.whl
}

# cargo publishes what it packs itself: that must be what was attested.
publish_rust() {
  need cargo
  cd "$top"
  python3 -c "import pathlib, sys; from bindings import pack_rust
pack_rust.stage(pathlib.Path(sys.argv[1]))" "$work/stage"
  cd "$work/stage"
  cargo package --quiet --workspace --locked --no-verify --allow-dirty --target-dir "$work/target"
  for crate in "$folder"/*.crate; do
    cmp "$crate" "$work/target/package/$(basename "$crate")"
  done
  # One command publishes the crates in the order in which they need each other.
  publish cargo publish --workspace --locked --allow-dirty
}

# A proxy takes a module from the folder of its repository, and what is in bindings/go alone has
# neither the C sources nor the module for WebAssembly. So the tags name a commit with the packed
# files, which is on no branch.
publish_go() {
  need git unzip
  remote=$(git -C "$top" remote get-url origin) || fail "$top was cloned from nowhere"
  git clone --quiet --shared "$top" clone
  git -C clone remote set-url origin "$remote"
  cp "$top/.git/config" clone/.git/config # with the right to push
  find "$folder/go" -name '*.zip' -exec unzip -q '{}' -d unpacked ';'
  cd clone
  path=$(sed -n 's/^module //p' bindings/go/go.mod)
  git rm -r -q bindings/go
  mkdir -p bindings
  mv "../unpacked/$path@v$version" bindings/go
  tags="bindings/go/v$version"
  for nested in age-plugin-codekem circl; do
    mv "../unpacked/$path/$nested@v$version" "bindings/go/$nested"
    tags="$tags bindings/go/$nested/v$version"
  done
  git add --force bindings/go
  git -c user.name=release -c user.email=release@users.noreply.github.com commit -q \
    -m "Go modules v$version, packed from $(git rev-parse HEAD)"
  for tag in $tags; do
    git tag "$tag"
  done
  # shellcheck disable=SC2086 # several words
  publish git push origin $tags
}

publish_java() {
  need gpg zip curl
  cp -R "$folder/java/io" .
  path=io/github/codekem/codekem/$version
  for kind in .jar .pom -sources.jar -javadoc.jar; do
    file=$path/codekem-$version$kind
    [ -f "$file" ] || fail "$file is missing; Maven Central asks for it"
    gpg --batch --yes --pinentry-mode loopback --passphrase-fd 0 --armor --detach-sign "$file" <<EOF
${SIGNING_PASSPHRASE-}
EOF
    for sum in md5 sha1; do
      "${sum}sum" "$file" | cut -d ' ' -f 1 >"$file.$sum"
    done
  done
  zip -q -r bundle.zip io
  umask 077
  printf 'header = "Authorization: Bearer %s"\n' \
    "$(printf '%s:%s' "${CENTRAL_USERNAME-}" "${CENTRAL_TOKEN-}" | base64 -w 0)" >credentials
  publish curl --fail --silent --show-error --config credentials --form bundle=@bundle.zip \
    "https://central.sonatype.com/api/v1/publisher/upload?name=codekem-$version"
}

usage() {
  sed -n -e '/^# usage/,/^# DRY/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

if [ "${1:-}" = publish-command ]; then # of xargs
  shift
  publish "$@"
  exit
fi
if [ $# -ne 2 ]; then usage; fi
step=$1
case $2 in /*) folder=$2 ;; *) folder=$PWD/$2 ;; esac
case $step in
  build | site | collect | check) "$step" ;;
  test) tests ;;
  try-go | try-java | try-js | try-python | try-rust | publish-files | publish-go | publish-java | \
    publish-js | publish-python | publish-rust)
    check
    enter_empty_folder
    "$(echo "$step" | tr - _)"
    say "$step: good"
    ;;
  *) usage ;;
esac
