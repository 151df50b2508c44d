"""What processes listen on, and what another user of the machine gets out of them."""

from __future__ import annotations

import contextlib
import socket
import struct
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import psutil

from support.nobody import command_as_nobody, poor_environment

_LISTENS, _ACCEPTS = "0A", 0x10000  # of /proc/net/tcp, and a flag of /proc/net/unix

#: What another user tries: to let a scheduler or worker of Dask run a function, by plain TCP and
#: with a certificate of their own; and to reach into processes.  Prints what worked.
_TRIES = """
import contextlib, os, sys
from concurrent.futures import ThreadPoolExecutor
from distributed import Client, Security

own = {"tcp": {}, "tls": {"security": Security.temporary()}}

def run_code(address):
    scheme = address.split(":")[0]
    with contextlib.suppress(Exception):
        with Client(address, timeout=10, set_as_default=False, **own[scheme]) as client:
            print(f"{address} ran code as {client.run_on_scheduler(os.getuid)}")

with ThreadPoolExecutor(32) as pool:
    list(pool.map(run_code, [f"{one}://{where}" for where in sys.argv[1].split() for one in own]))
for process in sys.argv[2].split():
    for path in (f"/proc/{process}/mem", *(f"/proc/{process}/fd/{n}" for n in range(256))):
        for flags in (os.O_RDONLY, os.O_WRONLY):
            with contextlib.suppress(OSError):
                os.close(os.open(path, flags | os.O_NONBLOCK))
                print("opened", path)
print("tried")
"""


def family(pid: int) -> list[int]:
    """The numbers of a process and of all that it started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return [pid, *(one.pid for one in psutil.Process(pid).children(recursive=True))]
    return []


def listening(pids: Iterable[int]) -> set[str]:
    """The addresses on which processes accept connections: ``host:port``, or a socket's path."""
    sockets = set()
    for pid in pids:
        for fd in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                sockets.add(fd.readlink().name.removeprefix("socket:[").removesuffix("]"))
    found = set()
    for kind, family_of in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        for row in _rows(kind):
            if row[3] == _LISTENS and row[9] in sockets:
                host, port = row[1].split(":")
                words = struct.unpack(f">{len(host) // 8}I", bytes.fromhex(host))
                packed = struct.pack(f"={len(words)}I", *words)
                found.add(f"{socket.inet_ntop(family_of, packed)}:{int(port, 16)}")
    for row in _rows("unix"):
        if int(row[3], 16) & _ACCEPTS and row[6] in sockets:
            found.add(" ".join(row[7:]) or "a socket without a name")
    return found


def _rows(kind: str) -> list[list[str]]:
    return [line.split() for line in Path(f"/proc/net/{kind}").read_text().splitlines()[1:]]


def got_by_another_user(addresses: Iterable[str], pids: Sequence[int]) -> list[str] | None:
    """What another user gets out of these ports and processes; None where nobody can be one."""
    prefix = command_as_nobody()
    if not prefix:
        return None
    words = " ".join(sorted(addresses)), " ".join(map(str, pids))
    paths = ":".join(path for path in sys.path if path)
    tried = subprocess.run(
        [*prefix, sys.executable, "-c", _TRIES, *words],
        env=poor_environment({"PYTHONPATH": paths}),
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
    )
    *got, last = tried.stdout.splitlines()
    assert last == "tried", tried.stderr
    return got
