"""Every word of the vocabulary has its branch in each kernel that chooses by it, or it is an error.

The first half reads the kernels: what each of them names.  The second half plays with words that
no kernel knows.
"""

import ast
import inspect
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import IntEnum
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import card_data.mindbug.vocabulary as vocabulary
import simcore.mindbug
from card_data.mindbug import adjustments, load_sets
from card_data.mindbug.language import phrases
from card_data.mindbug.vocabulary import (
    Choice,
    Comparison,
    Effect,
    Extreme,
    Keyword,
    Quantity,
    Rule,
    Ruling,
    Side,
    Timing,
    Trigger,
    WhoStarts,
    Zone,
)
from card_data.phrases import paths
from reports.cli.app import run
from simcore.mindbug import CardTable, Game, compile_cards, play_games
from simcore.mindbug.face import replay_text as words
from simcore.mindbug.face.replay import replay_game
from simcore.mindbug.rules import (
    deal,
    fast_effects,
    general_choices,
    general_effects,
    groups,
    legality,
    powers,
    turn_rules,
)
from simcore.mindbug.table import compile_cards as tables
from simcore.mindbug.table import state, unknown_words
from simcore.mindbug.table.unknown_words import UnknownWordError
from support import reference_language
from support.purpose_made import made_table

# --------------------------------------------------------------------------------------------------
# What kernels name
# --------------------------------------------------------------------------------------------------

LISTS = {
    name: words
    for name, words in vars(vocabulary).items()
    if isinstance(words, type) and issubclass(words, IntEnum) and words is not IntEnum
}
Word = tuple[str, str]


def _words_in(node: ast.AST) -> set[Word]:
    """The words that an expression names: ``Effect.DEFEAT``."""
    return {
        (part.value.id, part.attr)
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name)
        and part.value.id in LISTS
        and part.attr in LISTS[part.value.id].__members__
    }


@cache
def _constants(module: ModuleType) -> dict[str, set[Word]]:
    """The words that each constant of a module stands for, imported ones included."""
    found: dict[str, set[Word]] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("simcore.mindbug."):
            theirs = _constants(import_module(str(node.module)))
            found |= {one.name: theirs[one.name] for one in node.names if one.name in theirs}
        elif isinstance(node, ast.Assign):
            (target,), value = node.targets, node.value
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                for name, part in zip(target.elts, value.elts, strict=True):
                    found[ast.unparse(name)] = _words_in(part)
            else:
                found[ast.unparse(target)] = _words_in(value)
    return found


@cache
def _named_in(module: ModuleType, function: str) -> set[Word]:
    """The words that a function of a module names, itself or through constants."""
    body = next(
        node
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.FunctionDef) and node.name == function
    )
    constants = _constants(module)
    names = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)}
    return _words_in(body).union(*(constants.get(name, set()) for name in names))


def named(words: type[IntEnum], module: ModuleType, *functions: str) -> set[str]:
    """The words of one list that some functions of a module name."""
    found = set().union(*(_named_in(module, function) for function in functions))
    return {word for kind, word in found if kind == words.__name__}


def unnamed(words: type[IntEnum], places: Mapping[str, Iterable[object]]) -> list[str]:
    """What has to be written, and in which file, for words of a list that a place does not have.

    No place has a word too many.
    """
    missing = []
    for place, table in places.items():
        known = {one.name if isinstance(one, IntEnum) else one for one in table}
        assert known <= set(LISTS[words.__name__].__members__)
        missing += [f"{place} for {w.name!r}" for w in words if w.name not in known]
    return missing


def _every(words: type[IntEnum]) -> set[str]:
    """The words that any kernel of the engine names."""
    folder = Path(simcore.mindbug.__path__[0])
    modules = [
        import_module(".".join(file.relative_to(folder.parents[1]).with_suffix("").parts))
        for file in sorted(folder.rglob("[a-z]*.py"))
    ]
    modules = [module for module in modules if module is not unknown_words]
    found = set()
    for module in modules:
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.FunctionDef):
                found |= named(words, module, node.name)
    return found


