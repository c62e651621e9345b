# make play   set everything up and start the table in the browser
# make test   set everything up and run the tests; make test GAME=azul only those of one game
# make test-long  more of the same: further seeds, kills and whole games that make test leaves out
# make storm  kill servers, workers and PostgreSQL under load, a hundred times; takes long
# make test-extras  the doors for other programs that learn, and the laboratory on Ray, in an environment of their own
# make test-torch  the recipes with PyTorch, which it brings along: gigabytes on Linux, unless TORCH names a build without CUDA
# make check  the linters and the type checkers
# make accept write the generated texts anew (goldens, tables, the command reference)
# make lock   choose the newest versions of all libraries

PYTHON ?= python3
BIN := .venv/bin
TORCH ?= torch==2.13.0

# else every process of the tests would compile and rewrite them anew
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test test-long test-extras test-torch storm check types accept lock clean

play: .venv/play
	@$(BIN)/mozaika serve

test: .venv/dev
	@$(BIN)/mozaika warm $(GAME)
	@$(BIN)/pytest $(if $(GAME),--game $(GAME))

test-long: .venv/dev
	@$(BIN)/mozaika warm $(GAME)
	@$(BIN)/pytest -m long $(if $(GAME),--game $(GAME))

storm: .venv/dev
	@$(BIN)/mozaika warm
	@$(BIN)/pytest -n0 -s tests/storm.py
	@MOZAIKA_RACES=1000 $(BIN)/pytest -n0 tests/test_several.py -k race

test-extras: .venv-extras/ready
	@cd extras && ../.venv-extras/bin/python -m pytest -c pytest.ini

test-torch: .venv-extras/torch
	@cd extras && MOZAIKA_TORCH=1 ../.venv-extras/bin/python -m pytest -c pytest.ini test_torch.py

check: .venv/dev
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory types; \
	else echo "No Node and npm here: the types of the page's modules are not checked."; fi

types: .ci/node/node_modules
	@.ci/node/node_modules/.bin/tsc --project .ci/node

.ci/node/node_modules: .ci/node/package-lock.json
	@npm --prefix .ci/node ci --silent --no-fund --no-audit
	@touch $@

accept: .venv/dev
	@$(BIN)/pytest --accept

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Mozaika needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	@$(PYTHON) -m venv .venv || { echo "Python cannot make a virtual environment here (on Debian: apt install python3-venv)."; exit 1; }
	@touch $@

.venv/play: .venv/python requirements.lock pyproject.toml
	@echo "Setting Mozaika up (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev: .venv/play requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

.venv-extras/ready: requirements-research.lock pyproject.toml
	@$(PYTHON) -m venv .venv-extras
	@.venv-extras/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-research.lock
	@.venv-extras/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.venv-extras/torch: .venv-extras/ready requirements-torch.lock
	@.venv-extras/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-torch.lock
	@.venv-extras/bin/python -m pip install --quiet --disable-pip-version-check $(TORCH)
	@.venv-extras/bin/python -m pip check
	@touch $@

COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --no-header --no-annotate --python-version 3.11
lock: .venv/dev
	@$(COMPILE) pyproject.toml --extra lab --extra serve --extra postgres --group build -o requirements.lock
	@$(COMPILE) pyproject.toml --extra lab --extra serve --extra postgres --group dev -c requirements.lock -o requirements-dev.lock
	@$(COMPILE) pyproject.toml --extra lab --extra ray --extra research --group extras -c requirements.lock -o requirements-research.lock
	@$(COMPILE) --no-deps --group torch -c requirements-research.lock -o requirements-torch.lock

clean:
	rm -rf .venv .venv-extras
