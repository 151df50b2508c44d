from analysis.experiments.comparison import Comparison as Comparison
from analysis.experiments.comparison import compare_runs as compare_runs
from analysis.own_games.played import play_run as play_run
from analysis.runs import Run as Run
from analysis.runs import open_run as open_run
from analysis.tables import analyze as analyze
from analysis.tables import read_tables as read_tables
