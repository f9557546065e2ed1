"""Runs in the environment of the official client: `openai_client.py surface|hang-up BASE_URL`.

Prints one JSON line per check: its name, and what is wrong or null.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys

import openai

QUESTION = "What does error E-4417 on the Brunnwart P7 mean, and how is it fixed?"
SECONDS = re.compile(r"(\U0001F4CA ?)[0-9.]+s")
PARALLEL_N = 8
EXTENSION = "rag_showcase"


def tell(name: str, problem: str | None) -> None:
    print(json.dumps([name, problem]), flush=True)


def equal(name: str, found: object, expected: object) -> None:
    tell(name, None if found == expected else f"found {found!r:.300}, expected {expected!r:.300}")


def message(question: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": question}]


def surface(client: openai.OpenAI, base: str) -> None:
    aliases = [model.id for model in client.models.list().data]
    tell("lists models", None if "hybrid-rag" in aliases else f"found {aliases}")

    whole = client.chat.completions.create(model="hybrid-rag", messages=message(QUESTION))
    content = whole.choices[0].message.content or ""
    tell("reads a completion", None if "E-4417" in content else f"content {content[:200]!r}")
    equal("names the model that was asked", whole.model, "hybrid-rag")
    equal("reads a finish reason", whole.choices[0].finish_reason, "stop")
    sources = whole.model_extra[EXTENSION]["sources"]
    tell("reads sources in the extension", None if sources and sources[0]["snippet"] else repr(sources)[:200])

    streamed(client, aliases)
    errors(client)
    embeddings(client)
    asyncio.run(parallel(base, aliases))


def streamed(client: openai.OpenAI, aliases: list[str]) -> None:
    wrong, last_wrong = [], []
    for alias in aliases:
        whole = client.chat.completions.create(model=alias, messages=message(QUESTION))
        chunks = list(client.chat.completions.create(model=alias, messages=message(QUESTION), stream=True))
        text = "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)
        if SECONDS.sub(r"\1", text) != SECONDS.sub(r"\1", whole.choices[0].message.content):
            wrong.append(alias)
        last = chunks[-1]
        second = last.choices[0].delta.model_extra["provider_specific_fields"][EXTENSION]
        sources = whole.model_extra[EXTENSION]["sources"]
        if last.model_extra[EXTENSION] != second or second["sources"] != sources:
            last_wrong.append(alias)
    tell(f"streams the text of {len(aliases)} completions", f"other text: {wrong}" if wrong else None)
    tell("finds the extension in the last event, twice", f"not so: {last_wrong}" if last_wrong else None)


def errors(client: openai.OpenAI) -> None:
    expect("a model that does not exist", openai.BadRequestError, lambda: ask(client, "no-such-model"))
    expect("a stream of a model that does not exist", openai.BadRequestError, lambda: ask(client, "none", stream=True))
    expect("a path that does not exist", openai.NotFoundError, lambda: client.files.list())
    wrong = [{"role": "user", "content": QUESTION}, "not a message"]
    expect(
        "a message of the wrong type",
        openai.UnprocessableEntityError,
        lambda: client.chat.completions.create(model="hybrid-rag", messages=wrong),
    )


def ask(client: openai.OpenAI, model: str, stream: bool = False) -> object:
    return client.chat.completions.create(model=model, messages=message(QUESTION), stream=stream)


def expect(name: str, kind: type[openai.APIStatusError], act: object) -> None:
    name = f"raises {kind.__name__} with a message for {name}"
    try:
        act()
    except openai.APIStatusError as error:
        body = error.body
        told = isinstance(body, dict) and isinstance(body.get("message"), str) and "code" in body
        right = type(error) is kind and told
        tell(name, None if right else f"{type(error).__name__} {body!r:.200}")
    else:
        tell(name, "nothing was raised")


def embeddings(client: openai.OpenAI) -> None:
    try:
        client.embeddings.create(model="no-such-model", input="text")
    except openai.BadRequestError as error:
        model = re.search(r"this gateway has `([^`]+)`", error.message)
    name = "embeds two texts as two vectors of one dimension"
    found = client.embeddings.create(model=model.group(1), input=["a pump", "a harbor lock"]).data
    sizes = {len(item.embedding) for item in found}
    tell(name, None if len(found) == 2 and len(sizes) == 1 and min(sizes) > 0 else f"{len(found)} of sizes {sizes}")


async def parallel(base: str, aliases: list[str]) -> None:
    chosen = [aliases[number % len(aliases)] for number in range(PARALLEL_N)]
    async with openai.AsyncOpenAI(base_url=f"{base}/v1", api_key="not-checked", max_retries=0) as client:

        async def one(alias: str) -> str:
            done = await client.chat.completions.create(model=alias, messages=message(QUESTION))
            return done.model_extra[EXTENSION]["answer"]

        together = await asyncio.gather(*(one(alias) for alias in chosen))
        alone = [await one(alias) for alias in chosen]
    equal(f"gets from {PARALLEL_N} chats at once what each gets alone", together, alone)


def hang_up(client: openai.OpenAI) -> None:
    stream = client.chat.completions.create(model="vanilla-rag", messages=message(QUESTION), stream=True)
    pieces = []
    for chunk in stream:
        pieces.append(chunk.choices[0].delta.content or "")
        if len(pieces) == 3:
            break
    stream.close()
    tell("reads pieces as they come, then hangs up", None if "and on" in "".join(pieces) else repr(pieces))


def main() -> None:
    scenario, base = sys.argv[1:]
    with openai.OpenAI(base_url=f"{base}/v1", api_key="not-checked", max_retries=0, timeout=60) as client:
        if scenario == "surface":
            surface(client, base)
        elif scenario == "hang-up":
            hang_up(client)
        else:
            raise SystemExit(f"unknown scenario `{scenario}`")


if __name__ == "__main__":
    main()
