"""What kind of number a column of a table holds, and so how it is shown."""

from analysis.registry import Registry


class NumberKinds:
    """The kinds of the columns of some tables, by what their entries in the registry say."""

    def __init__(self, registry: Registry) -> None:
        self._differences = {column for one in registry.values() for column in one.differences}
        self._numbers = {column for one in registry.values() for column in one.numbers}

    def of(self, column: str, about: str = "") -> str:
        """The kind of a column that is no interval and not of whole numbers.

        One of "share", "difference" (of shares), "number" and "p_value".  ``about`` is the
        statistic or measure of the row, in tables whose rows differ in that.  The ends of an
        interval are shown as the estimate that stands before them.
        """
        if column.endswith(("p_value", "q_value")):
            return "p_value"
        if (
            column in self._numbers
            or f"{column} {about}".startswith("mean_")
            or about.startswith(("mean_", "variance_"))
        ):
            return "number"
        if column in self._differences or about.endswith("_effect"):
            return "difference"
        return "share"
