"""What a card and its parts are worth: charts, text and page."""
