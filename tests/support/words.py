"""Words of the documentation, page by page: ``make words``.

Pages that a command writes from the code, and the rules that the engines play, are reference: a
reader looks something up there.  All others are read, so their number of words is limited.
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Pages that a command writes, of which `make words` counts no word.
GENERATED = {
    "card_language",
    "cli",
    "columns",
    "mice_and_mystics_columns",
    "mice_and_mystics_data",
    "own_games_columns",
    "verdicts",
}
#: Rules as they are played, which tests cite by number.
NORMATIVE = {"rules", "mice_and_mystics_rules"}
#: Words that all other pages of docs/ may have together.
MOST = 60_000


def words_of_pages() -> dict[str, int]:
    """The number of words of each page of docs/, by its name."""
    pages = sorted((ROOT / "docs").glob("*.md"))
    return {page.stem: len(page.read_text(encoding="utf-8").split()) for page in pages}


def written(words: dict[str, int]) -> dict[str, int]:
    """The pages that people write."""
    return {page: n for page, n in words.items() if page not in GENERATED | NORMATIVE}


def main() -> None:
    """Print the words of each page, the longest first, and the sums."""
    words = words_of_pages()
    for page, n in sorted(written(words).items(), key=lambda one: -one[1]):
        print(f"{n:7,}  {page}")
    for name, pages in (("generated", GENERATED), ("rules", NORMATIVE)):
        print(f"{sum(words[page] for page in pages):7,}  {name}: {', '.join(sorted(pages))}")
    print(f"{sum(written(words).values()):7,}  written, of {MOST:,} at most")


if __name__ == "__main__":
    main()
