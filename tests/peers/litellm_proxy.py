"""A LiteLLM proxy in front of `ragsql gateway`: what comes through it, and what the runner makes of the rest."""

from __future__ import annotations

import json
import re
import secrets
import threading
import urllib.error
import urllib.request
from pathlib import Path

import http_json
from checks import Checks
from loopback import Handler, Loopback
from processes import DIRECT, Server, finished, free_port, problem_of
from project import Project, difference, told, told_with_contexts, without_seconds

DATASET = "baseline_curated"
QUESTIONS_N = 8
READY_TIMEOUT_S = 300
GUIDE_TIMEOUT_S = 120
GUIDE_ALIASES = ["vanilla-rag", "hybrid-rag"]
EXTENSION = "rag_showcase"
SPECIFIC = "provider_specific_fields"
# The variable that hands the proxy's key to the runner.
KEY_VARIABLE = "PEERS_PROXY_KEY"


def check(checks: Checks, checkout: Path, work: Path, binary: Path, python: Path) -> None:
    """Compares a matrix through the proxy with a direct one, in JSON, without the extension, and in streams."""
    project = Project(checkout, work / "project", binary)
    gateway, base = project.serve(work / "gateway.log", DATASET)
    with gateway:
        aliases = [model["id"] for model in http_json.get(f"{base}/v1/models")["data"]]
        port = free_port()
        proxy_base = f"http://127.0.0.1:{port}"
        key = f"sk-{secrets.token_hex(32)}"
        with _start(work, python, aliases, base, port, key) as proxy:
            proxy.wait_for_url(f"{proxy_base}/health/liveliness", READY_TIMEOUT_S)
            _check_matrix(checks, project, base, proxy_base, aliases, key)
            _check_streams(checks, base, proxy_base, aliases, key)
            _check_guide(checks, project, work / "guide", proxy_base, key)


def _start(work: Path, python: Path, aliases: list[str], base: str, port: int, key: str) -> Server:
    config = {
        "model_list": [
            {
                "model_name": alias,
                "litellm_params": {
                    "model": f"openai/{alias}",
                    "api_base": f"{base}/rag/{base_approach(alias, aliases)}/v1",
                    "api_key": "not-checked",
                },
            }
            for alias in aliases
        ],
        "litellm_settings": {"num_retries": 0, "telemetry": False, "request_timeout": 120},
        "router_settings": {"num_retries": 0, "disable_cooldowns": True},
    }
    path = work / "litellm.yaml"
    path.write_text(json.dumps(config, indent=1), encoding="utf-8")
    program = python.parent / "litellm"
    command = [str(python), str(program), "--config", str(path), "--host", "127.0.0.1", "--port", str(port)]
    environment = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False", "LITELLM_MASTER_KEY": key}
    return Server("LiteLLM proxy", command, work / "litellm.log", environment)


def base_approach(alias: str, aliases: list[str]) -> str:
    """The approach behind an alias: the shortest name of the list that it continues."""
    return min((name for name in aliases if alias == name or alias.startswith(f"{name}-")), key=len)


def _check_matrix(
    checks: Checks, project: Project, base: str, proxy_base: str, aliases: list[str], key: str
) -> None:
    proxied = sorted(model["id"] for model in http_json.get(f"{proxy_base}/v1/models", key)["data"])
    checks.equal(f"the proxy lists the {len(aliases)} aliases of the gateway", proxied, sorted(aliases))
    chosen = ["--flavors", "all", "--limit", str(QUESTIONS_N), "--evaluator-url", f"{base}/api/rag/evaluate"]
    problem, direct = project.run("direct", DATASET, "--gateway", base, *chosen)
    checks.check("a direct run ends well", problem)
    asked = sorted({row["approach"]["model"] for row in direct})
    checks.equal("the direct run asks every alias", asked, sorted(aliases))

    keyed = [*chosen, "--api-key-env", KEY_VARIABLE]
    secret = {KEY_VARIABLE: key}
    problem, through = project.run("through-proxy", DATASET, "--gateway", proxy_base, *keyed, environment=secret)
    checks.check("a run through the proxy ends well", problem)
    name = f"{len(direct)} cells through the proxy have equal answers, titles, contexts, counts and scores"
    checks.check(name, difference(direct, through, told_with_contexts))
    checks.equal("their evidence came structured", _transports(through), ["structured"])

    with StrippingHop(proxy_base) as hop:
        problem, stripped = project.run("without-extension", DATASET, "--gateway", hop.url, *keyed, environment=secret)
        checks.check("a run through a hop that drops the extension ends well", problem)
        checks.equal("the hop dropped the extension of every answer", hop.dropped_n, len(direct))
    name = f"{len(direct)} cells without the extension have equal answers, titles and counts"
    checks.check(name, difference(direct, stripped, told))
    checks.equal("their evidence says that it was rendered", _transports(stripped), ["rendered"])
    checks.equal("no file of the results holds the key of the proxy", project.results_with(key), [])