_KERNEL = "no kernel in simcore/mindbug/rules"
_TABLE = "no entry in simcore/mindbug/table/compile_cards.py"
_LINE = "no phrase in card_data/mindbug/language/phrases.txt"
_SLOW = "no entry in tests/support/reference_language.py"
#: For each list: every table in Python and every group of kernels that chooses by it, under what is
#: missing, and where, for a word that it does not have.
DISPATCH: dict[type[IntEnum], Callable[[], Mapping[str, Iterable[object]]]] = {
    Effect: lambda: {
        _LINE: _said(Effect),
        f"{_KERNEL}/general_effects.py": named(
            Effect,
            general_effects,
            "_perform_general",
            "_apply_to_creatures",
            "_apply_to_totals",
            "_apply_to_cards",
            "_apply_to_more_cards",
        ),
        f"{_KERNEL}/legality.py": (
            named(Effect, legality, "_can_do", "_can_do_one", "_can_move", "_can_take")
            | named(Effect, legality, "_picks_creatures")
        ),
        "no weight in simcore/mindbug/players/heuristic.toml": _weighed("heuristic"),
        "no weight in simcore/mindbug/players/learned.toml": _weighed("learned"),
        f"{_SLOW} (_POSSIBLE)": reference_language._POSSIBLE,
        f"{_SLOW} (_DO)": reference_language._DO,
    },
    Rule: lambda: {
        f"{_TABLE} (_TRAIT_OF_RULE)": tables._TRAIT_OF_RULE,
        _KERNEL: _every(Rule),
        _LINE: _said(Rule),
    },
    Quantity: lambda: {f"{_KERNEL}/powers.py": named(Quantity, powers, "_quantity", "_value")},
    Comparison: lambda: {
        f"{_KERNEL}/powers.py": named(Comparison, powers, "_holds_alone"),
        _LINE: _said(Comparison),
        _SLOW: reference_language._COMPARE,
    },
    Choice: lambda: {
        f"{_KERNEL}/fast_effects.py": named(Choice, fast_effects, "_begin_creatures"),
        f"{_KERNEL}/general_choices.py": named(Choice, general_choices, "_begin_picks"),
    },
    Extreme: lambda: {f"{_KERNEL}/groups.py": named(Extreme, groups, "_filter")},
    Side: lambda: {
        f"{_KERNEL}/groups.py": named(Side, groups, "_twins"),
        f"{_TABLE} (_NAMES_ALLIED)": tables._NAMES_ALLIED,
        f"{_TABLE} (_NAMES_ENEMY)": tables._NAMES_ENEMY,
    },
    Zone: lambda: {f"{_KERNEL}/legality.py": named(Zone, legality, "_fitting_cards")},
    Trigger: lambda: {
        "no trait in simcore/mindbug/table/state.py": [
            Trigger(number) for number in range(len(state.TRIGGER_TRAIT))
        ],
        _KERNEL: _every(Trigger),
        "no name in simcore/mindbug/face/replay_text.py": words.TRIGGERS,
    },
    Timing: lambda: {
        _TABLE: tables._TURNS,
        _LINE: _said(Timing),
    },
    WhoStarts: lambda: {
        f"{_KERNEL}/deal.py": named(WhoStarts, deal, "_first_player"),
        "no entry in card_data/mindbug/adjustments.py": [
            way.upper() for way in (*adjustments._BY_CHANCE, *adjustments._BY_HANDS)
        ],
    },
    Ruling: lambda: {_KERNEL: _every(Ruling)},
    Keyword: lambda: {
        "no trait in simcore/mindbug/table/state.py": [
            Keyword(number) for number in range(state.N_KEYWORDS)
        ],
    },
}


def _said(words: type[IntEnum]) -> set[IntEnum]:
    """The words of a list that phrases of the card language have among their fields."""
    values = [value for phrase in phrases.table().phrases for _, value in paths(phrase.fields)]
    return {value for value in values if isinstance(value, words)}


