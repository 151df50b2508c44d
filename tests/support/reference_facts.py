"""What is printed on a card of the reference engine: the record of facts and abilities.

A card is one :class:`CardFacts` record. What the printed text does is written as small functions:

* **Effects** (Play, Attack, Defeated, Action and other triggers) take ``(game, me)``. ``me`` is the
  trigger being resolved: ``me.you`` and ``me.opponent`` are players (R53), ``me.this`` is the
  source creature while it is still the same object in play, else ``None`` (R55). An effect with a
  choice in it is a generator and uses ``yield from``; an effect without one is an ordinary
  function.
* **Constant abilities** take ``(game, source, ...)``, where ``source`` is the instance number of
  the card in play that has the ability. In Discard Pile abilities take ``(game, you, ...)``, where
  ``you`` is the player in whose pile the card lies (R106). Both are asked anew every time something
  is looked at (R84).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from support.reference_game import ReferenceGame
    from support.reference_state import Trigger

Choices = Generator[Any, Any, Any]
Effect = Callable[["ReferenceGame", "Trigger"], Choices | None]

FRENZY = "FRENZY"
HUNTER = "HUNTER"
POISONOUS = "POISONOUS"
SNEAKY = "SNEAKY"
TOUGH = "TOUGH"
KEYWORDS = (FRENZY, HUNTER, POISONOUS, SNEAKY, TOUGH)


@dataclass(frozen=True)
class Word:
    """One constant ability of the card language, for cards that are not written by hand.

    ``you`` is whose ability it is and ``this`` its source while that is in play, else ``None``: for
    an In Discard Pile ability (R106), or one of this turn whose source has left play (R26).
    """

    rule: str  # Such as "POWER" (``card_data.mindbug.vocabulary.Rule``).
    in_discard: bool
    works: Callable[[ReferenceGame, int, int | None], bool]  # Its time and condition (R84).
    means: Callable[[ReferenceGame, int, int | None, int], bool]  # Whether it means a creature.
    power: Callable[[ReferenceGame, int, int | None], int]
    keywords: frozenset[str]
    amount: int
    effect: Effect | None  # A granted Attack effect (C60).
    means_card: Callable[[ReferenceGame, int], bool]  # Of a hand (C48).


@dataclass(frozen=True)
class CardFacts:
    """What is printed on one card; every ability field that is ``None`` is not printed on it.

    Stages II and III of an evolving card are records of their own, with no copies in the pool (R7).
    """

    id: str
    power: int
    keywords: frozenset[str]
    copies: int
    dice: int = 0  # Dice symbols (R113).
    evolves_to: str | None = None  # The next stage (R101).
    # C45: power and keywords of the profiles of which one is chosen on becoming exhausted.
    exhausted_forms: tuple[tuple[int, frozenset[str]], ...] = ()

    # What it does as it becomes exhausted, before any trigger (C45).
    exhausted: Effect | None = None

    # Triggered abilities (R52).
    play: Effect | None = None
    attack: Effect | None = None
    defeated: Effect | None = None
    action: Effect | None = None
    # (game, you, this) -> whether at least one instruction of the Action can do something (R99).
    action_possible: Callable[[ReferenceGame, int, int], bool] | None = None
    # "When this card is put into your discard pile from anywhere" (R107).
    discarded: Effect | None = None
    # At the end of every turn, or only of its controller's turn (R22, C56, C57).
    end_of_turn: Effect | None = None
    end_of_your_turn: Effect | None = None
    # "When the opponent uses a Mindbug", before anything else (R36, C62).
    mindbug_used: Effect | None = None
    # In Discard Pile: "whenever you lose 1 or more life" (C16); "you" is whose pile it is (R53).
    in_discard_on_life_loss: Effect | None = None

    # Constant abilities, in the order of the layers of R85.
    # L2: (game, source, creature) -> power that source adds to creature.
    power_bonus: Callable[[ReferenceGame, int, int], int] | None = None
    # L3: (game, source, creature) -> keywords that source gives to creature; may look at power.
    grants: Callable[[ReferenceGame, int, int], set[str]] | None = None
    # L4: (game, source) -> the keywords that source has while an enemy creature has them (R89).
    copies_keywords: Callable[[ReferenceGame, int], set[str]] | None = None
    # L5: (game, source, creature) -> source says that creature cannot attack.
    forbids_attack: Callable[[ReferenceGame, int, int], bool] | None = None
    # L5: (game, source, attacker, blocker) -> source says that blocker cannot block attacker.
    forbids_block: Callable[[ReferenceGame, int, int, int], bool] | None = None
    # L5: (game, source, attacker, creature) -> source says that attacker cannot hunt creature.
    forbids_hunt: Callable[[ReferenceGame, int, int, int], bool] | None = None
    # (game, source) -> source says that Play effects of the opponent do not trigger (R90, C1).
    stops_opponents_play_effects: Callable[[ReferenceGame, int], bool] | None = None
    # (game, source, card) -> source says that its opponent cannot play this card of a hand (C48).
    forbids_play_from_hand: Callable[[ReferenceGame, int, int], bool] | None = None
    # (game, source, attacker) -> an Attack effect that source grants to attacker (C60).
    grants_attack: Callable[[ReferenceGame, int, int], Effect | None] | None = None
    # (game, source, creature) -> dice symbols that source adds to creature (C39).
    dice_bonus: Callable[[ReferenceGame, int, int], int] | None = None
    extra_rerolls: int = 0  # For each roll of its controller (C38).
    must_be_hunted: bool = False  # C20
    reverses_fights: bool = False  # The higher power is defeated (C19).
    evolves_instead: bool = False  # Instead of being defeated (R97, C43).
    keeps_life: bool = False  # Its controller's life is never reduced (C52).
    stops_opponents_hand: bool = False  # The opponent cannot put cards into their hand (C44).
    stops_mindbugs: bool = False  # C46

    # In Discard Pile abilities (R106): (game, you, ...) -> as above.
    pile_power_bonus: Callable[[ReferenceGame, int, int], int] | None = None
    pile_forbids_attack: Callable[[ReferenceGame, int, int], bool] | None = None
    pile_forbids_block: Callable[[ReferenceGame, int, int, int], bool] | None = None
    pile_grants_attack: Callable[[ReferenceGame, int, int], Effect | None] | None = None
    pile_extra_life_loss: int = 0  # Added to each loss of the opponent (R91, C29).

    # Constant and In Discard Pile abilities in the card language, instead of the fields above.
    words: tuple[Word, ...] = ()


@dataclass(frozen=True)
class PowerCard:
    """A power card: its cost in energy and what it does when it is bought (R108-R112)."""

    id: str
    cost: int
    effect: Effect


def card(card_id: str, power: int, keywords: str = "", copies: int = 1, **more: Any) -> CardFacts:
    """Write one record shortly: ``keywords`` is a text such as ``"FRENZY TOUGH"``."""
    words = frozenset(keywords.split())
    assert words <= set(KEYWORDS), card_id
    return CardFacts(id=card_id, power=power, keywords=words, copies=copies, **more)
