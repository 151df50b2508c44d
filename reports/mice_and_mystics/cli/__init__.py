"""The commands of Mice & Mystics."""
