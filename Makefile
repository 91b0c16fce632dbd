# Everything a stranger needs: make run, make test. Python 3.11+ and make are all that must be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
ARGS ?=
PAGE := src/gamut/page/.built-from
WEB := $(shell find web -type f -not -path '*/node_modules/*' -not -path '*/tests/*')

.PHONY: install page postgres nats run dev lint lint-web lint-types lint-style browser test slow simulate screenshots longest-tasks bench attacks soak cluster cluster-netns arena lock clean

install: $(VENV)/.installed page

$(VENV)/.installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Gamut needs Python 3.11 or newer; set PYTHON=/path/to/it." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	@$(PIP) install --require-hashes --no-deps -r requirements.lock
	@$(PIP) install --no-deps -e .
	@touch $@

# The page is part of the package; it is built again when something in web/ has changed.
page: $(PAGE)

$(PAGE): $(WEB) | $(VENV)/.installed
	@$(PIP) install --no-deps -e .

# The driver for a hall in PostgreSQL (make run ARGS="--store postgresql://...").
postgres: $(VENV)/.installed-postgres

$(VENV)/.installed-postgres: $(VENV)/.installed requirements-postgres.lock
	@$(PIP) install --require-hashes --no-deps -r requirements-postgres.lock
	@touch $@

# The same, and the client of NATS, for a hall of several nodes (make run ARGS="--cluster nats://...").
nats: $(VENV)/.installed-nats

$(VENV)/.installed-nats: $(VENV)/.installed requirements-cluster.lock
	@$(PIP) install --require-hashes --no-deps -r requirements-cluster.lock
	@touch $@

# The linters, the test runner and Node for the benchmarks come on top.
dev: $(VENV)/.installed-dev page

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock
	@$(PIP) install --require-hashes --no-deps -r requirements-dev.lock
	@touch $@

run: install
	@$(BIN)/gamut serve $(ARGS)

# Side by side; each says what it has to say when it is done, where make can wait for that.
lint: dev
	@$(MAKE) --no-print-directory --jobs 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync) lint-web lint-types lint-style

lint-web:
	$(BIN)/python web/build.py run lint

lint-types:
	$(BIN)/mypy

lint-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

# The page is tested in Debian's browsers, which are installed if they are not there and if that is allowed.
BROWSERS := chromium chromium-headless-shell firefox-esr

browser:
	@missing=; for name in $(BROWSERS); do command -v $$name >/dev/null || missing="$$missing $$name"; done; \
	test -z "$$missing" || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing; \
	else echo "The page is tested in Chromium and Firefox. Please install:$$missing" >&2; exit 1; fi

# On every core, file by file (tests/support/schedule.py).
# One worker more than there are cores: many tests wait for a browser, a disk or a clock.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Tests start hundreds of processes: what is compiled once is kept, also where the environment says that Python is not to.
BYTECODE := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(CURDIR)/$(VENV)/bytecode
PYTEST := $(BYTECODE) $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

test: dev browser
	$(BIN)/python web/build.py run test
	$(PYTEST) $(ARGS)
	$(if $(ARGS),,$(PYTEST) $(AT_GATEWAYS) --through gateway)

# What is tried through a gateway each time: some of every door, and all that is about sockets.
AT_GATEWAYS := tests/net/port tests/net/lines tests/net/process/test_one_fault.py \
	$(addprefix tests/net/websocket/test_,endings.py entrance.py sockets.py) \
	$(addprefix tests/net/doors/test_,offers.py topple_sockets.py tafl_sockets.py acquire_bad_input.py powerchess_bad_input.py)

# What is about strength, or tries thirty times what `make test` tries a few times; all halls of tests/hall on each store;
# and all servers of tests/net with their sockets at a gateway.
slow: dev
	$(PYTEST) -m slow $(ARGS)
	$(PYTEST) tests/hall --hall-on sqlite $(ARGS)
	$(PYTEST) tests/hall --hall-on postgres $(ARGS)
	$(PYTEST) tests/net --through gateway $(ARGS)

# Thousands of crashes in simulated time: make simulate ARGS="--crashes 10000", or --seed N --trace for one world.
# With --faults the server fails now and then, too; with --wings the hall has several wings.
simulate: dev
	$(BIN)/python -m tests.simulation $(ARGS)

# Pictures of every page, at three sizes, light and dark, in build/screenshots; those of the README are made anew.
screenshots: dev browser
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

# For how long the page's thread is busy at a time while pages open, in CPU time. Never part of the tests.
longest-tasks: dev browser
	$(BIN)/python -m tests.browser.longest_tasks $(ARGS)

# Speed, side by side with plain Node servers. Never part of the tests.
bench: dev
	$(BIN)/python -m bench $(ARGS)

# Attacks on a real server, and what its quiet players feel of them. Never part of the tests.
attacks: dev
	$(BIN)/python -m bench.attacks $(ARGS)

# A real server through people, attacks and faults; what anybody was told is compared after every start.
soak: dev
	$(BIN)/python -m bench.soak $(ARGS)

# Two nodes on one PostgreSQL, killed, frozen and failed over under games at all doors: nothing told may be lost.
# With ARGS="--gateways 2" owners and gateways with NATS; with ARGS="--chaos 60" an hour of faults by chance; with
# ARGS="--speed" the speed of both stores, side by side.
cluster: dev
	$(BIN)/python -m bench.cluster $(ARGS)

# The same with three nodes in network namespaces, which are cut off from each other. As root, with Debian's iproute2.
cluster-netns: dev
	$(BIN)/python -m bench.cluster --netns $(ARGS)

# Strength of the bots, against each other.
arena: install
	$(BIN)/gamut arena $(ARGS)

# After a change of dependencies in pyproject.toml.
lock: dev
	$(PIP) install uv
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header -q -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra postgres --universal --python-version 3.11 --generate-hashes --no-header -q -c requirements.lock -o requirements-postgres.lock
	$(BIN)/uv pip compile pyproject.toml --extra cluster --universal --python-version 3.11 --generate-hashes --no-header -q -c requirements-postgres.lock -o requirements-cluster.lock
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-header -q -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf $(VENV) web/node_modules src/gamut/page build .mypy_cache .ruff_cache .pytest_cache .hypothesis
