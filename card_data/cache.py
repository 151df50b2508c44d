"""Where what was worked out once is kept for later starts: compiled kernels, the grammar."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """The user's cache folder for balancelab, which need not exist."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "balancelab"
