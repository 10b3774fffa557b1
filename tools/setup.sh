#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs what a task needs and says so first; does nothing, and needs no network, if all is there.
#
# usage: tools/setup.sh build    compilers and libraries for the library and the command
#        tools/setup.sh test     also what the tests need, and the Python environment .venv
#        tools/setup.sh lint     Python's venv and git, and the same .venv, which has the linters
#        tools/setup.sh site     the same, for MkDocs, which is in .venv, too
#        tools/setup.sh packages also what `make packages` needs, and the same .venv
#        tools/setup.sh evaluate what building and the evaluation need, and .venv-evaluation
set -eu
cd "$(dirname "$0")/.."

wanted() { # prints the packages of the lists named, but "package [!arm64]" on an arm64 machine
  architecture=$(dpkg --print-architecture 2>/dev/null || echo unknown)
  for list in "$@"; do
    sed -e 's/#.*//' -e "/\[!$architecture\]/d" -e 's/\[.*//' -e '/^[[:space:]]*$/d' \
      "tools/packages-$list.txt"
  done
}

missing() { # prints the packages named that are not installed
  for package in "$@"; do
    case "$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null)" in
      ii*) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is not Debian; make sure that the equivalents of these are installed:" >&2
    wanted "$@" | tr '\n' ' ' >&2
    echo >&2
    return
  fi
  # shellcheck disable=SC2046  # one word for each package is meant
  packages=$(missing $(wanted "$@"))
  [ -n "$packages" ] || return 0
  echo "setup: installing the packages $packages"
  as_root apt-get update -q
  # --no-remove: rather stop than take away what somebody else needs.
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends --no-remove $packages </dev/null
}

# QEMU 8.2 and later emulate Zvbc of RISC-V. Where Debian's QEMU is older, takes that of its
# backports into build/tools, beside the installed one; without it tests of rvv-zvbc are skipped.
take_newer_qemu() {
  folder=build/tools
  if [ -x "$folder/usr/bin/qemu-riscv64" ] || ! command -v apt-get >/dev/null; then
    return 0
  fi
  if dpkg --compare-versions "$(dpkg-query -W -f='${Version}' qemu-user)" ge 1:8.2; then
    return 0
  fi
  suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)-backports
  echo "setup: taking qemu-user of $suite into $folder"
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "http://deb.debian.org/debian $suite main" >"$folder/apt/sources.list"
  set -- -q -o "Dir::Etc::SourceList=$PWD/$folder/apt/sources.list" -o Dir::Etc::SourceParts=- \
    -o "Dir::State::Lists=$PWD/$folder/apt/lists" -o "Dir::Cache=$PWD/$folder/apt/cache" \
    -o APT::Sandbox::User=root
  if apt-get "$@" update && (cd "$folder/apt" && apt-get "$@" download qemu-user) &&
    dpkg-deb --fsys-tarfile "$folder"/apt/qemu-user_*.deb |
    tar -x -C "$folder" ./usr/bin/qemu-riscv64; then
    rm -rf "$folder/apt"
  else
    echo "setup: that did not work; the tests of RISC-V with Zvbc will be skipped" >&2
  fi
}

# Makes the Python environment $1 from the lists of requirements that follow, and adds the packages
# of the evaluation and of hls/ (if its list is among them), in place; does nothing if the lists are
# those that are installed.
install_python() {
  environment=$1
  shift
  stamp=$environment/requirements.installed
  if cat "$@" | cmp -s - "$stamp" && "$environment/bin/python" -c 'import rich' 2>/dev/null; then
    return 0
  fi
  echo "setup: installing $* into $environment"
  python3 -m venv --clear "$environment"
  for list in "$@"; do
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$list"
  done
  "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --editable evaluation
  case " $* " in
    *" hls/requirements.txt "*)
      "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps \
        --no-build-isolation --editable hls
      ;;
  esac
  cat "$@" >"$stamp"
}

install_test_python() {
  install_python .venv tests/requirements.txt evaluation/requirements.txt \
    hardware/requirements.txt hls/requirements.txt packaging/requirements.txt \
    site/requirements.txt tools/requirements-lint.txt
}

case "${1:-}" in
  build) install_packages build ;;
  test)
    install_packages build test
    take_newer_qemu
    install_test_python
    ;;
  lint | site)
    install_packages lint
    install_test_python
    ;;
  packages)
    install_packages build packages
    install_test_python
    ;;
  evaluate)
    install_packages build evaluate
    install_python .venv-evaluation evaluation/requirements.txt
    ;;
  *)
    echo "usage: tools/setup.sh build|test|lint|site|packages|evaluate" >&2
    exit 2
    ;;
esac
