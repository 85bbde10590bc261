"""The value of a formula in LaTeX, whose MathML is read as an expression in the symbols of docs/notation.md."""

from __future__ import annotations

import itertools
import math
import re
from collections import ChainMap
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from generate.formulas import mathml

Nodes = list[Element]
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "ln": lambda x: math.log(x) if x else -math.inf,
    "exp": math.exp,
    "cosh": math.cosh,
}
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "≠": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "≤": lambda a, b: a <= b,
    "≥": lambda a, b: a >= b,
    "∈": lambda a, b: a in b,
    "∉": lambda a, b: a not in b,
}
CHOSEN: dict[str, Callable[[list], Any]] = {
    "∑": math.fsum,
    "∏": math.prod,
    "max": lambda of: max(of, default=0),
    "min": lambda of: min(of, default=math.inf),
    "⋃": lambda of: set().union(*of),
    "median": lambda of: of,
}
ACCENTS = {"¯": "bar ", "^": "hat "}
LISTS = ("q", "u")  # indices of lists, which have symbols of their own
OPENING = {"(": ")", "[": "]", "{": "}", "|": "|", "⌊": "⌋"}  #: brackets, and what closes them


def nodes(latex: str) -> Nodes:
    """The elements of a formula, without spaces and without rows that only group."""
    return flat(fromstring(re.sub(r' xmlns="[^"]*"', "", mathml(latex))))


def flat(row: Element) -> Nodes:
    found: Nodes = []
    for node in row if row.tag in ("math", "mrow", "mtd") else [row]:
        found += flat(node) if node.tag == "mrow" else [] if node.tag == "mspace" else [node]
    return found


def text(node: Element) -> str:
    return " ".join((node.text or "").split())


def closes(node: Element, bracket: str) -> bool:
    """Whether an element is a closing bracket, which may have a power."""
    return text(node[0] if node.tag == "msup" else node) == bracket


def split(row: Nodes, at: str) -> list[Nodes]:
    """The parts of a row between separators that are not in brackets."""
    found: list[Nodes] = [[]]
    depth = 0
    for node in row:
        depth += (text(node) in ("(", "[", "{", "⌊")) - (text(node) in (")", "]", "}", "⌋"))
        if text(node) == at and depth == 0:
            found.append([])
        else:
            found[-1].append(node)
    return found


