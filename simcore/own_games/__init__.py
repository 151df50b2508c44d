"""Games that people bring, as the commands of all games play them; their rules are theirs."""

TITLE = "Games of your own"
