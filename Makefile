# `make run` and `make test` are all a newcomer needs: Rust, a C linker, and npm for the prebuilt DuckDB library.
#
# Variables: DUCKDB_LIB_DIR (use this folder's libduckdb instead of fetching one), PREFIX (make install),
# CARGO_TARGET_DIR (where cargo builds), RAGSQL_CACHE (where fetched parts are kept, outside the checkout).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.PHONY: run test build install lint bench libduckdb docs-check clean-cache

CACHE := $(or $(RAGSQL_CACHE),$(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/ragsql)
TARGET := $(or $(CARGO_TARGET_DIR),target)
PREFIX ?= /usr/local

DUCKDB_VERSION := 1.5.5
DUCKDB_PACKAGE := 1.5.5-r.5
SYSTEM := $(shell uname -s)-$(shell uname -m)
PLATFORM_Linux-x86_64 := linux-x64
PLATFORM_Linux-aarch64 := linux-arm64
PLATFORM_Darwin-arm64 := darwin-arm64
PLATFORM_Darwin-x86_64 := darwin-x64
SHA256_linux-x64 := fc23f12e376c47be520f75221288281906e7942e8fd6f6ce4849198ba60d0405
SHA256_linux-arm64 := d00d007f3f7ca1f2896a5e4b89c2ce141bf0508506a9d6d56f9598b8e59d074e
SHA256_darwin-arm64 := b9027d18ef3e8d960568f77e946a83ca68009cb22d71cf7f94de842afdd094d8
SHA256_darwin-x64 := b9027d18ef3e8d960568f77e946a83ca68009cb22d71cf7f94de842afdd094d8
PLATFORM := $(PLATFORM_$(SYSTEM))
LIBRARY := libduckdb$(if $(findstring Darwin,$(SYSTEM)),.dylib,.so)
FETCHED := $(CACHE)/duckdb/$(DUCKDB_PACKAGE)-$(PLATFORM)

ifeq ($(origin DUCKDB_LIB_DIR),undefined)
FETCH := yes
export DUCKDB_LIB_DIR := $(FETCHED)
else
export DUCKDB_LIB_DIR
endif

# $(call timed,NAME,COMMAND): runs COMMAND, then says NAME and how long it took.
timed = start=$$(date +%s.%N); $(2); printf '%-18s%s (%.1f s)\n' '$(1)' 'done' "$$(echo "$$(date +%s.%N) $$start" | awk '{print $$1 - $$2}')" >&2

run: build
	@$(TARGET)/release/ragsql run

test: libduckdb
	@$(call timed,test,cargo test --release --locked)

build: libduckdb
	@$(call timed,build,cargo build --release --locked --bin ragsql)

lint: libduckdb
	@$(call timed,format,cargo fmt --check)
	@$(call timed,lint,cargo clippy --release --locked --all-targets -- --deny warnings)

bench: libduckdb
	@$(call timed,bench,cargo bench --locked --bench figures)

docs-check: libduckdb
	@$(call timed,docs-check,cargo test --release --locked --test it -- documents)

install: build
	@install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib'
	@install -m 755 '$(TARGET)/release/ragsql' '$(DESTDIR)$(PREFIX)/bin/ragsql'
	@install -m 644 "$$DUCKDB_LIB_DIR/$(LIBRARY)" '$(DESTDIR)$(PREFIX)/lib/$(LIBRARY)'
	@echo "installed         $(DESTDIR)$(PREFIX)/bin/ragsql and $(DESTDIR)$(PREFIX)/lib/$(LIBRARY)" >&2

# Fetches the prebuilt library with the ordinary package client, checks it against the pinned hash, and keeps it.
libduckdb:
ifeq ($(FETCH),yes)
	@if [ -z '$(PLATFORM)' ]; then \
	  echo 'error: no prebuilt DuckDB is pinned for $(SYSTEM)' >&2; \
	  echo 'hint: set DUCKDB_LIB_DIR to a folder with $(LIBRARY) $(DUCKDB_VERSION), or build it in: cargo build --release --features bundled' >&2; \
	  exit 2; fi
	@if [ -f '$(FETCHED)/$(LIBRARY)' ]; then \
	  printf '%-18s%s\n' 'libduckdb $(DUCKDB_VERSION)' cached >&2; \
	else \
	  command -v npm >/dev/null || { echo 'error: npm is needed to fetch DuckDB $(DUCKDB_VERSION)' >&2; \
	    echo 'hint: install npm, or set DUCKDB_LIB_DIR to a folder with $(LIBRARY)' >&2; exit 2; }; \
	  printf '%-18s%s\n' 'libduckdb $(DUCKDB_VERSION)' 'fetching @duckdb/node-bindings-$(PLATFORM)' >&2; \
	  mkdir -p '$(CACHE)/duckdb'; work=$$(mktemp -d '$(CACHE)/duckdb/fetch.XXXXXX'); trap 'rm -rf "$$work"' EXIT; \
	  (cd "$$work" && npm pack --silent '@duckdb/node-bindings-$(PLATFORM)@$(DUCKDB_PACKAGE)' >/dev/null && tar -xzf ./*.tgz); \
	  found=$$( (sha256sum "$$work/package/$(LIBRARY)" 2>/dev/null || shasum -a 256 "$$work/package/$(LIBRARY)") | cut -d' ' -f1); \
	  if [ "$$found" != '$(SHA256_$(PLATFORM))' ]; then \
	    echo "error: the fetched $(LIBRARY) has SHA-256 $$found, expected $(SHA256_$(PLATFORM)); it was not kept" >&2; exit 3; fi; \
	  mkdir -p '$(FETCHED)'; mv "$$work/package/$(LIBRARY)" '$(FETCHED)/$(LIBRARY)'; \
	  printf '%-18s%s\n' 'libduckdb $(DUCKDB_VERSION)' 'fetched and checked' >&2; fi
else
	@[ -e "$$DUCKDB_LIB_DIR/$(LIBRARY)" ] || { echo "error: DUCKDB_LIB_DIR is \`$$DUCKDB_LIB_DIR\`, which holds no $(LIBRARY)" >&2; exit 2; }
	@printf '%-18s%s\n' 'libduckdb' "from DUCKDB_LIB_DIR" >&2
endif
