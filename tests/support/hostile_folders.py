"""Project folders that bring programs of their own, each of which leaves a mark where it runs."""

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import frozen

from support.studio import CARDS

#: The card file of each folder.
FILE = "mine.toml"


@frozen
class Trap:
    """A program in a project folder, and the file that it makes where it runs."""

    folder: Path
    program: Path
    mark: Path

    @property
    def is_sprung(self) -> bool:
        """Whether the program ran."""
        return self.mark.exists()


def trap(folder: Path, name: str = "program") -> Trap:
    """Put a program into a folder."""
    mark = folder.parent / f"{folder.name}.{name}.ran"
    program = folder / name
    program.write_text(f"#!/bin/sh\necho \"$0 $@\" >> '{mark}'\nexit 1\n")
    program.chmod(0o755)
    return Trap(folder, program, mark)


def git(folder: Path, *words: str) -> str:
    """Run git as its user does, before anything in the folder is hostile."""
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    said = subprocess.run(
        ["git", *who, *words], cwd=folder, env={**os.environ, **own}, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    return said.stdout.strip()


def repository(folder: Path) -> Trap:
    """A folder with a card file that is committed, and a program."""
    folder.mkdir(parents=True)
    (folder / FILE).write_text(CARDS)
    found = trap(folder)
    git(folder, "init", "--quiet", ".")
    git(folder, "add", FILE)
    git(folder, "commit", "--quiet", "-m", "cards")
    return found


def _set(of: Trap, **settings: str) -> None:
    for name, value in settings.items():
        git(of.folder, "config", name.replace("__", "."), value)


def _configured(**settings: str) -> Callable[[Path], Trap]:
    def make(folder: Path) -> Trap:
        of = repository(folder)
        _set(of, **{name: value.format(program=of.program) for name, value in settings.items()})
        return of

    return make


def _sign(folder: Path) -> None:
    """Make the last commit one that says that it is signed."""
    commit = git(folder, "cat-file", "commit", "HEAD")
    head, _, body = commit.partition("\n\n")
    mark = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    (folder.parent / "signed").write_text(f"{head}\n{mark}\n\n{body}\n")
    signed = git(folder, "hash-object", "-t", "commit", "-w", str(folder.parent / "signed"))
    git(folder, "update-ref", "HEAD", signed)


def _signed(folder: Path) -> Trap:
    """The folder says what checks signatures."""
    of = repository(folder)
    _sign(folder)
    _set(of, log__showSignature="true", gpg__program=str(of.program))
    _set(of, gpg__ssh__program=str(of.program), gpg__x509__program=str(of.program))
    return of


def _partial(folder: Path) -> Trap:
    """A partial clone whose file has to be fetched, by a program that the folder names."""
    of = repository(folder)
    blob = git(folder, "rev-parse", f"HEAD:{FILE}")
    (folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    _set(of, core__repositoryFormatVersion="1", extensions__partialClone="origin")
    _set(of, remote__origin__url=str(folder), remote__origin__promisor="true")
    _set(of, remote__origin__partialCloneFilter="blob:none")
    _set(of, remote__origin__uploadpack=str(of.program))
    _set(of, core__sshCommand=str(of.program), remote__origin__vcs="x")
    git(folder, "config", "--unset", "remote.origin.vcs")
    return of


def _transport(folder: Path) -> Trap:
    """The same with a transport that is a program by itself."""
    of = _partial(folder)
    _set(of, remote__origin__url=f"ext::{of.program}", protocol__ext__allow="always")
    return of


def _bare(folder: Path) -> Trap:
    """A bare repository that lies among the card files, as a clone brings it."""
    inner = repository(folder.parent / f"{folder.name}_inner")
    _sign(inner.folder)
    git(inner.folder, "config", "core.bare", "true")
    folder.mkdir()
    for one in (inner.folder / ".git").iterdir():
        one.rename(folder / one.name)
    (folder / FILE).write_text(CARDS)
    of = trap(folder)
    config = folder / "config"
    config.write_text(
        f"{config.read_text()}\n[core]\n\tfsmonitor = {of.program}\n\tbare = false\n"
        f"\tworktree = {folder}\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {of.program}\n"
    )
    return of


def _linked(folder: Path) -> Trap:
    """A file in the place of the repository leads to one among the card files."""
    of = _bare(folder)
    inner = folder / "inner"
    inner.mkdir()
    for name in ("HEAD", "config", "objects", "refs", "index"):
        (folder / name).rename(inner / name)
    (folder / ".git").write_text("gitdir: inner\n")
    return of


def _included(folder: Path) -> Trap:
    of = repository(folder)
    (folder / "more").write_text(
        f"[core]\n\tfsmonitor = {of.program}\n\tpager = {of.program}\n[log]\n\tshowSignature = 1\n"
        f"[gpg]\n\tprogram = {of.program}\n"
    )
    _set(of, include__path=str(folder / "more"))
    return of


def _filtered(folder: Path) -> Trap:
    """Attributes of the folder name filters, drivers of differences and texts to convert."""
    of = repository(folder)
    for place in (folder / ".gitattributes", folder / ".git" / "info" / "attributes"):
        place.write_text("*.toml filter=own diff=own merge=own ident\n")
    git(folder, "add", ".gitattributes")
    git(folder, "commit", "--quiet", "-m", "attributes")
    for name in ("filter.own.clean", "filter.own.smudge", "filter.own.process", "merge.own.driver"):
        git(folder, "config", name, str(of.program))
    for name in ("diff.own.textconv", "diff.own.command", "diff.external"):
        git(folder, "config", name, str(of.program))
    (folder / FILE).write_text(CARDS.replace("5", "6"))
    return of


def _hooked(folder: Path) -> Trap:
    of = repository(folder)
    for name in ("post-index-change", "reference-transaction", "fsmonitor-watchman",
                 "pre-auto-gc", "post-checkout"):  # fmt: skip
        (folder / ".git" / "hooks").mkdir(exist_ok=True)
        hook = folder / ".git" / "hooks" / name
        hook.unlink(missing_ok=True)
        hook.symlink_to(of.program)
    _set(of, core__hooksPath=str(folder / ".git" / "hooks"))
    return of


#: Repositories of which the configuration names a program, by what names it.
REPOSITORIES: Mapping[str, Callable[[Path], Trap]] = {
    "a signature": _signed,
    "a partial clone": _partial,
    "a transport": _transport,
    "a bare repository": _bare,
    "a linked repository": _linked,
    "an included file": _included,
    "filters": _filtered,
    "hooks": _hooked,
    "fsmonitor": _configured(core__fsmonitor="{program}"),
    "a pager": _configured(core__pager="{program}", pager__log="true"),
    "aliases": _configured(**{
        f"alias__{name}": "!{program}" for name in ("log", "rev-list", "cat-file")
    }),
    "ssh and credentials": _configured(
        core__sshCommand="{program}", credential__helper="{program}", core__askPass="{program}",
        core__gitProxy="{program}", core__editor="{program}",
        core__alternateRefsCommand="{program}",
    ),
    "another work tree": _configured(core__worktree="/", core__fsmonitor="{program}"),
}  # fmt: skip


def environment(of: Trap) -> dict[str, str]:
    """Variables by which git runs a program, or takes one for its own."""
    return {
        **{
            f"GIT_{name}": str(of.program)
            for name in (
                "SSH",
                "SSH_COMMAND",
                "ASKPASS",
                "PAGER",
                "EDITOR",
                "EXTERNAL_DIFF",
                "PROXY_COMMAND",
                "SEQUENCE_EDITOR",
            )
        },
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": str(of.program),
        "GIT_CONFIG_KEY_1": "gpg.program",
        "GIT_CONFIG_VALUE_1": str(of.program),
        "GIT_EXEC_PATH": str(of.folder),
        "GIT_DIR": str(of.folder / ".git"),
        "PAGER": str(of.program),
    }
