"""Heroes and parties as a person calls them, from their ids in a table."""

from reports.kit.words import display_name, listed


def hero_name(hero: str) -> str:
    """A hero: "collin" -> "Collin"."""
    return display_name(hero.replace("_", " ").title())


def party_name(party: str, *, last: str = "and") -> str:
    """The heroes of a party: "collin,nez" -> "Collin and Nez"."""
    return listed((hero_name(hero) for hero in party.split(",")), last=last)
