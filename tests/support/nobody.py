"""Starting Python as a user who owns nothing and has no home (uid 65534)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

UID = 65534


def command_as_nobody() -> list[str]:
    """What to write before a command for nobody to run it; empty if that cannot be done here.

    Where others than root may not read the interpreter, nobody is lent the right to read.
    """
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        return []
    plain = [setpriv, f"--reuid={UID}", f"--regid={UID}", "--clear-groups"]
    reading = [*plain, "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    modules = {str(Path(path)) for path in sys.path if Path(path).is_dir()}
    for prefix in (plain, reading):
        attempt = subprocess.run(
            [*prefix, sys.executable, "-c", "import numba, attrs"],
            env=poor_environment({"PYTHONPATH": ":".join(sorted(modules))}),
            capture_output=True,
            check=False,
        )
        if attempt.returncode == 0:
            return prefix
    return []


def poor_environment(more: dict[str, str]) -> dict[str, str]:
    """The environment of a user without a home, and ``more``."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1", **more}
