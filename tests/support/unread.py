"""Columns of a statement's stages that nobody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.statements import PARSERS

if TYPE_CHECKING:
    from sqlglot.optimizer.scope import Scope

#: What a row stands for is said, read or not.
KEYS = ("sm_model", "sm_slice", "sm_replicate")


def unread(text: str, dialect: str) -> list[tuple[str, str]]:
    """The stage or derived table, and the column, for each column that no query over it uses.

    A column without the name of its table counts as read in each table of its query. What a distinct tells apart is
    read, and so is the one column of a query, which must have one.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.optimizer.scope import build_scope

    root = build_scope(sqlglot.parse_one(text, dialect=PARSERS.get(dialect, dialect)))
    assert root is not None
    scopes = list(root.traverse())
    wanted: dict[int, set[str]] = {id(scope): set() for scope in scopes}
    found = []
    for scope in reversed(scopes):  # a query comes before those that it reads from
        query, read = scope.expression, wanted[id(scope)]
        arms = scope.set_operation_scopes
        outputs = query.named_selects
        if "*" in outputs:
            outputs = next((arm.expression.named_selects for arm in arms if not starred(arm)), outputs)
        if scope.is_root or scope.is_subquery or query.args.get("distinct"):
            read.update(outputs)
        named = query.parent
        if isinstance(named, exp.CTE | exp.Subquery) and named.alias and len(outputs) > 1:
            found += [(named.alias, output) for output in outputs if output not in {*read, *KEYS, "*"}]
        for arm in arms:
            if starred(arm):
                wanted[id(arm)] |= read
            else:
                pairs = zip(outputs, arm.expression.named_selects, strict=True)
                wanted[id(arm)] |= {inner for outer, inner in pairs if outer in read}
        for alias, (_, source) in scope.selected_sources.items():
            if id(source) in wanted:
                wanted[id(source)] |= columns_read(scope, alias) | (read if starred(scope) else set())
    return found


def starred(scope: Scope) -> bool:
    """Whether a query selects all columns of a table."""
    return "*" in scope.expression.named_selects


def columns_read(scope: Scope, alias: str) -> set[str]:
    """The columns that a query reads by name, maybe from that table."""
    from sqlglot import exp

    return {column.name for column in scope.find_all(exp.Column) if column.table in ("", alias)}
