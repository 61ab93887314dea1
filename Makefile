# The project's commands; `make` alone lists them. Everything is installed below .venv, nothing outside this folder
# but the system packages that `make test` may add.

VENV := .venv
BIN := $(VENV)/bin
LOCKS := host/locks
MINIMUM := 3.11

# The first Python that is new enough; PYTHON=... on the command line or in the environment overrides it.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < tuple(map(int, "$(MINIMUM)".split("."))))
PYTHON ?= $(or $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c '$(NEW_ENOUGH)' 2>/dev/null && echo "$$p" && break; done),python3)

VENV_PACKAGE = $(if $(filter python3,$(notdir $(PYTHON))),python3-venv,$\
	$$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'))

# Options for the program that is run: make demo ARGS="--players 4 --seed 7"
ARGS ?=

# A Python started from here must find our packages only.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo twin test soak bench bench-firmware firmware lint lock clean python system emulator

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.run ## set up .venv and play a whole game on a simulated table (ARGS="--players 4")
	@$(BIN)/tablewire demo $(ARGS)

twin: emulator $(VENV)/.run ## run the real firmware in an emulated chip (ARGS="--link /tmp/board")
	@$(BIN)/tablewire twin $(ARGS)

# Where a worker runs out of tests, it takes from another's, so the file that lasts longest does not end alone. One more
# than there are cores, for many tests wait for time to pass.
WORKERS := $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null) && echo $$((n + 1)) || echo auto)
PYTEST := $(BIN)/pytest -n $(WORKERS) --maxprocesses=4 --dist worksteal

test: system emulator $(VENV)/.test ## install what the tests need, then check everything
	$(MAKE) --no-print-directory lint
	$(PYTEST) --durations=5 $(ARGS)

firmware: ## build what a board is flashed with, and say its sizes
	@$(MAKE) --no-print-directory -C firmware

emulator:
	@$(MAKE) --no-print-directory -C firmware twin all

lint: $(VENV)/.test ## style and types only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

soak: emulator $(VENV)/.test ## a thousand random games, ten thousand changes on a bad line: half an hour
	$(PYTEST) -q tests/virtual/soak_link.py $(ARGS)
	TABLEWIRE_LIVES=$${TABLEWIRE_LIVES:-20} $(PYTEST) -q tests/store/soak_store.py $(ARGS)
	TABLEWIRE_GAMES=$${TABLEWIRE_GAMES:-1000} $(PYTEST) -q tests/model tests/table/test_hands.py tests/system/ligretto $(ARGS)

bench: system $(VENV)/.test ## run the benchmarks of rules, wire, link and table
	@$(BIN)/python -m tests.bench $(ARGS)

bench-firmware: emulator $(VENV)/.test ## the firmware's figures from simulated cycles, against their limits
	@$(BIN)/python -m tests.bench $(or $(ARGS),firmware readers)

# uv is a tool of this one command; it stays out of .venv, where only locked packages are.
UV := build/uv/bin/uv pip compile --universal --python-version $(MINIMUM) --generate-hashes --no-emit-index-url \
	--custom-compile-command 'make lock' $(ARGS)
lock: python ## lock the versions anew (ARGS=--upgrade for the newest ones)
	test -x build/uv/bin/uv || { $(PYTHON) -m venv build/uv && build/uv/bin/pip install -q uv; }
	$(UV) --extra test --extra builder -o $(LOCKS)/test.lock pyproject.toml $(LOCKS)/build.in
	$(UV) -c $(LOCKS)/test.lock -o $(LOCKS)/run.lock pyproject.toml $(LOCKS)/build.in

clean: ## remove .venv and everything else that is made
	rm -rf $(VENV) build firmware/build dist host/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find host tests firmware -name __pycache__ -type d -prune -exec rm -rf {} +

