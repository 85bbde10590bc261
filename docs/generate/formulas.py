"""Formulas in LaTeX as MathML, which browsers show and screen readers read without a script."""

from __future__ import annotations

import re

from latex2mathml.converter import convert

INLINE = re.compile(r"\$`([^`]+)`\$")


def mathml(latex: str, display: str = "inline") -> str:
    r"""A formula as MathML.

    Raises:
        ValueError: a command that is not known, which would be shown as it is written.

    >>> mathml("a")
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><mi>a</mi></mrow></math>'
    """
    made = convert(latex, display=display)
    unknown = re.search(r"\\\w*", made)
    if unknown:
        raise ValueError(f"{unknown[0]} has no MathML, in the formula {latex}")
    return made


def with_formulas(page: str) -> str:
    """A page of Markdown whose formulas, written as GitHub does between dollar signs and backticks, are MathML.

    >>> with_formulas("the sum $`a`$").removeprefix("the sum <span>") == mathml("a") + "</span>"
    True
    """
    # Markdown takes an element <math> at the start of a line for a block
    return INLINE.sub(lambda formula: f"<span>{mathml(formula[1])}</span>", page)
