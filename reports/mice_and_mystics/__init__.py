"""What is shown of Mice & Mystics: its rooms, runs and reports."""
