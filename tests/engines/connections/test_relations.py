"""Table names and queries, as users write them."""

import sqlite3
from contextlib import closing

import pytest

import sqlmetrics as sm
from support.connections.kinds import KINDS, speaks
from support.connections.tables import ROLES

RELATIONS = [
    *["preds", " preds ", '"preds"', "My Table", '"My Table"', "order", '"order"'],
    *["select * from preds", "SELECT * FROM preds;", "(select * from preds)", "select * from preds ; "],
    *["with a as (select * from preds where 1 = 1) select * from a", "select\t*\nfrom preds -- all; of them"],
    *["-- all of them\nselect * from preds", "/* a; b */ select * from preds where 'x;y' <> 'z'"],
]


@pytest.mark.parametrize("relation", RELATIONS)
def test_relations(relation, connection, here):
    there = relation.replace('"', "`") if speaks(connection, "mysql") else relation
    expected, found = (
        sm.evaluate(data, ["auc", "ndcg@3"], **ROLES, score="p", connection=at).to_dicts()
        for data, at in ((relation, here), (there, connection))
    )
    assert found == [pytest.approx(expected[0])]


@pytest.mark.parametrize(
    ("kind", "name"),
    [("sqlite3", "main.preds"), ("psycopg", "public.preds"), ("psycopg", 'postgres.public."order"')],
)
def test_names_behind_a_schema(kind, name, request):
    with closing(KINDS[kind](request.getfixturevalue)) as connection:
        assert (
            sm.evaluate(name, "auc", label="yes", score="p", connection=connection).to_dicts()[0]["n_rows"]
            == 60
        )


@pytest.mark.parametrize("data", ["{}", "select * from {}"])
@pytest.mark.parametrize("name", ["sm_rows", "sm_given"])
def test_a_table_named_like_a_part_of_the_statement(name, data):
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"create table {name} as select 1 as y, 0.9 as p union all select 0, 0.2")
        with pytest.raises(
            sm.SqlMetricsError, match=rf"circular reference: {name}; .* such as main\.{name}$"
        ):
            sm.evaluate(data.format(name), "auc", label="y", score="p", connection=connection)
        there = data.format(f"main.{name}")
        assert sm.evaluate(there, "auc", label="y", score="p", connection=connection)["auc"] == [1]


def test_names_are_quoted(connection):
    facts = {"label": 'x"; drop table preds; --', "score": "P Q", "by": "p`"}
    report = sm.evaluate('qu"ote', {'a"b; --': "auc"}, connection=connection, **facts)
    assert report.columns[-1] == 'a"b; --'
    assert len(report) == 8
    with pytest.raises(sm.SqlMetricsError, match=r"Column 'p q' .*Did you mean 'P Q'"):
        sm.evaluate('qu"ote', "auc", connection=connection, **facts | {"score": "p q"})
    assert sm.evaluate("preds", "count", label="y", connection=connection).to_dicts()[0]["count"] == 60
