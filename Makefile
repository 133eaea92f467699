# A thin front for Meson. `make` sets up what is missing and leaves build/sluice.
ifneq ($(origin PREFIX),undefined)
GIVEN := $(PREFIX)
endif
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
VERSION := $(shell sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)

all: build/build.ninja
	@scripts/reconfigure build
	@ninja -C build -j $(JOBS) sluice libsluice.a libsluice-opencl.so --quiet

build/build.ninja:
	@scripts/setup --if-possible opencl figures
	@meson setup build --buildtype=release --prefix=$(PREFIX) >/dev/null || { rm -rf build; exit 1; }

# The same, with what ninja shows while it compiles.
verbose: build/build.ninja
	@scripts/reconfigure build
	@ninja -C build -j $(JOBS) sluice libsluice.a libsluice-opencl.so

run: verbose
	@build/sluice run examples/gpgpusim/matmul_128.yaml
	@echo
	@build/sluice paper examples/first-look.yaml
	@echo "Next: build/sluice paper cart --quick reproduces a paper's figures; build/sluice list papers, list workloads and"
	@echo "list techniques show what there is; docs/tutorial.md takes half an hour from here to a technique of your own."

test:
	@scripts/setup test opencl figures
	@scripts/setup browser 2>/dev/null || echo "no Chromium: the test of pages in a browser is skipped"
	@scripts/test

check: all
	@scripts/check

bench: all
	@scripts/setup opencl bench
	@scripts/bench
	@echo
	@scripts/bench-dram build/sluice
	@echo
	@scripts/bench-timing

lint: build/build.ninja
	@scripts/setup lint
	@scripts/lint

format:
	@scripts/setup lint
	@scripts/lint --format

fuzz:
	@scripts/setup test opencl
	@scripts/fuzz

docs: all
	@scripts/docs docs

install: build/build.ninja
	@[ -z "$(GIVEN)" ] || scripts/prefix build "$(GIVEN)"
	@ninja -C build -j $(JOBS) --quiet
	@meson install -C build --no-rebuild

uninstall: build/build.ninja
	@scripts/uninstall build

# A Debian package, and an archive with a command that needs no library of the system.
deb: build/build.ninja
	@scripts/package deb $(VERSION)

archive: build/build.ninja
	@scripts/package archive $(VERSION)

clean:
	@rm -rf build build-asan build-clang build-fuzz build-arm64 build-package build-static

.PHONY: all verbose run test check bench lint format fuzz docs install uninstall deb archive clean
