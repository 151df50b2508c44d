# make report   the main job: First Contact, charts and a page under runs/
# make test     lint, types and tests
#               with BESIDE=wheels the wheels too, meanwhile
# make goldens  sixty small commands beside the answers of an earlier commit; ONLY="mice cards" some of them
# make kernels  compile what the tests need, which they otherwise do as they go
# make lockstep both engines side by side, GAMES=1000 of every pool
# make mice_lockstep  both engines of Mice & Mystics side by side, GAMES=1000 of all settings
# make invariants what must hold in every state, asked in GAMES=1000 of every pool
# make mice_invariants  the same of Mice & Mystics, in GAMES=1000 of all settings
# make mice_distributions  writes docs/data/mice_and_mystics_distributions.csv, GAMES=200000 of each run
# make truths   verdicts and intervals against planted truths, prints docs/data/planted_truths.csv; ONLY=shrunk some of it
# make puzzles  which puzzles players solve, PLAYERS="learned search:400"
# make regret   what players give away in single decisions by search:6400, PLAYERS="expert search:16"; prints a table
# make verdicts  the verdicts of record, docs/verdicts.md with its charts and page: half an hour
# make unseen    how well a network plays cards that it has never seen; prints a table
# make agreement  how far verdicts agree with those of much stronger players: hours; prints a table
# make spreads  how far strong players differ on cards, and the stretch of stronger play: hours
# make strong   how near few games of a strong search come, joined with those of others: an hour
# make small_files files below a megabyte that could cost minutes: seconds, memory and message of each
# make machines playing without a home, room, rights or memory, as root; prints a page
# make positions     what `search` judges positions of Mice & Mystics by, fitted anew: a minute
# make stories       the stories of all sets and chapters, GAMES=2000 each: docs/figures/stories_*.png; prints a table as CSV
# make prices        the price lists that come with fairdeal, ONLY="promos" some: two hours; prints how good they are, as CSV
# make story_truths  how often the intervals of a race by formula hold, SEEDS=200; prints a table of docs/story.md
# make playtest_truths  logs of playtests drawn from known truths, LOGS=60 of each kind; prints a table of docs/playtests.md
# make rebalance_truths proposals beside what is true, prints docs/data/rebalance_truths.csv
# make processors the same records from kernels for any processor, and from plain njit
# make check    what takes longer than tests may: small files, files damaged, commands killed
# make damage   files of every folder damaged, judged by commands, DAMAGES=2000; prints tables
# make kills    commands killed at random moments, KILLS=20 of each; prints its last table
# make cluster_kills  workers, commands and schedulers of a Dask cluster killed, here and on a store; prints tables
# make forged   forged requests to the studio, REQUESTS=2000; prints tables
# make typed    changed texts through the studio's check, form and formatter, TEXTS=4000
# make stores   every command that computes, with an address of a store; prints a table
# make workers  every command that plays, by threads, by processes and by Dask's workers; prints a table
# make scaling  two threads and two workers beside one thread, TURNS=5, and what the scheduler costs
# make counts   how often branches of kernels are taken, which the compiler uses; after edits
# make studio_hour  the studio in use, MINUTES=60: memory and waits minute by minute; prints a table
# make studio_first  seconds from the press of Play to an interval, TURNS=5; prints a table
# make bench    games per second on this machine
# make examples the tests of random examples, with several times as many
# make fuzz     inputs that nobody would write, INPUTS=100000 in process, and SHELLS=200 as processes
# make notebooks  after `make report`: plays reports/notebooks anew and keeps their output
# make words    words of the docs, page by page
# make docs     the site of these docs and of the Python API, build/docs/index.html
# make lint     lint and types alone
# make locks    after a change of requirements: locks/ anew; UPGRADE=--upgrade for the newest versions
# make wheels   the wheel, machine code in it, used on each Python that is here, outside the checkout
# make versions the wheel with the lowest and the highest versions of its libraries
# make bom      after that: the bill of materials of a release, build/fairdeal.cdx.json
# make clean    remove .venv, caches and builds; runs/ stays
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -u -m pip install --disable-pip-version-check
# Of what pip says, the names of packages as they come.
LOCKED = { $(PIP) --require-hashes $(1) || echo Failed; } | while read -r word name rest; do \
  case $$word in Collecting) printf '%s ' "$${name%%=*}" ;; Failed) exit 1 ;; \
  Installing) printf '\nunpacking them\n' ;; esac; done
# Without bytecode every process compiles all that it imports: it is kept, whatever the shell says
# of it.  For all that is installed that takes half a minute, for what a report imports six seconds.
export PYTHONDONTWRITEBYTECODE :=
# Programs of tests/support, and the commands that they start: the packages come before tests/reports.
SUPPORT := PYTHONPATH=$(CURDIR):$(CURDIR)/tests

.PHONY: report test kernels goldens lockstep mice_lockstep invariants mice_invariants
.PHONY: mice_distributions truths rebalance_truths small_files machines counts bench docs lint clean
.PHONY: forged typed check examples damage kills cluster_kills stores workers scaling processors puzzles regret unseen verdicts agreement spreads strong
.PHONY: words positions notebooks playtest_truths prices stories story_truths locks wheels versions bom fuzz studio_hour studio_first

report: .venv/.installed
	$(BIN)/fairdeal balance first_contact

# Two at a time, which need about 1 GB each; what both need is compiled before they begin.  Files
# come in the order of their names: those with few tests, which xdist leaves for the end, take long.
# Each has a thread of BLAS, whose own threads would otherwise wait for each other on two processors.
FIRST := lint kernels $(BESIDE)
test: .venv/.installed-dev
	$(MAKE) --jobs=$(words $(FIRST)) --output-sync $(FIRST)
	OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

