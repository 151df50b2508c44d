"""Price lists of cards: what the console, the chart and the page say of them."""
