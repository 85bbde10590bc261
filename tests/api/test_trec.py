"""TREC's files: how they are read, and that runs are measured as trec_eval measures them."""

import gzip
import json
import math
import random
import statistics
from pathlib import Path

import pytest
import pytrec_eval

import sqlmetrics as sm
from support.errors import told
from support.paths import DATA
from support.peers import judged_and_listed
from support.seeds import seeds

# trec_eval's own test collection and what it prints for it, where a checkout has it.
COLLECTION = DATA / "trec"
RUN, QRELS, PRINTED = (COLLECTION / name for name in ("results.test", "qrels.test", "out.test.aq"))
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
LEVELS = tuple(step / 10 for step in range(11))

# Its measures that we have, as we write them; `1 - x` takes what is left to 1.
MEASURES = {
    "map": "map",
    "gm_map": "gmap",
    "Rprec": "r_precision",
    "bpref": "bpref",
    "recip_rank": "mrr",
    "infAP": "infap",
    "11pt_avg": "interpolated_map",
    "ndcg": "ndcg",
    "rbp": "rbp",
    "rbp_resid": "rbp_residual",
    "set_P": "set_precision",
    "set_recall": "set_recall",
    "set_F": "set_f1",
    "set_map": "set_map",
    "set_relative_P": "set_recall(denominator=capped)",
    **{f"relative_P_{k}": f"recall(denominator=capped)@{k}" for k in CUTOFFS},
    **{f"P_{k}": f"precision@{k}" for k in CUTOFFS},
    **{f"recall_{k}": f"recall@{k}" for k in CUTOFFS},
    **{f"ndcg_cut_{k}": f"ndcg@{k}" for k in CUTOFFS},
    **{f"map_cut_{k}": f"map@{k}" for k in CUTOFFS},
    **{f"success_{k}": f"success@{k}" for k in (1, 5, 10)},
    **{f"iprec_at_recall_{level:.2f}": f"interpolated_precision(recall={level})" for level in LEVELS},
    **{f"unj_{k}": f"1 - judged@{k}" for k in (5, 10, 20)},
}
COUNTS = {"num_ret", "num_rel", "num_rel_ret"}
# Those that we have not.
ABSENT = {
    "runid": "a name",
    "relstring": "a text: the judgements of the first ten documents",
    "num_q": "n_groups in the result",
    "num_nonrel_judged_ret": "a count; judged@k is the share",
    "gm_bpref": "the geometric mean is there for average precision",
    **{f"Rprec_mult_{step / 5:.2f}": "precision at a multiple of R" for step in range(1, 11)},
    "utility": "a sum of prices for what is relevant and what is not",
    "binG": "a measure of trec_eval's own",
    "G": "a measure of trec_eval's own",
    "ndcg_rel": "the mean of nDCG over the ranks of relevant documents",
    "Rndcg": "nDCG at a rank that depends on the grades",
}
needs_collection = pytest.mark.skipif(
    not PRINTED.is_file(), reason="trec_eval's test collection is not part of this project"
)


def printed() -> dict[tuple[str, str], str]:
    """What trec_eval prints: measure and topic -> text."""
    lines = (line.split() for line in PRINTED.read_text().splitlines())
    return {(measure, topic): value for measure, topic, value in lines}


def by_topic(metrics, run=RUN, qrels=QRELS, **facts) -> dict[str, dict]:
    """The rows of topics, and that of all of them."""
    rows = sm.trec(run, qrels, metrics, per_topic=True, **facts).to_dicts()
    return {"all" if row["is_total"] else row["topic"]: row for row in rows}


@needs_collection
def test_every_measure_of_trec_eval_is_spoken_of():
    assert {measure for measure, _ in printed()} == MEASURES.keys() | COUNTS | ABSENT.keys()


@needs_collection
@pytest.mark.parametrize("measure", MEASURES)
def test_what_trec_eval_prints(measure):
    """Per topic and over all, to the four decimals that it prints."""
    notation = MEASURES[measure].removeprefix("1 - ")
    rows = by_topic({"value": notation}, max_grade=1)
    expected = {topic: text for (name, topic), text in printed().items() if name == measure}
    assert len(expected) in (1, 4)  # gm_map is printed over all topics alone
    for topic, text in expected.items():
        value = rows[topic]["value"]
        assert f"{1 - value if '-' in MEASURES[measure] else value:.4f}" == text, topic


