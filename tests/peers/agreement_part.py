"""The audit of a judge panel against `krippendorff`, scikit-learn, SciPy and statsmodels on one generated panel."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

from checks import Checks
from processes import finished, problem_of
from project import Project

DATASET = "baseline_curated"
JUDGES = ("heron", "osprey", "stork", "wren")
APPROACHES = tuple(f"approach-{letter}" for letter in "abcdef")
QUESTIONS_N = 40
MISSING_RATIO = 0.04
SEED = 7
LIMIT = 1e-9
TIMEOUT_S = 240


def check(checks: Checks, checkout: Path, work: Path, binary: Path, python: Path) -> None:
    """Audits the panel with both, compares every number, and audits it again with its lines in other orders."""
    project = Project(checkout, work / "project", binary)
    lines = [json.dumps(verdict) for verdict in _verdicts()]
    text = _audit(project, lines)
    ours = json.loads(text)
    sidecar = _sidecar(project)
    theirs = json.loads(_run([str(python), str(Path(__file__).with_name("agreement_scores.py")), str(sidecar)]))
    compared = _Compared(checks)
    for name in ("alpha", "alpha_ordinal"):
        compared.equal(f"alpha {name}", ours["alpha"][0][name], theirs["alpha"][name])
    pairs = {f"{row['judge_a']} {row['judge_b']}": row for row in ours["pairs"]}
    checks.equal("the pairs of judges", sorted(pairs), sorted(theirs["pairs"]))
    for pair, numbers in theirs["pairs"].items():
        for name, expected in numbers.items():
            compared.equal(f"{pair} {name}", pairs[pair][name], expected)
    panel = next(row for row in ours["effects"] if row["effect"] == "position" and row["judge"] is None)
    for name, expected in theirs["effects"].items():
        compared.equal(f"position {name}", panel[name], expected)
    left_out = [(row["without_judge"] or "", row["approach"]) for row in ours["leave_one_out"]]
    checks.equal(
        "every approach is ranked by the whole panel and without each judge",
        sorted(left_out),
        sorted((judge, name) for judge in theirs["leave_one_out"] for name in APPROACHES),
    )
    for row in ours["leave_one_out"]:
        expected = theirs["leave_one_out"][row["without_judge"] or ""]
        compared.equal(f"mean of {row['approach']} without {row['without_judge']}", row["mean"], expected[row["approach"]])
        if row["without_judge"]:
            compared.equal(f"tau without {row['without_judge']}", row["kendall_tau"], expected["tau"])
    planted = [row for row in ours["canaries"] if row["canary"] == "empty"]
    checks.equal("the judges of planted answers", sorted(row["judge"] for row in planted), sorted(theirs["canaries"]))
    checks.equal("they are all of the panel", sorted(theirs["canaries"]), sorted(JUDGES))
    for row in planted:
        for name, expected in theirs["canaries"][row["judge"]].items():
            compared.equal(f"canaries of {row['judge']} {name}", row[name], expected)
    compared.finish()
    texts = set()
    draw = random.Random(SEED)
    for _ in range(3):
        draw.shuffle(lines)
        texts.add(_audit(project, lines))
    checks.equal("the lines of the sidecar in three other orders change no byte", texts, {text})


class _Compared:
    """Numbers within the limit; told in one line."""

    def __init__(self, checks: Checks) -> None:
        self._checks = checks
        self._numbers_n = 0
        self._largest = 0.0
        self._wrong: list[str] = []

    def equal(self, name: str, found: float | None, expected: float) -> None:
        distance = abs(found - expected) if found is not None and math.isfinite(expected) else math.inf
        self._numbers_n += 1
        self._largest = max(self._largest, distance)
        if distance > LIMIT:
            self._wrong.append(f"{name}: ours {found!r}, theirs {expected!r}")

    def finish(self) -> None:
        name = f"{self._numbers_n} numbers of the audit, largest difference {self._largest:.1e}"
        self._checks.check(name, "\n".join(self._wrong[:8]) or None)


def _sidecar(project: Project) -> Path:
    return project.folder / "compare" / "results" / "panel-judgments.verdicts.jsonl"


def _audit(project: Project, lines: list[str]) -> str:
    sidecar = _sidecar(project)
    sidecar.parent.mkdir(parents=True, exist_ok=True)
    sidecar.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [str(project.binary), "judge", "--project", str(project.folder), "--dataset", DATASET]
    return _run([*command, "--results-file", "panel-judgments.json", "--audit", "--json"])


def _run(command: list[str]) -> str:
    done = finished(command, TIMEOUT_S)
    if problem := problem_of(done):
        raise ValueError(problem)
    return done.stdout


def _verdicts() -> list[dict[str, Any]]:
    """Judges of their own strictness who half agree, with gaps, and one planted blank answer each second question."""
    draw = random.Random(SEED)
    strictness = {judge: place * 0.4 - 0.6 for place, judge in enumerate(JUDGES)}
    verdicts = []
    for number in range(QUESTIONS_N):
        worth = {name: draw.uniform(1.5, 4.5) for name in APPROACHES}
        for judge in JUDGES:
            order = draw.sample(APPROACHES, len(APPROACHES))
            given: list[float | None] = []
            for name in order:
                score = round(2 * (worth[name] - strictness[judge] + draw.gauss(0, 0.8))) / 2
                given.append(None if draw.random() < MISSING_RATIO else min(5.0, max(1.0, score)))
            verdicts.append(_verdict(number, judge, "forward", order, given))
            if number % 2 == 0:
                planted = ["canary/empty", *order]
                scores = [draw.choice([1.0, 2.0, 3.0]), *(3.0 for _ in order)]
                verdicts.append(_verdict(number, judge, "canary", planted, scores))
    return verdicts


def _verdict(number: int, judge: str, direction: str, order: list[str], given: list[float | None]) -> dict[str, Any]:
    whole = None not in given
    scores = [
        {
            "label": chr(ord("A") + place),
            "approach": name,
            "score": score,
            "reason": None if score is not None else "judge_missing_label",
            "value": None,
        }
        for place, (name, score) in enumerate(zip(order, given, strict=True))
    ]
    return {
        "schema_version": 1,
        "run_id": "panel",
        "dataset_id": DATASET,
        "question_id": f"q{number:02d}",
        "judge": judge,
        "direction": direction,
        "order_rule": "per_judge",
        "order_seed": "s",
        "order": order,
        "shown_characters": [100] * len(order),
        "labels": [score["label"] for score in scores],
        "prompt_sha256": "0" * 64,
        "settings": {"backend": "openai-compatible", "endpoint": "http://h/v1", "temperature": 0.0, "thinking": None},
        "attempts": [
            {"latency_ms": 1, "finish_reason": "stop", "response_model": judge, "usage": None, "reason": None, "detail": ""}
        ],
        "state": "scored" if whole else "incomplete",
        "reason": None,
        "detail": "",
        "parse": "strict",
        "scores": scores,
        "best": None,
        "remark": "",
        "surplus": [],
    }
