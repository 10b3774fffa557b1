#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Installs what a task needs and says so first; does nothing, and needs no network, if all is there.
#
# usage: tools/setup.sh ROOM...
#
#   build      compilers and libraries for the library, the command and the provider
#   evaluate   what `make evaluate` and codekem-lab need besides
#   peers      Rust and clang, for the other libraries that `make evaluate` can measure
#   lint       what `make lint` and `make format` run
#   site       what `make site` runs
#   packages   what `make packages` needs besides `build`
#   test       what `make test` needs for most of its tests; the others need one of
#   browser, devices, equivalence, hardware, hls, java, paper, processors, soundness, windows
#   all        everything that tests need
#
# Packages of Debian are in tools/packages-ROOM.txt, Python's go into .venv. CODEKEM_PYTHON names
# another Python than Debian's own.
set -eu
cd "$(dirname "$0")/.."

TEST_ROOMS='browser devices equivalence hardware hls java paper processors soundness windows'
# Python's packages of the programs that measure; the base is first.
PROGRAMS='tools/base/requirements.txt evaluation/requirements.txt lab/requirements.txt'
ENVIRONMENT=.venv
LOGS=build/setup

# --- Rooms ----------------------------------------------------------------------------------------

package_lists() { # prints the rooms whose packages of Debian the room $1 takes
  case $1 in
    evaluate | packages) echo build "$1" ;;
    test) echo build evaluate lint test ;;
    lint | site) echo lint ;;
    peers) echo build evaluate peers ;;
    equivalence) ;;
    *) echo "$1" ;;
  esac
}

python_lists() { # prints the lists of Python's packages that the room $1 takes
  case $1 in
    evaluate | peers) echo "$PROGRAMS" ;;
    lint) echo tools/requirements-lint.txt ;;
    site) echo tools/site/requirements.txt "$PROGRAMS" ;;
    packages) echo tools/packaging/requirements.txt ;;
    test)
      echo "$PROGRAMS" tests/requirements.txt tools/packaging/requirements.txt \
        tools/requirements-lint.txt
      ;;
    browser) echo tools/site/requirements.txt tools/site/requirements-browser.txt ;;
    devices) echo hardware/soc/requirements.txt ;;
    equivalence) echo proofs/kernels/engine/requirements.txt proofs/machine/requirements.txt ;;
    hardware) echo tools/flow/requirements.txt hardware/requirements.txt ;;
    hls) echo tools/base/requirements.txt tools/flow/requirements.txt hls/requirements.txt ;;
    java) echo bindings/requirements-java.txt ;;
    *) ;;
  esac
}

# --- Saying what happens --------------------------------------------------------------------------

say() { echo "setup: $*"; }

fail() {
  echo "setup: $*" >&2
  exit 1
}

# Shows how far apt-get and pip are: on a terminal one line that changes, elsewhere a line for each
# tenth.
show() { # $1: percent, $2: what is done
  if [ -t 1 ]; then
    printf '\r  %3d %%  %-60.60s' "$1" "$2"
  elif [ "$2 $(($1 / 10))" != "$shown" ]; then
    printf '  %3d %%  %s\n' "$1" "$2"
    shown="$2 $(($1 / 10))"
  fi
}

# Runs a command, shows how far it is from what it prints, keeps the rest in the file $1, and
# returns its status. $2: what it does, or for apt-get nothing; $3: for pip the number of packages.
watch() {
  log=$1 what=$2 of=$3 shown='' count=0
  shift 3
  {
    status=0
    "$@" 2>&1 </dev/null || status=$?
    echo "exit status $status"
  } | {
    status=1
    : >"$log"
    while IFS= read -r line; do
      case $line in
        dlstatus:* | pmstatus:*)
          percent=${line#*:*:}
          case $line in dl*) doing=downloading ;; *) doing=installing ;; esac
          show "${percent%%.*}" "${what:-$doing}"
          ;;
        'exit status '*) status=${line##* } ;;
        *)
          case $line in
            Collecting* | 'Requirement already'*)
              if [ "$count" -lt "$of" ]; then count=$((count + 1)); fi
              if [ "$of" -gt 0 ]; then show $((count * 99 / of)) "$what"; fi
              ;;
            'Installing collected'*) show 99 installing ;;
          esac
          printf '%s\n' "$line" >>"$log"
          ;;
      esac
    done
    if [ -t 1 ]; then printf '\r%72s\r' ''; fi
    return "$status"
  }
}

