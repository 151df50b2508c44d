"""Every command takes an address of a store where it takes a folder.

The store is an S3 server on loopback that is started for this file.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.runs import open_run
from analysis.tables import analyze
from card_data.checksums import CHECKSUMS, checksum, read_checksums
from simcore.places import located
from support.store_server import BUCKET, SECRET, Store, store_server
from support.store_trials import QUICK, tried

POLICY = ("--policy", "random")


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    """The server."""
    with store_server() as server:
        yield server


@pytest.fixture
def address(store: Store) -> str:
    """An address that no other test has."""
    return f"s3://{BUCKET}/{uuid.uuid4().hex}"


def objects(address: str) -> dict[str, bytes]:
    """All objects below an address."""
    folder = located(address)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*")}


def test_a_run_from_beginning_to_end(ask, address: str) -> None:
    """Played, analysed, shown, replayed: as in a folder here, and byte by byte the same."""
    for folder in (f"{address}/a", "a"):
        answer = ask("simulate", "first_contact", *POLICY, "--games", 1_500, "--out", folder).done()
        assert answer.out.startswith(f"run: {folder}\n")
        assert ask("analyze", folder, "--card-games").status == 0
    answer = ask("report", f"{address}/a", "--json")
    assert (answer.status, answer.err) == (0, "")
    assert json.loads(answer.out)["page"] == f"{address}/a/report.html"
    there, here = objects(f"{address}/a"), Path("a")
    assert {"report.html", "figures/card_strength.svg", "about.json"} <= {*there}
    for path in here.rglob("*"):
        # The other two name the page, where there is one.
        if path.is_file() and path.name not in ("about.json", CHECKSUMS):
            assert there[path.relative_to(here).as_posix()] == path.read_bytes(), path
    said = {where: read_checksums(located(where)) for where in (f"{address}/a", "a")}
    more, fewer = said[f"{address}/a"], said["a"]
    assert more is not None and fewer is not None and fewer.files
    assert more.files.items() > fewer.files.items()
    assert more.files["report.html"] == checksum(there["report.html"])
    assert not any(SECRET.encode() in data for data in there.values())
    assert ask("replay", f"{address}/a", 7).out == ask("replay", "a", 7).out
    assert len(open_run(f"{address}/a").games(["game"])) == 1_500


def test_runs_in_a_store_are_looked_after(ask, address: str) -> None:
    """Merged, verified, repaired, pruned and listed."""
    for name, seed in (("a", 0), ("b", 5)):
        played = ("--games", 1_500, "--seed", seed, "--out", f"{address}/{name}")
        assert ask("simulate", "first_contact", *POLICY, *played).status == 0
    assert ask("runs", "merge", f"{address}/a", f"{address}/b", "--out", f"{address}/c").status == 0
    assert ask("analyze", f"{address}/c").status == 0
    assert ask("runs", "verify", address).out.endswith("everything is as it should be\n")
    (located(address) / "c" / "games" / "part-00002.parquet").unlink()
    assert ask("runs", "verify", address).status == 2
    assert ask("runs", "repair", f"{address}/c").status == 0
    assert ask("runs", "prune", f"{address}/c", "--yes").status == 0
    assert not (located(address) / "c" / "tables").exists()
    listed = ask("runs", address)
    assert (listed.status, listed.out.count("First Contact")) == (0, 3)
    assert (located(address) / "index.html").is_file()


@pytest.mark.usefixtures("redrawn")
def test_an_experiment_writes_to_a_store(ask, address: str) -> None:
    """A sensitivity analysis is played there, recognised as finished, and read again."""
    command = ("sensitivity", "axolotl_healer", "first_contact", *POLICY, "--games", 64)
    first = ask(*command, "--out", address).done()
    assert {"sensitivity.json", "sensitivity.html", "games/base.parquet"} <= {*objects(address)}
    before = objects(address)
    assert ask(*command, "--out", address).out == first.out
    assert objects(address) == before


@pytest.mark.parametrize("name", QUICK)
def test_a_command_that_computes_takes_an_address(
    store: Store, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked twice it says the same and adds nothing; `make stores` tries those that take longer."""
    monkeypatch.chdir(tmp_path)
    found = tried(name, store)
    assert found.objects > 2
    assert not [*tmp_path.iterdir()]


def test_what_is_wrong_with_an_address_is_one_message(ask, store: Store) -> None:
    """No run there, no bucket, a password, an unknown kind of address."""
    for words, message in (
        (("analyze", f"s3://{BUCKET}/nothing"), "does not exist"),
        (("report", "s3://no-bucket/run"), "does not exist"),
        (
            ("simulate", "first_contact", *POLICY, "--games", 9, "--out", "s3://no-bucket/run"),
            "there is no such bucket",
        ),
        (("runs", "s3://me:hush@here/bucket"), "holds credentials"),
        (("runs", "verify", "memry://bucket/run"), "did you mean 'memory'"),
    ):
        answer = ask(*words)
        assert answer.status == 2, words
        assert message in answer.err, words
        assert "hush" not in answer.err


def test_memory_is_a_store_too(address: str) -> None:
    """In a notebook a run can lie in the memory of the process."""
    from card_data.mindbug import load_pool
    from simcore.mindbug.play.run import new_run
    from simcore.work.runs import run_games

    folder = f"memory://{uuid.uuid4().hex}"
    run_games(new_run(load_pool(["first_contact"]), n_games=200), folder)
    assert open_run(folder).n_games == 200
    assert set(analyze(folder)) >= {"cards", "summary"}
