"""Runs ragsql against real parts from the package registries, on loopback: `make test-peers`.

Installs each part into a cache, starts it, compares what it answers, and ends only what it started. Prints one line per
check and `N passed, N failed` last; exit code 0 when all passed, 1 when a check failed, 3 when a part could not be
installed or started. Nothing is skipped.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from pathlib import Path

import agreement_part
import banking
import litellm_proxy
import local_models
import newcomer
import openai_part
import ragas_part
from checks import Checks, say
from installs import InstallError, install

PARTS = {
    "litellm": litellm_proxy.check,
    "openai": openai_part.check,
    "llama": local_models.check,
    "ragas": ragas_part.check,
    "agreement": agreement_part.check,
    "newcomer": newcomer.check,
    "banking": banking.check,
}


def main() -> int:
    arguments = _arguments()
    checkout = Path(__file__).resolve().parents[2]
    if arguments.install_only:
        print(install(arguments.cache, arguments.install_only))
        return 0
    pythons = {name: install(arguments.cache, name) for name in arguments.parts}
    checks = Checks()
    for name in arguments.parts:
        say(f"{name:<18}checking")
        with tempfile.TemporaryDirectory(prefix=f"ragsql-peers-{name}-") as folder:
            work = Path(folder)
            try:
                PARTS[name](checks, checkout, work, arguments.binary, pythons[name])
            except Exception:
                checks.check(f"{name} runs to its end", traceback.format_exc())
                _keep_logs(work, arguments.cache / "peers" / "logs" / name)
    return checks.finish()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"parts to run, of {', '.join(PARTS)}; all when none is named")
    parser.add_argument("--binary", type=lambda text: Path(text).resolve(), help="the ragsql to test")
    parser.add_argument("--cache", type=lambda text: Path(text).resolve(), required=True, help="where parts are kept")
    parser.add_argument("--install-only", metavar="PART", help="install one part, print its Python, and end")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.parts if name not in PARTS]
    if unknown:
        parser.error(f"unknown part `{unknown[0]}`; there are {', '.join(PARTS)}")
    if arguments.install_only is None and (arguments.binary is None or not arguments.binary.is_file()):
        parser.error("--binary must name the ragsql to test")
    arguments.parts = arguments.parts or list(PARTS)
    return arguments


def _keep_logs(work: Path, kept: Path) -> None:
    kept.mkdir(parents=True, exist_ok=True)
    for log in work.glob("*.log"):
        (kept / log.name).write_bytes(log.read_bytes())
    say(f"logs              {kept}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InstallError as error:
        say(f"error: {error}")
        sys.exit(3)
