"""A scripted provider for two evaluators: `ragas` and the gateway ask it the same things in their own words.

Which record a prompt is about stands in its texts (`record-017`); which judgement is wanted, in the reply it demands. The
reply has the shape that the caller expects and the content that the record says, so both must come to one score.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import threading
from collections import Counter
from typing import Any

from loopback import Handler, Loopback

DIMENSION = 8
RECORD = re.compile(r"record-(\d+)")
CONTEXT = re.compile(r"record-\d+ context-(\d+)")
# The name of ragas' reply type stands in the schema that it sends; ours asks for fields by name.
STEPS = [
    ("StatementGeneratorOutput", "ragas", "statements"),
    ("NLIStatementOutput", "ragas", "verdicts"),
    ("AnswerRelevanceOutput", "ragas", "question"),
    ("ContextPrecisionOutput", "ragas", "context"),
    ("ContextRecallOutput", "ragas", "recall"),
    ('{"verdicts": [', "ours", "verdicts"),
    ('{"questions": [', "ours", "questions"),
    ('"attributed"', "ours", "recall"),
    ('{"statements": ["', "ours", "statements"),
    ('{"reason": ', "ours", "context"),
]


class EvaluatorStub(Loopback):
    """Serves chat completions and embeddings on loopback by the records it is given."""

    def __init__(self, records: list[dict[str, Any]]) -> None:
        self._records = records
        self._lock = threading.Lock()
        self._generations: Counter[int] = Counter()
        self.calls: Counter[str] = Counter()
        stub = self

        class Provider(Handler):
            def do_POST(self) -> None:
                body = json.loads(self.body())
                self.reply(stub._embeddings(body) if self.path.endswith("/embeddings") else stub._completion(body))

        super().__init__(Provider)
        self.base = f"{self.url}/v1"

    def _completion(self, body: dict[str, Any]) -> dict[str, Any]:
        prompt = "\n".join(str(message["content"]) for message in body["messages"])
        caller, step = next((caller, step) for mark, caller, step in STEPS if mark in prompt)
        # Prompts carry examples of their own; the record is named in the material, which comes last.
        number = int(RECORD.findall(prompt)[-1])
        with self._lock:
            self.calls[f"{caller} {step}"] += 1
        content = json.dumps(self._judgement(caller, step, self._records[number], prompt))
        message = {"role": "assistant", "content": content}
        return {
            "id": "chatcmpl-stub",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }

    def _judgement(self, caller: str, step: str, record: dict[str, Any], prompt: str) -> dict[str, Any]:
        statements = list(zip(record["statements"], record["verdicts"], strict=True))
        if step == "statements":
            return {"statements": record["statements"]}
        if step == "verdicts" and caller == "ragas":
            return {"statements": [{"statement": text, "reason": "r", "verdict": holds} for text, holds in statements]}
        if step == "verdicts":
            numbered = enumerate(statements, start=1)
            return {"verdicts": [{"statement": n, "reason": "r", "verdict": holds} for n, (_, holds) in numbered]}
        if step == "recall":
            items = [{"statement": f"s{n}", "reason": "r", "attributed": a} for n, a in enumerate(record["attributed"])]
            return {"classifications" if caller == "ragas" else "statements": items}
        if step == "context":
            return {"reason": "r", "verdict": record["useful"][int(CONTEXT.findall(prompt)[-1])]}
        questions = [{"question": text, "noncommittal": flag} for text, flag in record["questions"]]
        if step == "questions":
            return {"questions": questions}
        with self._lock:
            turn = self._generations[record["number"]]
            self._generations[record["number"]] += 1
        return questions[turn % len(questions)]

    def _embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        encode = _base64 if body.get("encoding_format") == "base64" else list
        rows = [
            {"object": "embedding", "index": index, "embedding": encode(vector(text))}
            for index, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return {"object": "list", "model": body["model"], "data": rows, "usage": usage}


def vector(text: str) -> tuple[float, ...]:
    """A direction that depends on the text, in numbers that single precision holds; `against X` points away from X."""
    if text.startswith("against "):
        return tuple(-component for component in vector(text.removeprefix("against ")))
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return tuple((digest[index] - 127.5) / 32 for index in range(DIMENSION))


def _base64(components: tuple[float, ...]) -> str:
    return base64.b64encode(struct.pack(f"<{len(components)}f", *components)).decode("ascii")