python:
	@$(PYTHON) -c '' 2>/dev/null || { \
		echo "tablewire needs Python $(MINIMUM) or newer, and there is no $(PYTHON)." \
			"Install it, or name another: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c '$(NEW_ENOUGH)' || { \
		echo "tablewire needs Python $(MINIMUM) or newer, and $(PYTHON) is" \
			"$$($(PYTHON) -c 'import platform; print(platform.python_version())')." \
			"Install a newer one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make a virtual environment. Type: sudo apt install $(VENV_PACKAGE)" >&2; exit 1; }

# A virtual environment works at one place and for one Python: made anew when the place has changed, or when another
# Python is asked for by name.
$(VENV)/.made-for: python
	@key="$(CURDIR) $(if $(filter file,$(origin PYTHON)),,$$($(PYTHON) -c 'import sys; print(sys.version)'))"; \
	case "$$(cat $@ 2>/dev/null) " in "$$key"*) $(BIN)/python -c '$(NEW_ENOUGH)' 2>/dev/null && exit 0;; esac; \
	echo "setting up $(VENV) with $(PYTHON) ..."; \
	$(PYTHON) -m venv --clear $(VENV); \
	echo "$(CURDIR) $$($(PYTHON) -c 'import sys; print(sys.version)')" > $@

INSTALL = $(BIN)/pip install -q --require-hashes -r $(1) \
	&& $(BIN)/pip install -q --no-deps --no-build-isolation -e . \
	&& touch $@

$(VENV)/.run: $(LOCKS)/run.lock pyproject.toml $(VENV)/.made-for
	@$(call INSTALL,$(LOCKS)/run.lock)

$(VENV)/.test: $(LOCKS)/test.lock $(LOCKS)/drivers.lock pyproject.toml $(VENV)/.made-for
	@echo "installing what the tests need into $(VENV) ..."
	@$(call INSTALL,$(LOCKS)/test.lock)
	@$(BIN)/pip install -q --require-hashes --no-deps -r $(LOCKS)/drivers.lock
	@touch $(VENV)/.run

# What pip cannot install: each package, and what shows that it is there (a command or a file, or another that will
# do). Root, or sudo that asks for no password, gets it from apt; anybody else is told.
# The LLVM that the system's own clang is of; 14 is Debian 12's.
LLVM = $(or $(shell apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$$/\1/p' | head -n 1),14)
SYSTEM = chromium:chromium,chromium-browser,google-chrome gcc:gcc libc6-dev:/usr/include/stdio.h \
	gcc-avr:avr-gcc avr-libc:/usr/lib/avr/include/avr/io.h binutils-avr:avr-objcopy avrdude:avrdude \
	libsimavr-dev:/usr/include/simavr/sim_avr.h libelf-dev:/usr/include/libelf.h \
	libcmocka-dev:/usr/include/cmocka.h dbus-daemon:dbus-daemon clang-$(LLVM):clang,clang-$(LLVM) \
	libclang-rt-$(LLVM)-dev:/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
system:
	@missing=; \
	for one in $(SYSTEM); do \
		found=; \
		for sign in $$(echo "$${one#*:}" | tr , ' '); do \
			case "$$sign" in /*) [ -e "$$sign" ];; *) command -v "$$sign" >/dev/null 2>&1;; esac && found=yes; \
		done; \
		[ -n "$$found" ] || missing="$$missing $${one%%:*}"; \
	done; \
	if $(PYTHON) -c '' 2>/dev/null && ! $(PYTHON) -c 'import ensurepip' 2>/dev/null; then \
		missing="$$missing $(VENV_PACKAGE)"; fi; \
	[ -n "$$missing" ] || exit 0; \
	root=none; \
	if command -v apt-get >/dev/null 2>&1; then \
		if [ "$$(id -u)" = 0 ]; then root=; \
		elif sudo -n true 2>/dev/null; then root="sudo -n"; fi; \
	fi; \
	if [ "$$root" != none ]; then \
		echo "installing with apt-get:$$missing"; \
		$$root apt-get update -q && \
		$$root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $$missing && exit 0; \
	fi; \
	echo "missing here:$$missing. Without chromium the tests of the page fail, without the others those of the" \
		"firmware. On Debian: sudo apt install$$missing" >&2
