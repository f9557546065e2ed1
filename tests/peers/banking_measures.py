"""Retrieval measures of pytrec_eval for the rows of an evidence file, beside those of our warehouse.

Runs inside the environment of the part `banking`: `python banking_measures.py QUESTIONS EVIDENCE WAREHOUSE QUERY_FILE`.
Prints one JSON object: by approach the means, and the largest difference of any measure of any question.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import duckdb
import pytrec_eval

K = (5, 10)


def main() -> None:
    """Reads relevance from the question file, rankings from the evidence, and ours from the warehouse."""
    questions, evidence, warehouse, query = map(Path, sys.argv[1:5])
    relevant = {}
    for line in questions.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        relevant[question["id"]] = {document: 1 for document in question["relevant_sources"]}
    measured: dict[tuple[str, str], dict[str, float]] = {}
    rows = [json.loads(line) for line in evidence.read_text(encoding="utf-8").splitlines()]
    evaluator = pytrec_eval.RelevanceEvaluator(relevant, {"recall.5,10", "recip_rank", "ndcg_cut.5,10"})
    for approach in sorted({row["approach"]["model"] for row in rows}):
        run = {}
        for row in rows:
            if row["approach"]["model"] != approach:
                continue
            ranked: list[str] = []
            for source in row["evidence"]["sources"]:
                document = source["title"].split("/", 1)[1]
                if document not in ranked:
                    ranked.append(document)
            run[row["question"]["id"]] = {document: float(len(ranked) - rank) for rank, document in enumerate(ranked)}
        for question, found in evaluator.evaluate(run).items():
            measured[approach, question] = found
    text = "\n".join(line for line in query.read_text(encoding="utf-8").splitlines() if not line.startswith("--"))
    connection = duckdb.connect(str(warehouse), read_only=True)
    ours: dict[tuple[str, str], dict[str, float]] = {}
    for k in K:
        found = connection.execute(text, {"source_file": None, "k": k})
        columns = [column[0] for column in found.description]
        for values in found.fetchall():
            row = dict(zip(columns, values))
            if row["run_id"] != rows[0]["run_id"]:
                continue
            place = ours.setdefault((row["approach"], row["question_id"]), {})
            place |= {f"recall_{k}": row["recall_at_k"], f"ndcg_cut_{k}": row["ndcg_at_k"], "recip_rank": row["mrr"]}
    answer: dict[str, dict[str, float]] = {}
    largest = 0.0
    for (approach, question), found in measured.items():
        for name, value in found.items():
            largest = max(largest, abs(value - ours[approach, question][name]))
            sums = answer.setdefault(approach, {})
            sums[name] = sums.get(name, 0.0) + value / len(relevant)
    print(json.dumps({"cells": len(measured), "ours": len(ours), "largest_difference": largest, "means": answer}))


if __name__ == "__main__":
    main()
