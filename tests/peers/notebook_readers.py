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

COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


def tell(name: str, problem: str | None) -> None:
    print(json.dumps([name, problem]), flush=True)


def evidence(results: Path) -> list[tuple[str, str, dict[str, Any]]]:
    """Every line with the name of its file, in the order of an export."""
    lines = []
    for path in sorted(results.glob("*.jsonl")):
        if path.name.count(".") == 1:
            lines += [(path.name, line, json.loads(line)) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    return lines


def expected(row: dict[str, Any]) -> dict[str, Any]:
    """What the columns of a row must be."""
    found = row["evidence"]
    number = lambda score: float(score) if isinstance(score, (int, float)) and not isinstance(score, bool) else None
    sources = found["sources"]
    if sources is not None:
        sources = [{"title": s["title"], "snippet": s["snippet"], "score": number(s["score"])} for s in sources]
    ragas = row["metrics"]["ragas"]
    return {
        "run_id": row["run_id"],
        "question_id": row["question"]["id"],
        "answer": found["answer"],
        "latency_ms": row["metrics"]["operational"]["latency_ms"],
        **{name: found["token_usage"].get(name) for name in COUNTS},
        "contexts": found["contexts"],
        "sources": sources,
        "scores": {name: number(score) for name, score in sorted(ragas["scores"].items())},
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


def compare(name: str, rows: list[dict[str, Any]], lines: list[tuple[str, str, dict[str, Any]]]) -> None:
    wrong = [] if len(rows) == len(lines) else [f"{len(rows)} rows, expected {len(lines)}"]
    for found, (_, _, row) in zip(rows, lines):
        for key, value in expected(row).items():
            seen = plain(found[key])
            if key == "scores":
                seen = {entry["metric"]: entry["score"] for entry in seen if entry["metric"] in value}
            if seen != value or type(seen) is not type(value):
                wrong.append(f"{row['row_id'][:12]} {key}: {seen!r} is not {value!r}"[:400])
    tell(f"{name} reads the cells value for value", "\n".join(wrong[:5]) or None)


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
        same = [row["evidence"] for row in rows] == [line for _, line, _ in lines]
        tell(f"{name} reads the lines byte for byte", None if same else "the lines differ")
    for path in sorted(full.glob("*.parquet")):
        one, other = (pyarrow.parquet.read_schema(folder / path.name) for folder in (full, empty))
        tell(f"{path.name} has the same schema when it is empty", None if one.equals(other) else f"{one}\n{other}")
    database = duckdb.connect(str(results / "warehouse.duckdb"), read_only=True)
    count = database.sql("select count(*) from cells").fetchone()[0]
    tell("the DuckDB package opens the warehouse", None if count == len(lines) else f"{count} rows")
    database.close()
    os.environ["RAGSQL_EXPORT"] = str(full)
    page = nbformat.read(notebook, as_version=4)
    try:
        nbclient.NotebookClient(page, timeout=240, kernel_name="python3").execute()
        drawn = any("image/png" in output.get("data", {}) for cell in page.cells for output in cell.get("outputs", []))
        tell("the notebook runs to its end and draws", None if drawn else "no picture was drawn")
    except nbclient.exceptions.CellExecutionError as error:
        tell("the notebook runs to its end and draws", str(error)[-1500:])


if __name__ == "__main__":
    main()
