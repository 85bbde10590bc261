"""Writes the JSON Schema of suites: into the package, and into docs, where editors find it."""

from __future__ import annotations

import json

from sqlmetrics.suites.schema import schema
from support.paths import ROOT

FILES = [ROOT / "sqlmetrics" / "suites" / "suite.schema.json", ROOT / "docs" / "suite.schema.json"]


def text() -> str:
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for file in FILES:
        file.write_text(text(), encoding="utf-8")
