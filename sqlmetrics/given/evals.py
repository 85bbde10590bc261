"""What is known of a table of `read_evals`, so that a call need not say it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from sqlmetrics.book.templates import macros
from sqlmetrics.errors import DataError, SqlMetricsError, counted
from sqlmetrics.given.columns import named_columns

#: the metadata of the schema of such a table
MARK = {"sqlmetrics": "evals"}
MEAN = "mean(column=value, better=higher)"
#: the mean of scores that are all 0 or 1, whose interval stays between them
RATE = "rate(where='value = 1', better=higher)"
#: what a word is not: 0,5 or 90 % or 3/4
LIKE_NUMBER = re.compile(r"[-+]?[\d.,]+([/eE][\d.,]+)?\s*%?")
#: columns that a question reads
COLUMNS = ("model", "task", "sample", "scorer", "value")


def is_evals(data: Any) -> bool:
    """Whether data are a table of `read_evals`, or rows of one."""
    if type(data).__module__.split(".")[0] != "pyarrow" or not hasattr(data, "column_names"):
        return False
    said = data.schema.metadata or {}
    return all(said.get(name.encode()) == word.encode() for name, word in MARK.items()) and {*COLUMNS} <= {
        *data.column_names
    }


def known(data: Any, said: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a table of `read_evals` gives a call which leaves them out.

    Models and groups are those of the table. Each scorer is a slice, since their mean says nothing, and each task. A
    comparison without a baseline is one of all models with each other.

    Args:
        data: such a table.
        said: the arguments that the call names, without its defaults.
        defaults: the defaults of the function's parameters.

    Raises:
        DataError: scores of several scorers, of which the call takes none; one model alone, to compare.
    """
    several = {name: _values(data, name, said.get("where")) for name in ("task", "scorer")}
    models = sorted(data["model"].unique().to_pylist())
    slices = [name for name in ("task", "scorer") if len(several[name]) > 1]
    said = {name: value for name, value in said.items() if value is not None}
    by = [column for _, column in named_columns(said.get("by", slices or None), "by")]
    facts: dict[str, Any] = {
        "models": "model",
        "group": "sample" if data["task"].null_count else ["task", "sample"],
        "by": slices or None,
    }
    if not said.get("metrics"):
        facts["metrics"] = {"mean": RATE if _are_right_or_wrong(data, said.get("where")) else MEAN}
    if len(several["scorer"]) > 1 and "scorer" in by and "total_of" not in said:
        facts["total"] = False
    if "pairs" in defaults and "baseline" not in said and not said.get("candidate"):
        if len(models) < 2:
            raise DataError(
                f"The evaluations are all of one model, {models[0]!r}; a comparison takes the logs of two"
            )
        facts |= {"baseline": models[0], "pairs": "all"}
    taken = {
        name: fact
        for name, fact in facts.items()
        if name in defaults and (name not in said or (name == "metrics" and not said[name]))
    }
    if len(several["scorer"]) > 1 and ("scorer" not in by or "by" not in defaults) and "where" not in said:
        scorers = sorted(str(name) for name in several["scorer"] if name is not None)
        one = f"scorer = '{scorers[0]}'"
        slices_of = ", or by= with 'scorer' in it" if "by" in defaults else ""
        raise DataError(
            f"The scores are those of {counted(scorers, 5)}, whose mean says nothing: take one,"
            f" where={one!r}{slices_of}"
        )
    return taken


def _are_right_or_wrong(data: Any, where: Any) -> bool:
    """Whether each score that is there is 0 or 1."""
    scores = {*_values(data, "value", where)} - {None}
    return bool(scores) and scores <= {0, 1}


def _values(data: Any, name: str, where: Any) -> list[Any]:
    """The values of a column in the rows that a condition takes; in all rows if only the call's connection knows it."""
    if where is not None:
        from sqlmetrics.engines import session as session_on
        from sqlmetrics.given.reads import Reads

        with suppress(SqlMetricsError), session_on(None, None) as session:
            relation = session.open(data, "logs", Reads(every=True)).text
            asked = macros("duckdb")["models_of_rows"](relation, f'"{name}"', where)
            return session.query(str(asked), "the logs").column("sm_name").to_pylist()  # type: ignore[no-any-return]
    return data[name].unique().to_pylist()  # type: ignore[no-any-return]


def with_samples(error: SqlMetricsError, said: Mapping[str, Any]) -> SqlMetricsError:
    """An error of a call; of data that `read_evals` gave it also names the samples whose score is no number.

    Args:
        error: what the call says.
        said: the arguments of the call by name.
    """
    if not (isinstance(error, DataError) and is_evals(said.get("data"))):
        return error
    from sqlmetrics.engines import session as session_on  # which reads options, as this module is read for
    from sqlmetrics.given.reads import Reads

    try:
        with session_on(None, None) as session:
            relation = session.open(said["data"], "logs", Reads(every=True)).text
            asked = macros("duckdb")["duckdb__sql_evals_without_number"](relation, said.get("where"))
            rows = session.query(str(asked), "the logs").to_pylist()
    except SqlMetricsError:  # a condition that only the call's own connection knows
        return error
    failed = [
        f"{row['sample']!r} of {row['model']}" + (f" ({row['scorer']})" if row["scorer"] else "")
        for row in rows
        if row["label"] is None
    ]
    labels = {row["label"]: row["scorer"] for row in rows if row["label"] is not None}
    words = {label: scorer for label, scorer in labels.items() if not LIKE_NUMBER.fullmatch(label)}
    said_of = [str(error)]
    if failed:
        said_of.append(
            f"Samples without a score, as of those that failed: {counted(failed, 3)}. To count them as not passed, take"
            " rate(where='coalesce(value, 0) >= 1', better=higher)"
        )
    said_of += [
        f"The score {label!r} is no number: write it with digits and a point alone, as 0.5"
        for label in labels
        if label not in words
    ][:1]
    for word, scorer in [*words.items()][:1]:
        quoted, of_scorer = word.replace("'", "''''"), f" of {scorer}" if scorer else ""
        said_of.append(f"Scores{of_scorer} are words; the share of one is rate(where='label = ''{quoted}''')")
    return DataError(". ".join(said_of), sql=error.sql)
