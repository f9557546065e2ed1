"""Servers on loopback: started, waited for, and stopped by the one who started them."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

STOP_TIMEOUT_S = 10.0
POLL_S = 0.1
# Everything here is on this machine: no proxy may stand in between.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ServerError(Exception):
    """A server did not start."""


class Server:
    """One process in a session of its own, with its output in a log file."""

    def __init__(self, name: str, command: list[str], log: Path, environment: dict[str, str] | None = None) -> None:
        self.name = name
        self.log = log
        self._output = open(log, "wb")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            env=loopback_environment(environment),
            start_new_session=True,
        )

    def wait_for_line(self, pattern: str, timeout_s: float) -> re.Match[str]:
        """Waits until a line of the log matches."""
        deadline_s = time.monotonic() + timeout_s
        while True:
            found = re.search(pattern, self.log.read_text(encoding="utf-8", errors="replace"))
            if found:
                return found
            self._still_waiting(deadline_s, f"the line `{pattern}`")

    def wait_for_url(self, url: str, timeout_s: float) -> None:
        """Waits until a URL answers with status 200."""
        deadline_s = time.monotonic() + timeout_s
        while True:
            try:
                with DIRECT.open(url, timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                pass
            self._still_waiting(deadline_s, f"`{url}`")

    def _still_waiting(self, deadline_s: float, what: str) -> None:
        last = "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])
        if self._process.poll() is not None:
            raise ServerError(f"{self.name} ended with code {self._process.returncode} before {what}\n{last}")
        if time.monotonic() > deadline_s:
            raise ServerError(f"{self.name} did not come to {what} in time\n{last}")
        time.sleep(POLL_S)

    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Ends the process and what it started."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._process.pid, number)
            except ProcessLookupError:
                break
            try:
                self._process.wait(STOP_TIMEOUT_S)
                break
            except subprocess.TimeoutExpired:
                continue
        self._output.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def loopback_environment(more: dict[str, str] | None = None) -> dict[str, str]:
    """The environment of a process that speaks to this machine alone."""
    environment = dict(os.environ)
    environment.update({"NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"})
    environment.update(more or {})
    return environment


def finished(
    command: list[str], timeout_s: float, *, folder: Path | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, whatever that is, without input and with its output as text."""
    return subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout_s,
        env=loopback_environment(environment),
        check=False,
    )


def problem_of(done: subprocess.CompletedProcess[str]) -> str | None:
    """What went wrong with a command: its exit code and the end of what it said; None when it ended well."""
    return None if done.returncode == 0 else f"exit code {done.returncode}\n{done.stderr.strip()[-1500:]}"


def free_port() -> int:
    """A loopback port that was free a moment ago, for servers that cannot choose one themselves."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
