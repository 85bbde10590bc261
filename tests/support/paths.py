"""Where things lie."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
#: Data that may not be given away with the project lie beside it.
DATA = ROOT.parent / "shared" / "data"
