"""Training: the folder and its learning curve."""
