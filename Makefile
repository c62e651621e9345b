# make play   set everything up and start the table in the browser
# make test   set everything up and run the tests; make test GAME=azul only those of one game
# make check  the linters and the type checkers
# make accept write the generated texts anew (goldens, tables, the command reference)
# make lock   choose the newest versions of all libraries

PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test check types accept lock clean

play: .venv/play
	@$(BIN)/mozaika serve

test: .venv/dev
	@$(BIN)/mozaika warm $(GAME)
	@$(BIN)/pytest $(if $(GAME),--game $(GAME))

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

COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --no-header --no-annotate --python-version 3.11
lock: .venv/dev
	@$(COMPILE) pyproject.toml --all-extras --group build -o requirements.lock
	@$(COMPILE) pyproject.toml --all-extras --group dev -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf .venv
