"""What the numbers of a comparison are called."""

#: Numbers of the whole game.
GAME_TEXT = {
    "first_player_win_rate": "games won by the player who starts",
    "player_0_win_rate": "games won by the player named first",
    "draw_rate": "draws",
    "life_rate": "games that end because a player's life is 0",
    "no_action_rate": "games that end because a player has no action left",
    "capped_rate": "games that hit the turn limit",
    "looped_rate": "games that hit the effect limit",
    "effect_rate": "games that the effect of a card ends",
    "mean_turns": "turns in a game",
    "mean_decisions": "decisions in a game",
}
#: What each measure is called, also of cards, keywords and sets.
MEASURE_TEXT = {
    "dealt": "win rate dealt",
    "drawn": "win rate drawn",
    "not_drawn": "win rate not drawn",
    "played": "win rate played",
    "taken": "win rate taken",
    "lost_to_mindbug": "win rate lost to a Mindbug",
    "entered": "win rate entered",
    "mindbug_rate": "taken with a Mindbug",
    "dead_rate": "never played",
    "mean_turn_played": "turn played",
    **GAME_TEXT,
}
