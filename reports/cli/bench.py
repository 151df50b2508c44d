"""The command `fairdeal bench`."""

from typing import Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError, as_input_error, print_json, print_table, progress
from reports.cli.games import chosen_game
from reports.cli.options import Json, decimal
from reports.games import options_said, reports_of


def bench(
    *named: Annotated[
        str,
        Parameter(
            name="SET",
            help="What to measure. {measured} Default: everything that comes with fairdeal.",
        ),
    ],
    seconds: Annotated[
        float,
        Parameter(
            converter=decimal, help="Seconds for each measurement; each is repeated fifteen times."
        ),
    ] = 0.2,
    as_json: Json = False,
    **said: Any,
) -> None:
    """Measure how many games a second this machine plays, for each game and player.

    The last column compares decisions a second with those of what the weakest player plays fastest.
    That is also played in several threads, without and with writing the records. Compiling is not
    counted.
    """
    if not 0 < seconds <= 60:
        raise InputError(f"--seconds is {seconds:g}; it must be above 0 and at most 60")
    asked = dict(said)
    if named or any(map(options_said, said.values())):
        game, options = chosen_game(said, named)
        asked = {game: options}
    speeds = {}
    with as_input_error():
        measured = {game: options.measured(named) for game, options in asked.items()}
        for game, playing in measured.items():
            from simcore.speed import measure_speed

            if playing is None:
                continue

            reports_of(game).compile_engine(playing.policies)
            with progress("measuring") as advance:
                speeds[game] = measure_speed(playing, seconds=seconds, on_progress=advance)
    if as_json:
        print_json(speeds if len(speeds) > 1 else next(iter(speeds.values())))
        return
    for number, (game, found) in enumerate(speeds.items()):
        if number:
            print()
        _print_speeds(reports_of(game).title, found)


def _print_speeds(title: str, speeds: dict[str, Any]) -> None:
    """What was measured of a game, as tables."""
    machine = ", ".join(f"{name} {value}" for name, value in speeds["machine"].items())
    print(f"{title}: games a second, best and median ({machine})\n")
    print_table(
        ("one thread", "policy", "best", "median", "decisions/s", f"of {speeds['fastest']}"),
        [
            (*_names(row), *_rates(row), f"{row['decisions']:,.0f}", f"{row['ratio']:.2f}")
            for row in speeds["engine"]
        ],
        right=(2, 3, 4, 5),
    )
    for name, title, ratio in (
        ("threads", "the engine alone", "of one thread"),
        ("records", "with every record written", "of the engine alone"),
    ):
        print(f"\n{title}, {speeds[name][0]['pool']}")
        rows = [(row["threads"], *_rates(row), f"{row['ratio']:.2f}") for row in speeds[name]]
        print_table(("threads", "best", "median", ratio), rows, right=(0, 1, 2, 3))


def _names(row: dict[str, Any]) -> tuple[str, str]:
    return row["pool"], row["policy"]


def _rates(row: dict[str, Any]) -> tuple[str, str]:
    return f"{row['best']:,.0f}", f"{row['median']:,.0f}"