# --- Packages of Debian ---------------------------------------------------------------------------

# A line of a list names a package, or several with "|" between, the first of which that the system
# has is taken. [!arm64]: not on an arm64 machine; [!cargo]: not where the command cargo is;
# [optional]: the system may not have it, and what needs it is then left out.
wanted() { # prints the lines of the lists named, without what does not apply here
  architecture=$(dpkg --print-architecture 2>/dev/null || echo unknown)
  for list in "$@"; do
    sed -e 's/#.*//' -e "/\[!$architecture\]/d" -e '/^[[:space:]]*$/d' \
      -e 's/\[![a-z0-9]*64\]//' "tools/packages-$list.txt"
  done | while read -r line; do
    case $line in
      *'[!'*']'*)
        tool=${line##*'[!'}
        if command -v "${tool%%]*}" >/dev/null; then continue; fi
        line=${line%%'[!'*}
        ;;
    esac
    echo "$line"
  done | sort -u
}

has() { # $1: words, $2: one that may be among them
  case " $1 " in *" $2 "*) return 0 ;; esac
  return 1
}

# Prints those lines of wanted on its input of which no package is installed, without what was found
# to be lacking before.
missing() {
  lines=$(cat)
  [ -n "$lines" ] || return 0
  names=$(echo "$lines" | sed -e 's/\[.*//' -e 's/|/ /g')
  # shellcheck disable=SC2086  # one word for each package is meant
  installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' $names 2>/dev/null |
    sed -n 's/^ii *//p' | tr '\n' ' ')
  echo "$lines" | while read -r line; do
    names=$(echo "$line" | sed -e 's/ *\[.*//' -e 's/|/ /g')
    case $line in
      *'[optional]'*)
        if grep -q -s -x -F "$names" "$LOGS/unavailable"; then continue; fi
        ;;
    esac
    for package in $names; do
      if has "$installed" "$package"; then continue 2; fi
    done
    echo "$line"
  done
}

# Sorts the lines of missing on its input: prints "take PACKAGE", "lack PACKAGES" (the system has
# none of them) or "without PACKAGE" (the same, and it may lack it).
choose() {
  lines=$(cat)
  [ -n "$lines" ] || return 0
  names=$(echo "$lines" | sed -e 's/\[.*//' -e 's/|/ /g')
  # shellcheck disable=SC2086
  known=$(apt-cache madison $names 2>/dev/null | sed -e 's/^ *//' -e 's/ *|.*//' | tr -s '\n ' ' ')
  echo "$lines" | while read -r line; do
    optional=lack
    names=$(echo "$line" | sed -e 's/ *\[.*//' -e 's/|/ /g')
    case $line in *'[optional]'*) optional=without ;; esac
    taken=
    for package in $names; do
      if has "$known" "$package"; then
        taken=$package
        break
      fi
    done
    if [ -n "$taken" ]; then echo "take $taken"; else echo "$optional $names"; fi
  done
}

