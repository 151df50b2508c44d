from reports.mice_and_mystics.told import ToldGame as ToldGame
from reports.mice_and_mystics.told import lines as lines
from reports.mice_and_mystics.told import tell as tell
