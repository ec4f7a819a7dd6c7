PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-faltas test-ui bench bench-curto docs-dbt setup lint types servir limpar
.DEFAULT_GOAL := demo

# The main job on real requests, end to end, on an embedded PostgreSQL.
demo: setup
	$(BIN)/d5 demo

# Style, types and every test but those of test-faltas and test-ui.
test: lint types
	$(BIN)/pytest -n 2 --dist worksteal

# Killed processes, stopped servers, lost connections, hostile payloads, and two minutes of all kinds of trouble.
test-faltas: setup
	$(BIN)/pytest -n 2 --dist worksteal -m faltas tests/aceitacao/faltas tests

# Speed, memory and storage against their references, into docs/desempenho.md; some twenty minutes on an idle machine.
bench: setup
	$(BIN)/python -m bench --relatorio

# The same in its smallest form: that it runs, and that both sides of each figure agree.
bench-curto: setup
	$(BIN)/python -m bench --curto

# The web UI in Debian's chromium (apt-get install chromium); writes docs/imagens.
test-ui: setup
	$(BIN)/pytest -m ui tests/ui

# Models, sources and columns as a page of dbt's, from the configured database: .d5/dbt/static_index.html.
docs-dbt: setup
	$(BIN)/d5 dbt docs generate --static

lint: setup
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

setup: $(VENV)/.instalado

$(VENV)/.instalado: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

# Web UI and daemon on the configured database.
servir: setup
	$(BIN)/d5 servir

limpar:
	rm -rf $(VENV) .d5
