"""Fisher's randomisation test with the draws that the SQL makes, in plain Python."""

PRIME = 2**31 - 1


def drawn(unit: int, replicate: int) -> int:
    """A number below 2^31 - 1 for a unit and a replicate, both numbered from 1."""
    factor = pow(replicate + 271828182, 5, PRIME)
    offset = pow(replicate + 314159265, 5, PRIME)
    return pow(unit * factor + offset, 5, PRIME)


def p_value(differences: list[float], n_resamples: int) -> float:
    """How many draws of signs, the observed one among them, have a mean as far from 0."""
    numbered = list(enumerate(sorted(difference for difference in differences if difference), start=1))
    sums = [
        sum(d if drawn(unit, replicate) < 2**30 else -d for unit, d in numbered)
        for replicate in range(1, n_resamples + 1)
    ]
    slack = 1e-12 * sum(map(abs, differences))
    return (1 + sum(abs(one) >= abs(sum(differences)) - slack for one in sums)) / (n_resamples + 1)
