"""How it is known that there was too little memory."""

import errno

# How loading a library ends where there is no room for it (glibc, _dl_map_segments).
_NO_ROOM = "failed to map segment from shared object", "annot allocate memory"


def lacks_memory(error: BaseException | None) -> bool:
    """Whether an error, or what it comes from, is that there is too little memory."""
    while error is not None:
        if (
            isinstance(error, MemoryError)
            or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
            or (isinstance(error, RuntimeError) and "start new thread" in str(error))
            or str(error).endswith(_NO_ROOM)
        ):
            return True
        error = error.__cause__ or error.__context__
    return False
