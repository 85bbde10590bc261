"""sqlmetrics beside its peers on the same data in one run: seconds, ratio, and whether the values agree.

A peer gets its data in memory, in the form it likes best, and is timed from there, with the conversion that
its own call needs; sqlmetrics is timed from the Parquet file. Exit status 1 when values differ.
"""

import argparse
import sys
import warnings
from collections.abc import Callable
from typing import Any, Literal

import duckdb
import pandas
import polars
from sklearn.metrics import roc_auc_score

import sqlmetrics as sm
from make_data import add_options, make
from run import medians

# pytrec_eval keeps a score as a 32-bit float: a few distinct scores tie there.
TOLERANCE = 1e-6

# trec_eval's choices: linear gain, R as the denominator, 0 for a list without a relevant item.
TREC = {
    "ndcg": "ndcg(gain=linear, on_empty=zero)@10",
    "map": "map(denominator=relevant, on_empty=zero)",
    "mrr": "mrr(on_empty=zero)",
    "precision": "precision(on_empty=zero)@10",
}

Values = dict[str, float]
Task = Callable[[], Values]


def ours(file: str, metrics: dict[str, str], threads: int) -> Task:
    """The same metrics by sqlmetrics."""
    roles = {"label": "label", "score": "score", "group": "list", "positive": 1, "max_grade": 4}

    def call() -> Values:
        with duckdb.connect(config={"threads": threads}) as connection:
            [row] = sm.evaluate(file, metrics, **roles, connection=connection).to_dicts()
        return {name: row[name] for name in metrics}

    return call


def sklearn_auc(frame: pandas.DataFrame) -> Values:
    return {"auc": float(roc_auc_score(frame.label >= 1, frame.score))}


def sklearn_gauc(frame: pandas.DataFrame) -> Values:
    lists = frame.assign(relevant=frame.label >= 1).groupby("list")
    both = lists.filter(lambda one: one.relevant.nunique() == 2).groupby("list")
    aucs = both.apply(lambda one: roc_auc_score(one.relevant, one.score), include_groups=False)
    sizes = both.size()
    return {"gauc": float((aucs * sizes).sum() / sizes.sum())}


def ir_measures_values(qrels: pandas.DataFrame, run: pandas.DataFrame) -> Values:
    import ir_measures
    from ir_measures import AP, RR, P, nDCG

    found = ir_measures.pytrec_eval.calc_aggregate([nDCG @ 10, AP, RR, P @ 10], qrels, run)
    return {"ndcg": found[nDCG @ 10], "map": found[AP], "mrr": found[RR], "precision": found[P @ 10]}


def ranx_values(qrels: pandas.DataFrame, run: pandas.DataFrame) -> Values:
    import ranx

    names = {"q_id_col": "query_id", "doc_id_col": "doc_id"}
    judged = ranx.Qrels.from_df(qrels, score_col="relevance", **names)
    ranked = ranx.Run.from_df(run, score_col="score", **names)
    found = ranx.evaluate(judged, ranked, ["ndcg@10", "map", "mrr", "precision@10"])
    return dict(zip(["ndcg", "map", "mrr", "precision"], map(float, found.values()), strict=True))


def polars_ndcg(file: str) -> Values:
    """What one writes by hand, from the same file; ties fall as they may."""
    gain = 2.0 ** polars.col("label") - 1

    def dcg(order: str) -> polars.Expr:
        top = gain.sort_by(order, descending=True).head(10)
        return (top / polars.int_range(2, top.len() + 2).log(2)).sum()

    lists = (
        polars.scan_parquet(file).group_by("list").agg(dcg("score").alias("dcg"), dcg("label").alias("ideal"))
    )
    mean = lists.filter(polars.col("ideal") > 0).select((polars.col("dcg") / polars.col("ideal")).mean())
    return {"ndcg": float(mean.collect().item())}


