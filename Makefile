# `make` alone says what there is. Whatever needs more than a line lives in tools/.
SHELL := /bin/bash
.DEFAULT_GOAL := help

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
SECONDS ?= 30
BENCH ?=
SWIFT_SOURCES = Package.swift Sources Shared Server Client Tests Benchmarks

.PHONY: help deps build release run test lint format description bench bench-server bench-host bench-mount \
	fuzz sanitize torture soak planner trials mutants package deb check-deb install uninstall discovery

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{ printf "  make %-12s %s\n", $$1, $$2 }' Makefile

deps: ## Install the Debian packages that building and testing need; quiet when they are there
	@tools/install-packages build test

build: deps ## Build for debugging
	$(SWIFT) build

release: deps ## Build what is shipped, the server and the client, into .build/release
	@tools/build-static

run: release ## Start a server and a folder of its files, both kept in .run/, and print what to try
	@tools/run

test: deps ## Run every test
	@tools/test

lint: deps ## Check the layout of sources, the arrows between modules, and the house rules
	@tools/lint $(SWIFT_SOURCES)

format: ## Let swift format lay out the sources
	$(SWIFT) format --in-place --recursive --parallel $(SWIFT_SOURCES)

bench: bench-server bench-host bench-mount ## Measure everything that there are figures for

bench-server: release ## Measure the server beside its peers, about ten minutes; BENCH='--quick --only item'
	@tools/install-packages test bench
	@python3 Benchmarks/server $(BENCH)

bench-host: release ## Measure the client against the server, about ten minutes; BENCH='--quick --only listing'
	@tools/install-packages test
	@tools/build-static basket-bench-host
	@python3 Benchmarks/host $(BENCH)

bench-mount: release ## Measure the client's mount beside its peers, more than an hour; BENCH='--quick --only creates'
	@tools/install-packages test bench
	@tools/install-packages bench-mount || true  # A peer that is not there is left out, and said to be.
	@python3 Benchmarks/mount $(BENCH)

description: deps ## Make what the server gives at /openapi.json from docs/openapi.yaml
	@tools/openapi-json

fuzz: deps ## Feed each parser of foreign bytes what it has not seen yet, SECONDS=30 each
	@tools/fuzz --seconds $(SECONDS) $(FUZZERS)

sanitize: deps ## Run the unit tests under the address and the thread sanitizer
	@tools/sanitize

torture: deps ## Kill the server while it works, KILLS=1000 times, and look for what is missing; SEED=
	@KILLS='$(KILLS)' SEED='$(SEED)' tools/torture

discovery: build ## Have a server and a client find each other on a network of their own; root only
	@tools/install-packages discovery
	@tools/check-discovery

package: deps ## Build what is shipped, install it into a folder that goes away, and start it there
	@tools/check-install

deb: release ## Make Debian packages of the server and the client, in .build/deb
	@tools/install-packages deb
	@tools/build-deb

check-deb: ## Install the packages of `make deb` into bare Debians, with and without systemd, and try them there; as root
	@tools/install-packages deb
	@tools/check-deb
	@tools/check-service

soak: deps ## Run what is random with new seeds, simulations first, for SECONDS=30 and one round at least
	@SECONDS_TO_SOAK='$(SECONDS)' tools/soak

planner: deps ## Try the planner with every combination there is, about twenty minutes
	@tools/planner

trials: release ## Try programs and people on real mounts for long, about an hour; TRIALS=GitTests for one suite; root only
	@tools/install-packages test trials
	@tools/trials $(TRIALS)

mutants: deps ## Break the sources in many ways, and look whether the simulation notices each
	@tools/mutants

install: ## Put the release build, its units and manuals below PREFIX, under DESTDIR if given
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' tools/install

uninstall: ## Take away again what `make install` put below PREFIX
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' tools/install --remove
