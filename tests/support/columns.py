"""The columns of a statement's stages: those that nobody reads, and those that are read but are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sqlmetrics.book.templates import dialects

if TYPE_CHECKING:
    from sqlglot.optimizer.scope import Scope

#: The name of a stage or of a derived table, and its column.
Column: TypeAlias = tuple[str, str]
#: What a row stands for is said, read or not.
KEYS = {"sm_model", "sm_slice", "sm_replicate"}
#: Stages that carry what the call names, for all stages that may come after them.
CARRIERS = {"sm_given", "sm_marked", "sm_rows", "sm_sliced", "sm_list_rows"}
#: sqlglot has no DataFusion, whose SQL is the standard's.
PARSERS = {name: name for name in dialects()} | {"datafusion": ""}
#: Stages that are the same whatever is read of them: each is small, or one for all calls of its kind.
ALIKE = {
    "sm_arms", "sm_buckets", "sm_cells", "sm_classes", "sm_error_quantiles_places", "sm_examples_with_labels",
    "sm_judged",
    "sm_judged_sums", "sm_label_quantiles_places", "sm_labels", "sm_measured", "sm_mixed", "sm_pilot_means", "sm_pulls",
    "sm_ranked", "sm_result", "sm_sets", "sm_sides", "sm_slice_tests", "sm_summed", "sm_tails_4", "sm_tops",
}  # fmt: skip
#: A table whose columns are not known, such as that of the user.
ANY = "*"


def spare(text: str, dialect: str) -> set[Column]:
    """The columns that nobody reads of stages that differ by what is read of them."""
    return {(stage, column) for stage, column in unread(text, dialect) if stage not in ALIKE | CARRIERS}


def unread(text: str, dialect: str) -> set[Column]:
    """The columns that no query over their stage uses.

    A column without the name of its table counts as read in each table of its query. What a distinct tells apart is
    read, and so is the one column of a query, which must have one.
    """
    from sqlglot import exp

    scopes = scopes_of(text, dialect)
    wanted: dict[int, set[str]] = {id(scope): set() for scope in scopes}
    found = set()
    for scope in reversed(scopes):  # a query comes before those that it reads from
        query, read, outputs = scope.expression, wanted[id(scope)], outputs_of(scope)
        if scope.is_root or scope.is_subquery or query.args.get("distinct"):
            read.update(outputs)
        named = query.parent
        if isinstance(named, exp.CTE | exp.Subquery) and named.alias and len(outputs) > 1:
            found |= {(named.alias, output) for output in outputs if output not in {*read, *KEYS, ANY}}
        for arm in scope.set_operation_scopes:
            of_arm = outputs_of(arm)
            if ANY in of_arm:
                wanted[id(arm)] |= read
            elif renames(scope):
                wanted[id(arm)].update(of_arm)
            else:
                wanted[id(arm)] |= {
                    inner for outer, inner in zip(outputs, of_arm, strict=True) if outer in read
                }
        for alias, (_, source) in scope.selected_sources.items():
            if id(source) in wanted:
                carried = read if ANY in query.named_selects else set()
                wanted[id(source)] |= carried | {
                    name for table, name in names_in(scope) if table in ("", alias)
                }
    return found


def undefined(text: str, dialect: str) -> set[Column]:
    """The columns of ours that a query reads and that none of its tables has."""
    from sqlglot import exp

    found = set()
    for scope in scopes_of(text, dialect):
        if scope.set_operation_scopes or scope.is_correlated_subquery:
            continue
        tables = {alias: columns_of(source) for alias, (_, source) in scope.selected_sources.items()}
        for column in scope.find_all(exp.Column):
            table, name = column.table, column.name
            known = set().union(*([tables[table]] if table in tables else tables.values()))
            if column.find_ancestor(exp.Group, exp.Having, exp.Order):
                known |= set(scope.expression.named_selects)
            # an array that is joined has the names of its elements
            for join in scope.expression.args.get("joins") or [] if known else []:
                known |= {named.alias for named in join.find_all(exp.Alias)}
            # a table may be read as a row, by its name
            if name.startswith("sm_") and known and name not in tables and not known & {name, ANY}:
                found.add((table, name))
    return found


def scopes_of(text: str, dialect: str) -> list[Scope]:
    """The queries of a statement, each after those that it reads from, with names in lower case."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.optimizer.scope import build_scope

    query = sqlglot.parse_one(text, dialect=PARSERS[dialect])
    for name in query.find_all(exp.Identifier):
        name.set("this", name.name.lower())
    root = build_scope(query)
    assert root is not None
    return list(root.traverse())


def names_in(scope: Scope) -> set[Column]:
    """The tables and names of the columns in a query, without those in its sub-queries."""
    from sqlglot import exp

    return {(column.table, column.name) for column in scope.find_all(exp.Column) if column.name != ANY}


def outputs_of(scope: Scope) -> list[str]:
    """The names that a query selects; those of a union are named by an arm without a star."""
    arms = [outputs_of(arm) for arm in scope.set_operation_scopes] or [
        [ANY if column.name == ANY else column.alias_or_name for column in scope.expression.expressions]
    ]
    return next((names for names in arms if ANY not in names), arms[0])


def columns_of(source: object) -> set[str]:
    """All columns of a stage, with those that a star stands for."""
    from sqlglot import exp
    from sqlglot.optimizer.scope import Scope

    if not isinstance(source, Scope) or renames(source):
        return {ANY}
    if source.set_operation_scopes:
        return columns_of(source.set_operation_scopes[0])
    found = set(source.expression.named_selects)
    if ANY in found:
        found.remove(ANY)
        starred = {
            column.table if isinstance(column, exp.Column) else ""
            for column in source.expression.expressions
            if column.name == ANY or isinstance(column, exp.Star)
        }
        for alias, (_, table) in source.selected_sources.items():
            if starred & {"", alias}:
                found |= columns_of(table)
    return found


def renames(scope: Scope) -> bool:
    """Whether a stage names its columns beside its name, as a recursive one does."""
    from sqlglot import exp

    named = scope.expression.parent
    while isinstance(named, exp.SetOperation):
        named = named.parent
    return isinstance(named, exp.CTE | exp.Subquery) and bool(named.alias_column_names)
