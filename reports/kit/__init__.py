"""What every page, chart and console text is made of."""
