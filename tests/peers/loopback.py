"""A small HTTP server inside this process, for parts that must see or shape what is sent."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Handler(BaseHTTPRequestHandler):
    """Reads whole requests, answers in JSON, and says nothing on stderr."""

    protocol_version = "HTTP/1.1"

    def body(self) -> bytes:
        """The body of the request."""
        return self.rfile.read(int(self.headers["Content-Length"]))

    def reply(self, document: Any, status: int = 200) -> None:
        """Answers with a JSON document."""
        data = json.dumps(document).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


class Loopback:
    """Serves with a handler on a port of 127.0.0.1 for as long as it is entered; `url` is where, without a path."""

    def __init__(self, handler: type[Handler]) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Loopback:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
