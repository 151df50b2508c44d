"""Price lists: what the console, the charts and the page say of them."""
