"""JSON and event streams over loopback HTTP, with nothing but the standard library."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from processes import DIRECT

TIMEOUT_S = 120


def get(url: str, key: str | None = None) -> Any:
    """Reads a JSON document, with a bearer key when there is one."""
    with DIRECT.open(urllib.request.Request(url, headers=_headers(key)), timeout=TIMEOUT_S) as answer:
        return json.load(answer)


def post(url: str, document: Any) -> Any:
    """Sends a JSON document and reads the JSON that comes back."""
    request = urllib.request.Request(url, data=json.dumps(document).encode("utf-8"), headers=_headers(None))
    with DIRECT.open(request, timeout=TIMEOUT_S) as answer:
        return json.load(answer)


def ask(base: str, model: str, question: str, key: str | None = None) -> dict[str, Any]:
    """Asks one question and reads the whole completion."""
    with DIRECT.open(_request(base, model, question, False, key), timeout=TIMEOUT_S) as answer:
        return json.load(answer)


def ask_streamed(base: str, model: str, question: str, key: str | None = None) -> list[dict[str, Any]]:
    """Asks one question as a stream; gives the data events before `[DONE]`. A stream without that end is an error."""
    events = []
    with DIRECT.open(_request(base, model, question, True, key), timeout=TIMEOUT_S) as answer:
        for line in answer:
            text = line.decode("utf-8").strip()
            if text == "data: [DONE]":
                return events
            if text.startswith("data: "):
                events.append(json.loads(text[len("data: ") :]))
    raise ValueError(f"the stream of {model} ended without [DONE] after {len(events)} events")


def streamed_content(events: list[dict[str, Any]]) -> str:
    """The text of a stream."""
    deltas = [choice["delta"] for event in events for choice in event["choices"]]
    return "".join(delta.get("content") or "" for delta in deltas)


def _request(base: str, model: str, question: str, stream: bool, key: str | None) -> urllib.request.Request:
    body = {"model": model, "messages": [{"role": "user", "content": question}], "stream": stream}
    return urllib.request.Request(
        f"{base}/v1/chat/completions",
        data=json.dumps(body).encode("utf-8"),
        headers=_headers(key),
    )


def _headers(key: str | None) -> dict[str, str]:
    headers = {"Content-Type": "application/json"}
    return headers | {"Authorization": f"Bearer {key}"} if key else headers