@needs_collection
def test_counts():
    texts = printed()
    rows = by_topic(sorted(COUNTS))
    assert rows["all"]["n_groups"] == int(texts["num_q", "all"])
    for topic, row in rows.items():
        for count in COUNTS:
            assert row[count] == int(texts[count, topic])


# --- random runs, beside trec_eval itself


def written(folder: Path, qrels: dict, run: dict) -> tuple[Path, Path]:
    """Both as TREC's files, in no order."""
    run_file, qrels_file = folder / "run.txt", folder / "qrels.txt"
    listed = [f"{t} Q0 {d} 0 {s!r} tag" for t, of_topic in run.items() for d, s in of_topic.items()]
    judged = [f"{t} 0 {d} {g}" for t, of_topic in qrels.items() for d, g in of_topic.items()]
    run_file.write_text("\n".join(sorted(listed, key=hash)))
    qrels_file.write_text("\n".join(sorted(judged, key=hash)))
    return run_file, qrels_file


PEERS = {
    "map": "map",
    "gm_map": "gmap",
    "Rprec": "r_precision",
    "bpref": "bpref",
    "recip_rank": "mrr",
    "infAP": "infap",
    "ndcg": "ndcg",
    **{f"P_{k}": f"precision@{k}" for k in (5, 10, 100)},
    **{f"recall_{k}": f"recall@{k}" for k in (5, 10, 100)},
    **{f"ndcg_cut_{k}": f"ndcg@{k}" for k in (5, 10, 100)},
    **{f"map_cut_{k}": f"map@{k}" for k in (5, 10, 100)},
    **{f"success_{k}": f"success@{k}" for k in (1, 5, 10)},
    **{f"relative_P_{k}": f"recall(denominator=capped)@{k}" for k in (5, 10, 100)},
    "set_P": "set_precision",
    "set_recall": "set_recall",
    "set_F": "set_f1",
    "set_map": "set_map",
    "set_relative_P": "set_recall(denominator=capped)",
    **{name: f"{name}(average=mean)" for name in sorted(COUNTS)},
}


@pytest.mark.slow
@pytest.mark.parametrize("positive", [None, 2])
@pytest.mark.parametrize("seed", seeds(8))
def test_random_runs_against_trec_eval(tmp_path, seed, positive):
    """Ties, unjudged documents, grades below 0, topics without a relevant document, missing and unknown topics."""
    qrels, run, _ = judged_and_listed(seed, levels=5)
    for topic, judged in qrels.items():
        if topic != "1":  # one judgement has to be left, or trec_eval reads memory that is not its own
            judged |= dict.fromkeys(sorted(judged)[1:3], -1)
    files = written(tmp_path, qrels, run)
    peer = pytrec_eval.RelevanceEvaluator(
        qrels, pytrec_eval.supported_measures, relevance_level=positive or 1
    )
    of_topics = peer.evaluate(run)
    rows = by_topic(dict(PEERS), *files, positive=positive)
    [complete] = sm.trec(*files, dict(PEERS), complete=True, positive=positive).to_dicts()
    for measure in PEERS:
        values = {topic: measures[measure] for topic, measures in of_topics.items()}
        missing = [
            math.log(0.00001) if measure == "gm_map"
            else sum(grade >= (positive or 1) for grade in judged.values()) if measure == "num_rel"
            else 0
            for topic, judged in qrels.items()
            if topic not in values
        ]  # fmt: skip
        scale = math.exp if measure == "gm_map" else float
        for topic, value in values.items():
            assert rows[topic][measure] == pytest.approx(scale(value), rel=1e-9, abs=1e-9), (measure, topic)
        expected = scale(statistics.fmean(values.values()))
        assert rows["all"][measure] == pytest.approx(expected, rel=1e-9, abs=1e-9), measure
        expected = scale(statistics.fmean([*values.values(), *missing]))
        assert complete[measure] == pytest.approx(expected, rel=1e-9, abs=1e-9), measure


def test_a_topic_of_which_nothing_was_judged_counts_0(tmp_path):
    files = written(tmp_path, {"1": {"a": -1}, "2": {"a": 1}}, {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 2.0}})
    [row] = sm.trec(*files, ["map", "ndcg@10", "bpref"]).to_dicts()
    assert [row[name] for name in ("map", "ndcg_10", "bpref", "groups_empty")] == [1 / 2, 1 / 2, 1 / 2, 1]


