"""Counts what was checked and prints one line each."""

from __future__ import annotations

import sys
import time


class Checks:
    """Passed and failed checks of one run; the counts are printed last."""

    def __init__(self) -> None:
        self.passed_n = 0
        self.failed_n = 0
        self._start_s = time.monotonic()

    def check(self, name: str, problem: str | None) -> bool:
        """Prints one line: `ok`, or `FAILED` with the problem. A problem of None means that the check passed."""
        elapsed_s = time.monotonic() - self._start_s
        if problem is None:
            self.passed_n += 1
            print(f"ok      {elapsed_s:6.1f} s  {name}", flush=True)
            return True
        self.failed_n += 1
        print(f"FAILED  {elapsed_s:6.1f} s  {name}", flush=True)
        for line in problem.splitlines():
            print(f"                    {line}", flush=True)
        return False

    def equal(self, name: str, found: object, expected: object) -> bool:
        """Checks that two values are equal, and shows both when they are not."""
        if found == expected:
            return self.check(name, None)
        return self.check(name, f"found    {_short(found)}\nexpected {_short(expected)}")

    def finish(self) -> int:
        """Prints the counts; the exit code of the whole. No check at all is a failure."""
        print(f"{self.passed_n} passed, {self.failed_n} failed", flush=True)
        return 0 if self.failed_n == 0 and self.passed_n > 0 else 1


def say(text: str) -> None:
    """Tells what happens, on stderr."""
    print(text, file=sys.stderr, flush=True)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 400 else f"{text[:400]}... ({len(text)} characters)"
