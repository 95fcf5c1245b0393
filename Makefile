# `make` lists what it can do. It needs Python 3.11 or newer and the network, nothing else.

PYTHON ?= python3
PYTEST ?= -n auto --dist worksteal
export PYTHON

BIN := .venv/bin
LOCKS := requirements/app.txt requirements/dev.txt
COMPILE = $$(tools/setup.sh uv) pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --custom-compile-command 'make lock' $(UPGRADE)

.DEFAULT_GOAL := help
.PHONY: help setup play terminal test coverage check lint types docs format bench lock clean

help:  ## List these verbs
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

setup: .venv/.app  ## Set up what playing and simulating need, in .venv

# Ctrl-C ends both, and is no error; the shell must outlive it to say so.
play: .venv/.app  ## Play in the browser (ARGS='--port 9000' to choose)
	@trap : INT; $(BIN)/macaz play $(ARGS) || [ $$? -eq 130 ]

terminal: .venv/.app  ## Play in the terminal (ARGS='--edition europe' to choose)
	@trap : INT; $(BIN)/macaz terminal $(ARGS) || [ $$? -eq 130 ]

test: check docs  ## Check everything: lint, types, docs, tests (PYTEST='-x -k word' to narrow)
	@$(BIN)/pytest $(PYTEST)
	@$(MAKE) --no-print-directory coverage

# The kernel's functions as plain Python; compiled code cannot be traced.
KERNEL := bits deal dice entry flow legal paths pay play score step sweep table
comma := ,
empty :=
coverage: .venv/.dev  ## Show that the tests reach every line and branch of the rules
	@echo "Measuring coverage of the rules"
	@MACAZ_TEST_GAMES=2 $(BIN)/coverage run -m pytest -qq -p no:xdist \
		tests/rules tests/test_kernel.py tests/test_paths.py tests/test_three_ways.py \
		tests/test_invariants.py
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report --fail-under=100 \
		--include="$(subst $(empty) $(empty),$(comma),$(KERNEL:%=src/macaz/kernel/%.py))"

check: lint types  ## Lint and check types only

lint: .venv/.dev
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { echo "Run 'make format'."; exit 1; }

types: .venv/.dev
	@$(BIN)/mypy

format: .venv/.dev  ## Format the code and mend what ruff can mend
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format

docs: .venv/.dev  ## Build the documentation into site/; a broken link fails
	@$(BIN)/zensical build --strict --clean
	@$(BIN)/python tools/check_docs.py

bench: .venv/.app  ## Measure Macaz, and other engines beside it
	@$(BIN)/macaz bench

lock:  ## Lock the dependencies again (UPGRADE=--upgrade for newer ones)
	@echo "Locking: requirements/, bench/peers.txt"
	@$(COMPILE) pyproject.toml --extra lab --extra nodes --group build -o requirements/app.txt
	@$(COMPILE) pyproject.toml --extra lab --extra nodes --group build --group dev \
		-c requirements/app.txt -o requirements/dev.txt
	@$(COMPILE) bench/peers.in -o bench/peers.txt

clean:  ## Remove all that was set up or built
	rm -rf .venv .tools .cache site dist build .coverage* htmlcov
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -prune -exec rm -rf {} +

.venv/.app: requirements/app.txt pyproject.toml
	@tools/setup.sh app

.venv/.dev: $(LOCKS) pyproject.toml
	@tools/setup.sh dev
