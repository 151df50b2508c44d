"""The typeface of pages and of the studio, made small.

``python -m support.typeface SOURCE`` writes reports/templates/fonts/schibsted_grotesk.woff2 of the
file ``schibsted-grotesk-latin-wght-normal.woff2`` of the npm package
``@fontsource-variable/schibsted-grotesk`` 5.3.0, whose SHA-256 begins with 4c8b93f431d462c6.  It
needs ``brotli`` 1.1.0 beside fontTools 4.60.1, with which the bytes are the same each time.  Only
letters that pages have are left, and figures of one width keep the points, commas and signs of the
others.
"""

from __future__ import annotations

import sys

from fontTools.subset import Options, Subsetter, load_font, parse_unicodes, save_font

from reports.kit.page import TYPEFACE

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


if __name__ == "__main__":
    main(sys.argv[1])
