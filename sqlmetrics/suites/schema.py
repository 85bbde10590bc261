"""The JSON Schema of a suite. The facts and the tests of a comparison come from the signatures of Python."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, get_args

from sqlmetrics.api.compare import compare
from sqlmetrics.api.evaluate import evaluate
from sqlmetrics.options import OPTIONS, choices

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: The JSON types of an option by its placeholder on the command line.
TYPES = {
    "COLUMN": "string",
    "COLUMNS": ["string", "array"],
    "KEY": ["string", "array"],
    "COLUMN[=NAMES]": ["string", "object"],
    "[NAME=]COLUMN": ["string", "array", "object"],
    "CLASS=COLUMN": ["string", "object"],
    "FILE": "string",
    "NAME": "string",
    "VALUE": ["number", "string"],
}
OF_PYTHON = {bool: "boolean", int: "integer", float: "number", str: "string"}
ELSEWHERE = ("by", "connection", "dialect")  #: options of `evaluate` that are no facts
OF_COMPARISON = {
    "interval": "The confidence level of the interval of the difference.",
    "test": "The test of the difference; bootstrap serves every metric, anytime may be run every day.",
    "n_resamples": "The number of draws of the randomisation test and the bootstrap.",
    "tightest_at": "The number of units at which the interval of test anytime is tightest; 400 by default.",
    "paired": "False where the models have different data, such as other users or another week.",
    "on_unpaired": "A group with a value for only one model: error, or intersection to compare the others.",
}
GATE = (
    "A metric, one of >=, >, <= and <, and a number: auc >= 0.7; of a baseline with margin: auc is not worse"
)
EXPRESSION = "A column is its name, or an SQL expression written as sql:clicks > 0."


def schema() -> Schema:
    """The JSON Schema of a suite."""
    of_evaluate = inspect.signature(evaluate, eval_str=True).parameters
    of_compare = inspect.signature(compare, eval_str=True).parameters
    facts = [name for name in OPTIONS if name in of_evaluate and name not in ELSEWHERE]
    keys = {
        "data": {
            **_texts(
                "Parquet, CSV or JSON: a path, a glob or a list of them, relative to the suite; or for each model a"
                " path or glob."
            ),
            "type": ["string", "array", "object"],
            "additionalProperties": _text("A path or glob: the files of a model."),
            "minProperties": 1,
        },
        "state": _texts(
            "In place of data: files that `state` wrote. They hold their columns, so facts are options of finish alone."
        ),
        "facts": {
            **_object(
                f"What the columns mean, and the options of evaluate, or a file of them. {EXPRESSION}",
                {
                    name: _option(OPTIONS[name].sentence, of_evaluate[name], OPTIONS[name].written)
                    for name in facts
                },
            ),
            "type": ["string", "object"],
            "minLength": 1,
        },
        "metrics": {
            "description": "Notations such as auc and ndcg@10, or a mapping of names to notations.",
            "type": ["array", "object"],
            "items": {"type": "string"},
            "minItems": 1,
            "additionalProperties": {"type": "string"},
            "minProperties": 1,
        },
        "slices": _texts(f"The columns whose values are the slices. {EXPRESSION}"),
        "gates": _gates("Limits of the metrics, for every slice and model."),
        "fail_null": {"description": "True fails a metric without a value, too.", "type": "boolean"},
        "baseline": _object(
            "Limits of the difference of every other model to one: its whole interval keeps them.",
            {
                "model": _text("The name of a model in facts.score."),
                "gates": _gates("Limits of differences: auc >= -0.002 is not worse by more than 0.002."),
                **{name: _option(OF_COMPARISON[name], of_compare[name]) for name in OF_COMPARISON},
                "margin": {
                    "description": "The smallest difference that matters, of all metrics or of each; gates may then"
                    " name a verdict: auc is not worse.",
                    "type": ["number", "object"],
                    "exclusiveMinimum": 0,
                    "additionalProperties": {"type": "number", "exclusiveMinimum": 0},
                    "minProperties": 1,
                },
            },
            ["model", "gates"],
        ),
        "reference": {
            **_object(
                "Limits of the change since an earlier result: a stored report, or a state.",
                {
                    "report": _text("A report as JSON or Parquet."),
                    "state": _texts("Files that `state` wrote."),
                    "where": _text("The periods of the state to use, as SQL."),
                    "gates": _gates("Limits of changes: auc >= -0.01 falls by no more than 0.01."),
                },
                ["gates"],
            ),
            "oneOf": [{"required": ["report"]}, {"required": ["state"]}],
        },
        "outputs": _object(
            "The files to write, relative to the suite.",
            {
                "junit": _text("JUnit XML: a test case for each limit and row."),
                "markdown": _text("A summary for people."),
                "json": _text("All numbers; a later suite may refer to it."),
            },
        ),
    }
    return {
        "$schema": DIALECT,
        "title": "A suite of sqlmetrics",
        **_object("Metrics of data, and the limits that they have to keep.", keys, ["metrics"]),
        "oneOf": [{"required": ["data"]}, {"required": ["state"]}],
    }


def _object(description: str, properties: Schema, required: Iterable[str] = ()) -> Schema:
    return {
        "description": description,
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({"required": list(required)} if required else {}),
    }


def _text(description: str) -> Schema:
    return {"description": description, "type": "string", "minLength": 1}


def _texts(description: str) -> Schema:
    return {
        "description": description,
        "type": ["string", "array"],
        "minLength": 1,
        "items": {"type": "string", "minLength": 1},
        "minItems": 1,
    }


def _gates(description: str) -> Schema:
    limit = {"description": GATE, "type": "string"}
    slices = {"description": "False holds the total alone against the limit.", "type": "boolean"}
    gate = {**_object(GATE, {"gate": limit, "slices": slices}, ["gate"]), "type": ["string", "object"]}
    return {
        "description": description,
        "type": ["string", "array"],
        "minLength": 1,
        "items": gate,
        "minItems": 1,
    }


def _option(sentence: str, parameter: inspect.Parameter, written: str | None = None) -> Schema:
    """The schema of a parameter: its words, the type of its placeholder, or its type in Python."""
    if words := choices(parameter.annotation):
        return {"description": sentence, "enum": list(words)}
    kinds = TYPES.get(written or "")
    if kinds is None:
        each = get_args(parameter.annotation) or [parameter.annotation]
        [kinds] = [OF_PYTHON[kind] for kind in each if kind in OF_PYTHON]
    text: Schema = {"type": "string"}
    several = {"items": text} if "array" in kinds else {}
    each_name = {"type": ["string", "array"], "items": text} if written == "COLUMN[=NAMES]" else text
    named_texts = {"additionalProperties": each_name} if {"array", "object"} & {*kinds} else {}
    named = {"minLength": 1} if "string" in kinds else {}
    return {"description": sentence, "type": kinds, **named, **several, **named_texts}
