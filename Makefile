# Everything from a fresh clone with Python >= 3.11, make and a C compiler.
#   make          this help
#   PYTHON=...    the interpreter that .venv is made with (default python3)
#   CORES=...     how many cores the workflow may use (default all)
#   RUN=...       whose report or scale to make, or what to run on a cluster: paper (default) or quick
#   PARTITION=... ACCOUNT=...   of a Slurm cluster; STATUS=squeue where it has no accounting

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
CORES ?= all
RUN ?= paper
CONFIG = config/$(RUN:paper=config).yaml
PARTITION ?=
ACCOUNT ?=
STATUS ?=
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SNAKEMAKE := $(BIN)/snakemake
# What a report shows and is there: all of it, unless jobs have failed.
SHOWN = $(SNAKEMAKE) --cores 1 --configfile $(CONFIG) --summary 2>/dev/null \
	| awk -F'\t' '$$2 != "-" && $$1 ~ /\.(html|png)$$/ { print $$1 }'
# After jobs that failed: a report of what the others have made, and the failure.
failed = { status=$$?; $(MAKE) report RUN=$(1) >/dev/null 2>&1 \
	&& echo "Some jobs failed; what the others made is in results/$(1)/report.html" >&2; exit $$status; }

.PHONY: help setup quick paper cluster report scale docs test test-faults lint format bench lock clean

help: ## Show this help
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## Create .venv from requirements.lock and install the package (redone when either changes)

$(READY): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "ccc needs Python 3.11 or newer: no $(PYTHON) on the PATH; say make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import sys, platform; sys.exit(sys.version_info < (3, 11) and "ccc needs Python 3.11 or newer: $(PYTHON) is %s; say make PYTHON=/path/to/python3.11" % platform.python_version())'
	@echo "Setting up $(VENV) (a few minutes the first time)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --use-pep517 --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

quick: $(READY) ## The whole workflow, small: results/quick in a few minutes, no downloads
	@start=$$SECONDS; trap 'exit 130' INT; \
	$(SNAKEMAKE) --cores $(CORES) --configfile config/quick.yaml || $(call failed,quick); \
	$(MAKE) report RUN=quick; \
	$(BIN)/python workflow/summary.py results/quick --seconds $$((SECONDS - start))

paper: $(READY) ## The paper's settings, in full: results/paper
	@start=$$SECONDS; trap 'exit 130' INT; \
	$(SNAKEMAKE) --cores $(CORES) || $(call failed,paper); \
	$(MAKE) report RUN=paper; \
	$(BIN)/python workflow/summary.py results/paper --seconds $$((SECONDS - start))

cluster: $(READY) ## A run as jobs of a Slurm cluster: PARTITION=... ACCOUNT=... (docs/cluster.md)
	@[ -n "$(PARTITION)" ] || { echo "say make cluster PARTITION=<partition> ACCOUNT=<account> (docs/cluster.md)" >&2; exit 1; }
	@trap 'exit 130' INT; \
	$(SNAKEMAKE) --workflow-profile profiles/slurm --configfile $(CONFIG) \
		--default-resources slurm_partition=$(PARTITION) $(ACCOUNT:%=slurm_account=%) $(STATUS:%=--slurm-status-command %) \
	|| $(call failed,$(RUN))
	@$(MAKE) report

test: $(READY) ## All tests, the quick run end to end among them
	@$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

test-faults: $(READY) ## Tests that take longer: runs that are killed, a full disk, a Slurm of one node (as root)
	@$(BIN)/python -m pytest tests/faults

lint: $(READY) ## Style, types, and the workflow's own linter
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/snakefmt --check Snakefile workflow
	@$(BIN)/mypy
	@$(SNAKEMAKE) --lint

format: $(READY) ## Put Python files and Snakefiles into the house style
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/snakefmt Snakefile workflow

report: $(READY) ## Snakemake's report of what a run has made: results/paper/report.html
	@$(SNAKEMAKE) --cores 1 --configfile $(CONFIG) --report results/$(RUN)/report.html -- $$($(SHOWN))
	@echo "results/$(RUN)/report.html"

scale: $(READY) ## How long a run that is there would take on 1 to 88 cores: tables, figure
	@$(BIN)/python workflow/scale.py --configfile $(CONFIG)

docs: $(READY) ## The documentation, offline: docs/_build/html
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --builder html docs docs/_build/html
	@echo "docs/_build/html/index.html"

bench: $(READY) ## Timings side by side, each benchmark small; benchmarks/<name>.py --help for the rest
	@for name in exact_paths sparsity solvers text_mocks baselines convex_steps selection; do \
		echo "== benchmarks/$$name.py --small"; \
		OMP_NUM_THREADS=1 $(BIN)/python benchmarks/$$name.py --small; \
	done

lock: $(READY) ## Resolve requirements.lock anew from pyproject.toml
	@PATH="$(abspath $(BIN)):$$PATH" scripts/lock

clean: ## Remove the quick results and all caches; keeps .venv and results/paper
	@rm -rf results/quick docs/_build docs/generated .snakemake .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find src tests workflow benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
