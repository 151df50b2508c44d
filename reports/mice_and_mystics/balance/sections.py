"""The sections of the report of a run of Mice & Mystics, in their order.

Nothing is estimated here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from analysis.confidence import confidence_said
from analysis.runs import Run
from card_data.mice_and_mystics.changes import OF_ENTRIES
from reports.balance.report import Report
from reports.balance.sections import (
    Block,
    Downloads,
    Figures,
    Grid,
    Section,
    Tab,
    Terms,
    Text,
    charted,
)
from reports.compare.page import comparison_columns
from reports.kit.page import with_code
from reports.kit.stopping_text import rule_text
from reports.kit.words import games, listed
from reports.mice_and_mystics.balance import rows
from reports.mice_and_mystics.balance.text import stronger_sections
from reports.mice_and_mystics.compare import subject_of, words_of
from reports.mice_and_mystics.run_text import changed_settings
from simcore.commands import as_policy, command
from simcore.mice_and_mystics.play.run import FACTS_FILE

_OBSERVED = (
    "Won when owned, drawn, equipped or used is observed: long games see more of everything, so"
    " these win rates do not say what the card does."
)
_WORTH = (
    "Drawn at random when a game is set up, so the difference is what it does. Percentage points"
    " with 95% intervals that hold for all rows together; \u201cof all known\u201d is the same"
    " number drawn towards zero by what is known of all the others, with an interval for each row"
    " alone."
)


def tabs(report: Report, own: Mapping[tuple[str, str], str]) -> list[Tab]:
    """The tabs of the page, and the sections of all formats.

    ``own`` are a designer's own entries by kind and id, which stand first and are marked.
    """
    again = partial(_command, report.run, is_own=bool(own))
    mine: dict[str, dict[str, str]] = {kind: {} for kind in OF_ENTRIES}
    for (kind, entry), what in own.items():
        mine[kind][entry] = what
    return [
        Tab("Compared", _before(report)),
        Tab("Who wins", [_parties(report, again), *stronger_sections(report.tables)]),
        Tab("Page clock", [_clock(), _rooms(report), _room_costs(report)]),
        Tab("Heroes", [_heroes(report, mine["heroes"], again), _pairs(report)]),
        Tab("Encounters", [_encounters(report, mine["encounters"])]),
        Tab(
            "Cards",
            [
                _abilities(report, mine["abilities"]),
                _search_cards(report, mine["search_cards"]),
            ],
        ),
        Tab("Fights and cheese", [*_fights(report), _cheese()]),
        Tab("How sure", _sure(report)),
        Tab("Method", [_method(report), _counters(report), _run(report)]),
    ]


def _before(report: Report) -> list[Section]:
    """What differs from an earlier run."""
    if report.before is None:
        return []
    name = report.before.base.folder.resolve().name
    played, found = words_of(report.before)
    columns = comparison_columns(subject_of)
    lines = Grid.of(columns, report.before.table, "Table of differences", "sortable")
    return [
        Section(
            "before",
            f"Compared with {name}",
            [
                Text(f"An earlier run: {played}."),
                Terms(found, "findings"),
                lines,
                Downloads.of("comparison"),
            ],
        )
    ]


def _command(
    run: Run, asked: str, *, is_own: bool, party: str | None = None, switches: Sequence[str] = ()
) -> str:
    """A command about what the run has played, of another ``party`` or with more ``switches``.

    The facts of what ``is_own`` are those that the run keeps.
    """
    manifest = run.manifest
    named = [manifest["chapter"], *([str(run.folder / FACTS_FILE)] if is_own else [])]
    players = {} if asked == "skill" else {"policy": as_policy(manifest["policies"])}
    seed = manifest["seed"] if isinstance(manifest["seed"], int) else 0
    return command(
        *(asked, "+".join(named)),
        party=party or ",".join(manifest["party"]) or "all",
        set=[*changed_settings(manifest), *switches],
        **players,
        seed=seed or None,
        confidence=confidence_said(),
    )


def _parties(report: Report, again: Callable[..., str]) -> Section:
    """How often each party wins."""
    parties = report.tables["parties"]
    blocks: list[Block] = [Figures.of("parties")]
    if len(parties) == 1:
        blocks = [
            Text(
                with_code(
                    "One party was played. To compare every legal party:"
                    f" `{again('balance', party='all')}`"
                )
            ),
        ]
    strongest = rows.without_gaps(parties, "win_rate")
    return Section(
        "parties",
        "Who wins",
        [
            *blocks,
            Text(
                with_code(
                    "How much of this is luck, and how much it matters who plays:"
                    f" `{again('skill')}`. What would make it fair:"
                    f" `{again('rebalance')}`."
                )
            ),
            Text("Shares in per cent with 95% intervals; other numbers are means.", hint=True),
            Grid.of(rows.party_columns(), strongest, "Table of parties", "sortable"),
            Downloads.of("parties", "outcomes"),
        ],
        [
            *blocks,
            Grid.of(
                rows.chosen(rows.party_columns(), "Party", "Won, %", "Over average", "Verdict"),
                strongest,
            ),
        ],
    )


def _clock() -> Section:
    """Where games are, page by page."""
    return Section(
        "clock",
        "The page clock",
        [
            Text(
                "The hourglass moves one page on for each surge and each capture. Of 100 games,"
                " where are they when it leaves each page, and how many have ended by then?"
            ),
            Figures.of("clock"),
            Downloads.of("clock"),
        ],
        [Figures.of("clock")],
    )


def _rooms(report: Report) -> Section:
    """Where games end."""
    lost = report.tables["rooms"].sort_values("lost", ascending=False, kind="stable")
    grid = Grid.of(rows.room_columns(), lost, "Table of rooms and pages", "sortable")
    hint = "Shares in per cent with 95% intervals."
    return charted("rooms", "Where games end", grid, hint=hint)


def _room_costs(report: Report) -> Section:
    """Where pages are turned."""
    costs = report.tables["room_costs"]
    entered = costs[costs["entered_n"] > 0]
    grid = Grid.of(rows.room_cost_columns(), entered, "Table of what rooms cost", "sortable")
    hint = (
        "Means of games that enter the room, and shares in per cent, with 95% intervals. Observed:"
        " games that enter a late room are those that got there."
    )
    return charted("room_costs", "Where pages are turned", grid, hint=hint)


def _heroes(report: Report, own: Mapping[str, str], again: Callable[..., str]) -> Section:
    """What each hero is worth."""
    heroes = report.tables["heroes"]
    blocks: list[Block] = [Figures.of("heroes")]
    if heroes["worth"].isna().any():
        in_all = heroes.loc[heroes["worth"].isna(), "name"]
        which = (
            "these are"
            if len(in_all) == len(heroes)
            else f"{listed(in_all)} {'is' if len(in_all) == 1 else 'are'}"
        )
        blocks.append(
            Text(
                with_code(
                    f"What a hero is worth is known from parties without them; {which} in every"
                    " party played. To play every set of heroes:"
                    f" `{again('balance', party='all', switches=['parties=any'])}`"
                )
            )
        )
    best = heroes.sort_values("worth", ascending=False, kind="stable")
    best = rows.own_first(best, "hero", own)
    return Section(
        "heroes",
        "Heroes",
        [
            *blocks,
            Text(
                "Worth: win rate of the parties with the hero minus that of the others. Parties are"
                " drawn at random or set, so the difference is what the hero does. Captures,"
                " attacks, hits, cheese and level-ups are means in a game.",
                hint=True,
            ),
            Grid.of(rows.hero_columns(own), best, "Table of heroes", "sortable"),
            Downloads.of("heroes"),
        ],
        [
            *blocks,
            Grid.of(
                rows.chosen(rows.hero_columns(own), "Hero", "Worth", "Verdict", "Won with"),
                best,
            ),
        ],
    )


def _pairs(report: Report) -> Section:
    """What two heroes are worth together."""
    pairs = report.tables["hero_pairs"].sort_values(
        ["synergy", "win_rate_with_both"], ascending=False, kind="stable"
    )
    grid = Grid.of(rows.pair_columns(), pairs, "Table of pairs of heroes", "sortable")
    return charted("hero_pairs", "Heroes together", grid)


def _encounters(report: Report, own: Mapping[str, str]) -> Section:
    """How severe encounter cards are."""
    cards = rows.without_gaps(report.tables["encounters"], "win_effect")
    cards, columns = rows.own_first(cards, "encounter", own), rows.encounter_columns(own)
    few = rows.chosen(columns, "Encounter", "Win rate", "Verdict", "Pages lost")
    return charted(
        *("encounters", "Encounters"),
        Grid.of(columns, cards, "Table of encounter cards", "sortable"),
        how="Games with a card on top of the first encounter deck against the other games."
        f" {_WORTH}",
        hint="Pages lost and captures: how many more in a game, with intervals. " + _OBSERVED,
        brief=[Grid.of(few, cards)],
    )


def _abilities(report: Report, own: Mapping[str, str]) -> Section:
    """What starting abilities are worth."""
    cards = rows.without_gaps(report.tables["abilities"], "win_effect")
    cards = rows.own_first(cards, "ability", own)
    grid = Grid.of(rows.ability_columns(own), cards, "Table of abilities", "sortable")
    return charted("abilities", "Abilities", grid, how=_WORTH, hint=_OBSERVED)


def _search_cards(report: Report, own: Mapping[str, str]) -> Section:
    """What search cards are worth."""
    cards = rows.without_gaps(report.tables["search_cards"], "win_effect")
    cards = rows.own_first(cards, "card", own)
    grid = Grid.of(rows.search_card_columns(own), cards, "Table of search cards", "sortable")
    how = (
        "Games with a copy among the top 8 cards of the first search deck against the other games."
        f" {_WORTH}"
    )
    return charted("search_cards", "Search cards", grid, how=how, hint=_OBSERVED)


def _fights(report: Report) -> Iterable[Section]:
    """Captures, dice and initiative, where there are tables of them."""
    for name, heading, words in (
        ("captures", "Captures", "A captured mouse costs a page, and its turns until it is free."),
        (
            "initiative",
            "Initiative",
            "The first initiative track is shuffled, so the difference is what its order does.",
        ),
        ("dice", "Dice", "Observed: a long game rolls more dice of every kind."),
    ):
        if len(report.tables[name]):
            shown: list[Block] = [Text(words), Figures.of(name)]
            files = [table for table in (name, f"{name}_rooms") if table in report.tables]
            yield Section(name, heading, [*shown, Downloads.of(*files)], shown)


def _cheese() -> Section:
    """Where cheese comes from and goes."""
    shown: list[Block] = [
        Text("Cheese that minions roll goes on their wheel; a full wheel is a surge: a page."),
        Figures.of("cheese"),
    ]
    return Section("cheese", "Cheese", [*shown, Downloads.of("cheese")], shown)


def _sure(report: Report) -> list[Section]:
    """What rests on assumptions."""
    sections = []
    if "assumptions" in report.tables:
        table = report.tables["assumptions"]
        grid = Grid.of(rows.assumption_columns(), table, "Table of assumptions", "sortable")
        hint = (
            "Changes in percentage points with their 95% intervals; \u201cof all known\u201d is"
            " drawn towards zero by what all effects say of chance."
        )
        about = Text(
            "Each number that is assumed was changed by one, and each switch of the rules was"
            f" turned, one at a time in the first {games(table['games'].max())} of the run. Where"
            " the thin line, the interval, crosses zero, the change may do nothing."
        )
        section = charted("assumptions", "What the win rate rests on", grid, hint=hint)
        sections.append(section._replace(blocks=[about, *section.blocks]))
    sources: list[Block] = [Figures.of("sources")]
    heading = "How sure the data are"
    sections.append(Section("sources", heading, [*sources, Downloads.of("sources")], sources))
    return sections


def _method(report: Report) -> Section:
    """How the numbers are found."""
    rule = rule_text(report.run.manifest)
    return Section(
        "method",
        "Method",
        [
            Text(
                "A game is one observation. Win rates have Wilson's intervals; means have score"
                " intervals, which do not reach below zero. Parties, starting abilities, the order"
                " of decks and the first initiative track are drawn at random when a game is set"
                " up: differences by these are caused by them, compared within parties and averaged"
                " over parties by their games. What comes about in a game is observed. A verdict is"
                " where the interval of a difference lies beside a band around zero: above, below"
                " or inside it, and otherwise it needs more games; these intervals hold for all"
                " rows together."
                " Minions and encounters stand against the mice: they are strong where the mice win"
                " less."
            ),
            *([Text(rule)] if rule else []),
        ],
        (),
    )


def _counters(report: Report) -> Section:
    """Every counter, in the page alone."""
    counters = report.tables["counters"].dropna(subset=["mean"])
    return Section(
        "counters",
        "Every counter",
        [
            Text("Means in a game, with 95% intervals.", hint=True),
            Grid.of(rows.counter_columns(), counters, "Table of counters", "sortable"),
            Downloads.of("counters"),
        ],
        (),
    )


def _run(report: Report) -> Section:
    """What was played; Markdown says it at its end."""
    return Section("run", "The run", [Terms(report.facts)], ())
