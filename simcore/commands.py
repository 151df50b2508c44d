"""Commands as a person types them: every command that is printed as advice is written here."""

from collections.abc import Iterator, Sequence
from shlex import join


def command(*words: object, **options: object) -> str:
    """A command with its options, quoted for a shell.

    An option that is None or False is left out, True is said by its name alone, and one with a list
    of values is said once for each of them.
    """
    return join(["fairdeal", *map(str, words), *option_words(**options)])


def option_words(**options: object) -> list[str]:
    """The words that say options, as `command` has them."""
    return [word for name, value in options.items() for word in _said(name, value)]


def as_policy(players: Sequence[str]) -> str:
    """Who plays, one for each seat, as ``--policy`` says it."""
    return players[0] if len({*players}) == 1 else ":".join(players)


def _said(name: str, value: object) -> Iterator[str]:
    option = f"--{name.strip('_').replace('_', '-')}"
    for one in value if isinstance(value, (list, tuple)) else [value]:
        if one is True:
            yield option
        elif one is not None and one is not False:
            yield from (option, str(one))
