from card_data.mice_and_mystics.facts import Facts as Facts
from card_data.mice_and_mystics.facts import by_id as by_id
from card_data.mice_and_mystics.loader import load_facts as load_facts
from card_data.mice_and_mystics.loader import load_named as load_named
from card_data.mice_and_mystics.settings import Settings as Settings
from card_data.mice_and_mystics.settings import read_settings as read_settings
