# SPDX-License-Identifier: Apache-2.0 OR MIT
# The commands of this project; CMakeLists.txt does the building.

PREFIX ?= /usr/local
BUILD := build/default
# Where OpenSSL looks for providers, unless all is to go below a PREFIX of one's own.
MODULESDIR ?= $(if $(filter /usr /usr/local,$(PREFIX)),$(shell pkg-config --variable=modulesdir \
  libcrypto),$(PREFIX)/lib/ossl-modules)
# A worker that has finished takes tests from the others.
PYTEST := .venv/bin/python -m pytest -n auto --dist worksteal

# Tests start hundreds of Python's programs, which would each compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup setup-test setup-evaluate build install test test-long results evaluate clean

help:
	@echo 'make build       build library, command and provider into $(BUILD)'
	@echo 'make install     install them (PREFIX=$(PREFIX), DESTDIR=, MODULESDIR=)'
	@echo 'make uninstall   remove what the last make install has installed'
	@echo 'make lint        check the layout and the rules of all files; changes nothing'
	@echo 'make format      bring all files into the layout that make lint asks for'
	@echo 'make check       an answer in minutes: lint of what changed, quick checks of the rooms that'
	@echo '                 changed and of those above them (ROOM=hls: of one room)'
	@echo 'make test        run every test but the long ones (ARGS: more arguments for pytest; ROOMS:'
	@echo '                 what to set up besides, as in ROOMS=all: tools/setup.sh has the names)'
	@echo 'make test-long   run the long tests: proofs, fuzzing, exhaustive variants (ROOM=hls: one)'
	@echo 'make prove       prove what the machine code of the library computes, and list it'
	@echo 'make stale       say which stored results and records are older than what they are about'
	@echo 'make results     make stored results anew that are older than their sources, and the tables'
	@echo '                 in docs/ (ARGS="--peer NAME=FOLDER" for those of other projects)'
	@echo 'make evaluate    exchange a secret with every KEM, measure the speed, write a report'
	@echo '                 (ARGS=--peers: also builds liboqs and RustCrypto, to measure beside them;'
	@echo '                 ARGS=--full: more samples, for results to keep; ARGS=--packages: also the'
	@echo '                 packages for other languages beside their competitors)'
	@echo 'make table       print one table of the report, and measure first what it lacks (NAME=list:'
	@echo '                 the names; ARGS="--kem HQC-1 --format csv": of one KEM, for a program)'
	@echo 'make packages    make the archives for all languages and Debian in build/packages'
	@echo '                 (ARGS=--twice: make each twice and compare the bytes; --allow-dirty: from'
	@echo '                 tracked files with changes, which are refused otherwise)'
	@echo 'make vendor      write one scheme as one C file and its header, for your own sources'
	@echo '                 (SCHEME=hqc, bike, mceliece; ARGS=--help: the choices)'
	@echo 'make site        make a site of the documents in build/site/html, with the report and the'
	@echo '                 page to try codekem if they are there; make try-page makes the latter'
	@echo 'make clean       remove everything that was built'
	@echo 'What is missing on a Debian system is installed first, by tools/setup.sh.'

setup:
	@tools/setup.sh build

.PHONY: setup-lint lint format
setup-lint:
	@tools/setup.sh lint

lint: setup-lint
	@.venv/bin/python tools/lint.py

format: setup-lint
	@.venv/bin/python tools/lint.py --fix

setup-test:
	@tools/setup.sh test $(ROOMS)

setup-evaluate:
	@tools/setup.sh evaluate $(if $(filter --peers,$(ARGS)),peers)

build: setup
	cmake --preset default -DCMAKE_INSTALL_PREFIX='$(PREFIX)' -DCODEKEM_BUILD_LEGACY=ON \
	  -DCODEKEM_BUILD_SOFIA=ON -DCODEKEM_BUILD_MCELIECE=ON -DCODEKEM_BUILD_MASKED=ON \
	  -DCODEKEM_BUILD_PROVIDER=ON -DCODEKEM_OPENSSL_MODULES='$(MODULESDIR)'
	cmake --build --preset default

