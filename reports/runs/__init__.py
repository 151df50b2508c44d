"""The list of the folders of a project."""
