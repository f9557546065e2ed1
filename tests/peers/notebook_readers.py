"""Reads an export with DuckDB, pandas, polars and pyarrow inside the peer's environment; one JSON line a check.

Usage: notebook_readers.py FULL EMPTY RESULTS NOTEBOOK. Each line is `[name, problem or null]`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import duckdb
import nbclient
import nbformat
import pandas
import polars
import pyarrow.parquet

TOKENS = ("prompt_tokens", "completion_tokens", "total_tokens")
COUNTS = ("llm_calls", "chunks")
FACTS = ("query", "ground_truth", "rationale", "expect_winner")


def tell(name: str, problem: str | None) -> None:
    print(json.dumps([name, problem]), flush=True)


def evidence(results: Path) -> list[tuple[str, int, str]]:
    """Every line with the name of its file and its number there, in the order of an export."""
    lines = []
    for path in sorted(results.glob("*.jsonl")):
        if path.name.count(".") == 1:
            found = path.read_text(encoding="utf-8").split("\n")[:-1]
            lines += [(path.name, number, line) for number, line in enumerate(found, start=1)]
    return lines


def expected(file: str, number: int, row: dict[str, Any]) -> dict[str, Any]:
    """What every column of a row must be, out of the evidence and nothing else."""
    found, dataset, approach, error = row["evidence"], row["dataset"], row["approach"], row["error"] or {}
    as_number = lambda score: float(score) if isinstance(score, (int, float)) and not isinstance(score, bool) else None
    sources = found["sources"]
    if sources is not None:
        sources = [{"title": s["title"], "snippet": s["snippet"], "score": as_number(s["score"])} for s in sources]
    operational, ragas = row["metrics"]["operational"], row["metrics"]["ragas"]
    named = {*ragas["requested"], *ragas["scores"], *ragas["not_evaluable"], *ragas["metric_errors"]}
    scores = [
        {
            "metric": metric,
            "requested": metric in ragas["requested"],
            "score": as_number(ragas["scores"].get(metric)),
            "not_evaluable_reason": ragas["not_evaluable"].get(metric),
            "error": ragas["metric_errors"].get(metric),
        }
        for metric in sorted(named)
    ]
    return {
        "run_id": row["run_id"],
        "dataset_id": dataset["id"],
        "dataset_label": dataset["label"],
        "complexity_level": dataset["complexity_level"],
        "question_id": row["question"]["id"],
        **{name: row["question"][name] for name in FACTS},
        "approach": approach["model"],
        "base_approach": approach["base_model"],
        "flavor": approach["flavor"],
        "evidence_capability": approach["evidence_capability"],
        "requires_reingest": approach["requires_reingest"],
        "provider": approach["provider"],
        "status": row["status"],
        "latency_ms": operational["latency_ms"],
        "attempts": operational["attempts"],
        **{name: found["token_usage"].get(name) for name in TOKENS},
        **{name: found["server_metrics"].get(name) for name in COUNTS},
        "answer": found["answer"],
        "transport": found["transport"],
        "contexts": found["contexts"],
        "sources": sources,
        "scores": scores,
        "error_type": error.get("type"),
        "error_message": error.get("message"),
        "ragas_status": ragas["status"],
        "evaluator_model": ragas["evaluator_model"],
        "embeddings_model": ragas["embeddings_model"],
        "judge_status": row["metrics"]["judge_panel"]["status"],
        "seed": row["reproducibility"]["seed"],
        "schema_version": row["schema_version"],
        "runner_version": row["runner_version"],
        "row_id": row["row_id"],
        "source_file": file,
        "source_line": number,
    }


def plain(value: Any) -> Any:
    """Lists, dictionaries and Python numbers out of whatever a reader gives."""
    if value is None or value is pandas.NA or (isinstance(value, float) and value != value):
        return None
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "tolist") and not isinstance(value, (str, bytes)):
        value = value.tolist()
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def compare(name: str, rows: list[dict[str, Any]], lines: list[tuple[str, int, str]]) -> None:
    wrong = [] if len(rows) == len(lines) else [f"{len(rows)} rows, expected {len(lines)}"]
    columns_n = 0
    for found, (file, number, line) in zip(rows, lines):
        wanted = expected(file, number, json.loads(line))
        columns_n = len(wanted)
        if found.keys() != wanted.keys():
            wrong.append(f"columns that one has and the other has not: {sorted(found.keys() ^ wanted.keys())}")
            break
        for key, value in wanted.items():
            seen = plain(found[key])
            if seen != value or type(seen) is not type(value):
                wrong.append(f"{file}:{number} {key}: {seen!r} is not {value!r}"[:400])
    tell(f"{name} reads the {columns_n} columns of {len(rows)} cells value for value", "\n".join(wrong[:5]) or None)


def readers(path: Path) -> dict[str, list[dict[str, Any]]]:
    table = pyarrow.parquet.read_table(path)
    relation = duckdb.sql(f"from read_parquet('{path}')")
    frame = pandas.read_parquet(path, dtype_backend="pyarrow")
    return {
        "DuckDB": [dict(zip(relation.columns, row)) for row in relation.fetchall()],
        "pandas": frame.to_dict("records"),
        "polars": polars.read_parquet(path).to_dicts(),
        "pyarrow": table.to_pylist(),
    }


def main() -> None:
    full, empty, results, notebook = map(Path, sys.argv[1:])
    lines = evidence(results)
    for name, rows in readers(full / "cells.parquet").items():
        compare(name, rows, lines)
    for name, rows in readers(full / "evidence.parquet").items():
        same = [row["evidence"] for row in rows] == [line for _, _, line in lines]
        tell(f"{name} reads the lines byte for byte", None if same else "the lines differ")
    for path in sorted(full.glob("*.parquet")):
        one, other = (pyarrow.parquet.read_schema(folder / path.name) for folder in (full, empty))
        tell(f"{path.name} has the same schema when it is empty", None if one.equals(other) else f"{one}\n{other}")
    database = duckdb.connect(str(results / "warehouse.duckdb"), read_only=True)
    count = database.sql("select count(*) from cells").fetchone()[0]
    tell("the DuckDB package opens the warehouse", None if count == len(lines) else f"{count} rows")
    database.close()
    run_notebook("where it lies in the project", notebook, notebook.parent, None)
    run_notebook("elsewhere, told where the export is", notebook, empty, full)


def run_notebook(name: str, notebook: Path, folder: Path, export: Path | None) -> None:
    """Runs the notebook in a folder, as Jupyter does, with or without the variable that names the export."""
    os.environ.pop("RAGSQL_EXPORT", None)
    if export is not None:
        os.environ["RAGSQL_EXPORT"] = str(export)
    page = nbformat.read(notebook, as_version=4)
    place = {"metadata": {"path": str(folder)}}
    try:
        nbclient.NotebookClient(page, timeout=240, kernel_name="python3", resources=place).execute()
        drawn = any("image/png" in output.get("data", {}) for cell in page.cells for output in cell.get("outputs", []))
        problem = None if drawn else "no picture was drawn"
    except nbclient.exceptions.CellExecutionError as error:
        problem = str(error)[-1500:]
    tell(f"the notebook runs to its end and draws {name}", problem)


if __name__ == "__main__":
    main()
