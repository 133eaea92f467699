# A thin front for Meson. `make` sets up what is missing and leaves build/sluice.
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

all: build/build.ninja
	@scripts/reconfigure build
	@ninja -C build -j $(JOBS) sluice libsluice.a libsluice-opencl.so --quiet

build/build.ninja:
	@scripts/setup
	@meson setup build --buildtype=release --prefix=$(PREFIX) >/dev/null || { rm -rf build; exit 1; }

run: all
	@build/sluice run examples/gpgpusim/matmul_128.yaml
	@echo
	@build/sluice paper examples/first-look.yaml
	@echo "Next: build/sluice paper cart --quick reproduces a paper's figures; build/sluice list papers, list workloads and"
	@echo "list techniques show what there is; docs/papers.md tells how to write an experiment of your own."

test:
	@scripts/setup
	@scripts/test

check: all
	@scripts/check

bench: all
	@scripts/setup bench
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
	@scripts/setup
	@scripts/fuzz

docs: all
	@scripts/docs docs

install: build/build.ninja
	@ninja -C build -j $(JOBS) --quiet
	@meson install -C build --no-rebuild

clean:
	@rm -rf build build-asan build-clang build-fuzz build-arm64

.PHONY: all run test check bench lint format fuzz docs install clean
