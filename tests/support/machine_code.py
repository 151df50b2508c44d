"""Compile kernels of the package, for a wheel: ``python -m support.machine_code FOLDER [CALLS]``.

They are compiled for the processor that NUMBA_CPU_NAME names, and laid into the folder as
`simcore.jit.shipped` reads them: all, or those of the first ``CALLS``.  The same sources, versions
and order make the same bytes.
"""

import ast
import lzma
import os
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import analysis
import simcore
from analysis.mindbug.paired_sums import PairCounter
from card_data.cache import cache_folder, read_kept, sealed
from card_data.mindbug import load_pool
from reports.cli.app import run
from simcore.contract.network import Network, Samples, fit
from simcore.jit import compile_all, is_compiled
from simcore.jit.shipped import COMPILER
from simcore.mice_and_mystics.play.simulate import compile_engine as compile_mice
from simcore.mindbug import Game, Side, compile_cards
from simcore.mindbug.face.options import _offered_pair, _waiting
from simcore.mindbug.face.set_up import _turn_card
from simcore.mindbug.play.coverage import count_abilities
from simcore.mindbug.play.network_fit import compile_fitting
from simcore.mindbug.play.own_view import SIGHT, names_of, show
from simcore.mindbug.play.simulate import (
    compile_considered,
    compile_engine,
    compile_with_functions,
    deal_games,
)
from simcore.mindbug.play.training import fit_positions
from simcore.mindbug.players.policies import thinking
from simcore.mindbug.players.weights import own_weights
from simcore.mindbug.table.records import GAME_RECORD
from simcore.mindbug.table.state import GAME_STATE

_POOL = load_pool(["first_contact"])
_TABLE, _NO_GAMES = compile_cards(_POOL), np.empty(0, GAME_RECORD)
#: What takes long, and is compiled on all processors; the tests use all of it.  It is one family:
#: whoever compiles it leaves no processor idle, and to prepare shared kernels twice takes longer.
CALLS: tuple[Callable[[], object], ...] = (
    compile_mice,
    compile_considered,
    compile_with_functions,
    partial(compile_engine, plain=False),
    partial(compile_engine, plain=True),
    partial(thinking, False),
    partial(thinking, True),
    partial(count_abilities, _TABLE, n_games=1),
    partial(fit_positions, [_TABLE], own_weights("heuristic"), n_games=9, seed=0),
)
#: Commands that call most of the rest, and a player of their own.
_PLAYER = "def draw(seen):\n    return seen.random.randrange(len(seen.options))\n"
_COMMANDS = (
    "simulate first_contact --policy random --games 99 --threads 1 --out one",
    "simulate first_contact --policy own.py:draw --games 1 --threads 1 --out own",
    "analyze one --threads 1",
    "replay one 7",
    "simulate ch1_flight_to_barksburg --policy own.py:draw --games 1 --threads 1 --out mice",
    "replay mice 0",
    "story ch1_flight_to_barksburg --games 20 --threads 1 --out told",
)
_DECORATORS = {"cached_kernel", "plain_kernel"}


def entries() -> list[str]:
    """All kernels of the package that are called from Python, as "module.kernel"."""
    found = []
    for package in (simcore, analysis):
        root = Path(package.__path__[0])
        for file in sorted(root.rglob("*.py")):
            module = ".".join(file.relative_to(root.parent).with_suffix("").parts)
            found += [
                f"{module}.{node.name}"
                for node in ast.parse(file.read_text("utf-8")).body
                if isinstance(node, ast.FunctionDef)
                and _DECORATORS & {ast.unparse(one) for one in node.decorator_list}
            ]
    return found


def compile_entries() -> None:
    """Compile all of them.  Raises RuntimeError if a command fails or any is left out."""
    compile_all([CALLS])
    compile_fitting()
    seen = Samples(np.zeros((1, 1)), np.zeros((1, 2), np.int64), np.zeros((1, 2)))
    fit(Network.ignorant(1), [(seen, 0.5)], rounds=1, step=1.0, seed=0).value(seen.seen[0])
    deal_games(_TABLE, seed=0, games=np.arange(1))
    PairCounter(_POOL, _POOL, ("random", "random")).count(_NO_GAMES, _NO_GAMES)
    Game.from_position(_TABLE, (Side(), Side()))
    states = np.zeros(1, GAME_STATE)
    _turn_card(_TABLE.rows, states, np.int64(0), np.int64(0))
    _waiting(states, 0)
    _offered_pair(states, np.int64(0))
    show(states, _TABLE.rows, names_of(_TABLE), np.zeros(1, SIGHT))
    said = StringIO()
    with TemporaryDirectory() as folder, chdir(folder):
        Path("own.py").write_text(_PLAYER)
        for command in _COMMANDS:
            with redirect_stdout(said), redirect_stderr(said):
                status = run(command.split())
            if status:
                raise RuntimeError(f"fairdeal {command}: {said.getvalue()}")
    if missing := [name for name in entries() if not is_compiled(name)]:
        raise RuntimeError(f"nothing has compiled {', '.join(missing)}")


def lay_out(folder: Path) -> None:
    """Write all that this process has compiled as a wheel holds it."""
    kernels = cache_folder() / "kernels"
    for file in sorted(kernels.rglob("*.nbc")):
        name = file.relative_to(kernels).as_posix()
        content = read_kept(f"kernels/{name}")
        assert content is not None
        packed = folder / COMPILER / f"{name}.xz"
        packed.parent.mkdir(parents=True, exist_ok=True)
        packed.write_bytes(lzma.compress(sealed(name, content), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    with TemporaryDirectory() as cache:
        os.environ["NUMBA_CACHE_DIR"] = cache
        if sys.argv[2:]:
            compile_all([CALLS[: int(sys.argv[2])]])
        else:
            compile_entries()
        lay_out(Path(sys.argv[1]))
