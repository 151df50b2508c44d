from reports.kit.theme import style as style
from reports.own_games.matchups import plot_matchups as plot_matchups
from reports.own_games.page import plot_entries as plot_entries
from reports.own_games.page import plot_seats as plot_seats
from reports.own_games.told import ToldGame as ToldGame
from reports.own_games.told import tell as tell
