# `make run` and `make test` are all a newcomer needs: Rust, a C linker, and npm for the prebuilt DuckDB library.
#
# Variables: DUCKDB_LIB_DIR (use this folder's libduckdb instead of fetching one), PREFIX (make install),
# CARGO_TARGET_DIR (where cargo builds), RAGSQL_CACHE (where fetched parts are kept, outside the checkout).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
# Parts of test-peers that can also be run alone.
PARTS := litellm openai llama ragas agreement newcomer banking
.PHONY: run test build install lint bench test-peers test-browser $(PARTS:%=peers-%) peers-retrieval libduckdb models docs-check

CACHE := $(or $(RAGSQL_CACHE),$(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/ragsql)
TARGET := $(or $(CARGO_TARGET_DIR),target)
PREFIX ?= /usr/local
CHUNKS ?= 100000
PEERS = python3 tests/peers/run.py --cache '$(CACHE)'

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

# The static embedding model that `embed: local` means. The program pins the same hashes (src/gateway/local/files.rs).
MODEL_PACKAGE := wordllama==0.4.0.post1
MODELS := $(or $(RAGSQL_MODELS),$(CACHE)/models)
MODEL_FOLDER := $(MODELS)/wordllama-256
MODEL_TABLE := l2_supercat_256.safetensors
MODEL_TOKENIZER := l2_supercat_tokenizer_config.json
SHA256_MODEL_TABLE := 64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5
SHA256_MODEL_TOKENIZER := 93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68

ifeq ($(origin DUCKDB_LIB_DIR),undefined)
FETCH := yes
export DUCKDB_LIB_DIR := $(FETCHED)
else
export DUCKDB_LIB_DIR
endif

# $(call timed,NAME,COMMAND): runs COMMAND, then says NAME and how long it took.
timed = start=$$(date +%s.%N); $(2); printf '%-18s%s (%.1f s)\n' '$(1)' 'done' "$$(echo "$$(date +%s.%N) $$start" | awk '{print $$1 - $$2}')" >&2

# With the model that `make models` fetches, the first run embeds with it, unless RAGSQL_ROLES says otherwise.
run: build
	@if [ -z "$${RAGSQL_ROLES:-}" ] && [ -f '$(MODEL_FOLDER)/$(MODEL_TABLE)' ] && [ -f '$(MODEL_FOLDER)/$(MODEL_TOKENIZER)' ]; then \
	  printf '%-18s%s\n' 'embedding' 'wordllama-256 (--roles local)' >&2; \
	  export RAGSQL_ROLES=local RAGSQL_MODELS='$(MODELS)'; \
	elif [ -z "$${RAGSQL_ROLES:-}" ]; then \
	  printf '%-18s%s\n' 'embedding' 'built in; `make models` fetches one that was learned from text' >&2; fi; \
	$(TARGET)/release/ragsql run

test: libduckdb
	@$(call timed,test,cargo test --release --locked)

build: libduckdb
	@$(call timed,build,cargo build --release --locked --bin ragsql)

lint: libduckdb
	@$(call timed,format,cargo fmt --check)
	@$(call timed,lint,cargo clippy --release --locked --all-targets -- --deny warnings)

# Everything, retrieval beside bm25s and NumPy included. The package client puts those into the cache.
bench: libduckdb
	@python=$$($(PEERS) --install-only retrieval); \
	$(call timed,bench,RAGSQL_PEERS_PYTHON="$$python" cargo bench --locked --bench figures)

# The retrieval figures alone; CHUNKS=10000 makes a small collection of it.
peers-retrieval: libduckdb
	@python=$$($(PEERS) --install-only retrieval); \
	$(call timed,peers-retrieval,RAGSQL_PEERS_PYTHON="$$python" cargo bench --locked --bench figures -- retrieval --chunks $(CHUNKS))

# Real parts from the package registries against the built binary; see docs/peers.md. The counts come last.
# The part `banking` embeds with the model that `make models` fetches.
test-peers: build models
	@$(PEERS) --binary '$(TARGET)/release/ragsql'

peers-banking: models

$(PARTS:%=peers-%): peers-%: build
	@$(PEERS) --binary '$(TARGET)/release/ragsql' $*

# The HTML pages in a real browser that comes from the package registry; see docs/reports.md. The counts come last.
test-browser: build
	@node tests/browser/run.mjs --binary '$(TARGET)/release/ragsql' --cache '$(CACHE)' --shots '$(TARGET)/browser'

docs-check: libduckdb
	@$(call timed,docs-check,cargo test --release --locked --test it -- documents)

install: build
	@install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib'
	@install -m 755 '$(TARGET)/release/ragsql' '$(DESTDIR)$(PREFIX)/bin/ragsql'
	@install -m 644 "$$DUCKDB_LIB_DIR/$(LIBRARY)" '$(DESTDIR)$(PREFIX)/lib/$(LIBRARY)'
	@echo "installed         $(DESTDIR)$(PREFIX)/bin/ragsql and $(DESTDIR)$(PREFIX)/lib/$(LIBRARY)" >&2

# Fetches the embedding model with the ordinary package client, checks both files, and keeps them outside the checkout.
# The wheel of one platform is named so that every platform gets the same two files; nothing of it is ever run.
models:
	@sha() { [ ! -f "$$1" ] || (sha256sum "$$1" 2>/dev/null || shasum -a 256 "$$1") | cut -d' ' -f1; }; \
	if [ "$$(sha '$(MODEL_FOLDER)/$(MODEL_TABLE)')" = '$(SHA256_MODEL_TABLE)' ] \
	  && [ "$$(sha '$(MODEL_FOLDER)/$(MODEL_TOKENIZER)')" = '$(SHA256_MODEL_TOKENIZER)' ]; then \
	  printf '%-18s%s\n' 'wordllama-256' cached >&2; exit 0; fi; \
	command -v python3 >/dev/null && python3 -m pip --version >/dev/null 2>&1 || { \
	  echo 'error: python3 with pip is needed to fetch $(MODEL_PACKAGE)' >&2; exit 2; }; \
	printf '%-18s%s\n' 'wordllama-256' 'fetching $(MODEL_PACKAGE)' >&2; \
	mkdir -p '$(MODELS)'; work=$$(mktemp -d '$(MODELS)/fetch.XXXXXX'); trap 'rm -rf "$$work"' EXIT; \
	python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --implementation cp \
	  --python-version 3.11 --abi cp311 --platform manylinux_2_17_x86_64 --dest "$$work" '$(MODEL_PACKAGE)'; \
	(cd "$$work" && python3 -m zipfile -e ./*.whl .); \
	for pair in 'weights/$(MODEL_TABLE) $(SHA256_MODEL_TABLE)' 'tokenizers/$(MODEL_TOKENIZER) $(SHA256_MODEL_TOKENIZER)'; do \
	  set -- $$pair; found=$$(sha "$$work/wordllama/$$1"); \
	  if [ "$$found" != "$$2" ]; then \
	    echo "error: the fetched $$1 has SHA-256 $$found, expected $$2; it was not kept" >&2; exit 3; fi; done; \
	mkdir -p '$(MODEL_FOLDER)'; \
	mv "$$work"/wordllama-*.dist-info/licenses/LICENSE "$$work/wordllama/weights/$(MODEL_TABLE)" \
	  "$$work/wordllama/tokenizers/$(MODEL_TOKENIZER)" '$(MODEL_FOLDER)/'; \
	printf '%-18s%s\n' 'wordllama-256' 'fetched and checked' >&2

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
