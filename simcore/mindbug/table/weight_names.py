"""The names of weights: what the players ``heuristic`` and ``learned`` give points for.

All are in points: a tenth of a point of power is 1.  The card table has room for the weights of
both players, so their number is known here.
"""

from card_data.mindbug.vocabulary import Effect, Keyword, Rule, Trigger

#: What each weight counts.  The order is that of a vector of weights.
WEIGHTS = {
    "creature.each": "for being there",
    "creature.power": "for each point of power",
    "creature.power_squared": "for the square of its power, a tenth of it",
    **{f"creature.{k.name.lower()}": f"for having {k.name}" for k in Keyword},
    "creature.hunter_power": "for each point of power of a creature with HUNTER",
    "creature.poisonous_power": "for each point of power of a creature with POISONOUS",
    "creature.sneaky_frenzy": "for having both SNEAKY and FRENZY",
    "creature.die": "for each dice symbol",
    "creature.ace": "for a creature that wins with its next attack, if the game goes on",
    "creature.next_stage": "share of what its next stage is worth more than it",
    **{
        f"ability.{t.name.lower()}": f"share of the points of a {t.name} ability, as printed"
        for t in Trigger
        if t != Trigger.PLAY  # judged on the table, when the card is played
    },
    "ability.conditional": "share that is left of an instruction with a condition",
    "threat.worst": "share of what the worst attack threatens more than the next, for its creature",
    "threat.unblocked_1": "for a played creature that none could stop, with 1 life",
    "threat.unblocked_2": "the same with 2 lives",
    "threat.unblocked_3": "the same with 3 or more",
    "life.second": "for taking a life from a player who has 2",
    "life.third": "the same with 3",
    "life.more": "the same with more",
    "life.gained": "for gaining a life",
    "attack.any": "for attacking at all",
    "attack.ahead": "for attacking with more creatures in play than the opponent",
    "attack.second": "for a second attack that may follow",
    "attack.effect": "share of the points of its Attack ability on this table",
    "attack.tough": "for each loss of TOUGH's protection",
    "attack.trade": "for a fight that defeats both",
    "attack.last_defender": "against attacking with a creature while no other is in play",
    "attack.spent": "for attacking while hand and draw pile are empty",
    "block.any": "for blocking at all",
    "block.frenzy": "for blocking an attacker that may attack again",
    "defeated.effect": "share of the points of a Defeated ability taken off a creature's loss",
    "play.any": "for playing a card at all",
    "play.worth": "share of what the card is worth",
    "play.worth_by_allies": "change of that share for each allied creature, in hundredths",
    "play.worth_by_enemies": "the same for each enemy creature",
    "play.effect": "share of the points of its Play ability on this table",
    "play.behind": "for playing a card with fewer creatures in play than the opponent",
    "play.defence": "share of what the card takes off the worst attack that threatens",
    "play.saves": "for a card that keeps the worst attack from winning the game",
    "play.taken": "share of a card's points above the opponent's reserve that is lost",
    "play.fatal": "for a card that could not be stopped with 1 life if the opponent took it",
    "play.taken_any": "for playing a card that the opponent would take",
    "play.bait": "share of points below the opponent's reserve while they have Mindbugs",
    "action.any": "for an Action ability at all",
    "action.effect": "share of the points of an Action ability on this table",
    "mindbug.reserve": "points that a card must swing before a Mindbug is spent on it",
    "mindbug.last": "more for the last Mindbug",
    "mindbug.to_come": "more for each card that the opponent may still play",
    "mindbug.behind": "more for each creature that the opponent has more",
    "mindbug.life_1": "more with 1 life",
    "mindbug.life_2": "more with 2 lives",
    "mindbug.their_life": "more for each life of the opponent",
    "mindbug.worth": "share of the card's worth that counts twice, as lost and won",
    "mindbug.theirs": "share of the points of the Play ability in the opponent's hands",
    "mindbug.mine": "share of the points of the Play ability in one's own hands",
    "mindbug.threat": "share of what the creature could threaten",
    "mindbug.fatal": "for a card that could not be stopped with 1 life if it is not taken",
    "mindbug.theirs_left": "more for each Mindbug that the opponent has",
    "card.in_hand": "for a card drawn, discarded, stolen or returned",
    "card.given": "for a creature given away",
    "card.energy": "for an energy",
    "card.buying": "for buying a power card, above its price",
    "position.creatures": "for each point of creatures more than the opponent's, in thousandths",
    "position.threat": "for a creature that none of the opponent's can stop, in thousandths",
    "position.life_1": "for having 1 life left, in thousandths",
    "position.life_2": "for having 2",
    "position.life_3": "for having 3",
    "position.life_more": "for having more",
    "position.mindbugs": "for each Mindbug",
    "position.hand": "for each card in hand",
    "position.draw_pile": "for each card in the draw pile",
    "position.energy": "for each energy",
    "position.turn": "for having the turn",
    "search.turns": "turns that a simulation plays on before it judges the position",
    **{f"die.face_{face}": f"for face {face} of a die" for face in range(6)},
    **{f"effect.{e.name.lower()}": f"for {e.name}, by what it affects" for e in Effect},
    **{f"rule.{r.name.lower()}": f"for the constant ability {r.name}" for r in Rule},
}
_NAMES = list(WEIGHTS)
N_WEIGHTS = len(WEIGHTS)
#: The sections of weights, in their order.
SECTIONS = tuple(dict.fromkeys(name.split(".")[0] for name in WEIGHTS))
#: Weights of a position as a whole: log odds of winning, in thousandths.
POSITION = tuple(place for place, name in enumerate(WEIGHTS) if name.startswith("position."))
#: Weights that only a search asks for: how a player chooses alone does not depend on them.
SEARCHING = tuple(place for place, name in enumerate(WEIGHTS) if name.startswith("search."))


def place_of(name: str) -> int:
    """Place of a weight in a vector of weights."""
    return _NAMES.index(name)