install: check-install build
	cmake --install $(BUILD)
	@echo
	@echo 'Installed. To see that it works: $(PREFIX)/bin/codekem selftest'

.PHONY: check-install uninstall
check-install: setup
	@tools/install.sh check '$(PREFIX)' '$(MODULESDIR)'

uninstall:
	@tools/install.sh remove $(BUILD)/install_manifest.txt

# What cannot be made fails the tests that need it, and the whole.
test: setup-test
	.venv/bin/python tools/made.py $(ROOM); made=$$?; $(PYTEST) $(ARGS) $(ROOM) && exit $$made

test-long: setup-test
	.venv/bin/python tools/made.py --long $(ROOM); made=$$?; \
	  CODEKEM_LONG_RECORD='$(CURDIR)/tests/long_runs.json' \
	  $(PYTEST) -m long $(ARGS) $(ROOM) && exit $$made

.PHONY: check stale
check: setup-test
	@.venv/bin/python tools/check.py $(ROOM)

stale: setup-test
	@.venv/bin/python tools/stale.py

results: setup-test
	.venv/bin/python tools/stored_results.py make $(ARGS)

# All that docs/reports/masked-leakage.md has; ARGS='and --whole 200' runs less.
.PHONY: leakage
leakage:
	@tools/setup.sh test devices
	.venv/bin/python devices/measure_leakage.py --second --whole 1000 --level 1 --level 3 --level 5 \
	  $(ARGS)
	.venv/bin/python devices/enumerate_leakage.py
	.venv/bin/python devices/prove_leakage.py
	.venv/bin/python devices/attack_masked.py
	.venv/bin/python devices/attack_codes.py

# What was proved, with the library's digest; what passed there before is not proved again.
.PHONY: prove
prove: build
	@tools/setup.sh equivalence
	.venv/bin/python -m proofs.machine.prove $(BUILD)/libcodekem.so \
	  --write $(BUILD)/proved.json --page $(BUILD)/proved.md $(ARGS)

# Wrong arguments are an error before anything is built.
RUN_ARGUMENTS = $(or $(filter-out --packages,$(ARGS)),--quick)
.PHONY: check-arguments
check-arguments: setup-evaluate
	@.venv/bin/codekem-evaluation run --check $(RUN_ARGUMENTS)

.PHONY: build-evaluation table
build-evaluation: build
	cmake --preset default -DCODEKEM_BUILD_EVALUATION=ON
	cmake --build --preset default

# Builds only if something is to be measured.
table: setup-evaluate
	@.venv/bin/codekem-evaluation table --ready $(or $(NAME),list) $(ARGS); \
	  case $$? in 0) ;; 3) $(MAKE) --no-print-directory build-evaluation ;; *) exit 1 ;; esac
	@.venv/bin/codekem-evaluation table $(or $(NAME),list) $(ARGS)

evaluate: setup-evaluate check-arguments build-evaluation
	@echo 'Exchanging a secret with every KEM, in processes with files between them'
	tools/exchange.sh $(BUILD)/bin/codekem
	$(if $(filter --packages,$(ARGS)),.venv/bin/codekem-evaluation packages)
	.venv/bin/codekem-evaluation run $(RUN_ARGUMENTS)
	.venv/bin/codekem-evaluation report

.PHONY: setup-packages packages
setup-packages:
	@tools/setup.sh packages

packages: setup-packages
	.venv/bin/python tools/packaging/build_packages.py $(ARGS)

.PHONY: vendor
vendor: setup-lint
	@.venv/bin/python tools/packaging/vendor.py $(or $(SCHEME),--help) $(ARGS)

.PHONY: setup-site site try-page
setup-site:
	@tools/setup.sh site

site: setup-site
	.venv/bin/python tools/site/build_site.py $(ARGS)

try-page: setup-packages
	.venv/bin/python -m bindings.pack_page --allow-dirty build/packages

clean:
	rm -rf build
