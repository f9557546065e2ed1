"""The banking set of tau2-bench (PyPI `inspect-evals`): 698 documents, 97 tasks with the documents that they need.

`ragsql dataset add` takes it in as BEIR, `ragsql run` asks BM25 alone, vectors alone and both, and the measures of our SQL
equal those of pytrec_eval, question by question. The means stand beside figures that were taken independently on whole
documents.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from checks import Checks, say
from processes import finished, problem_of

RUN_TIMEOUT_S = 540
CLOSE = 1e-9
# nDCG@10 of whole documents, computed apart: BM25, and WordLlama vectors.
INDEPENDENT = {"bm25": 0.205, "local": 0.275}
MANIFEST = """version: 1
root: ..
datasets_file: datasets.yaml
approaches:
  - {model: hybrid-rag, evidence: answer_with_contexts}
metrics:
  ragas: []
  judge_panel: {enabled: false}
run: {timeout_s: 120, concurrency: 4, seed: banking}
"""
FLAVORS = """version: 1
flavors:
  - {alias: bm25, base: hybrid-rag, params: {alpha: 0, retrieve_k: 100, top_n: 20, rerank: false}}
  - {alias: dense, base: hybrid-rag, params: {alpha: 1, retrieve_k: 100, top_n: 20, rerank: false}}
  - {alias: both, base: hybrid-rag, params: {alpha: 0.5, retrieve_k: 100, top_n: 20, rerank: false}}
"""


def check(checks: Checks, checkout: Path, work: Path, binary: Path, python: Path) -> None:
    """Takes the set in, runs it with built-in and with local embeddings, and compares."""
    project = work / "project"
    (project / "compare").mkdir(parents=True)
    (project / "compare" / "evaluation.yaml").write_text(MANIFEST, encoding="utf-8")
    (project / "compare" / "flavors.yaml").write_text(FLAVORS, encoding="utf-8")
    (project / "compare" / "datasets.yaml").write_text("datasets:\n" + _seed(project), encoding="utf-8")
    roles = (checkout / "compare" / "roles.yaml").read_text(encoding="utf-8")
    (project / "compare" / "roles.yaml").write_text(roles, encoding="utf-8")
    _write_beir(_package_folder(python), work / "beir")
    done = _ragsql(binary, project, "dataset", "add", "banking", "--layout", "beir", "--from", str(work / "beir"))
    if not checks.check("banking: dataset add takes the set in", done):
        return
    questions = project / "demo" / "banking_queries.jsonl"
    count = len(questions.read_text(encoding="utf-8").splitlines())
    documents = len(list((project / "corpus" / "banking").iterdir()))
    checks.equal("banking: documents and questions", (documents, count), (698, 97))
    for roles in ("builtin", "local"):
        _measure(checks, checkout, project, binary, python, questions, roles)


def _measure(
    checks: Checks, checkout: Path, project: Path, binary: Path, python: Path, questions: Path, roles: str
) -> None:
    run_id = f"banking-{roles}"
    models = ("--models", "bm25,dense,both", "--roles", roles, "--run-id", run_id)
    if not checks.check(f"banking: run with {roles} embeddings", _ragsql(binary, project, "run", "--dataset", "banking", *models)):
        return
    results = project / "compare" / "results"
    script = Path(__file__).with_name("banking_measures.py")
    query = checkout / "sql" / "metrics" / "retrieval_v1.sql"
    command = [str(python), str(script), str(questions), str(results / f"{run_id}.jsonl"), str(results / "warehouse.duckdb")]
    done = finished([*command, str(query)], RUN_TIMEOUT_S)
    if problem := problem_of(done):
        checks.check(f"banking: pytrec_eval measures {roles}", problem)
        return
    found = json.loads(done.stdout)
    checks.equal(f"banking: every cell of {roles} is measured by both", (found["cells"], found["ours"]), (291, 291))
    far = found["largest_difference"]
    checks.check(
        f"banking: {roles}: every measure of every question equals pytrec_eval (largest difference {far:.1e})",
        None if far <= CLOSE else f"largest difference {far}",
    )
    for alias, means in found["means"].items():
        shown = " · ".join(f"{name} {value:.3f}" for name, value in sorted(means.items()))
        say(f"  {roles:<8}{alias:<7}{shown}")
    _not_below(checks, f"{roles}: BM25", found["means"]["bm25"]["ndcg_cut_10"], INDEPENDENT["bm25"])
    if roles == "local":
        _not_below(checks, "local: WordLlama vectors", found["means"]["dense"]["ndcg_cut_10"], INDEPENDENT["local"])


def _not_below(checks: Checks, name: str, found: float, independent: float) -> None:
    problem = None if round(found, 3) >= independent else f"{found:.4f} is below {independent}"
    checks.check(f"banking: {name} finds no less than on whole documents (nDCG@10 {found:.3f}, there {independent})", problem)


def _seed(project: Path) -> str:
    """A catalogue lists something before a set is added: one question over one note."""
    for name, text in {"corpus/note/note.md": "A note.\n", "demo/note.csv": "id,query\nq1,What is it?\n"}.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    return "  - {id: note, label: A note, complexity_level: 1, status: candidate, corpus_path: corpus/note, questions_file: demo/note.csv}\n"


def _package_folder(python: Path) -> Path:
    (found,) = (python.parent.parent / "lib").glob("python3*/site-packages/inspect_evals/tau2/data/domains/banking_knowledge")
    return found


def _write_beir(source: Path, folder: Path) -> None:
    (folder / "qrels").mkdir(parents=True)
    with gzip.open(source / "documents.json.gz", "rt", encoding="utf-8") as file:
        documents = json.load(file)
    tasks = json.loads((source / "tasks.json").read_text(encoding="utf-8"))
    corpus = [{"_id": d["id"], "title": d["title"], "text": d["content"]} for d in documents]
    queries = [{"_id": t["id"], "text": t["user_scenario"]["instructions"]} for t in tasks]
    judged = [f"{t['id']}\t{document}\t1" for t in tasks for document in t["required_documents"]]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    header = "query-id\tcorpus-id\tscore\n"
    (folder / "qrels" / "test.tsv").write_text(header + "\n".join(judged) + "\n", encoding="utf-8")


def _ragsql(binary: Path, project: Path, *arguments: str) -> str | None:
    return problem_of(finished([str(binary), *arguments, "--project", str(project)], RUN_TIMEOUT_S))