def _weighed(policy: str) -> set[str]:
    """The effects that a file of weights has points for."""
    path = Path(simcore.mindbug.__path__[0], "players", f"{policy}.toml")
    return {word.upper() for word in tomllib.loads(path.read_text())["effect"]}


def with_one_more(words: type[IntEnum]) -> Any:
    """The list with a made-up word at its end."""
    return IntEnum(words.__name__, [*words.__members__, "MADE_UP"], start=0)


def test_every_list_is_looked_at() -> None:
    """No list of the vocabulary is left out; Player is a bit that flips the sides."""
    assert {*DISPATCH, vocabulary.Player} == {*LISTS.values()}
    assert len(vocabulary.Player) == 2


@pytest.mark.parametrize("words", DISPATCH, ids=lambda words: words.__name__)
def test_every_word_has_its_branch(words: type[IntEnum]) -> None:
    """Nothing is missing; what is would be named with the file that it belongs into."""
    missing = unnamed(words, DISPATCH[words]())
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("words", DISPATCH, ids=lambda words: words.__name__)
def test_a_word_without_a_branch_is_found(words: type[IntEnum]) -> None:
    """A word that is added to a list without a kernel is named, in each of its tables."""
    places = DISPATCH[words]()
    assert unnamed(with_one_more(words), places) == [f"{place} for 'MADE_UP'" for place in places]
    assert len(words) <= 64  # sets of words are bits of one number


def test_fast_effects_are_known() -> None:
    """The base game's effects are exactly those for which the card table asks for it."""
    assert named(Effect, fast_effects, "_apply") == {effect.name for effect in tables._FAST}


def test_what_lasts_this_turn_is_known() -> None:
    """Rules that can hold for a turn are those that the language can say of one."""
    said = {
        phrase.fields["rule"]["rule"].name
        for phrase in phrases.table().phrases
        if phrase.fields.get("effect") is Effect.THIS_TURN
    }
    assert named(Rule, turn_rules, "_last_this_turn") == said
    assert said


# --------------------------------------------------------------------------------------------------
# What happens at run time
# --------------------------------------------------------------------------------------------------

#: What cards say, and the column of the table in which one word becomes one too many.
PLACES: dict[str, tuple[str, str, str, IntEnum]] = {
    "a fast effect": ("gain 1 life", "instructions", "effect", Effect.GAIN_LIFE),
    "a general effect": ("exchange hands", "instructions", "effect", Effect.EXCHANGE_HANDS),
    "a question": ("you may gain 1 life", "instructions", "effect", Effect.GAIN_LIFE),
    "a mode": (
        "choose one: gain 1 life; or lose 1 life", "instructions", "effect", Effect.GAIN_LIFE,
    ),
    "a choice": ("defeat a creature", "instructions", "choice", Choice.EXACTLY),
    "a longer choice": ("return a creature from play", "instructions", "choice", Choice.EXACTLY),
    "a place": (
        "draw a card from your discard pile", "instructions", "zone", Zone.DISCARD_PILE,
    ),
    "a condition": ("if your life > 0, gain 1 life", "conditions", "comparison", Comparison.MORE),
    "a joined condition": (
        "if your life > 0 and your hand >= 0, gain 1 life", "conditions", "comparison",
        Comparison.AT_LEAST,
    ),
    "a quantity": ("if your life > 0, gain 1 life", "values", "quantity", Quantity.LIFE),
    "a repetition": (
        "gain 1 life for each of your Mindbugs", "values", "quantity", Quantity.MINDBUGS,
    ),
    "this turn": ("allied creatures have +1 power this turn", "rules", "rule", Rule.POWER),
}  # fmt: skip


def broken(line: str, rows: str, column: str, word: IntEnum) -> CardTable:
    """A table in which a line of many cards has a word that no kernel knows in place of a word."""
    table = made_table({"probe": {"play": line, "copies": 20}})
    record = table.rows.copy()
    values = record[0][rows][column]
    values[values == word] = len(type(word))
    return replace(table, rows=record, judged={})


