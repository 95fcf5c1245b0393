# `make` lists what it can do. It needs Python 3.11 or newer and the network, nothing else.

PYTHON ?= python3
# Many tests wait for browsers, servers and clocks: one more process than cores keeps the cores busy.
PYTEST ?= -n $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) --dist worksteal
export PYTHON
# The tests start Python hundreds of times, and each start would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
NPM := tools/node.sh npm --loglevel=error
MODULES := web/node_modules/.set-up
# The last file that a build writes. Folders count too: they change when a file goes away.
PAGE := src/macaz/server/page_files/sw.js
PAGE_SOURCES := $(shell find web/src web/public web/tools ! -name '*.test.ts') \
	web/index.html web/vite.config.ts web/svelte.config.js
COMPILE = $$(tools/setup.sh uv) pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --custom-compile-command 'make lock' $(UPGRADE)

.DEFAULT_GOAL := help
.PHONY: help setup play terminal page dev test test-portable units size warm browser coverage
.PHONY: check lint types docs site format bench wasm wheel release lock clean

help:  ## List these verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

setup: $(or $(WITH:%=.venv/.%),.venv/.app) page  ## Set up what playing needs, in .venv (WITH=lab or nodes for more)

# Ctrl-C ends both, and is no error; the shell must outlive it to say so.
play: .venv/.app page  ## Play in the browser (ARGS='--port 9000' to choose)
	@trap : INT; $(BIN)/macaz play $(ARGS) || [ $$? -eq 130 ]

terminal: .venv/.app  ## Play in the terminal (ARGS='--edition europe' to choose)
	@trap : INT; $(BIN)/macaz terminal $(ARGS) || [ $$? -eq 130 ]

page: $(PAGE)  ## Build the page that the browser shows
	@:

# Ctrl-C ends it, as above.
dev: $(MODULES)  ## Serve the page as you write it; `make play` must run beside it, at port 8124
	@trap : INT; $(NPM) --silent run dev -- $(ARGS) || [ $$? -eq 130 ]

# What comes before the tests uses one core each.
test: .venv/.dev $(MODULES)  ## Check everything (PYTEST='-x -k word' to narrow)
	@$(MAKE) --no-print-directory -j 2 warm check docs size units browser
	@$(BIN)/pytest $(PYTEST)
	@$(MAKE) --no-print-directory test-portable coverage

test-portable: .venv/.dev  ## Test what compares floats, as on processors with fewer features
	@$(BIN)/python tools/portable.py

units: $(MODULES)  ## Test the page's own functions, without a browser
	@$(NPM) --silent test

size: page
	@$(NPM) --silent run size

warm: .venv/.dev
	@$(BIN)/macaz warm

browser: .venv/.dev
	@$(BIN)/python tools/browser.py >/dev/null

# The kernel's functions as plain Python; compiled code cannot be traced.
KERNEL := bits deal dice entry flow help_entry hidden legal odds paths pay play redact rescue score seen \
	stations step sweep table tell tickets trail view_entry ways why world
# Tests that run them so, and those of the rules.
TRACED := tests/rules $(addprefix tests/kernel/test_,kernel.py four_ways.py redaction.py tickets.py help.py trail.py \
	$(addprefix invariants.py::test_,games_in_plain_python plain_and_compiled_games_are_the_same_byte_for_byte) \
	$(addprefix paths.py::test_,small_networks_against_every_trail what_is_walked_hangs_together \
	without_room_the_answer_is_the_same the_gpu_does_without_sweeps)) \
	tests/game/test_why.py tests/game/test_worlds.py
comma := ,
empty :=
coverage: .venv/.dev  ## Show that the tests reach every line and branch of the rules
	@echo "Measuring coverage of the rules"
	@MACAZ_TEST_GAMES=2 $(BIN)/coverage run -m pytest -qq -n auto --dist worksteal $(TRACED)
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report --fail-under=100 \
		--include="$(subst $(empty) $(empty),$(comma),$(KERNEL:%=src/macaz/kernel/%.py))"

check: lint types  ## Lint and check types only

lint: .venv/.dev $(MODULES)
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { echo "Run 'make format'."; exit 1; }
	@$(NPM) --silent run lint || { echo "Run 'make format'."; exit 1; }

types: .venv/.dev $(MODULES)
	@$(BIN)/mypy
	@$(NPM) --silent run types

format: .venv/.dev $(MODULES)  ## Format the code and mend what the linters can mend
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format
	@$(NPM) --silent run format

docs: .venv/.dev  ## Build the documentation into site/; a broken link fails
	@$(BIN)/zensical build --strict --clean
	@$(BIN)/python tools/check_docs.py

site: .venv/.app page  ## Write a static site, to play without a server, into demo/
	@$(BIN)/macaz site demo

bench: .venv/.lab  ## Measure Macaz, and other engines beside it
	@$(BIN)/macaz bench

# The module is in git: only who changes the kernel or the players makes it again.
wasm: .venv/.dev .tools/wasm/bin  ## Compile the rules and the players to WebAssembly
	@PYTHONPATH=.tools/wasm $(BIN)/python tools/make_wasm.py
	@$(BIN)/python tools/make_record_decoders.py

.tools/wasm/bin: requirements/wasm.txt
	@tools/setup.sh wasm
	@touch $@

wheel: .venv/.app page  ## Build the package, with the page inside, into dist/
	@rm -f dist/macaz-*
	@$(BIN)/hatchling build -d dist

release: .venv/.app page  ## Make a release (VERSION=1.2.3): changelog, commit, tag, packages; pushes nothing
	@$(BIN)/python tools/release.py $(VERSION)

lock:  ## Lock the dependencies again (UPGRADE=--upgrade for newer ones)
	@echo "Locking: requirements/, bench/peers.txt"
	@$(COMPILE) pyproject.toml --group build -o requirements/app.txt
	@$(COMPILE) pyproject.toml --extra nodes --extra push -c requirements/app.txt -o requirements/nodes.txt
	@$(COMPILE) pyproject.toml --extra lab -c requirements/app.txt -o requirements/lab.txt
	@$(COMPILE) pyproject.toml --extra lab --extra nodes --extra push --extra env --extra openspiel \
		--extra cluster --group build --group dev \
		-c requirements/app.txt -c requirements/nodes.txt -c requirements/lab.txt \
		-o requirements/dev.txt
	@$(COMPILE) --group node -o requirements/node.txt
	@$(COMPILE) --group wasm -o requirements/wasm.txt
	@$(COMPILE) bench/peers.in -o bench/peers.txt

clean:  ## Remove all that was set up or built
	rm -rf .venv .tools .cache site demo dist build .coverage* htmlcov
	rm -rf web/node_modules src/macaz/server/page_files
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -prune -exec rm -rf {} +

.venv/.%: requirements/%.txt requirements/app.txt pyproject.toml tools/setup.sh
	@tools/setup.sh $*

$(MODULES): web/package-lock.json web/.npmrc
	@echo "Setting up: the packages of web/package-lock.json"
	@$(NPM) ci >/dev/null
	@touch $@

$(PAGE): $(MODULES) $(PAGE_SOURCES)
	@echo "Building the page"
	@$(NPM) --silent run build -- --logLevel warn
