# Each command first sets up what it needs and skips what is there: a fresh clone needs no other.

VENV    ?= .venv
HOST    ?= localhost
PORT    ?= 8501
JOBS    ?= 3
MARKERS ?= not slow

PY     := $(VENV)/bin/python
# One thread for each worker: they share the cores already, four of them two cores, for whoever
# drives a browser mostly waits. tests/conftest.py says which worker takes which file, and when.
# And glibc keeps what is freed: else every array is asked of the system anew, page by page.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MALLOC_ARENA_MAX=1 \
	MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=268435456 \
	$(PY) -m pytest -n $(JOBS) --dist loadfile

export VENV
ifdef PYTHON
export PYTHON
endif
# Without bytecode that is kept, every worker, server and command would compile everything again.
unexport PYTHONHOME PYTHONPATH PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: run test test-slow check format bench bench-accuracy screenshots film audit sbom lock clean \
	help runtime dev

run: runtime  ## Open the app (PORT=8501, HOST=localhost)
	@exec $(PY) -m streamlit run server.py --server.port $(PORT) --server.address $(HOST)

test: dev  ## Run the tests but the slow ones (MARKERS, JOBS, PYTEST_ARGS narrow it down)
ifneq (,$(findstring not browser,$(MARKERS)))
	@$(PYTEST) -m "$(MARKERS)" $(PYTEST_ARGS)
else
	@chromium=$$(.ci/setup browser) && export CHROMIUM="$$chromium" && \
	$(PYTEST) -m "$(MARKERS)" $(PYTEST_ARGS)
endif

test-slow:  ## Run the slow tests only
	@$(MAKE) --no-print-directory test MARKERS=slow

check: dev  ## Check style, types and import layers
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy --strict dpcore
	$(VENV)/bin/lint-imports --no-logo

format: dev  ## Format the code and fix what can be fixed safely
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: dev  ## Measure speed beside the peers, as ratios; writes docs/performance.md
	@$(PY) -m benchmarks; failed=$$?; $(PY) -m benchmarks._performance; exit $$failed

bench-accuracy: dev  ## Measure accuracy side by side with the published methods
	@$(PY) -m benchmarks accuracy

screenshots: dev  ## Take pictures of every page and compare them (KEEP=--keep keeps them)
	@chromium=$$(.ci/setup browser) && CHROMIUM="$$chromium" \
	$(PY) -m tests.browser.screenshots $(KEEP)

film: dev  ## Film the running app for the README, docs/film.gif
	@chromium=$$(.ci/setup browser) && CHROMIUM="$$chromium" $(PY) -m tests.browser.film

audit: dev  ## Look for advisories and licences of the packages
	@$(PY) .ci/packages.py audit

sbom: dev  ## Write the bill of materials of the runtime, dist/sbom.json (CycloneDX)
	@$(PY) .ci/packages.py sbom dist/sbom.json

lock: dev  ## Write the lock files anew after a change of requirements.txt
	@$(PY) .ci/packages.py lock

clean:  ## Remove the environment and every cache
	@test ! -e $(VENV) || test -e $(VENV)/pyvenv.cfg || \
	{ echo "$(VENV) is not a virtual environment and is left alone."; exit 1; }
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist
	find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

help:  ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

runtime dev:
	@.ci/setup $@
