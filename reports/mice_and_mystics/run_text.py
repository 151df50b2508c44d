"""What was played, in words: chapter, party, switches, player, games."""

from collections.abc import Mapping
from typing import Any

from reports.games import GoalWords
from reports.kit.words import DOT, display_name, games, intervals, listed, seed_text
from simcore.work.parts import seeds_text


def describe_run(manifest: Mapping[str, Any], played: str = "") -> str:
    """One line that says what was ``played``, by whom, where that is not all in the manifest."""
    ended = ", stopped once precise enough" if "until" in manifest else ""
    parts = [
        manifest["chapter_name"],
        party_text(manifest),
        *([listed(changed_settings(manifest))] if changed_settings(manifest) else []),
        played or f"{games(manifest['games'])}{ended}{DOT}{':'.join(manifest['policies'])}",
        seed_text(manifest),
    ]
    return DOT.join(parts)


def party_text(manifest: Mapping[str, Any]) -> str:
    """The party: "Collin, Nez, Tilda and Filch", or that it was drawn."""
    party = manifest["settings"]["party"]
    if not party:
        return "every legal party"
    names = dict(zip(manifest["heroes"], manifest["hero_names"], strict=True))
    return listed(names[hero] for hero in party)


def changed_settings(manifest: Mapping[str, Any]) -> list[str]:
    """The switches and numbers that are not as usual, as they are typed."""
    from card_data.mice_and_mystics.settings import settings_from

    changed = settings_from(manifest["settings"]).changed()
    return [f"{name}={value}" for name, value in changed.items()]


def caption(manifest: Mapping[str, Any]) -> str:
    """What stands under a chart of a run."""
    return caption_of(describe_run(manifest), manifest)


def caption_of(said: str, manifest: Mapping[str, Any]) -> str:
    """What stands under a chart: what was ``said``, how sure that is; below, the versions."""
    versions = manifest["versions"]["fairdeal"]
    made = [
        f"fairdeal {versions}",
        f"rules {manifest['rules_version']}",
        f"facts {manifest['facts_hash'][:8]}",
    ]
    return f"{said}{intervals()}\n{DOT.join(made)}"


def played_facts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What was played, as facts of a page by which it can be played again."""
    changed = changed_settings(manifest)
    weights = [f"{player} {digest}" for player, digest in manifest.get("weights", {}).items()]
    versions = [f"{name} {version}" for name, version in manifest["versions"].items()]
    return [
        ("Chapter", manifest["chapter_name"]),
        ("Party", party_text(manifest)),
        *([("Settings", ", ".join(changed))] if changed else []),
        ("Facts", f"SHA-256 {manifest['facts_hash']}"),
        *([("Weights", f"SHA-256 {', '.join(weights)}")] if weights else []),
        ("Seed", seeds_text(manifest)),
        ("Rules version", str(manifest["rules_version"])),
        ("Versions", ", ".join(versions)),
    ]


def goal_words(manifest: Mapping[str, Any]) -> GoalWords:
    """What a rule that ended a run watched."""
    of, worst = manifest["until"]["of"], manifest["stopped"]["worst_name"]
    if of == "win_rate":
        return GoalWords("the win rate", "", "The interval of the win rate", False, False)
    if of == "parties":
        what, intervals = "every party's win rate", "The intervals of the parties' win rates"
        return GoalWords(what, worst, intervals, True, True)
    if of == "heroes":
        what, intervals = "what every hero is worth", "The intervals of what heroes are worth"
        return GoalWords(what, worst, intervals, True, True)
    names = dict(zip(manifest["heroes"], manifest["hero_names"], strict=True))
    if of in names:
        what = f"what {names[of]} is worth"
        return GoalWords(what, "", "The interval of that worth", False, False)
    if "," not in of:
        return GoalWords(f"what {worst} does", "", "The interval of that effect", False, False)
    party = listed(names[hero] for hero in of.split(","))
    return GoalWords(f"the win rate of {party}", "", "The interval of that win rate", False, False)


def hero_name(hero: str) -> str:
    """A hero: "collin" -> "Collin"."""
    return display_name(hero.replace("_", " ").title())


def party_name(party: str) -> str:
    """The heroes of a party: "collin,nez" -> "Collin and Nez"."""
    return listed(hero_name(hero) for hero in party.split(","))
