"""README's table of metrics, made from `sql/metrics/`; run as a script it writes the table anew."""

from __future__ import annotations

from pathlib import Path

from sqlmetrics.catalog import by_grain, written

README = Path(__file__).parents[1] / "README.md"
START, END = "<!-- metrics: made by tests/readme_table.py -->\n", "<!-- end of metrics -->"


def table() -> str:
    """The metrics under their grains: notation, options with defaults, what they are."""
    lines = []
    for grain, metrics in by_grain().items():
        lines += [f"\n**Over {grain}**\n", "| metric | options | what it is |", "|---|---|---|"]
        for metric in metrics:
            # what every list metric takes, README says once
            options = [f"`{name}={written(value)}`" for name, value in metric.options.items()]
            summary = metric.summary.replace("|", "\\|")
            lines.append(f"| `{metric.notation}` | {' '.join(options)} | {summary} |")
    return "\n".join(lines).lstrip("\n") + "\n"


def with_table(readme: str) -> str:
    """README with the table between its marks."""
    before, rest = readme.split(START)
    return before + START + "\n" + table() + "\n" + END + rest.split(END)[1]


if __name__ == "__main__":
    README.write_text(with_table(README.read_text()))
