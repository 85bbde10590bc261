"""A Jinja2 whose private parts are others: macros are rendered as it does by itself, to the same statements."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sqlmetrics.book import jinja
from sqlmetrics.book.direct_calls import ANSWERS, SAMPLE
from sqlmetrics.book.templates import Macros
from support.calls import CALLS, statement, unstamped
from support.processes import surroundings

#: What another Jinja2 may have changed.
OTHERS = {
    "no code generator": "del jinja2.compiler.CodeGenerator",
    "other arguments": """
class Other(jinja2.compiler.CodeGenerator):
    def visit(self, node, *, frame):
        super().visit(node, frame)
jinja2.compiler.CodeGenerator = Other
""",
    "no body of a macro": """
class Other(jinja2.runtime.Macro):
    def __init__(self, *args):
        super().__init__(*args)
        self._body = self.__dict__.pop("_func")
    def _invoke(self, arguments, autoescape):
        return self._body(*arguments)
jinja2.runtime.Macro = Other
""",
    "answers that differ": """
class Other(jinja2.compiler.CodeGenerator):
    def visit_Const(self, node, frame):
        self.write(repr(9 if node.value == 2 else node.value))
jinja2.compiler.CodeGenerator = Other
""",
}
SAY = f"""
from types import SimpleNamespace
from sqlmetrics.book import jinja
names = SimpleNamespace()
vars(names).update(jinja.functions("sample.sql", {SAMPLE!r}, {{"sqlmetrics": names}}))
print(jinja.direct_calls(), names.tried())
"""


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Macros that are loaded from now on are those of plain Jinja2."""
    monkeypatch.setattr(jinja, "direct_calls", lambda: None)


def test_the_sample_fits_the_jinja_of_today() -> None:
    assert jinja.direct_calls() is not None


def test_the_sample_says_the_same_in_plain_jinja(rendered: None) -> None:
    names = SimpleNamespace()
    vars(names).update(jinja.functions("sample.sql", SAMPLE, {"sqlmetrics": names}))
    assert names.tried() == ANSWERS


@pytest.mark.slow
def test_statements_are_the_same(rendered: None) -> None:
    plain = Macros("postgres")
    for call in list(CALLS)[::4]:
        macro, arguments = CALLS[call]
        assert unstamped(str(plain[macro](**arguments))) == statement(call, "postgres"), call


@pytest.mark.slow
@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_another_jinja_is_noticed(other: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import jinja2.compiler, jinja2.runtime\n{other}\n{SAY}"],
        env=surroundings(XDG_CACHE_HOME=str(tmp_path)), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"None {ANSWERS}\n"
