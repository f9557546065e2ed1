"""Somebody new with a RAG service that has never heard of ragsql: ten questions from a CSV, and every verb in a minute."""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path

from checks import Checks
from processes import Server, finished, problem_of

START_TIMEOUT_S = 60
VERB_TIMEOUT_S = 60
WHOLE_S = 60.0
DOCUMENTS = {
    "ferry.txt": "The noon ferry leaves from pier 4 every day. It carries 120 passengers to the island.",
    "crane.txt": "Crane K-17 lifts containers of up to 40 tonnes. It was built in 1998.",
    "lock.txt": "Code E-93 means that the lock gate is stuck. Ask the lock keeper to reset the hydraulics.",
    "pilot.txt": "Ships longer than 90 metres need a pilot. Pilots board at buoy 7.",
    "fuel.txt": "Fuel is sold at berth 12 from six in the morning. Diesel costs 1.40 a litre.",
    "storm.txt": "A red flag warns of a storm. The harbour closes when the wind passes 28 metres a second.",
    "customs.txt": "Customs opens at eight. Goods above 430 euros must be declared in the green building.",
    "fish.txt": "The fish market opens on Saturdays. Herring is landed at the north quay.",
    "tide.txt": "High water is at 5 and at 17 today. The sill keeps three metres of water in the basin.",
    "rail.txt": "The harbour railway has four tracks. Freight trains leave at 22 for the south.",
}
QUESTIONS = [
    ("007", "From which pier does the noon ferry leave?", "It leaves from pier 4.", "ferry.txt"),
    ("1.10", "How many tonnes does crane K-17 lift?", "It lifts up to 40 tonnes.", "crane.txt"),
    ("12:30", "What does code E-93 mean?", "The lock gate is stuck.", "lock.txt"),
    ("no", "Where do pilots board ships?", "They board at buoy 7.", "pilot.txt"),
    ("null", "At which berth is fuel sold?", "It is sold at berth 12.", "fuel.txt"),
    ("1e3", "What does a red flag warn of?", "It warns of a storm.", "storm.txt"),
    ("q7", "When does customs open?", "It opens at eight.", "customs.txt"),
    ("q8", 'Where is "herring" landed, and by whom?', "At the north quay.", "fish.txt"),
    ("q9", "When is high water today?", "At 5 and at 17.", "tide.txt"),
    ("q10", "How many tracks does the harbour railway have?", "It has four tracks.", "rail.txt"),
]


def check(checks: Checks, checkout: Path, work: Path, binary: Path, python: Path) -> None:
    """Starts the service, then does what the guide says, in its order."""
    documents = work / "documents"
    documents.mkdir()
    for name, text in DOCUMENTS.items():
        (documents / name).write_text(text, encoding="utf-8")
    with open(work / "questions.csv", "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "query", "ground_truth", "relevant_sources"])
        rows.writerows(QUESTIONS)
    script = str(Path(__file__).with_name("newcomer_service.py"))
    with Server("the newcomer's service", [str(python), script, str(documents)], work / "rag.log") as server:
        listening = server.wait_for_line(r"(?m)^listening (http://127\.0\.0\.1:[0-9]+)$", START_TIMEOUT_S)
        base = f"{listening.group(1)}/v1"
        server.wait_for_url(f"{base}/models", START_TIMEOUT_S)
        start_s = time.monotonic()
        _steps(checks, binary, work, base)
        took_s = time.monotonic() - start_s
        checks.check(
            f"the newcomer is done within {WHOLE_S:.0f} s ({took_s:.1f} s)",
            None if took_s < WHOLE_S else f"it took {took_s:.1f} s",
        )


def _steps(checks: Checks, binary: Path, work: Path, base: str) -> None:
    def ragsql(name: str, *arguments: str) -> str:
        done = finished([str(binary), *arguments], VERB_TIMEOUT_S, folder=work)
        checks.check(f"newcomer: {name}", problem_of(done))
        return done.stdout

    inside = ("--project", "mine")
    listed = ragsql("init lists the models of the service", "init", "mine", "--from", base, "--alias", "harbour-rag",
                    "--questions", "questions.csv", "--documents", "documents")
    checks.check("newcomer: init says what it wrote", None if "approaches.yaml" in listed else listed)
    plan = ragsql("check accepts what init wrote", "check", *inside)
    checks.check("newcomer: the plan has ten cells", None if "cells       10" in plan else plan)
    ragsql("run asks every question", "run", *inside)
    evidence = work / "mine" / "compare" / "results" / "mine.jsonl"
    rows = [json.loads(line) for line in evidence.read_text(encoding="utf-8").splitlines()]
    checks.equal("newcomer: ids are text as typed", sorted(row["question"]["id"] for row in rows), sorted(q[0] for q in QUESTIONS))
    checks.equal("newcomer: every answer is there", {row["status"] for row in rows}, {"ok"})
    found = [row["evidence"]["approach_metadata"].get("contexts_pointer") for row in rows]
    checks.equal("newcomer: contexts are found in a field of the service's own", set(found), {"/sources"})
    scores = [row["metrics"]["ragas"]["scores"] for row in rows]
    metrics = {"faithfulness", "answer_relevancy", "context_precision", "context_recall"}
    checks.equal("newcomer: every metric is scored", [set(score) for score in scores if set(score) != metrics], [])
    told = ragsql("sql answers", "sql", "--format", "csv",
                  "select count(*) as n, sum(total_tokens) > 0 as tokens from cells", *inside)
    checks.equal("newcomer: the warehouse has the rows", told.splitlines(), ["n,tokens", "10,true"])
    told = ragsql("sql knows how good retrieval is", "sql", "--format", "csv",
                  "select count(score) as n, min(score) as worst from retrieval_scores where metric = 'recall_at_5'", *inside)
    checks.equal("newcomer: each document is found", told.splitlines(), ["n,worst", "10,1.0"])
    ragsql("report writes pages", "report", "--run", "mine", *inside)
    pages = [path for path in (work / "mine" / "compare" / "results" / "pages").rglob("*") if path.is_file()]
    checks.check("newcomer: there are pages", None if pages else "no file below compare/results/pages")
    ragsql("export writes files", "export", *inside)
