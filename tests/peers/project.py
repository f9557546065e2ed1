"""A copy of the project's experiment in a temporary folder, the gateway over it, and the evidence of runs."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from processes import Server, finished, problem_of

GATEWAY_TIMEOUT_S = 300
RUN_TIMEOUT_S = 540
# Wall time is the one thing in a rendered answer that two calls need not share.
SECONDS = re.compile(r"(\U0001F4CA ?)[0-9.]+s")
# Counts that two calls of one question share; `seconds` is a measured time.
COUNTS = ("chunks", "llm_calls", "cloud_calls")


class Project:
    """Experiment files and corpora in a folder of their own."""

    def __init__(self, checkout: Path, folder: Path, binary: Path) -> None:
        self.folder = folder
        self.binary = binary
        for name in ("compare", "demo", "corpus"):
            shutil.copytree(checkout / name, folder / name, ignore=shutil.ignore_patterns("results"))
        # The panel of the manifest is inside the binary; a run over another gateway would have to name one.
        self.replace("compare/evaluation.yaml", r"(judge_panel:\n +enabled:) true", r"\1 false")

    def replace(self, name: str, pattern: str, text: str) -> None:
        """Replaces the one place of a file that matches a pattern."""
        path = self.folder / name
        changed, count = re.subn(pattern, text, path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"`{name}` has {count} places that match `{pattern}`, expected 1")
        path.write_text(changed, encoding="utf-8")

    def add_preset(self, name: str, roles: dict[str, Any]) -> None:
        """Adds a preset of model roles; JSON is YAML."""
        self.replace("compare/roles.yaml", r"^presets:$", f"presets:\n  {name}: {json.dumps(roles)}")

    def builtin_roles(self) -> dict[str, str]:
        """Every model role, played by what is built in."""
        text = (self.folder / "compare" / "roles.yaml").read_text(encoding="utf-8")
        preset = text.split("\n  builtin:\n", 1)[1].split("\n\n", 1)[0]
        return {line.split(":", 1)[0].strip(): "builtin" for line in preset.splitlines()}

    def serve(self, log: Path, dataset: str, *options: str) -> tuple[Server, str]:
        """Starts `ragsql gateway` and waits until its corpus is ingested; gives the server and its base URL."""
        command = [str(self.binary), "gateway", "--project", str(self.folder), "--listen", "127.0.0.1:0"]
        server = Server("ragsql gateway", [*command, "--dataset", dataset, *options], log)
        try:
            found = server.wait_for_line(r"gateway +(http://127\.0\.0\.1:[0-9]+) answers", GATEWAY_TIMEOUT_S)
        except BaseException:
            server.stop()
            raise
        return server, found.group(1)

    def run(
        self, run_id: str, dataset: str, *options: str, environment: dict[str, str] | None = None
    ) -> tuple[str | None, list[dict[str, Any]]]:
        """Runs `ragsql run`; gives what went wrong, or None, and the rows of the evidence."""
        command = [str(self.binary), "run", "--project", str(self.folder), "--dataset", dataset, "--run-id", run_id]
        problem = problem_of(finished([*command, *options], RUN_TIMEOUT_S, environment=environment))
        evidence = self.folder / "compare" / "results" / f"{run_id}.jsonl"
        text = evidence.read_text(encoding="utf-8") if evidence.exists() else ""
        return problem, [json.loads(line) for line in text.splitlines()]

    def results_with(self, secret: str) -> list[str]:
        """The result files that hold a text they must not hold."""
        results = self.folder / "compare" / "results"
        files = [path for path in results.rglob("*") if path.is_file()]
        return sorted(path.name for path in files if secret.encode("utf-8") in path.read_bytes())


def cell(row: dict[str, Any]) -> str:
    """The cell of a row, for people."""
    return f"{row['question']['id']} x {row['approach']['model']}"


def told(row: dict[str, Any]) -> dict[str, Any]:
    """What a row says that does not depend on how its answer was transported."""
    evidence = row["evidence"]
    server = evidence["server_metrics"] or {}
    return {
        "status": row["status"],
        "answer": evidence["answer"],
        "titles": [source["title"] for source in evidence["sources"]],
        "counts": {name: server.get(name) for name in COUNTS},
    }


def told_with_contexts(row: dict[str, Any]) -> dict[str, Any]:
    """What a row says, with the exact contexts and the scores that rest on them."""
    return told(row) | {"contexts": row["evidence"]["contexts"], "scores": row["metrics"]["ragas"]}


def difference(left: list[dict[str, Any]], right: list[dict[str, Any]], view: Any) -> str | None:
    """Compares two runs cell by cell under a view of their rows; None when they are equal."""
    first = {cell(row): view(row) for row in left}
    second = {cell(row): view(row) for row in right}
    if not first or len(first) != len(left) or len(second) != len(right):
        return f"{len(left)} and {len(right)} rows, of {len(first)} and {len(second)} cells"
    wrong = []
    for name in sorted(first.keys() | second.keys()):
        one, other = first.get(name), second.get(name)
        if one != other:
            keys = [key for key in (one or other) if (one or {}).get(key) != (other or {}).get(key)]
            shown = {key: ((one or {}).get(key), (other or {}).get(key)) for key in keys}
            wrong.append(f"{name}: {repr(shown)[:600]}")
    if not wrong:
        return None
    return "\n".join([f"{len(wrong)} of {len(first)} cells differ", *wrong[:3]])


def without_seconds(content: str) -> str:
    """A rendered answer without the time it took."""
    return SECONDS.sub(r"\1", content)
