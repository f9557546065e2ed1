"""Runs in the environment of the statistics packages: `agreement_scores.py VERDICTS` audits a verdict sidecar with them.

Prints one JSON object with the numbers that `ragsql judge --audit --json` gives under the same names.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

import krippendorff
import numpy
import statsmodels.api as sm
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.proportion import proportion_confint


def main() -> None:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    verdicts = [json.loads(line) for line in lines]
    asked = [verdict for verdict in verdicts if verdict["direction"] == "forward"]
    judges = sorted({verdict["judge"] for verdict in asked})
    answers = sorted({(v["question_id"], name) for v in asked for name in v["order"]})
    scores = {
        (verdict["judge"], verdict["question_id"], score["approach"]): score["score"]
        for verdict in asked
        for score in verdict["scores"]
        if score.get("score") is not None
    }
    table = numpy.array(
        [[scores.get((judge, *answer), numpy.nan) for answer in answers] for judge in judges], dtype=float
    )
    result = {
        "alpha": {
            "alpha": krippendorff.alpha(table, level_of_measurement="interval"),
            "alpha_ordinal": _ordinal(table),
        },
        "pairs": {
            f"{judges[one]} {judges[other]}": _pair(table[one], table[other])
            for one, other in itertools.combinations(range(len(judges)), 2)
        },
        "effects": _position(asked, scores),
        "leave_one_out": _leave_one_out(judges, answers, table),
        "canaries": _canaries(verdicts),
    }
    print(json.dumps(result))


def _ordinal(table: numpy.ndarray) -> float:
    """Interval alpha on pooled midranks of the pairable scores."""
    pairable = numpy.where(numpy.isnan(table).sum(axis=0) <= len(table) - 2, table, numpy.nan)
    flat = pairable[~numpy.isnan(pairable)]
    order = numpy.array([((flat < x).sum() + ((flat == x).sum() + 1) / 2) for x in flat])
    ranks = pairable.copy()
    ranks[~numpy.isnan(pairable)] = order
    return krippendorff.alpha(ranks, level_of_measurement="interval")


def _pair(one: numpy.ndarray, other: numpy.ndarray) -> dict[str, float]:
    both = ~numpy.isnan(one) & ~numpy.isnan(other)
    left, right = one[both], other[both]
    # Halves are doubled: quadratic weights do not change with the unit.
    as_classes = [(2 * scores).astype(int) for scores in (left, right)]
    return {
        "kappa": cohen_kappa_score(*as_classes, weights="quadratic", labels=list(range(2, 11))),
        "spearman": spearmanr(left, right).statistic,
        "equal_ratio": float((left == right).mean()),
        "mean_distance": float(abs(left - right).mean()),
    }


def _position(asked: list[dict], scores: dict) -> dict[str, float]:
    """Least squares with a dummy for each block and each approach, errors clustered by question."""
    rows = []
    for verdict in asked:
        values = [scores.get((verdict["judge"], verdict["question_id"], name)) for name in verdict["order"]]
        if None not in values:
            block = (verdict["question_id"], verdict["judge"])
            rows += [(block, name, place, value) for place, (name, value) in enumerate(zip(verdict["order"], values), 1)]
    blocks = sorted({row[0] for row in rows})
    names = sorted({row[1] for row in rows})
    design = [
        [row[2], *(row[0] == block for block in blocks), *(row[1] == name for name in names[1:])] for row in rows
    ]
    questions = [row[0][0] for row in rows]
    codes = numpy.unique(questions, return_inverse=True)[1]
    fit = sm.OLS([row[3] for row in rows], numpy.array(design, dtype=float)).fit(
        cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False}
    )
    clusters_n = len(set(questions))
    return {"slope": fit.params[0], "se": fit.bse[0] * (clusters_n / (clusters_n - 1)) ** 0.5}


def _leave_one_out(judges: list[str], answers: list[tuple[str, str]], table: numpy.ndarray) -> dict[str, dict]:
    names = sorted({name for _, name in answers})

    def means(rows: list[int]) -> list[float]:
        of_answers = numpy.nanmean(table[rows], axis=0)
        columns = [[place for place, (_, other) in enumerate(answers) if other == name] for name in names]
        return [float(numpy.nanmean(of_answers[places])) for places in columns]

    whole = means(list(range(len(judges))))
    found = {"": dict(zip(names, whole))}
    for left_out, judge in enumerate(judges):
        others = means([row for row in range(len(judges)) if row != left_out])
        found[judge] = dict(zip(names, others)) | {"tau": kendalltau(whole, others).statistic}
    return found


def _canaries(verdicts: list[dict]) -> dict[str, dict[str, float]]:
    found: dict[str, list[bool]] = {}
    for verdict in (verdict for verdict in verdicts if verdict["direction"] == "canary"):
        for score in verdict["scores"]:
            if score["approach"] == "canary/empty" and score.get("score") is not None:
                found.setdefault(verdict["judge"], []).append(score["score"] <= 2)
    intervals = {}
    for judge, passed in found.items():
        lower, upper = proportion_confint(sum(passed), len(passed), method="wilson")
        intervals[judge] = {"lower": float(lower), "upper": float(upper)}
    return intervals


if __name__ == "__main__":
    main()