@pytest.mark.parametrize("place", PLACES)
def test_an_unknown_word_ends_in_an_error(place: str) -> None:
    """No other word's effect is played in its place: whole games and single steps are refused."""
    table, words = broken(*PLACES[place]), type(PLACES[place][3])
    message = f"no kernel for number {len(words)} of the word list {words.__name__}"
    with pytest.raises(UnknownWordError, match=message):
        play_games(table, n_games=200, seed=1)
    with pytest.raises(UnknownWordError, match=message):
        play_on(table)


def play_on(table: CardTable, policy: str = "random") -> None:
    """Play games step by step."""
    for number in range(200):
        game = Game(table, seed=1, game=number)
        while not game.over:
            game.step(game.choose(policy))


def test_players_who_think_and_search_are_refused_alike() -> None:
    """What a player only imagines counts as well; also where restrictions are asked about."""
    table = broken(*PLACES["a condition"])
    players = ("heuristic", "search:20", "expert", "random-hunts")
    for policies in ((player, "random") for player in players):
        with pytest.raises(UnknownWordError, match="Comparison"):
            play_games(table, n_games=100, seed=1, policies=policies)
    for player in ("search:20", "expert"):
        with pytest.raises(UnknownWordError, match="Comparison"):
            play_on(table, player)


def test_a_way_to_start_that_nobody_knows() -> None:
    """Dealing is refused, of whole games and of one."""
    table = made_table({"probe": {}})
    record = table.rows.copy()
    record[0]["who_starts"] = len(WhoStarts)
    table = replace(table, rows=record, judged={})
    for play in (lambda: play_games(table, n_games=1), lambda: Game(table)):
        with pytest.raises(UnknownWordError, match="word list WhoStarts"):
            play()


def test_a_made_up_word_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that the vocabulary has, and no kernel, is told by its name: games and replays."""
    monkeypatch.setattr(unknown_words, "LISTS", (with_one_more(Effect), *unknown_words.LISTS[1:]))
    monkeypatch.setattr("simcore.mindbug.face.game.Effect", with_one_more(Effect))
    table = broken(*PLACES["a general effect"])
    with pytest.raises(UnknownWordError, match="no kernel for MADE_UP of the word list Effect"):
        play_games(table, n_games=200)
    with pytest.raises(UnknownWordError, match="no kernel for MADE_UP of the word list Effect"):
        list(map(partial(told, table), range(200)))


def told(table: CardTable, game: int) -> Any:
    """The replay of a game."""
    return replay_game(table, seed=0, game=game)


def test_a_rule_without_a_trait_is_refused_when_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A constant ability that no kernel would ask for is not left out silently."""
    monkeypatch.delitem(tables._TRAIT_OF_RULE, Rule.CANNOT_BLOCK)
    with pytest.raises(UnknownWordError, match="CANNOT_BLOCK of the word list Rule"):
        compile_cards(load_sets(["first_contact"]))


def test_the_environment_refuses_it_too() -> None:
    """Programs that learn get the error, and no reward."""
    pettingzoo = pytest.importorskip("pettingzoo")
    assert pettingzoo
    from simcore.mindbug.face.environment import environment

    env = environment(["first_contact"])
    env.layout = type(env.layout)(broken(*PLACES["a fast effect"]))

    def play(seed: int) -> None:
        env.reset(seed=seed)
        while env.agents:
            env.step(env.choose("random"))

    with pytest.raises(UnknownWordError, match="word list Effect"):
        list(map(play, range(200)))


def test_the_command_line_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One message, exit status 2, and no part of a run that anybody could count."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "simcore.mindbug.play.setup.compile_cards", lambda *_: broken(*PLACES["a fast effect"])
    )
    assert (
        run(["simulate", "first_contact", "--policy", "random", "--games", "300", "--out", "run"])
        == 2
    )
    told = capsys.readouterr()
    assert "the engine has no kernel for number 36 of the word list Effect" in told.err
    assert "Traceback" not in told.err
    assert not list(tmp_path.rglob("part-*.parquet"))