chosen() { sed -n "s/^$1 //p" "$LOGS/chosen" | tr '\n' ' ' | sed 's/ $//'; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Runs apt-get; on failure shows the end of what it printed.
apt_get() { # $1: what it does, or nothing for what it says itself
  doing=$1
  shift
  if ! watch "$LOGS/apt.log" "$doing" 0 \
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o APT::Status-Fd=1 \
    -o APT::Keep-Downloaded-Packages=false "$@"; then
    tail -n 12 "$LOGS/apt.log" >&2
    fail "apt-get $1 failed; all that it printed is in $LOGS/apt.log. Run the same again when" \
      "the cause is gone: what is installed stays"
  fi
}

# Succeeds if all packages of the lists named are installed; else $LOGS/chosen has the others.
all_installed() {
  mkdir -p "$LOGS"
  wanted "$@" | missing | choose >"$LOGS/chosen"
  [ ! -s "$LOGS/chosen" ]
}

# Stops if packages of the lists named are missing and cannot be installed by this user.
check_rights() {
  if ! command -v dpkg-query >/dev/null || [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    all_installed "$@"; then
    return 0
  fi
  fail "you are not root, there is no sudo, and packages are missing. An administrator installs" \
    "them by:
  apt-get update && apt-get install --no-install-recommends $(chosen take) $(chosen lack)
Then run the same again."
}

install_packages() { # the lists named
  if ! command -v dpkg-query >/dev/null; then
    say "this is not Debian; make sure that the equivalents of these are installed:" >&2
    wanted "$@" | tr '\n' ' ' >&2
    echo >&2
    return
  fi
  check_rights "$@"
  if all_installed "$@"; then return; fi
  say "looking for packages"
  apt_get 'reading the lists' update
  wanted "$@" | missing | choose >"$LOGS/chosen"
  if [ -n "$(chosen lack)" ]; then
    fail "this system has no package $(chosen lack); Debian 12 and 13 have them"
  fi
  if [ -n "$(chosen without)" ]; then
    say "this system has no package $(chosen without); tests that need it will be skipped"
    sed -n 's/^without //p' "$LOGS/chosen" >>"$LOGS/unavailable"
  fi
  taken=$(chosen take)
  [ -n "$taken" ] || return 0
  say "installing the packages $taken"
  # --no-remove: rather stop than take away what somebody else needs.
  # shellcheck disable=SC2086  # one word for each package is meant
  apt_get '' install -y --no-install-recommends --no-remove $taken
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
  release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  # shellcheck disable=SC2016  # apt's own variable
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $release" \
    "Created-By: Packages" | head -n 1)
  say "taking qemu-user of $release-backports into $folder"
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "$mirror $release-backports main" >"$folder/apt/sources.list"
  set -- -qq -o "Dir::Etc::SourceList=$PWD/$folder/apt/sources.list" -o Dir::Etc::SourceParts=- \
    -o "Dir::State::Lists=$PWD/$folder/apt/lists" -o "Dir::Cache=$PWD/$folder/apt/cache" \
    -o APT::Sandbox::User=root
  if apt-get "$@" update && (cd "$folder/apt" && apt-get "$@" download qemu-user) &&
    dpkg-deb --fsys-tarfile "$folder"/apt/qemu-user_*.deb |
    tar -x -C "$folder" ./usr/bin/qemu-riscv64; then
    rm -rf "$folder/apt"
  else
    say "that did not work; the tests of RISC-V with Zvbc will be skipped" >&2
  fi
}

# --- Packages of Python ---------------------------------------------------------------------------

# Debian's own Python, which README promises, before others that stand first on the path.
find_python() {
  if [ -n "${CODEKEM_PYTHON:-}" ]; then
    python=$CODEKEM_PYTHON
  elif command -v dpkg-query >/dev/null && [ -x /usr/bin/python3 ]; then
    python=/usr/bin/python3
  else
    python=python3
  fi
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    fail "Python 3.11 or later is needed, and $python is not; CODEKEM_PYTHON=PATH names another"
}

# Runs pip with the arguments that follow. --use-pep517: the pip of Debian 12 builds packages that
# only have a setup.py with whatever setuptools is in the environment, and fails.
pip() {
  PIP_USE_PEP517=1 "$ENVIRONMENT/bin/python" -m pip --disable-pip-version-check "$@"
}

# Installs the lists named by uv, in a fifth of pip's processor time. Where it fails, pip tries: uv
# knows nothing of an index in pip's settings.
install_by_uv() {
  say "fetching by uv"
  if pip config list | grep -q 'index-url\|no-index'; then return 1; fi
  pip install --quiet "$(grep '^uv==' tests/requirements.txt)" >"$LOGS/uv.log" 2>&1 || return 1
  # shellcheck disable=SC2046
  by_uv $(printf -- '-r %s ' "$@") >"$LOGS/uv.log" 2>&1
}

by_uv() {
  "$ENVIRONMENT/bin/python" -m uv pip install --quiet --native-tls \
    --python "$ENVIRONMENT/bin/python" "$@"
}

# Says which line of the lists named could not be installed, and why.
explain_pip() {
  name=$(sed -n 's/^ERROR: No matching distribution found for \([^ ]*\).*/\1/p' "$LOGS/pip.log")
  if [ -n "$name" ]; then
    place=$(grep -n -F -x -H "$name" "$@" | head -n 1)
    line=${place#*:}
    place="line ${line%%:*} of ${place%%:*}, $name,"
  else # what it was at
    found='Collecting \([^ ]*\) (from -r \(.*\) (line \([0-9]*\)).*'
    place=$(sed -n "s/^$found/line \3 of \2, \1,/p" "$LOGS/pip.log" | tail -n 1)
  fi
  grep -m 4 '^ERROR\|Error: ' "$LOGS/pip.log" >&2 || tail -n 4 "$LOGS/pip.log" >&2
  fail "${place:-something} could not be installed. All that pip printed is in $LOGS/pip.log"
}

# Installs the lists of requirements named into the environment, all at once, without those that
# were installed as they are now; makes the environment if there is none. --no-compile: most modules
# are never imported, and Python compiles those that are.
install_python() {
  mkdir -p "$LOGS"
  if ! "$ENVIRONMENT/bin/python" -c '' 2>/dev/null || [ ! -d "$ENVIRONMENT/installed" ]; then
    find_python
    say "making Python's environment $ENVIRONMENT with $python"
    "$python" -m venv --clear "$ENVIRONMENT"
    mkdir -p "$ENVIRONMENT/installed"
  fi
  # All rooms are packages of one workspace: the top folder is where they are imported from.
  pwd >"$(echo "$ENVIRONMENT"/lib/python3*/site-packages)/codekem-workspace.pth"
  lists='' own=''
  for list in "$@"; do
    if cmp -s "$list" "$(stamp_of "$list")"; then continue; fi
    lists="$lists $list"
    case $list in # the project's own packages with a list, in place
      evaluation/* | hls/* | lab/* | tools/base/*) own="$own --editable ${list%/*}" ;;
    esac
  done
  [ -n "$lists" ] || return 0
  say "installing into $ENVIRONMENT:$lists"
  # shellcheck disable=SC2086  # one word for each list is meant
  set -- $lists
  case " $lists " in
    *" tests/requirements.txt "*) if install_by_uv "$@"; then set --; fi ;;
  esac
  # shellcheck disable=SC2046,SC2086
  [ $# -eq 0 ] || watch "$LOGS/pip.log" fetching "$(cat "$@" | grep -c '^[A-Za-z]')" \
    pip install --no-compile --progress-bar off $(printf -- '-r %s ' "$@") ||
    explain_pip "$@"
  # Their build takes what was just installed.
  # shellcheck disable=SC2086
  [ -z "$own" ] || by_uv --no-deps --no-build-isolation $own 2>>"$LOGS/uv.log" ||
    pip install --quiet --no-deps --no-build-isolation $own
  for list in $lists; do cp "$list" "$(stamp_of "$list")"; done
}

stamp_of() { echo "$ENVIRONMENT/installed/$(echo "$1" | tr / -)"; }

# --- The rooms asked for --------------------------------------------------------------------------

rooms=
for room in "$@"; do
  case " build evaluate peers lint site packages test $TEST_ROOMS all " in
    *" $room "*) ;;
    *) set -- ;;
  esac
  [ "$room" != all ] || room="lint site packages test $TEST_ROOMS"
  rooms="$rooms $room"
done
if [ $# -eq 0 ]; then
  sed -n -e '/^# usage/,/^# Debian/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi

# Each list once, in the order of the rooms.
unique() { tr ' ' '\n' | awk 'NF && !seen[$0]++'; }
# Of the lists read, those whose folder has not been deleted.
there() { while read -r list; do [ ! -d "${list%%/*}" ] || echo "$list"; done; }
packages=$(for room in $rooms; do package_lists "$room"; done | unique)
requirements=$(for room in $rooms; do python_lists "$room"; done | unique | there)

case " $rooms " in
  *" test "* | *" processors "*) qemu=wanted ;;
  *) qemu= ;;
esac
# It waits for the network, and so does Python's part: together, where both can begin.
# shellcheck disable=SC2086  # one word for each package is meant
if [ -n "$qemu" ] && command -v dpkg-query >/dev/null && all_installed $packages; then
  take_newer_qemu &
  qemu=$!
fi
# Python's part first: it is small, and what fails there fails at once.
# shellcheck disable=SC2086
if [ -n "$requirements" ]; then
  check_rights python $packages
  install_packages python
  install_python $requirements
fi
# shellcheck disable=SC2086
install_packages $packages
case $qemu in
  '') ;;
  wanted) take_newer_qemu ;;
  *) wait "$qemu" ;;
esac
# What tests look at to know which rooms there are (tests/rooms.py).
for room in $rooms; do
  [ ! -d "$ENVIRONMENT/installed" ] || touch "$ENVIRONMENT/installed/room-$room"
done
