"""Machine code that came with a wheel, so that nothing has to be compiled.

`make wheels` compiles all kernels for the processors of the last ten years, with each Python that
it finds, and puts them into the wheel beside the sources, which are trusted as much.  They have the
names that they would have in a user's cache, with digests of all sources.  A checkout has none.
"""

import lzma
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import llvmlite
import numba
from llvmlite.binding import get_host_cpu_features

from card_data.cache import tell_once, unsealed

FOLDER = Path(__file__).with_name("machine_code")
#: For what they are compiled: values of NUMBA_CPU_NAME and NUMBA_CPU_FEATURES.
PROCESSOR = "x86-64-v3", ""
_NEEDED = "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 sse4.2 ssse3 xsave"
#: What compiles, and for which Python; each has a folder of its own.
COMPILER = (
    f"numba-{numba.__version__}-llvmlite-{llvmlite.__version__}"
    f"-{EXTENSION_SUFFIXES[0].strip('.').removesuffix('.so')}"
)


def is_shipped(name: str) -> bool:
    """Whether there is a file of a name, or pattern of names, that can be used here."""
    return not _why_useless() and any((FOLDER / COMPILER).glob(f"{name}.xz"))


def read_shipped(name: str) -> bytes | None:
    """What came under a name; None if nothing did that can be used here and is whole."""
    if not is_shipped(name):
        return None
    try:
        return unsealed(name, lzma.decompress((FOLDER / COMPILER / f"{name}.xz").read_bytes()))
    except (OSError, lzma.LZMAError):
        return None


def tell_why_not(name: str) -> None:
    """Say, where machine code came with a wheel, why what has a name has to be compiled."""
    if FOLDER.is_dir():
        damaged = "it is damaged: install fairdeal again"
        other = damaged if is_shipped(name) else "it was made from other sources"
        why = _why_useless() or other
        tell_once(f"kernels are compiled, since the wheel's machine code does not serve: {why}")


@cache
def _why_useless() -> str:
    """Why nothing of what came with a wheel can be used here; "" if it can, or nothing came."""
    if not FOLDER.is_dir():
        return ""
    if not (FOLDER / COMPILER).is_dir():
        made = ", ".join(sorted(folder.name for folder in FOLDER.iterdir()))
        return f"it was made with {made}, here is {COMPILER}"
    if numba.config.CPU_NAME is not None or numba.config.CPU_FEATURES is not None:
        return "NUMBA_CPU_NAME or NUMBA_CPU_FEATURES is set"
    has = get_host_cpu_features()
    lacking = [feature for feature in _NEEDED.split() if not has.get(feature)]
    return f"this processor has no {', '.join(lacking)}" if lacking else ""