# --- files

ROWS = [
    {"run": "bm25", "topic": "007", "docno": "d1", "score": 0.0015},
    {"run": "bm25", "topic": "007", "docno": 'd"2,', "score": -0.5},
    {"run": "bm25", "topic": "8", "docno": "007", "score": 7.0},
]
TEXTS = {
    "spaces": '007 Q0 d1 1 1.5e-3 bm25\n007 Q0 d"2, 2 -.5 bm25\n8 Q0 007 1 7 bm25\n',
    "tabs": '007\tQ0\td1\t1\t1.5e-3\tbm25\n007\tQ0\td"2,\t2\t-.5\tbm25\n8\tQ0\t007\t1\t7\tbm25\n',
    "runs of both": '007  Q0\t d1 1   1.5E-03 bm25 \n\t007 Q0 d"2, 2\t\t-0.5 bm25\n  8 Q0 007 1 +7.0 bm25\n',
    "CRLF": '007 Q0 d1 1 1.5e-3 bm25\r\n007 Q0 d"2, 2 -.5 bm25\r\n8 Q0 007 1 7 bm25\r\n',
    "no last newline": '007 Q0 d1 1 1.5e-3 bm25\n007 Q0 d"2, 2 -.5 bm25\n8 Q0 007 1 7 bm25',
    "blank lines, comments": '#\n\n007 Q0 d1 1 1.5e-3 bm25\n  \n007 Q0 d"2, 2 -.5 bm25\n #\n8 Q0 007 1 7 bm25 x\n\n',
    "byte order mark": '\ufeff007 Q0 d1 1 1.5e-3 bm25\n007 Q0 d"2, 2 -.5 bm25\n8 Q0 007 1 7 bm25\n',
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_run_file(tmp_path, text, packed):
    file = tmp_path / ("run.gz" if packed else "a [strange] name")
    file.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert sm.read_run(file).to_pylist() == sm.read_run(str(file)).to_pylist() == ROWS


@pytest.mark.parametrize("gap", [" ", "\t", "  \t "])
def test_a_qrels_file(tmp_path, gap):
    file = tmp_path / "qrels"
    file.write_text("007 0 d1 1\n007 0 d2 -1\r\n\n8 Q0 007 3.0\n9 x y 0".replace(" ", gap))
    assert sm.read_qrels(file).to_pylist() == [
        {"topic": "007", "docno": "d1", "rel": 1},
        {"topic": "007", "docno": "d2", "rel": -1},
        {"topic": "8", "docno": "007", "rel": 3},
        {"topic": "9", "docno": "y", "rel": 0},
    ]


@pytest.mark.slow
def test_several_runs(tmp_path):
    """Each file is a run, named by its first tag, or as asked; both are measured on the topics that they have."""
    qrels = tmp_path / "qrels"
    qrels.write_text("1 0 a 1\n2 0 b 1\n")
    (tmp_path / "x.run").write_text("1 Q0 a 1 9 new\n2 Q0 c 1 9 new\n2 Q0 b 2 8 new\n")
    (tmp_path / "y.run").write_text("1 Q0 b 1 9 old\n1 Q0 a 2 8 old\n")
    expected = [{"run": "new", "mrr": (1 + 1 / 2) / 2}, {"run": "old", "mrr": 1 / 2}]
    paths = [tmp_path / "y.run", tmp_path / "x.run"]
    for run in (paths, tmp_path / "*.run"):
        rows = sm.trec(run, qrels, "mrr").to_dicts()
        assert [{name: row[name] for name in ("run", "mrr")} for row in rows] == expected
    rows = sm.trec({"b": paths[0], "a": paths[1]}, qrels, {"rr": "mrr"}, complete=True).to_dicts()
    assert [(row["run"], row["rr"]) for row in rows] == [("a", 3 / 4), ("b", 1 / 4)]
    rows = sm.trec(paths, qrels, "mrr", per_topic=True).to_dicts()
    assert [(row["run"], row["topic"], row["mrr"]) for row in rows] == [
        ("new", "1", 1), ("new", "2", 1 / 2), ("old", "1", 1 / 2), ("old", "2", None),
    ]  # fmt: skip


TORN = "1 Q0 a 1 9 no\n1 Q0 b 2 8 yes\n2 Q0 a 1 7 no\n2 Q0 b 2 6 yes\n2 Q0 c 3 5 no\n"


@pytest.mark.slow
def test_a_file_is_one_run_whatever_its_tags(tmp_path):
    """trec_eval reads no tag but to print it."""
    file, qrels = tmp_path / "x.run", tmp_path / "qrels"
    file.write_text(TORN)
    qrels.write_text("1 0 b 1\n2 0 b 1\n2 0 c 1\n")
    judged, run = (
        {"1": {"b": 1}, "2": {"b": 1, "c": 1}},
        {"1": {"a": 9, "b": 8}, "2": {"a": 7, "b": 6, "c": 5}},
    )
    peer = pytrec_eval.RelevanceEvaluator(judged, {"map"}).evaluate(run)
    expected = statistics.fmean(of_topic["map"] for of_topic in peer.values())
    note = f"{file} is one run, though its lines have different tags: no, yes"
    for given in (file, {"r": file}, [file], tmp_path / "*.run"):
        report = sm.trec(given, qrels, "map")
        assert report.value("map") == pytest.approx(expected, rel=1e-12)
        assert note in report.notes()
        assert len(sm.read_run(given)["run"].unique()) == 1
    rows = sm.trec({"r": file}, qrels, "map", per_topic=True).to_dicts()
    assert [row["topic"] for row in rows] == ["1", "2", None]
    other = tmp_path / "other"
    other.write_text("1 Q0 b 1 9 yes\n2 Q0 c 1 9 yes\n")
    rows = sm.trec([file, other], qrels, "map").to_dicts()
    assert [(row["run"], round(row["map"], 9)) for row in rows] == [
        ("no", round(expected, 9)),
        ("yes", 3 / 4),
    ]


def test_two_systems_in_one_file_are_told(tmp_path):
    file, qrels = tmp_path / "x.run", tmp_path / "qrels"
    file.write_text("1 Q0 a 1 9 no\n1 Q0 a 1 9 yes\n")
    qrels.write_text("1 0 a 1\n")
    with pytest.raises(
        sm.DataError,
        match=r"document 'a' of topic '1' 2 times; .*; .*x.run is one run, though .* tags: no, yes$",
    ):
        sm.trec(file, qrels, "map")


def test_files_of_one_name_are_one_run(tmp_path):
    """A glob in a mapping: the parts of a run, whose tags may be the same."""
    (tmp_path / "part1").write_text("1 Q0 a 1 9 tag\n")
    (tmp_path / "part2").write_text("2 Q0 b 1 9 tag\n")
    run = sm.read_run({"whole": tmp_path / "part*"})
    assert [(row["run"], row["topic"]) for row in run.to_pylist()] == [("whole", "1"), ("whole", "2")]


NAMES_OF_TREC_EVAL = [
    "map_cut_10",
    "ndcg_cut.5,10",
    "P.5,30",
    "P_10",
    "recip_rank",
    "gm_map",
    "Rprec",
    "success.1",
]


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("seed", seeds(3))
def test_the_names_of_trec_eval(tmp_path, seed, complete):
    qrels, run, _ = judged_and_listed(seed, levels=5)
    files = written(tmp_path, qrels, run)
    asked = {"map_cut", "ndcg_cut", "P", "recip_rank", "gm_map", "Rprec", "success"}
    of_topics = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
    [row] = sm.trec(*files, NAMES_OF_TREC_EVAL, complete=complete).to_dicts()
    for name in (
        "map_cut_10", "ndcg_cut_5", "ndcg_cut_10", "P_5", "P_30", "P_10", "recip_rank", "gm_map", "Rprec", "success_1"
    ):  # fmt: skip
        logs = name == "gm_map"
        missing = [math.log(0.00001) if logs else 0] * (len(qrels) - len(of_topics)) if complete else []
        value = statistics.fmean([*(of_topic[name] for of_topic in of_topics.values()), *missing])
        assert row[name.lower()] == pytest.approx(math.exp(value) if logs else value, rel=1e-9, abs=1e-9), (
            name
        )


@pytest.mark.slow
def test_what_trec_eval_has_and_we_have_not_is_answered(tmp_path):
    files = written(tmp_path, {"1": {"a": 1}}, {"1": {"a": 1.0}})
    for name in ABSENT.keys() - {"runid", "relstring", "G"}:
        with pytest.raises(sm.SqlMetricsError, match=rf"^Metric '{name}' is "):
            sm.trec(*files, name)


# --- version 9, which pytrec_eval has


def scores_in_single_precision(seed: int) -> tuple[dict, dict]:
    """Qrels and a run, of whose scores some differ only beyond single precision."""
    qrels, run, _ = judged_and_listed(seed, levels=5)
    return qrels, {
        topic: {item: score + 1 + n * 1e-12 for n, (item, score) in enumerate(sorted(of_topic.items()))}
        for topic, of_topic in run.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(6))
def test_version_9(tmp_path, seed):
    qrels, run = scores_in_single_precision(seed)
    files = written(tmp_path, qrels, run)
    levels = [f"iprec_at_recall_{level:.2f}" for level in LEVELS]
    names = ["map", "11pt_avg", *levels, "ndcg_cut_5", "P_5", "infAP", "bpref"]
    of_topics = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    rows = by_topic({name: name for name in names}, *files, version=9)
    ours = by_topic(
        {"11pt_avg": "interpolated_map", "level": "interpolated_precision(recall=0.3)"}, *files, version=9
    )
    for topic, measures in of_topics.items():
        for name in names:
            assert rows[topic][name] == pytest.approx(measures[name], rel=1e-9, abs=1e-9), (name, topic)
        assert ours[topic]["11pt_avg"] == pytest.approx(measures["11pt_avg"], rel=1e-9, abs=1e-9)
        assert ours[topic]["level"] == pytest.approx(measures["iprec_at_recall_0.30"], rel=1e-9, abs=1e-9)


def test_versions_differ(tmp_path):
    """In single precision the relevant document ties with one of a greater id; five of ten are a half."""
    files = written(tmp_path, {"1": {"a": 1}}, {"1": {"a": 0.1234567802, "b": 0.1234567801}})
    values = {
        version: sm.trec(*files, "recip_rank", version=version).value("recip_rank") for version in (9, 10)
    }
    assert values == {9: 1 / 2, 10: 1}
    with pytest.raises(sm.SqlMetricsError, match="version= is that of trec_eval, 9 or 10, got 8"):
        sm.trec(*files, "map", version=8)


def test_it_is_evaluate_under_a_convention(tmp_path):
    qrels, run, _ = judged_and_listed(3, levels=5)
    files = written(tmp_path, qrels, run)
    metrics = ["ndcg@5", "map(denominator=capped)@5", "mrr(on_missing=zero)"]
    expected = sm.evaluate(
        sm.read_run(files[0]),
        metrics,
        truth=sm.read_qrels(files[1]),
        label="rel",
        score="score",
        group="topic",
        item="docno",
        convention="trec_eval",
    )
    # Threads add up in any order: the last digit of a sum may differ.
    assert sm.trec(*files, metrics).to_dicts() == [
        pytest.approx(row, rel=1e-12) for row in expected.to_dicts()
    ]


MISTAKES = {
    "five fields": (
        "1 Q0 a 1 2 t\n\n1 Q0 b 2 t\n",
        "line 3: a run has lines 'topic Q0 docno rank score tag'",
    ),
    "no number": ("# x\n1 Q0 a 1 high t\n", "line 2: a run has lines"),
    "not a number": ("1 Q0 a 1 nan t\n", "line 1: a run has lines"),
    "infinite": ("1 Q0 a 1 -inf t\n", "got '1 Q0 a 1 -inf t'"),
    "qrels": ("1 0 a 1\n", "got '1 0 a 1'"),
    "empty": ("", "run.txt has no line; a run has lines"),
    "comments": ("# nothing\n", "run.txt has no line"),
}


@pytest.mark.parametrize(("text", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_line_that_is_none(tmp_path, text, message):
    file = tmp_path / "run.txt"
    file.write_text(text)
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.read_run(file)
    assert str(refused.value).startswith(str(file))
    assert message in str(refused.value)


@pytest.mark.parametrize("line", ["1 0 a", "1 0 a 0.5", "1 0 a x", "1 0 a 1 2", "1 Q0 a 1 2 t"])
def test_a_line_that_is_no_judgement(tmp_path, line):
    file = tmp_path / "qrels.txt"
    file.write_text(f"1 0 b 1\n{line}\n")
    with pytest.raises(sm.SqlMetricsError, match=r"qrels.txt, line 2: qrels have lines 'topic 0 docno rel'"):
        sm.read_qrels(file)


@pytest.mark.slow
def test_the_number_of_a_line_far_down(tmp_path):
    lines = [f"{n // 1000} Q0 d{n} 1 {n / 7} tag\n" for n in range(300_000)]
    lines[234_567] = "so far\n"
    (tmp_path / "run.txt").write_text("".join(lines))
    with pytest.raises(sm.SqlMetricsError, match=r"line 234568: .* got 'so far'"):
        sm.read_run(tmp_path / "run.txt")


def test_other_mistakes(tmp_path):
    one, other, qrels = (tmp_path / name for name in ("one", "other", "qrels"))
    one.write_text("1 Q0 a 1 9 tag\n")
    other.write_text("1 Q0 b 1 9 tag\n")
    qrels.write_text("1 0 a 1\n")
    with pytest.raises(sm.SqlMetricsError, match=r"one and .*other have the same tag 'tag'; name the runs"):
        sm.trec([one, other], qrels, "map")
    with pytest.raises(sm.SqlMetricsError, match=r"No file matches '.*nowhere'"):
        sm.trec(tmp_path / "nowhere", qrels, "map")
    with pytest.raises(sm.SqlMetricsError, match="names no run"):
        sm.trec({}, qrels, "map")
    with pytest.raises(sm.SqlMetricsError, match="serves metrics of lists"):
        sm.trec(one, qrels, "auc", complete=True)
    with pytest.raises(sm.SqlMetricsError, match="Did you mean 'ndcg'"):
        sm.trec(one, qrels, "ndgc", complete=True)
    other.write_text("1 Q0 a 1 9 tag\n1 Q0 a 2 8 tag\n")
    with pytest.raises(sm.SqlMetricsError, match="document 'a' of topic '1' 2 times; leave one line of each"):
        sm.trec(other, qrels, "map")
    qrels.write_text("q1 0 a 1\n")
    with pytest.raises(
        sm.SqlMetricsError, match=r"No topic of the runs .* the runs have '1', the qrels 'q1'"
    ):
        sm.trec(one, qrels, "map")
    qrels.write_text("1 0 a 1\n1 0 a 0\n")
    with pytest.raises(sm.SqlMetricsError, match="The qrels have document 'a' of topic '1' 2 times"):
        sm.trec(one, qrels, "map")


def test_two_notations_of_one_name_are_named_as_the_message_says(tmp_path):
    run, qrels = written(tmp_path, {"1": {"a": 1}}, {"1": {"a": 0.5, "b": 0.4}})
    message = told(sm.trec, run, qrels, ["ndcg@10", "nDCG@10"])
    other = json.loads(message[message.index("{") :])
    assert sm.trec(run, qrels, other).value("other") == 1


def two_runs(folder: Path, seed: int) -> tuple[list[Path], dict, dict]:
    """Two runs and their qrels, in files and as pytrec_eval takes them; some documents are not judged."""
    chance = random.Random(seed)
    qrels = {f"t{t}": {f"d{i}": chance.choice([0, 0, 1, 2]) for i in range(15)} for t in range(12)}
    runs = {
        name: {topic: {f"d{i}": round(chance.random(), 2) for i in range(22)} for topic in qrels}
        for name in ("bm25", "dense")
    }
    files = [folder / "qrels.txt", *(folder / f"{name}.run" for name in runs)]
    files[0].write_text("".join(f"{t} 0 {d} {r}\n" for t, of in qrels.items() for d, r in of.items()))
    for file, (name, run) in zip(files[1:], runs.items(), strict=True):
        file.write_text("".join(f"{t} Q0 {d} 1 {s} {name}\n" for t, of in run.items() for d, s in of.items()))
    return files, qrels, runs


@pytest.mark.parametrize("seed", seeds(2))
def test_only_what_is_judged(tmp_path: Path, seed: int) -> None:
    (judged, run, _), qrels, runs = two_runs(tmp_path, seed)
    peer = pytrec_eval.RelevanceEvaluator(qrels, {"map", "P_5", "ndcg"}, judged_docs_only_flag=True)
    theirs = peer.evaluate(runs["bm25"])
    ours = sm.trec(run, judged, ["map", "P_5", "ndcg"], judged_only=True, per_topic=True)
    for row in ours.to_dicts()[:-1]:
        assert [row["map"], row["p_5"], row["ndcg"]] == pytest.approx(
            [theirs[row["topic"]][name] for name in ("map", "P_5", "ndcg")]
        )


def test_the_best_documents(tmp_path: Path) -> None:
    """By score and docno, both descending; judgements are looked for after that."""
    (judged, run, _), qrels, runs = two_runs(tmp_path, 3)
    best = {
        topic: dict(sorted(of.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)[:4])
        for topic, of in runs["bm25"].items()
    }
    for only in (False, True):
        peer = pytrec_eval.RelevanceEvaluator(qrels, {"map", "recall_5"}, judged_docs_only_flag=only)
        theirs = peer.evaluate(best).values()
        ours = sm.trec(run, judged, ["map", "recall_5"], max_docs=4, judged_only=only)
        for name in ("map", "recall_5"):
            assert ours.value(name) == pytest.approx(statistics.fmean(of[name] for of in theirs))


def test_judgements_may_stand_first(tmp_path: Path) -> None:
    (judged, one, other), _, _ = two_runs(tmp_path, 1)
    ours = sm.trec([one, other], judged, "map").to_dicts()
    assert sm.trec([judged, one], other, "map").to_dicts() == ours
    assert sm.trec(judged, one, "map").value("map") == sm.trec(one, judged, "map").value("map")


def test_runs_are_compared(tmp_path: Path) -> None:
    """By the topics that both have; with complete=True a topic that one lacks counts 0."""
    (judged, one, other), *_ = two_runs(tmp_path, 2)
    other.write_text("".join(line for line in other.open() if not line.startswith(("t3 ", "t5 "))))
    names = {"a": one, "b": other}
    topics = {name: sm.trec(path, judged, "map", per_topic=True) for name, path in names.items()}
    values = {
        name: {row["topic"]: row["map"] for row in of.to_dicts()[:-1] if row["map"] is not None}
        for name, of in topics.items()
    }
    [row] = sm.trec(names, judged, "map", baseline="a").to_dicts()
    both = sorted(values["b"])
    assert (row["candidate"], row["n_pairs"], row["n_unpaired"]) == ("b", 10, 2)
    assert row["difference"] == pytest.approx(statistics.fmean(values["b"][t] - values["a"][t] for t in both))
    [row] = sm.trec(names, judged, "map", baseline="a", complete=True).to_dicts()
    lacking = [values["b"].get(topic, 0) - value for topic, value in values["a"].items()]
    assert (row["n_pairs"], row["difference"]) == (12, pytest.approx(statistics.fmean(lacking)))


def test_names_of_several_measures(tmp_path: Path) -> None:
    (judged, one, _), *_ = two_runs(tmp_path, 2)
    official = sm.trec(one, judged, "official")
    assert official.metrics[2:7] == ["num_rel_ret", "map", "gm_map", "rprec", "bpref"]
    assert official.metrics[-1] == "p_1000"
    everything = sm.trec(one, judged, ["all_trec"])
    assert set(official.metrics) < set(everything.metrics)


def test_refused(tmp_path: Path) -> None:
    (judged, one, other), *_ = two_runs(tmp_path, 2)
    with pytest.raises(
        sm.SqlMetricsError, match="baseline= compares runs over their topics; leave out per_topic="
    ):
        sm.trec([one, other], judged, "map", baseline="bm25", per_topic=True)
    for wrong in (0, 1.5, True, "5"):
        with pytest.raises(sm.SqlMetricsError, match="max_docs= is a number of documents, an integer >= 1"):
            sm.trec(one, judged, "map", max_docs=wrong)


def test_a_file_that_is_not_gzipped_is_one_error(tmp_path: Path) -> None:
    judged, *_ = two_runs(tmp_path, 2)[0]
    broken = tmp_path / "broken.run.gz"
    broken.write_text("no gzip")
    with pytest.raises(sm.SqlMetricsError, match=r"broken\.run\.gz"):
        sm.trec(broken, judged, "map")
