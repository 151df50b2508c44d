"""The typeface of pages, charts and the studio, made small.

``python -m support.typeface SOURCE`` writes the files of reports/templates/fonts of the
file ``schibsted-grotesk-latin-wght-normal.woff2`` of the npm package
``@fontsource-variable/schibsted-grotesk`` 5.3.0, whose SHA-256 begins with 4c8b93f431d462c6.  It
needs ``brotli`` 1.1.0 beside fontTools 4.60.1, with which the bytes are the same each time.  Only
letters that pages have are left, and figures of one width keep the points, commas and signs of the
others.  Charts have two weights of it as TrueType, all that matplotlib can read.
"""

import sys

from fontTools.subset import Options, Subsetter, load_font, parse_unicodes, save_font
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from reports.kit.theme import FAMILY, OF_CHARTS, TYPEFACE

_LETTERS = (
    "0020-007E,00A0-00FF,0131,0152-0153,2002-200A,2010-2026,2030,2039-203A,20AC,2190-2193,2212,2248"
)
_OF_ONE_WIDTH = "zero one two three four five six seven eight nine".split()


def main(source: str) -> None:
    """Write the file."""
    options = Options(flavor="woff2", layout_features=["kern", "liga", "tnum", "ccmp", "mark"])
    font = load_font(source, options)
    table = font["GSUB"].table
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "tnum":
            for place in record.Feature.LookupListIndex:
                for part in table.LookupList.Lookup[place].SubTable:
                    known = part.mapping
                    part.mapping = {one: known[one] for one in _OF_ONE_WIDTH}
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(_LETTERS))
    subsetter.subset(font)
    save_font(font, str(TYPEFACE), options)
    for weight, path in OF_CHARTS.items():
        still = instantiateVariableFont(TTFont(TYPEFACE), {"wght": weight})
        still.flavor = None
        name = "Bold" if weight == 700 else "Regular"
        for number, words in ((2, name), (4, f"{FAMILY} {name}"), (6, f"SchibstedGrotesk-{name}")):
            still["name"].setName(words, number, 3, 1, 0x409)
        still.save(path)


if __name__ == "__main__":
    main(sys.argv[1])
