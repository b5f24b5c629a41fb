# The front door. A newcomer needs two commands: `make run` and `make test`; each installs what is missing
# (tools/setup), builds, and does its job. Everything below is thin over CMake's presets.

JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
PRESET ?= release
FILE   ?= examples/tour.js
ARGS   ?=
BUILD   = build/$(PRESET)

.DEFAULT_GOAL := build
.PHONY: help setup configure build run test deep bench install package docs format lint check clean acceptance soak

help: ## This list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

setup: ## Install what the machine lacks (Debian and npm packages; for PRESET=loop-only what librondo needs)
	@tools/setup $(PRESET)

# CMake keeps the compiler that a folder was first configured with: for another one (CXX=g++ make) it begins afresh.
COMPILER = $(if $(filter environment command,$(firstword $(origin CXX))),$(CXX))
configure: setup
	@test -e $(BUILD)/build.ninja && { test -z "$(COMPILER)" || \
	  grep -q "^CMAKE_CXX_COMPILER:.*=$$(command -v $(COMPILER))\$$" $(BUILD)/CMakeCache.txt; } || \
	  cmake --fresh --preset $(PRESET)

build: configure ## Build build/release/rondo (PRESET=dev|asan|tsan|fuzz|loop-only for another)
	@cmake --build $(BUILD) -j $(JOBS)

run: configure ## Run FILE=app.js ARGS="…" (default: a tour of the loop)
	@JOBS=$(JOBS) tools/build $(PRESET) rondo rondo_html_pack
	@$(BUILD)/rondo $(FILE) $(ARGS)

test: setup ## Everything CI runs: checks, C++ and JavaScript tests, sanitizers; a quarter of an hour on two cores
	@JOBS=$(JOBS) tests/all

check: ## Quick loop: format, checks, and the tests of what changed since the last commit; a minute on a built tree (PRESET=dev)
	@PRESET=$(if $(filter command environment,$(firstword $(origin PRESET))),$(PRESET),dev) JOBS=$(JOBS) tools/check

deep: ## What takes longer: the second compiler, all tests under all sanitizers, long random seeds; an hour at most
	@tools/setup deep
	@JOBS=$(JOBS) tests/all deep

bench: configure ## Build and run the benchmarks
	@cmake --build $(BUILD) -j $(JOBS)
	@tools/bench $(BUILD)

install: build ## Install binary, librondo, headers, rondo.pc below PREFIX
	@cmake --install $(BUILD) --prefix $(PREFIX)

package: build ## Make .deb, .tar.xz and npm packages below build/package
	@JOBS=$(JOBS) tools/package

docs: build ## Render docs/, types and headers as pages with search: build/site/index.html
	@tools/setup docs
	@tools/docs_site $(BUILD)

format: setup ## Format C++ and JavaScript sources in place
	@tools/format

lint: configure ## Biome over JavaScript, clang-tidy over C++
	@tools/lint $(BUILD)

acceptance: build ## Run the tests and write docs/acceptance.md
	@tools/acceptance --run

soak: configure ## Randomized simulation of the loop, until interrupted
	@cmake --build $(BUILD) -j $(JOBS) --target loop_tests
	@tools/soak $(BUILD)

clean: ## Remove build/
	@rm -rf build
