"""What templates are given to write with."""

from __future__ import annotations

from reports.kit.page import typed


def test_options_of_a_command_stay_in_one_piece() -> None:
    """An option is not broken behind its hyphens; the command is escaped, and copied as it is."""
    command = typed("fairdeal verdict '<b>' --pool a--b.toml --start-with x")
    assert command == (
        "<code>fairdeal verdict &#39;&lt;b&gt;&#39; <span>--pool</span> a--b.toml"
        " <span>--start-with</span> x</code>"
    )
    assert command.striptags() == "fairdeal verdict '<b>' --pool a--b.toml --start-with x"
