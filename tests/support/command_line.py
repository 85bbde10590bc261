"""What is typed at the command line, and how a call has to end."""

import re
import subprocess
import sys

from support.paths import ROOT

SEARCH = str(ROOT / "examples" / "search.parquet")
ROLES = ("--label", "grade", "--score", "score", "--group", "query_id", "--positive", "1")
AUC = ("--metrics", "auc", *ROLES)
FACTS = {"label": "grade", "score": "score", "group": "query_id", "positive": 1}
SLICED = ("evaluate", SEARCH, "--metrics", "auc,ndcg@10", "--by", "country", *ROLES)


def printed(run, *words: str, stdin: bytes = b"") -> str:
    done = run(*words, stdin=stdin)
    assert (done.status, done.err) == (0, "")
    return re.sub(r"\x1b\[\d*m", "", done.out) if sys.stdout.isatty() else done.out


def refused(run, *words: str, stdin: bytes = b"", status: int = 2) -> str:
    done = run(*words, stdin=stdin)
    assert (done.status, done.out) == (status, "")
    assert "Traceback" not in done.err
    return done.err


def python(*words: str, **options) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, *words], capture_output=True, check=False, **options)
