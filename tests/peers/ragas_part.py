"""The four metrics of `ragas` and those of `ragsql gateway` over one scripted evaluator: the scores must be equal."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import http_json
from checks import Checks
from evaluator_stub import EvaluatorStub
from processes import finished, problem_of
from project import Project

DATASET = "baseline_curated"
METRICS = ("faithfulness", "answer_relevancy", "context_precision", "context_recall")
RECORDS_N = 200
BATCH_N = 100
SEED = 20
LIMIT = 1e-9
RAGAS_TIMEOUT_S = 480
# Why ragas has no number, and the reasons that may stand on our side.
REASONS = {"raises": {"empty_answer", "no_contexts", "no_reference"}, "nan": {"no_claims"}}


def check(checks: Checks, checkout: Path, work: Path, binary: Path, python: Path) -> None:
    """Scores the same generated records with both, and compares record by record and metric by metric."""
    records = _records()
    file = work / "records.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    project = Project(checkout, work / "project", binary)
    with EvaluatorStub(records) as stub:
        remote = {"endpoint": stub.base, "retries": 0}
        roles = {"embed": remote | {"model": "stub-embed"}, "ragas_evaluator": remote | {"model": "stub"}}
        project.add_preset("scripted", project.builtin_roles() | roles)
        gateway, base = project.serve(work / "gateway.log", DATASET, "--roles", "scripted")
        with gateway:
            ours = [
                result
                for start in range(0, RECORDS_N, BATCH_N)
                for result in _evaluate(base, records[start : start + BATCH_N])
            ]
        theirs = _ragas(python, stub.base, file)
        calls = dict(sorted(stub.calls.items()))
    print(f"note               calls {calls}", flush=True)
    checks.equal("both scored every record", (len(ours), len(theirs)), (RECORDS_N, RECORDS_N))
    for metric in METRICS:
        _compare(checks, metric, ours, theirs)
    perfect = [own["scores"]["context_precision"] for record, own in zip(records, ours, strict=True) if _is_perfect(record)]
    checks.equal("a perfect precision is 1 and nothing else", set(perfect), {1.0})
    _check_kinds(checks, theirs)


def _compare(checks: Checks, metric: str, ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> None:
    wrong, largest, numbers_n, nulls = [], 0.0, 0, Counter()
    for number, (own, other) in enumerate(zip(ours, theirs, strict=True)):
        score, expected = own["scores"][metric], other[metric]
        reason = own["metadata"]["reasons"].get(metric)
        if isinstance(expected, str):
            nulls[reason] += 1
            if score is not None or reason not in REASONS[expected]:
                wrong.append(f"record {number}: ragas {expected}, ours {score!r} ({reason})")
            continue
        numbers_n += 1
        distance = abs(score - expected) if score is not None else float("inf")
        largest = max(largest, distance)
        if not distance <= LIMIT:
            wrong.append(f"record {number}: ragas {expected!r}, ours {score!r} ({reason})")
    found = f"{numbers_n} scores, largest difference {largest:.1e}, nulls {dict(sorted(nulls.items()))}"
    checks.check(f"{metric}: {found}", "\n".join(wrong[:5]) or None)


def _check_kinds(checks: Checks, theirs: list[dict[str, Any]]) -> None:
    """The records must have had what they are there for."""
    relevancy = [other["answer_relevancy"] for other in theirs if not isinstance(other["answer_relevancy"], str)]
    seen = {
        "negative relevancy": any(value < 0 for value in relevancy),
        "relevancy of a non-committal answer": any(value == 0 for value in relevancy),
        "no number at all": any(other[metric] == "nan" for other in theirs for metric in METRICS),
        "a refused record": any(other[metric] == "raises" for other in theirs for metric in METRICS),
    }
    checks.equal("the records had every kind", [name for name, there in seen.items() if not there], [])


def _is_perfect(record: dict[str, Any]) -> bool:
    useful = record["useful"]
    return bool(useful and record["ground_truth"]) and useful == sorted(useful, reverse=True) and useful[0] == 1


def _evaluate(base: str, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    fields = ("question", "answer", "contexts", "ground_truth")
    body = {"records": [{name: record[name] for name in fields} for record in records], "metrics": METRICS}
    return http_json.post(f"{base}/api/rag/evaluate", body)["results"]


def _ragas(python: Path, base: str, records: Path) -> list[dict[str, Any]]:
    script = Path(__file__).with_name("ragas_scores.py")
    command = [str(python), str(script), base, str(records)]
    done = finished(command, RAGAS_TIMEOUT_S, environment={"RAGAS_DO_NOT_TRACK": "true"})
    if problem := problem_of(done):
        raise ValueError(f"ragas: {problem}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def _records() -> list[dict[str, Any]]:
    """Generated records with what an evaluator says about each; the first ones have the kinds that are easy to miss."""
    draw = random.Random(SEED)
    records = []
    for number in range(RECORDS_N):
        name = f"record-{number:03d}"
        statements_n = {0: 0, 1: 1, 2: 50}.get(number % 10, draw.randint(2, 9))
        attributed_n = {3: 0, 4: 1, 5: 50}.get(number % 10, draw.randint(2, 9))
        contexts_n = 0 if number % 25 == 7 else draw.randint(1, 6)
        committal = {0: [1, 1, 1], 1: [0, 1, 1]}.get(number % 6, [0, 0, 0])
        question = f"{name} question"
        texts = [f"{name} generated {turn}" for turn in range(3)]
        if number % 8 == 3:
            texts = [f"against {question}", f"against {question}", texts[2]]
        if number % 8 == 5:
            texts = [question] * 3
        useful = [int(draw.random() < 0.5) for _ in range(contexts_n)]
        if number % 7 == 0:
            useful = sorted(useful, reverse=True)
        records.append(
            {
                "number": number,
                "question": question,
                "answer": "" if number % 40 == 9 else f"{name} answer",
                "contexts": [f"{name} context-{place}" for place in range(contexts_n)],
                "ground_truth": None if number % 20 == 13 else f"{name} reference",
                "statements": [f"{name} statement {place}" for place in range(statements_n)],
                "verdicts": [int(draw.random() < 0.6) for _ in range(statements_n)],
                "attributed": [int(draw.random() < 0.6) for _ in range(attributed_n)],
                "useful": useful,
                "questions": list(zip(texts, committal, strict=True)),
            }
        )
    return records
