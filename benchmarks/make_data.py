"""Data for the benchmarks: ranked lists of about rows / lists items, made by DuckDB, kept in benchmarks/data.

Every value is a hash of the row's number: the same options and the same DuckDB give the same file, and the
rows of a list lie scattered over the whole of it, as they do in a log.
"""

import argparse
from pathlib import Path

import duckdb

FOLDER = Path(__file__).with_name("data")

QUERY = """
    with draws as (
        select
            range::integer as item,
            -- Hashes of different numbers: those of one number with several texts would be correlated.
            (hash(3 * range) % {lists})::integer as list,
            -- 2^52 values inside (0, 1)
            ((hash(3 * range + 1) >> 12) + 0.5) / 4503599627370496 as label_draw,
            ((hash(3 * range + 2) >> 12) + 0.5) / 4503599627370496 as score_draw
        from range({rows})
    ),

    labelled as (
        select
            *,
            case
                when label_draw < 0.80 then 0
                when label_draw < 0.89 then 1
                when label_draw < 0.95 then 2
                when label_draw < 0.985 then 3
                else 4
            end as label
        from draws
    ),

    -- Logistic noise and the label on the logit scale: an auc of about 0.74.
    scored as (
        select *, 1 / (1 + exp(-(ln(score_draw / (1 - score_draw)) + 0.9 * label - 1.5))) as score
        from labelled
    )

    select
        list,
        item,
        printf('country %02d', hash(list) % {slices}) as country,
        label,
        {score} as score
    from scored
"""


def add_options(parser: argparse.ArgumentParser, rows: int) -> None:
    """The options that say which data to make."""
    parser.add_argument("--rows", type=int, default=rows)
    parser.add_argument("--lists", type=int, help="default: rows / 40")
    parser.add_argument("--slices", type=int, default=20, help="countries; a list lies in one")


def make(rows: int, lists: int | None = None, levels: int = 0, slices: int = 20) -> Path:
    """The file with these data, made when it is not there; `levels` distinct scores, 0 for all distinct."""
    lists = lists or max(1, rows // 40)
    file = FOLDER / f"rows_{rows}_lists_{lists}_levels_{levels}_slices_{slices}.parquet"
    if not file.exists():
        FOLDER.mkdir(exist_ok=True)
        score = f"(floor(score * {levels}) + 0.5) / {levels}" if levels else "score"
        query = QUERY.format(rows=rows, lists=lists, slices=slices, score=score)
        unfinished = file.with_suffix(".unfinished")
        duckdb.execute(f"copy ({query}) to '{unfinished}' (format parquet)")
        unfinished.rename(file)
    return file


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser, rows=20_000_000)
    parser.add_argument("--levels", type=int, default=0, help="distinct scores; 0: all distinct")
    print(make(**vars(parser.parse_args())))
