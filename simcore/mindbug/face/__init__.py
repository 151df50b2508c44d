"""face."""

import simcore.mindbug.face.position  # noqa: F401 - says what a game looks like at a prompt
