"""Runs in the environment of ragas: `ragas_scores.py BASE RECORDS` scores records with its collection metrics.

Prints one JSON line: for every record, each metric's number, `nan`, or `raises` where ragas refuses the record.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
from pathlib import Path

from openai import AsyncOpenAI
from ragas.embeddings import embedding_factory
from ragas.llms import llm_factory
from ragas.metrics.collections import AnswerRelevancy, ContextPrecision, ContextRecall, Faithfulness

AT_ONCE = 8


async def main() -> None:
    base, records = sys.argv[1], json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    client = AsyncOpenAI(base_url=base, api_key="none")
    llm = llm_factory("stub", client=client)
    embeddings = embedding_factory("openai", model="stub-embed", client=client)
    faithfulness, precision, recall = Faithfulness(llm=llm), ContextPrecision(llm=llm), ContextRecall(llm=llm)
    relevancy = AnswerRelevancy(llm=llm, embeddings=embeddings)
    places = asyncio.Semaphore(AT_ONCE)

    async def score(record: dict) -> dict[str, float | str]:
        question, answer, contexts = record["question"], record["answer"], record["contexts"]
        reference = record["ground_truth"] or ""
        async with places:
            return {
                "faithfulness": await _value(
                    faithfulness.ascore(user_input=question, response=answer, retrieved_contexts=contexts)
                ),
                "answer_relevancy": await _value(relevancy.ascore(user_input=question, response=answer)),
                "context_precision": await _value(
                    precision.ascore(user_input=question, reference=reference, retrieved_contexts=contexts)
                ),
                "context_recall": await _value(
                    recall.ascore(user_input=question, retrieved_contexts=contexts, reference=reference)
                ),
            }

    print(json.dumps(await asyncio.gather(*(score(record) for record in records))))


async def _value(pending) -> float | str:
    try:
        value = (await pending).value
    except ValueError:
        return "raises"
    return "nan" if math.isnan(value) else value


if __name__ == "__main__":
    asyncio.run(main())