kernels: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.warm_kernels

GAMES ?= 1000

check: small_files damage kills stores workers fuzz examples processors forged typed versions

DAMAGES ?= 2000
KILLS ?= 20

damage: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.damage_trials $(DAMAGES)

kills: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.kill_trials $(KILLS)

cluster_kills: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.cluster_trials 50 50 10 10
	@$(SUPPORT) $(BIN)/python -m support.cluster_trials 50 50 10 10 --store

REQUESTS ?= 2000
TEXTS ?= 4000

forged: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.forged_requests $(REQUESTS)

typed: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.studio_texts $(TEXTS) 7

stores: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.store_trials

workers: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.worker_trials

TURNS ?= 5

scaling: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.cluster_scaling $(TURNS)

INPUTS ?= 100000
SHELLS ?= 200

fuzz: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.fuzz $(INPUTS)
	@$(SUPPORT) $(BIN)/python -m support.fuzz $(SHELLS) --processes

examples: .venv/.installed-dev
	$(BIN)/pytest -n 2 --hypothesis-profile=check $$(grep -rl '^from hypothesis' tests --include='test_*.py')

processors: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.same_records

lockstep: .venv/.installed-dev
	$(SUPPORT) $(BIN)/python -m support.mass_lockstep $(GAMES)

mice_lockstep: .venv/.installed-dev
	$(SUPPORT) $(BIN)/python -m support.mice_and_mystics.mass_lockstep $(GAMES)

invariants: .venv/.installed-dev
	$(SUPPORT) $(BIN)/python -m support.mass_invariants $(GAMES)

mice_invariants: .venv/.installed-dev
	$(SUPPORT) $(BIN)/python -m support.mice_and_mystics.mass_invariants $(GAMES)

mice_distributions: .venv/.installed-dev
	$(SUPPORT) $(BIN)/python -m support.mice_and_mystics.distributions docs/data/mice_and_mystics_distributions.csv $(GAMES)

goldens: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.goldens $(ONLY)

truths: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.planted_table $(ONLY)

PLAYERS ?= heuristic learned search:25 search:400

puzzles: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.puzzles $(PLAYERS)

regret: PLAYERS = expert search:16 search:64 search:400 search:1600
regret: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.regret $(GAMES) $(PLAYERS)

verdicts: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.verdicts_of_record runs/verdicts docs

agreement: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.agreement runs/agreement

spreads: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.player_spread runs/spreads

strong: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.strong_play runs/strong first_contact beyond_eternity

unseen: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.unseen_cards runs/unseen 15

small_files: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.small_files

machines: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.poor_machines

rebalance_truths: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.rebalance_truths

LOGS ?= 60

playtest_truths: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.planted_playtests $(LOGS)

SEEDS ?= 200

positions: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.mice_and_mystics.fit_positions

stories: GAMES = 2000
stories: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.told_stories runs/stories $(GAMES) docs/figures

prices: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.price_lists runs/price_lists $(ONLY)

story_truths: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.planted_stories $(SEEDS)

MINUTES ?= 60

studio_hour: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.studio_hour $(MINUTES)

studio_first: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.studio_first $(TURNS)

counts: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.count_branches

notebooks: .venv/.installed-dev
	$(BIN)/jupyter execute --inplace --NotebookClient.record_timing=False reports/notebooks/*.ipynb

words: .venv/.installed-dev
	@$(SUPPORT) $(BIN)/python -m support.words

bench: .venv/.installed
	$(BIN)/fairdeal bench

wheels: .venv/.installed
	PYTHONPATH=tests $(BIN)/python -m support.wheel_trials

versions: .venv/.installed-release
	PYTHONPATH=tests $(BIN)/python -m support.wheel_trials lowest-direct highest

# What the wheel was tried with on the first Python: versions, licences, who needs whom.
bom: .venv/.installed-release
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --of JSON \
	  -o build/fairdeal.cdx.json $(firstword $(wildcard build/wheels/3.*/bin/python))

docs: .venv/.installed-dev
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html docs build/docs

lint: .venv/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build *.egg-info
	find card_data simcore analysis reports tests -name __pycache__ -type d -exec rm -rf {} +

.venv/.installed: pyproject.toml locks/run.txt locks/build.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo 'fairdeal needs Python 3.11, 3.12 or 3.13; name one: make PYTHON=python3.12 ...' >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@echo 'fetching packages:'; $(call LOCKED,--no-compile -r locks/run.txt -r locks/build.txt)
	$(PIP) --quiet --no-deps --no-build-isolation -e .
	@touch $@

.venv/.installed-dev: .venv/.installed locks/dev.txt
	@echo 'fetching packages for tests:'; $(call LOCKED,-r locks/dev.txt)
	@touch $@

.venv/.installed-release: .venv/.installed locks/release.txt
	@echo 'fetching packages for releases:'; $(call LOCKED,-r locks/release.txt)
	@touch $@

# One resolution for every system and Python: what is in dev is in the same version everywhere.
EXTRAS := cluster docs notebook release rl storage studio
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --custom-compile-command 'make locks' $(UPGRADE)

locks: .venv/.installed-release
	$(LOCK) --extra dev pyproject.toml -o locks/dev.txt
	$(LOCK) -c locks/dev.txt pyproject.toml -o locks/run.txt
	for extra in $(EXTRAS); do \
	  $(LOCK) -c locks/dev.txt --extra $$extra pyproject.toml -o locks/$$extra.txt || exit; \
	done
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])' | \
	  $(LOCK) -c locks/dev.txt - -o locks/build.txt