class Formula:
    """Equations, read with the values of symbols, the domains of indices, and the options of the metric."""

    def __init__(
        self,
        equations: list[str],
        symbols: dict[str, Any],
        domains: dict[str, Any],
        options: dict[str, Any],
        form: str | None = None,
    ) -> None:
        self.symbols, self.domains, self.options = symbols, domains, options
        self.zero = any(r"\frac{0}{0} =" in equation for equation in equations)
        self.definitions: dict[str, list[tuple[Nodes, Nodes, Nodes]]] = {}
        self.first: Nodes = []
        for equation in equations:
            said = re.search(r"\\quad \\text\{(with.*)\}", equation)
            if (said and said[1] != form) or (form and not said and not self.first):
                continue  # another form of the metric
            for part in split(nodes(equation), ","):
                self._define(part)

    def _define(self, part: Nodes) -> None:
        sides = split(part, "=")
        left = sides[0]
        if len(sides) < 2 or left[0].tag in ("mfrac", "mn"):
            return
        right = sides[-1]
        said = [place for place, node in enumerate(right) if text(node).startswith(("if", "with"))]
        right = right[: said[0]] if said else right  # for what the equation is
        if not self.first:
            self.first = right
            return
        inside = [text(n) for n in left]
        arguments = left[inside.index("(") + 1 : -1] if "(" in inside else []
        for side in sides[:-1]:
            name, indices, power = self._parts(side[0])
            name += "²" if power else ""
            self.definitions.setdefault(name, []).append((indices, arguments, right))

    def value(self, **indices: Any) -> Any:
        return self._value(self.first, indices)

    # --- symbols ---

    def _parts(self, node: Element) -> tuple[str, Nodes, Nodes]:
        """The name of a symbol with its accents and stars, its indices, and its exponent."""
        if node.tag in ("msub", "munder"):
            name, _, power = self._parts(node[0])
            return name, flat(node[1]), power
        if node.tag in ("msubsup", "munderover"):
            name, _, _ = self._parts(node[0])
            star = text(node[2]) == "*"
            return name + "*" * star, flat(node[1]), [] if star else flat(node[2])
        if node.tag == "msup":
            name, indices, _ = self._parts(node[0])
            above = flat(node[1])
            if text(above[0]) in ("*", "′"):
                return name + text(above[0]), indices, []
            return (name + "0", indices, []) if name == "A" else (name, indices, above)
        if node.tag == "mover":
            return ACCENTS[text(node[1])] + self._parts(flat(node[0])[0])[0], [], []
        return text(node), [], []

    def _indices(self, row: Nodes, env: dict) -> list:
        if not row:
            return []
        parts = split(row, ",")
        if len(parts) == 1 and all(node.tag in ("mi", "msup") for node in row):
            parts = [[node] for node in row]
        return [self._value(part, env) for part in parts]

    def _symbol(self, node: Element, env: dict, arguments: list | None) -> Any:
        name, row, power = self._parts(node)
        if power and f"{name}²" in self.definitions:
            name, power = f"{name}²", []
        found = self._named(name, row, env, arguments)
        return found ** self._value(power, env) if power else found

    def _named(self, name: str, row: Nodes, env: dict, arguments: list | None) -> Any:
        if not row and arguments is None and name in env:
            return env[name]
        if name in self.definitions:
            indices = self._indices(row, env)
            for own, taken, right in sorted(
                self.definitions[name], key=lambda d: not (d[0] and d[0][0].tag == "mn")
            ):
                if len(own) == 1 and own[0].tag == "mn" and float(text(own[0])) != indices[0]:
                    continue
                names = [self._parts(part[0])[0] for part in split(taken, ",")] if taken else []
                if taken and taken[0].tag == "msub" and arguments != [self._value(taken, env)]:
                    break  # a value at one place of what is known elsewhere
                bound = {name: env[name] for name in LISTS if name in env}
                bound |= {
                    self._parts(n)[0]: v
                    for n, v in zip([n for n in own if text(n) != ","], indices, strict=False)
                }
                return self._value(right, bound | dict(zip(names, arguments or [], strict=True)))
        if name in self.options and not row:
            return self.options[name]
        of_list = [self.symbols["lists"].get(env[index], {}) for index in LISTS if index in env]
        known = ChainMap(*of_list, self.symbols)[name]
        given = [*self._indices(row, env), *(arguments or [])]
        return known(*given) if callable(known) else known

    def _takes_arguments(self, node: Element) -> bool:
        name = self._parts(node)[0]
        if name in self.definitions:
            return any(taken for _, taken, _ in self.definitions[name])
        return name in self.symbols.get("takes arguments", ())

    # --- indices ---

    def _bound(self, row: Nodes, upper: Nodes, env: dict) -> Iterator[dict]:
        """The values that an index takes, as what stands under a sum says."""
        if upper:
            name = self._parts(row[0])[0]
            last = min(self._value(upper, env), self.options.get("longest", math.inf))
            for at in range(int(self._value(row[2:], env)), int(last) + 1):
                yield env | {name: at}
            return
        conditions = [part for piece in split(row, ":") for part in split(piece, ",")]
        names = list(dict.fromkeys(name for name in self._names(row) if name not in env))
        for values in itertools.product(*(self.domains[name.rstrip("′")] for name in names)):
            found = env | dict(zip(names, values, strict=True))
            if all(len(part) == 1 or self._holds(part, found) for part in conditions):
                yield found

    def _names(self, row: Nodes) -> Iterator[str]:
        for node in row:
            if node.tag == "mi" or (node.tag == "msup" and text(node[1]) == "′"):
                if self._parts(node)[0].rstrip("′") in self.domains:
                    yield self._parts(node)[0]
            elif len(node):
                yield from self._names([leaf for child in node for leaf in flat(child)])

    # --- expressions ---

    def _holds(self, row: Nodes, env: dict) -> bool:
        depth, places = 0, []
        for place, node in enumerate(row):
            depth += (text(node) in ("(", "[")) - (text(node) in (")", "]"))
            if text(node) in COMPARED and depth == 0:
                places.append(place)
        ends = [-1, *places, len(row)]
        values = [self._value(row[a + 1 : b], env) for a, b in itertools.pairwise(ends)]
        return all(
            COMPARED[text(row[place])](a, b)
            for place, (a, b) in zip(places, itertools.pairwise(values), strict=True)
        )

    def _value(self, row: Nodes, env: dict) -> Any:
        value, rest = self._sum(row, env)
        assert not rest, [text(node) for node in rest]
        return value

    def _sum(self, row: Nodes, env: dict) -> tuple[Any, Nodes]:
        sign = text(row[0]) == "−"
        value, row = self._product(row[sign:], env)
        value = -value if sign else value
        while row and text(row[0]) in ("+", "−"):
            more, rest = self._product(row[1:], env)
            value, row = (value + more if text(row[0]) == "+" else value - more), rest
        return value, row

    def _product(self, row: Nodes, env: dict) -> tuple[Any, Nodes]:
        value, row = self._factor(row, env)
        while row and text(row[0]) not in {"+", "−", ",", ":", ")", "]", "}", *COMPARED}:
            if row[0].tag == "mtext" and text(row[0]) in ("if", "otherwise"):
                break
            if text(row[0]) in ("∪", "∩"):
                more, rest = self._factor(row[1:], env)
                value, row = (value & more if text(row[0]) == "∩" else value | more), rest
                continue
            if text(row[0]) == "/":
                below, row = self._factor(row[1:], env)
                value = self._ratio(value, below)
                continue
            more, row = self._factor(row[1:] if text(row[0]) == "·" else row, env)
            value = 0 if 0 in (value, more) else value * more
        return value, row

    def _ratio(self, above: float, below: float) -> float:
        return 0 if self.zero and not below else above / below

    def _bracket(self, row: Nodes) -> tuple[Nodes, Nodes]:
        """What is in the brackets that a row starts with, and what is behind them."""
        opening, depth = text(row[0]), 0
        closing = OPENING[opening]
        for place, node in enumerate(row):
            sign = node.get("form") if opening == "|" else None
            begins = text(node) == opening and sign != "postfix"
            ends = closes(node, closing) and sign != "prefix"
            depth += begins - ends
            if depth == 0:
                return row[1:place], row[place:]
        raise AssertionError(f"no {closing}")

    def _factor(self, row: Nodes, env: dict) -> tuple[Any, Nodes]:
        node, rest = row[0], row[1:]
        if text(node) == "{" and rest[0].tag == "mtable":
            return self._cases(rest[0], env), rest[1:]
        if text(node) in OPENING:
            inside, behind = self._bracket(row)
            value = self._inside(text(node), inside, env)
            if behind[0].tag == "msup":
                value = value ** self._value(flat(behind[0][1]), env)
            return value, behind[1:]
        number = self._number(node, env)
        return (number, rest) if number is not None else self._called(node, rest, env)

    def _number(self, node: Element, env: dict) -> float | None:
        """A number, fraction, root or power of a number; None for symbols."""
        if node.tag == "mn":
            return float(text(node))
        if node.tag == "mfrac":
            above, below = (self._value(flat(part), env) for part in node)
            binomial = node.get("linethickness") == "0"
            return math.comb(int(above), int(below)) if binomial else self._ratio(above, below)
        if node.tag == "msqrt":
            return math.sqrt(self._value([n for child in node for n in flat(child)], env))
        if node.tag == "msup" and node[0].tag == "mn":
            return float(text(node[0])) ** self._value(flat(node[1]), env)
        return math.inf if text(node) == "∞" else None

    def _called(self, node: Element, rest: Nodes, env: dict) -> tuple[Any, Nodes]:
        """A symbol, and what it is a function of."""
        name, indices, upper = self._parts(node)
        if name in CHOSEN:
            return self._chosen(name, indices, upper, rest, env)
        if name in FUNCTIONS or name == "log":
            value, rest = self._factor(rest, env)
            base = self._value(indices, env) if indices else math.e
            return (math.log(value, base) if name == "log" else FUNCTIONS[name](value)), rest
        if rest and text(rest[0]) == "(" and self._takes_arguments(node):
            inside, behind = self._bracket(rest)
            given = [self._value(part, env) for part in split(inside, ",")]
            return self._symbol(node, env, given), behind[1:]
        return self._symbol(node, env, None), rest

    def _inside(self, sign: str, inside: Nodes, env: dict) -> Any:
        if sign == "[":
            return float(self._holds(inside, env))
        if sign == "{":
            shown, *conditions = split(inside, ":")
            listed = [part for piece in conditions for part in split(piece, ",")]
            names = list(dict.fromkeys(n for n in self._names([*shown, *inside]) if n not in env))
            names = [n for n in names if n in set(self._names(shown))]
            found = (
                env | dict(zip(names, values, strict=True))
                for values in itertools.product(*(self.domains[n.rstrip("′")] for n in names))
            )
            return {
                self._value(shown, bound)
                for bound in found
                if all(self._holds(part, bound) for part in listed)
            }
        value = self._value(inside, env)
        if sign == "|":
            return len(value) if isinstance(value, (set, frozenset)) else abs(value)
        return math.floor(value) if sign == "⌊" else value

    def _chosen(self, name: str, indices: Nodes, upper: Nodes, rest: Nodes, env: dict) -> tuple[Any, Nodes]:
        if indices:
            over = list(self._bound(indices, upper, env))
            operand = self._length(rest, "".join(map(text, indices)))
            values = [self._value(rest[:operand], bound) for bound in over]
            if name == "median":
                return self.symbols["median"](values), rest[operand:]
            return CHOSEN[name](values), rest[operand:]
        inside, behind = self._bracket(rest)
        if text(rest[0]) == "{":
            return CHOSEN[name](list(self._inside("{", inside, env))), behind[1:]
        return CHOSEN[name]([self._value(part, env) for part in split(inside, ",")]), behind[1:]

    def _length(self, row: Nodes, index: str) -> int:
        """How far the product reaches that a sum is taken of; a sum over the same index is another factor."""
        depth = 0
        for place, node in enumerate(row):
            sign = node.get("form") if text(node) == "|" else None
            depth += (text(node) in ("(", "[", "{", "⌊") or sign == "prefix") and node.tag == "mo"
            depth -= sign == "postfix" or any(closes(node, end) for end in (")", "]", "}", "⌋"))
            again = node.tag == "msub" and text(node[0]) in CHOSEN and text(node[1]) == index
            if depth < 0 or again or (depth == 0 and place and text(node) in {"+", "−", ",", *COMPARED}):
                return place
        return len(row)

    def _cases(self, table: Element, env: dict) -> Any:
        for row in table:
            value, condition = (flat(cell) for cell in row)
            if self._applies(condition, env):
                return self._value(value, env)
        raise AssertionError("no case applies")

    def _applies(self, condition: Nodes, env: dict) -> bool:
        if text(condition[0]) == "otherwise":
            return True
        if text(condition[0]) == "if":
            return self._holds(condition[1:], env)
        if any(text(node) == "without a cutoff" for node in condition) and self.options["cutoff"]:
            return False
        said = [text(node).partition("=") for node in condition if "=" in text(node)]
        return all(str(self.options[name]).lower() == value for name, _, value in said)
