"""Random calls: what they ask, of which data, and their answers beside those of formulas and other engines."""
