"""Wall-clock seconds and peak memory of whole commands, each in a process of its own.

Run from the project's folder, with nothing else running::

    .venv/bin/python tests/benchmarks/bench_job.py

Takes a few minutes.  Compiled kernels and run folders go to a folder that is removed at the end.
"""

import os
import subprocess
import sys
import tempfile
import time

SIMULATE = ["simulate", "first_contact", "--games", "1", "--out"]
BALANCE = ["balance", "first_contact", "--out"]
RANDOM = ["--policy", "random"]
COMMANDS = {
    "first start, compiling": [*SIMULATE, "first"],
    "later start": [*SIMULATE, "later"],
    "help": ["--help"],
    "the main job, compiling the rest": [*BALANCE, "once"],
    "the main job": [*BALANCE, "usual"],
    "the same once more": [*BALANCE, "usual"],
    "a million random games": [*BALANCE, "million", *RANDOM, "--games", "1000000"],
    "ten million random games": [*BALANCE, "ten", *RANDOM, "--games", "10000000"],
}


def main() -> None:
    """Print one line for each command."""
    command = [sys.executable, "-c", "from reports.cli.start import main; main()"]
    print(f"{'':45}{'seconds':>10}{'MB at most':>12}")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for label, arguments in COMMANDS.items():
            start = time.perf_counter()
            process = subprocess.Popen(
                [*command, *arguments],
                cwd=folder,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            failed = "" if status == 0 else "  failed"
            print(f"{label:45}{seconds:10.2f}{usage.ru_maxrss / 1024:12.0f}{failed}", flush=True)


if __name__ == "__main__":
    main()
