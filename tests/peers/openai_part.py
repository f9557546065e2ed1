"""The official OpenAI Python client against `ragsql gateway`, and a provider that sees when nobody listens any more."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import http_json
from checks import Checks
from loopback import Handler, Loopback
from processes import finished, problem_of
from project import Project

DATASET = "baseline_curated"
CLIENT_TIMEOUT_S = 240
GONE_TIMEOUT_S = 20
PIECE_PAUSE_S = 0.05


def check(checks: Checks, checkout: Path, work: Path, binary: Path, python: Path) -> None:
    """Runs the client's script against the built-in models, then hangs up on a model that streams without end."""
    project = Project(checkout, work / "project", binary)
    script = Path(__file__).with_name("openai_client.py")
    gateway, base = project.serve(work / "gateway.log", DATASET)
    with gateway:
        _run_client(checks, python, script, "surface", base)
    with EndlessProvider() as provider:
        project.add_preset("endless", project.builtin_roles() | {"light_gen": {"endpoint": provider.base, "model": "endless"}})
        gateway, base = project.serve(work / "gateway-endless.log", DATASET, "--roles", "endless")
        with gateway:
            _run_client(checks, python, script, "hang-up", base)
            gone = provider.gone.wait(GONE_TIMEOUT_S)
            checks.check(
                "a client that hangs up ends the provider's call",
                None if gone else f"the provider was still asked for pieces {GONE_TIMEOUT_S} s later",
            )
            checks.equal("the provider was called once", provider.calls_n, 1)
            health = http_json.get(f"{base}/health")
            checks.check("the gateway is well afterwards", None if isinstance(health, dict) else repr(health))


def _run_client(checks: Checks, python: Path, script: Path, scenario: str, base: str) -> None:
    done = finished([str(python), str(script), scenario, base], CLIENT_TIMEOUT_S)
    for line in done.stdout.splitlines():
        name, problem = json.loads(line)
        checks.check(f"openai client: {name}", problem)
    checks.check(f"the openai client's script `{scenario}` ends well", problem_of(done))


class EndlessProvider(Loopback):
    """A chat endpoint whose answers never end, so that only a hang-up can end a call."""

    def __init__(self) -> None:
        self.gone = threading.Event()
        self.calls_n = 0
        provider = self

        class Provider(Handler):
            # Without a length, the end of the connection is the end of the answer.
            protocol_version = "HTTP/1.0"

            def do_POST(self) -> None:
                self.body()
                provider.calls_n += 1
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                try:
                    while True:
                        choice = {"index": 0, "delta": {"content": "and on "}, "finish_reason": None}
                        event = {"object": "chat.completion.chunk", "model": "endless", "choices": [choice]}
                        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode("utf-8"))
                        self.wfile.flush()
                        time.sleep(PIECE_PAUSE_S)
                except OSError:
                    provider.gone.set()

        super().__init__(Provider)
        self.base = f"{self.url}/v1"
