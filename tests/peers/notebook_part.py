"""Exports read by other people's tools: value for value against the evidence, and the notebook run to its end."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from checks import Checks
from processes import finished, problem_of
from project import Project

DATASET = "baseline_curated"
EXPORT_TIMEOUT_S = 300
READERS_TIMEOUT_S = 540


def check(checks: Checks, checkout: Path, work: Path, binary: Path, python: Path) -> None:
    """Runs one dataset with the built-in models, adds rows that are hard to keep, exports, and has all readers compare."""
    project = Project(checkout, work / "project", binary)
    problem, rows = project.run("night", DATASET, "--limit", "6")
    if not checks.check("a run gives evidence", problem):
        return
    results = project.folder / "compare" / "results"
    hard = [json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for row in _hard_rows(rows[0])]
    (results / "hard.jsonl").write_text("".join(line + "\n" for line in hard), encoding="utf-8")
    empty = Project(checkout, work / "empty", binary)
    # Where the notebook looks when no variable says otherwise.
    full = results / "export"
    for name, where, output in (("full", project, full), ("empty", empty, work / "empty-export")):
        command = [str(binary), "export", "--project", str(where.folder), "--output", str(output)]
        checks.check(f"the {name} export is written", problem_of(finished(command, EXPORT_TIMEOUT_S)))
    notebook = project.folder / "docs" / "notebooks" / "progression.ipynb"
    notebook.parent.mkdir(parents=True)
    shutil.copy(checkout / "docs" / "notebooks" / notebook.name, notebook)
    script = Path(__file__).with_name("notebook_readers.py")
    places = (full, work / "empty-export", results, notebook)
    done = finished([str(python), str(script), *map(str, places)], READERS_TIMEOUT_S)
    for line in done.stdout.splitlines():
        name, wrong = json.loads(line)
        checks.check(name, wrong)
    checks.check("the readers' script ends well", problem_of(done))


def _hard_rows(row: dict) -> list[dict]:
    """Variants of a real row: every kind of text, empty and missing lists, integers beyond the doubles, a failure."""
    text, empty, missing, failed = (json.loads(json.dumps(row)) for _ in range(4))
    for number, variant in enumerate((text, empty, missing, failed)):
        variant["run_id"] = "hard"
        variant["row_id"] = f"{number:064x}"
        variant["question"]["id"] = f"00{number}"
    text["evidence"]["answer"] = "a\r\n\"b\",\u2028c e\u0301 \U0001f468\u200d\U0001f469 =1+1"
    text["evidence"]["token_usage"] = {"prompt_tokens": 2**63 - 1, "completion_tokens": 2**53 + 1, "total_tokens": 0}
    empty["evidence"]["sources"], empty["evidence"]["contexts"] = [], []
    missing["evidence"]["sources"], missing["evidence"]["contexts"] = None, None
    failed["status"], failed["error"] = "timeout", {"type": "ReadTimeout", "message": "no answer \u2014 within 1 s"}
    failed["metrics"]["ragas"] |= {
        "status": "partial", "scores": {"faithfulness": None}, "not_evaluable": {"context_recall": "no_reference"},
        "metric_errors": {"faithfulness": "score_missing_or_null"},
    }
    return [text, empty, missing, failed]
