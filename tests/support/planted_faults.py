"""A pool with planted faults: plain creatures of power 6 but for a few, for searches to mend."""

from collections.abc import Mapping

from card_data.mindbug import parse_set
from card_data.mindbug.schema import Pool

_NAMES = "ant bee cow dog eel fox gnu hen ibex jay koi lynx".split()


def planted_pool(faults: Mapping[str, int]) -> Pool:
    """Twelve creatures, four copies each; ``faults`` has the power of those that stand out."""
    text = 'name = "Planted"\n' + "".join(
        f'\n[{name}]\nname = "{name.title()}"\npower = {faults.get(name, 6)}\ncopies = 4\n'
        for name in _NAMES
    )
    return Pool((parse_set(text, "planted.toml"),))
