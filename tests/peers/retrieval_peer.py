"""Hybrid search with bm25s and NumPy: `retrieval_peer.py FOLDER DIMENSION LIMIT WARM_UP`.

Does what `sql/retrieval/hybrid` does over the same terms, vectors and questions: the best 100 by cosine and the best
100 by BM25, each scaled to half the weight, added, the best of the sums. Prints one JSON object: `index_s`, the time of
each question in `times_ms`, and the chunks of each in `hits`.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import bm25s
import numpy as np

CANDIDATES_N = 100
HALF = 0.5


def main() -> None:
    folder = Path(sys.argv[1])
    dimension, limit, warm_up_n = (int(text) for text in sys.argv[2:])
    vectors = np.fromfile(folder / "vectors.f32", dtype=np.float32).reshape(-1, dimension)
    chunks = [line.split() for line in (folder / "terms.txt").read_text(encoding="utf-8").splitlines()]
    questions = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    start_s = time.perf_counter()
    index = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    index.index(chunks, show_progress=False)
    index_s = time.perf_counter() - start_s
    times_ms, hits = [], []
    for question in questions:
        vector = np.array(question["vector"], dtype=np.float32)
        start_s = time.perf_counter()
        found = search(vectors, index, vector, question["terms"], limit)
        times_ms.append((time.perf_counter() - start_s) * 1000)
        hits.append(found)
    json.dump({"index_s": index_s, "times_ms": times_ms[warm_up_n:], "hits": hits[warm_up_n:]}, sys.stdout)


def search(vectors: np.ndarray, index: bm25s.BM25, vector: np.ndarray, terms: list[str], limit: int) -> list[int]:
    """The best chunks by the sum of both sets; equal sums come in the order of chunks."""
    sums: dict[int, float] = {}
    for scores in (vectors @ vector, index.get_scores(terms)):
        best = best_chunks(scores)
        worst, top = float(scores[best].min()), float(scores[best].max())
        for chunk in best:
            share = HALF * (float(scores[chunk]) - worst) / (top - worst) if top > worst else HALF
            sums[int(chunk)] = sums.get(int(chunk), 0.0) + share
    return [chunk for chunk, _ in sorted(sums.items(), key=lambda item: (-item[1], item[0]))[:limit]]


def best_chunks(scores: np.ndarray) -> np.ndarray:
    """The candidates of one set: those with the highest scores above nothing at all."""
    best = np.argpartition(scores, -CANDIDATES_N)[-CANDIDATES_N:]
    return best[scores[best] != 0.0]


if __name__ == "__main__":
    main()