def polars_ndcg_audited(file: str) -> Values:
    """The same with what sqlmetrics gives: checks and counts of rows, counts of lists, and the mean over ties."""
    label, score, list_ = polars.col("label"), polars.col("score"), polars.col("list")

    def unusable(column: polars.Expr) -> polars.Expr:
        return ~column.cast(polars.Float64).is_finite().fill_null(False)

    reason = (
        polars.when(list_.is_null()).then(4).when(unusable(label)).then(1).when(unusable(score)).then(2)
    ).otherwise(0)
    rows = polars.scan_parquet(file).select("list", "label", "score", reason.alias("reason"))
    of_rows = rows.select(
        polars.len().alias("n_rows"),
        *((polars.col("reason") == code).sum().alias(f"rows_bad_{code}") for code in (1, 2, 4)),
        (label < 0).sum().alias("rows_negative_grade"),
        (label > 500).sum().alias("rows_huge_grade"),
    )

    def rank(method: Literal["min", "max"]) -> polars.Expr:
        return score.rank(method, descending=True).over("list").cast(polars.Int64)

    first, last, gain = polars.col("first"), polars.col("last"), 2.0**label - 1
    discounts = (1 / polars.Series(range(2, 12), dtype=polars.Float64).log(2)).cum_sum()
    down_to = polars.lit(polars.concat([polars.Series([0.0]), discounts]))
    shared = down_to.gather(last.clip(upper_bound=10)) - down_to.gather((first - 1).clip(upper_bound=10))
    ranked = (
        rows.filter(polars.col("reason") == 0)
        .with_columns(rank("min").alias("first"), rank("max").alias("last"))
        .with_columns((shared / (last - first + 1)).alias("discount"))
    )
    top = gain.sort(descending=True).head(10)
    lists = ranked.group_by("list").agg(
        (gain * polars.col("discount")).sum().alias("dcg"),
        (top / polars.int_range(2, top.len() + 2).log(2)).sum().alias("ideal"),
        ((last > first) & (label > 0)).any().alias("tied"),
    )
    empty = polars.col("ideal") == 0
    of_lists = lists.select(
        (polars.col("dcg") / polars.col("ideal")).filter(~empty).mean().alias("ndcg"),
        polars.len().alias("n_groups"),
        empty.sum().alias("groups_empty"),
        polars.col("tied").sum().alias("groups_tied"),
    )
    _, found = polars.collect_all([of_rows, of_lists])
    return {"ndcg": float(found["ndcg"].item())}


def compare(what: str, rows: int, peer: Task, us: Task, repeats: int) -> bool:
    """Print one line of the table; whether the values agree. The first calls compile and warm caches."""
    theirs, found = peer(), us()
    took = medians({"peer": peer, "us": us}, repeats)
    worst = max(abs(found[name] - value) for name, value in theirs.items())
    agree = worst <= TOLERANCE
    figures = f"{took['peer']:>9.3f} s{took['us']:>9.3f} s{took['peer'] / took['us']:>8.1f} x"
    print(f"{what:<46}{rows:>12,}{figures}   {'agree' if agree else 'DIFFER'} to {worst:.0e}")
    return agree


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser, rows=2_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    sizes: dict[str, Any] = {"lists": options.lists, "slices": options.slices}
    file = str(make(options.rows, **sizes))
    few = str(make(options.rows // 10))

    frame, few_rows = pandas.read_parquet(file), pandas.read_parquet(few)
    # ranx takes no other strings than objects.
    keys = {
        "query_id": frame.list.astype(str).astype(object),
        "doc_id": frame.item.astype(str).astype(object),
    }
    qrels = pandas.DataFrame({**keys, "relevance": frame.label.astype("int64")})
    run = pandas.DataFrame({**keys, "score": frame.score})

    print(f"{'':<46}{'rows':>12}{'peer':>11}{'sqlmetrics':>11}{'ratio':>10}")

    def line(what: str, peer: Task, metrics: dict[str, str], data: str = file) -> bool:
        rows = options.rows if data == file else len(few_rows)
        return compare(what, rows, peer, ours(data, metrics, options.threads), options.repeats)

    agree = [
        line("scikit-learn roc_auc_score", lambda: sklearn_auc(frame), {"auc": "auc"}),
        line("scikit-learn in a pandas groupby: gauc", lambda: sklearn_gauc(few_rows), {"gauc": "gauc"}, few),
        line("ir_measures: nDCG@10, AP, RR, P@10", lambda: ir_measures_values(qrels, run), TREC),
        line("ranx: the same", lambda: ranx_values(qrels, run), TREC),
        line("polars by hand: nDCG@10", lambda: polars_ndcg(file), {"ndcg": "ndcg@10"}),
        line("the same with checks, counts and ties", lambda: polars_ndcg_audited(file), {"ndcg": "ndcg@10"}),
    ]
    return 0 if all(agree) else 1


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sys.exit(main())
