"""Exports read by other people's tools: value for value against the evidence, and the notebook run to its end."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from checks import Checks
from processes import loopback_environment
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
    for name, where in (("full", project), ("empty", empty)):
        done = subprocess.run(
            [str(binary), "export", "--project", str(where.folder), "--output", str(work / name)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=EXPORT_TIMEOUT_S,
            env=loopback_environment(),
            check=False,
        )
        checks.check(f"the {name} export is written", None if done.returncode == 0 else done.stderr[-1500:])
    notebook = checkout / "docs" / "notebooks" / "progression.ipynb"
    script = Path(__file__).with_name("notebook_readers.py")
    done = subprocess.run(
        [str(python), str(script), str(work / "full"), str(work / "empty"), str(results), str(notebook)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=READERS_TIMEOUT_S,
        env=loopback_environment(),
        check=False,
    )
    for line in done.stdout.splitlines():
        name, wrong = json.loads(line)
        checks.check(name, wrong)
    ended = None if done.returncode == 0 else f"exit code {done.returncode}\n{done.stderr[-1500:]}"
    checks.check("the readers' script ends well", ended)


def _hard_rows(row: dict) -> list[dict]:
    """Variants of a real row: every kind of text, empty and missing lists, integers beyond the doubles."""
    text, empty, missing = (json.loads(json.dumps(row)) for _ in range(3))
    for number, variant in enumerate((text, empty, missing)):
        variant["run_id"] = "hard"
        variant["row_id"] = f"{number:064x}"
        variant["question"]["id"] = f"00{number}"
    text["evidence"]["answer"] = "a\r\n\"b\",\u2028c e\u0301 \U0001f468\u200d\U0001f469 =1+1"
    text["evidence"]["token_usage"] = {"prompt_tokens": 2**63 - 1, "completion_tokens": 2**53 + 1, "total_tokens": 0}
    empty["evidence"]["sources"], empty["evidence"]["contexts"] = [], []
    missing["evidence"]["sources"], missing["evidence"]["contexts"] = None, None
    return [text, empty, missing]