def _check_guide(checks: Checks, project: Project, folder: Path, proxy_base: str, key: str) -> None:
    """Follows docs/guide/litellm.md with the real proxy: a project around two of its aliases."""
    folder.mkdir()
    questions = project.folder / "demo" / "queries.yaml"

    def ragsql(name: str, *arguments: str) -> str:
        command = [str(project.binary), *arguments]
        done = finished(command, GUIDE_TIMEOUT_S, folder=folder, environment={KEY_VARIABLE: key})
        checks.check(f"LiteLLM guide: {name}", problem_of(done))
        return done.stdout

    ragsql("init makes a project around aliases of the proxy", "init", "mine", "--from", proxy_base, "--api-key-env",
           KEY_VARIABLE, "--alias", ",".join(GUIDE_ALIASES), "--questions", str(questions))
    probed = ragsql("doctor asks both", "doctor", "--project", "mine", "--limit", "1")
    found = re.findall(r"ok +(\S+): \d+ ms · [1-9]\d* contexts in the extension · ", probed)
    checks.check("LiteLLM guide: doctor finds the contexts of both", None if found == GUIDE_ALIASES else probed)
    ragsql("run asks both through the approaches file", "run", "--project", "mine", "--limit", "2")
    evidence = folder / "mine" / "compare" / "results" / "mine.jsonl"
    rows = [json.loads(line) for line in evidence.read_text(encoding="utf-8").splitlines()]
    checks.equal("LiteLLM guide: every answer has contexts", [bool(row["evidence"]["contexts"]) for row in rows], [True] * 4)
    holders = [path.name for path in folder.rglob("*") if path.is_file() and key.encode("utf-8") in path.read_bytes()]
    checks.equal("LiteLLM guide: no file holds the key", holders, [])


def _transports(rows: list[dict]) -> list[str]:
    return sorted({str(row["evidence"]["transport"]) for row in rows})


def _check_streams(checks: Checks, base: str, proxy_base: str, aliases: list[str], key: str) -> None:
    question = "What does error E-4417 on the Brunnwart P7 mean, and how is it fixed?"
    content, extension, dropped = [], [], 0
    for alias in aliases:
        whole = http_json.ask(base, alias, question)
        events = http_json.ask_streamed(proxy_base, alias, question, key)
        expected = without_seconds(whole["choices"][0]["message"]["content"])
        found = without_seconds(http_json.streamed_content(events))
        if found != expected:
            content.append(f"{alias}: {found[:200]!r} instead of {expected[:200]!r}")
        dropped += not any(EXTENSION in event for event in events)
        specific = [choice["delta"].get(SPECIFIC) or {} for event in events for choice in event["choices"]]
        carried = [fields[EXTENSION] for fields in specific if EXTENSION in fields]
        if [_essence(one) for one in carried] != [_essence(whole[EXTENSION])]:
            extension.append(f"{alias}: {len(carried)} extensions, or another answer or other sources than in JSON")
    checks.check(f"streams of {len(aliases)} aliases through the proxy render the same text", "\n".join(content) or None)
    checks.check(f"their `delta.{SPECIFIC}` carries the extension once", "\n".join(extension) or None)
    print(f"note               {dropped} of {len(aliases)} streams lost the top-level `{EXTENSION}` in the proxy", flush=True)


def _essence(extension: dict) -> dict:
    return {name: extension[name] for name in ("schema_version", "answer", "sources")}


class StrippingHop(Loopback):
    """A proxy that knows the OpenAI fields alone, as strict ones do: it passes everything on but the extension."""

    def __init__(self, upstream: str) -> None:
        self.dropped_n = 0
        lock = threading.Lock()
        hop = self

        class Hop(Handler):
            def do_GET(self) -> None:
                self._forward(None)

            def do_POST(self) -> None:
                self._forward(self.body())

            def _forward(self, body: bytes | None) -> None:
                names = ("Content-Type", "Authorization")
                headers = {name: self.headers[name] for name in names if name in self.headers}
                request = urllib.request.Request(f"{upstream}{self.path}", data=body, headers=headers)
                try:
                    with DIRECT.open(request, timeout=http_json.TIMEOUT_S) as answer:
                        status, text = answer.status, answer.read()
                except urllib.error.HTTPError as error:
                    status, text = error.code, error.read()
                document = json.loads(text)
                if document.pop(EXTENSION, None) is not None:
                    with lock:
                        hop.dropped_n += 1
                self.reply(document, status)

        super().__init__(Hop)
