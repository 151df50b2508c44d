"""What processes listen on, and what another user of the machine gets out of them."""

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

#: What another user tries: to let a scheduler, a nanny or a worker of Dask run a function, by plain
#: TCP and with a certificate of their own; to read a page; to reach into processes.  Prints what
#: worked.
_TRIES = """
import asyncio, contextlib, itertools, os, sys, urllib.request
from concurrent.futures import ThreadPoolExecutor
from distributed import Security
from distributed.core import connect, send_recv
from distributed.protocol.pickle import dumps

own = {"tcp": {}, "tls": Security.temporary().get_connection_args("client")}
nothing = {"args": dumps(()), "kwargs": dumps({})}

async def run_code(address, operation):
    comm = await connect(address, timeout=5, **own[address[:3]])
    said = await send_recv(comm, op=operation, function=dumps(os.getuid), **nothing)
    print(f"{address} ran code as", said["result"])

async def try_to_run(address, operation):
    with contextlib.suppress(Exception):
        await asyncio.wait_for(run_code(address, operation), 10)

async def try_all(addresses):
    tries = itertools.product(addresses, ("run", "run_function"))
    await asyncio.gather(*(try_to_run(*one) for one in tries))

def read_page(at):
    with contextlib.suppress(Exception):
        urllib.request.urlopen(f"http://{at}", timeout=5)
        print(f"http://{at} was read")

addresses, pages = sys.argv[1].split(), (
    "", "info/main/workers.html", "json/identity.json", "metrics"
)
# Together, since a port that never answers keeps each of them until its time is over.
asyncio.run(try_all([f"{scheme}://{one}" for one in addresses for scheme in own]))
at = [f"{address}/{page}" for address in addresses for page in pages]
with ThreadPoolExecutor(len(at) or 1) as together:
    list(together.map(read_page, at))
for process in sys.argv[2].split():
    for path in (f"/proc/{process}/mem", *(f"/proc/{process}/fd/{n}" for n in range(256))):
        for flags in (os.O_RDONLY, os.O_WRONLY):
            with contextlib.suppress(OSError):
                os.close(os.open(path, flags | os.O_NONBLOCK))
                print("opened", path)
print("tried")
os._exit(0)
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
                name = socket.inet_ntop(family_of, packed)
                found.add(f"{f'[{name}]' if ':' in name else name}:{int(port, 16)}")
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
        [*prefix, sys.executable, "-u", "-c", _TRIES, *words],
        env=poor_environment({"PYTHONPATH": paths}),
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
        timeout=300,
    )
    *got, last = tried.stdout.splitlines()
    assert last == "tried", tried.stderr
    return got
