# SPDX-License-Identifier: MIT
# `make demo` and `make test` do everything on a fresh Debian 12: they install what is missing
# (apt packages), configure, build and run.  With everything installed they never call apt.
.PHONY: demo test test-long build bench bench-report bench-plots papers format format-check asan tidy install deb fuzz fuzz-readers packages packages-ci clean help

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

help:
	@echo "make demo     build, then a tour of what Isomer can tell you"
	@echo "make test     build, then all tests"
	@echo "make test-long  all tests, on more random cases (a quarter of an hour)"
	@echo "make build    build/release/isomer"
	@echo "make bench    measure speed (minutes)"
	@echo "make bench-report  measure, and write docs/BENCHMARKS.md"
	@echo "make bench-plots  draw how explore scales (up to an hour)"
	@echo "make papers   run what the five papers show, and write docs/PAPERS.md (PAPER=anode: one of them)"
	@echo "make asan     all tests under AddressSanitizer and UBSan, compiled with clang 19"
	@echo "make tidy     look for mistakes with clang-tidy"
	@echo "make fuzz     hold all engines to each other for SECONDS (600), on random cases from SEED"
	@echo "make fuzz-readers  fuzz every reader of files for FUZZ_SECONDS (600) each"
	@echo "make format   format the sources"
	@echo "make install  install under PREFIX ($(PREFIX)); make deb: a Debian package"

packages:
	@tools/packages

packages-ci:
	@tools/packages ci

build: packages
	@cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DCMAKE_COMPILE_WARNING_AS_ERROR=$(if $(CI),ON,OFF) > build-configure.log 2>&1 || (cat build-configure.log; rm -f build-configure.log; exit 1); rm -f build-configure.log
	@cmake --build --preset release -j $(JOBS)

demo: build
	@tools/demo build/release/isomer

test: build
	@ctest --preset release -j $(JOBS)

# What `make test` tries, all that it leaves out for time, and five minutes of all engines
# against each other.
test-long: build
	@ISOMER_TEST_LONG=1 ctest --preset release -j $(JOBS)
	@build/release/tests/isomer_differential --seconds 300 --seed 1 --out build/differential

asan: packages-ci
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS)

tidy: packages-ci
	@tools/tidy $(JOBS)

bench: build
	@tools/bench build/release
	@tools/bench-isolde build/release
	@tools/bench-predict build/release
	@tools/bench-verify build/release

bench-report: build
	@tools/bench-report build/release

bench-plots: build
	@tools/bench-plots build/release

papers: build
	@tools/papers build/release $(if $(PAPER),--paper $(PAPER))

SECONDS ?= 600
SEED ?= $(shell date +%s)00000
fuzz: build
	@build/release/tests/isomer_differential --seconds $(SECONDS) --seed $(SEED)

fuzz-readers:
	@tools/fuzz

format: packages-ci
	@tools/format

format-check: packages-ci
	@tools/format --check

install: build
	@cmake --install build/release

deb: build
	@cd build/release && cpack -G DEB && ls *.deb

clean:
	rm -rf build
