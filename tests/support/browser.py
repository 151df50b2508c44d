"""Pages in a real browser: Debian's Chromium, offline."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

CHROMIUM = shutil.which("chromium")
# Set by .ci/run, which installs the browser: there a missing one is a failure.
_REQUIRED = os.environ.get("BALANCELAB_BROWSER") == "required"
#: Mark of tests that open pages.
NEEDS_BROWSER = pytest.mark.skipif(
    CHROMIUM is None and not _REQUIRED,
    reason="the pages in a browser (install chromium to try them)",
)
PHONE = {"width": 375, "height": 740}

#: Opens a file in the browser: see the fixture ``open_file``.
Open = Callable[..., Page]
