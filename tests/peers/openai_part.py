"""The official OpenAI Python client against `ragsql gateway`, and a provider that sees when nobody listens any more."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import http_json
from checks import Checks
from processes import loopback_environment
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
        builtin = {name: "builtin" for name in _roles(project)}
        project.add_preset("endless", builtin | {"light_gen": {"endpoint": provider.base, "model": "endless"}})
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


def _roles(project: Project) -> list[str]:
    text = (project.folder / "compare" / "roles.yaml").read_text(encoding="utf-8")
    preset = text.split("\n  builtin:\n", 1)[1].split("\n\n", 1)[0]
    return [line.split(":", 1)[0].strip() for line in preset.splitlines()]


def _run_client(checks: Checks, python: Path, script: Path, scenario: str, base: str) -> None:
    done = subprocess.run(
        [str(python), str(script), scenario, base],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=CLIENT_TIMEOUT_S,
        env=loopback_environment(),
        check=False,
    )
    for line in done.stdout.splitlines():
        name, problem = json.loads(line)
        checks.check(f"openai client: {name}", problem)
    ended = None if done.returncode == 0 else f"exit code {done.returncode}\n{done.stderr[-1500:]}"
    checks.check(f"the openai client's script `{scenario}` ends well", ended)


class EndlessProvider:
    """A chat endpoint whose answers never end, so that only a hang-up can end a call."""

    def __init__(self) -> None:
        self.gone = threading.Event()
        self.calls_n = 0
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
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

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> EndlessProvider:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.socket.close()
        self._thread.join()
