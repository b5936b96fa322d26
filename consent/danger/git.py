"""What git loses: changes that are nowhere else, history, branches of others.

What git itself refuses where it would lose changes (`git checkout main`, `git branch -d`) is quiet, and so is
what its reflog gives back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from consent.danger.options import Options, Words, options

_GLOBAL = "C c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source"
_DRY = ("n", "--dry-run")
_READS_CONFIG = (
    "l",
    "e",
    "--list",
    "--edit",
    "--get",
    "--get-all",
    "--get-regexp",
    "--get-urlmatch",
    "--get-color",
)
_CREATES_BRANCH = ("b", "--orphan", "t", "--track")


def loses(args: Words) -> bool:
    """Whether this call of git loses something."""
    name, rest = subcommand(args)
    judge = _JUDGES.get(name)
    return judge is not None and judge(options(rest))


def configures(args: Words) -> bool:
    """Whether this call of git sets something in a configuration file of git."""
    name, rest = subcommand(args)
    given = options(rest, "f --file --blob --type --default")
    words = [word.text for word in given.operands]
    if name != "config" or given.has(*_READS_CONFIG) or words[:1] in (["get"], ["list"]):
        return False
    return len(words) > 1 or given.has("--unset", "--unset-all", "--remove-section", "--rename-section")


def subcommand(args: Words) -> tuple[str, Words]:
    """The command of git that is called, and its arguments; empty where there is none."""
    operands = options(args, _GLOBAL, first=True).operands
    return (operands[0].text, operands[1:]) if operands else ("", ())


def _named(*names: str) -> Callable[[Options], bool]:
    return lambda given: given.has(*names)


def _first(*words: str) -> Callable[[Options], bool]:
    return lambda given: bool(given.operands) and given.operands[0].text in words


def _checkout(given: Options) -> bool:
    """With paths, or by force."""
    if given.has("f", "--force", "B"):
        return True
    if given.has(*_CREATES_BRANCH):
        return False
    return given.ended or len(given.operands) > 1 or any(word.text in (".", "./") for word in given.operands)


def _restore(given: Options) -> bool:
    return not given.has("S", "--staged") or given.has("W", "--worktree")


def _push(given: Options) -> bool:
    forced = (
        "f",
        "d",
        "--force",
        "--force-with-lease",
        "--force-if-includes",
        "--delete",
        "--mirror",
        "--prune",
    )
    return given.has(*forced) or any(word.text[:1] in (":", "+") for word in given.operands)


def _branch(given: Options) -> bool:
    return given.has("D", "M", "C", "f", "--force")


def _always(_: Options) -> bool:
    return True


_JUDGES: Mapping[str, Callable[[Options], bool]] = {
    "reset": _named("--hard", "--merge", "--keep"),
    "clean": lambda given: not given.has(*_DRY),
    "checkout": _checkout,
    "switch": _named("f", "C", "--force", "--discard-changes", "--force-create"),
    "restore": _restore,
    "push": _push,
    "branch": _branch,
    "stash": _first("drop", "clear"),
    "reflog": _first("expire", "delete"),
    "gc": _named("--prune"),
    "prune": _always,
    "filter-branch": _always,
    "filter-repo": _always,
    "update-ref": _named("d", "--delete"),
    "tag": _named("d", "f", "--delete", "--force"),
    "rm": lambda given: not given.has(*_DRY),
    "mv": _named("f", "--force"),
    "worktree": _first("remove", "prune"),
    "submodule": _first("deinit"),
    "checkout-index": _named("f", "--force", "a", "--all"),
    "read-tree": _named("u", "--reset"),
}
