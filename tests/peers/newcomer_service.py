"""A small RAG service in FastAPI that has never heard of ragsql: an OpenAI-compatible answer with its own field beside it.

Runs inside the environment of the part `newcomer`: `python newcomer_service.py DOCUMENTS`. It prints `listening URL`, reads the text files
of a folder, finds the most similar ones by shared words, and answers with the best sentence. A field of the request that
it does not know is refused, as strict services do.
"""

from __future__ import annotations

import re
import socket
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict

MODEL = "harbour-rag"


class Message(BaseModel):
    """One message of a chat."""

    role: str
    content: str


class ChatRequest(BaseModel):
    """What the service understands."""

    model_config = ConfigDict(extra="forbid")
    model: str
    messages: list[Message]
    temperature: float | None = None


def words(text: str) -> set[str]:
    """Lower-case words of three letters or more."""
    return {word for word in re.findall(r"[a-z0-9-]+", text.lower()) if len(word) > 2}


def service(documents: dict[str, str]) -> FastAPI:
    """The application over documents by file name."""
    app = FastAPI()

    @app.get("/v1/models")
    def models() -> dict:
        return {"object": "list", "data": [{"id": MODEL, "object": "model"}]}

    @app.post("/v1/chat/completions")
    def chat(request: ChatRequest) -> dict:
        asked = words(request.messages[-1].content)
        ranked = sorted(documents, key=lambda name: (-len(asked & words(documents[name])), name))[:3]
        sentences = [line for name in ranked for line in re.split(r"(?<=\.)\s+", documents[name]) if line]
        best = max(sentences, key=lambda line: len(asked & words(line)))
        hits = [
            {"path": name, "text": documents[name], "score": len(asked & words(documents[name])) / max(1, len(asked))}
            for name in ranked
        ]
        tokens = {"prompt_tokens": sum(len(documents[name].split()) for name in ranked), "completion_tokens": 12}
        message = {"role": "assistant", "content": best}
        return {
            "id": "chat-1",
            "object": "chat.completion",
            "model": MODEL,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": tokens | {"total_tokens": sum(tokens.values())},
            "sources": hits,
        }

    return app


def main() -> None:
    """Serves on a free port of the loopback interface and prints where."""
    folder = Path(sys.argv[1])
    documents = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    print(f"listening http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(service(documents), log_level="warning")).run(sockets=[listener])


if __name__ == "__main__":
    main()
