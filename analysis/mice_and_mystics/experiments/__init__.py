"""What is found out by playing Mice & Mystics on purpose: experiments on chapters and players."""
