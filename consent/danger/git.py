"""What git loses: changes that are nowhere else, history, branches of others.

What git itself refuses where it would lose changes (`git checkout main`, `git branch -d`) is quiet, and so is
what its reflog gives back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from consent.danger.options import Options, Words, options
from consent.danger.wrappers import Program, joined
from consent.shell.syntax import Word

_GLOBAL = "C c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source"
_DRY = ("n", "--dry-run")
_RUNS_BEHIND = {"bisect": "run", "submodule": "foreach"}
_VALUED = {
    "config": "f --file --blob --type --default",
    "rebase": "x --exec",
    "clean": "e --exclude",
    "checkout": "b B U --orphan --conflict --pathspec-from-file --unified --inter-hunk-context",
    "switch": "c C --create --force-create --orphan --conflict",
    "restore": "s U --source --conflict --pathspec-from-file",
    "push": "o --push-option --receive-pack --exec --repo",
    "branch": "u --set-upstream-to --sort --points-at --format",
    "tag": "m F u --message --file --local-user --sort --format",
    "rm": "--pathspec-from-file",
    "difftool": "x t --extcmd --tool",
    "clone": "u b o c j --upload-pack --branch --origin --config --jobs --depth --template --reference",
    **dict.fromkeys(("fetch", "pull", "ls-remote"), "o --upload-pack --depth --server-option --sort"),
}
_SHELL_TEXT = {
    "rebase": "x --exec",
    "difftool": "x --extcmd",
    "clone": "u --upload-pack",
    "push": "--receive-pack --exec",
    **dict.fromkeys(("fetch", "pull", "ls-remote"), "--upload-pack"),
}
"""Options whose value is handed to a shell."""
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


class Call(NamedTuple):
    """A call of git: its command, empty where there is none, and the options and operands of that."""

    name: str
    given: Options


def called(args: Words) -> Call:
    """How git is called with these arguments."""
    operands = options(args, _GLOBAL, first=True).operands
    name = operands[0].text if operands else ""
    return Call(name, options(operands[1:], _VALUED.get(name, ""), first=name in _RUNS_BEHIND))


def loses(call: Call) -> bool:
    """Whether this call of git loses something."""
    judge = _JUDGES.get(call.name)
    return judge is not None and judge(call.given)


def may_check_out(call: Call) -> Word | None:
    """What `git checkout` takes for a file, if one of this name is there, else for a branch."""
    name, given = call
    only = name == "checkout" and len(given.operands) == 1 and not given.surely(*_CREATES_BRANCH)
    return given.operands[0] if only else None


def configures(call: Call) -> bool:
    """Whether this call of git sets something in a configuration file of git."""
    name, given = call
    words = [word.text for word in given.operands]
    if name != "config" or given.surely(*_READS_CONFIG) or words[:1] in (["get"], ["list"]):
        return False
    return len(words) > 1 or given.has("--unset", "--unset-all", "--remove-section", "--rename-section")


def shell_texts(program: Program) -> Iterator[Word]:
    """The texts among the arguments of git that it hands to a shell."""
    if program.name != "git":
        return
    settings = ((word, *word.text.partition("=!")) for word in program.args if word.text.startswith("alias."))
    yield from (word._replace(text=text) for word, _, _, text in settings if text)
    name, given = called(program.args)
    yield from given.values(*_SHELL_TEXT.get(name, "").split())
    if given.operands and given.operands[0].text == _RUNS_BEHIND.get(name):
        yield from joined(options(given.operands[1:], first=True).operands)


def _named(*names: str) -> Callable[[Options], bool]:
    return lambda given: given.has(*names)


def _first(*words: str) -> Callable[[Options], bool]:
    return lambda given: bool(given.operands) and given.operands[0].text in words


def _checkout(given: Options) -> bool:
    """With paths, or by force."""
    if given.has("f", "--force", "B", "--ours", "--theirs", "--pathspec-from-file"):
        return True
    if given.surely(*_CREATES_BRANCH):
        return False
    return given.ended or len(given.operands) > 1 or any(word.text in (".", "./") for word in given.operands)


def _restore(given: Options) -> bool:
    return not given.surely("S", "--staged") or given.has("W", "--worktree")


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
    loses = given.has(*forced) or any(word.text[:1] in (":", "+") for word in given.operands)
    return loses and not given.surely(*_DRY)


def _branch(given: Options) -> bool:
    return given.has("D", "M", "C", "f", "--force")


def _always(_: Options) -> bool:
    return True


_JUDGES: Mapping[str, Callable[[Options], bool]] = {
    "reset": _named("--hard", "--merge", "--keep"),
    "clean": lambda given: not given.surely(*_DRY),
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
    "rm": lambda given: not given.surely(*_DRY),
    "mv": _named("f", "--force"),
    "worktree": _first("remove", "prune"),
    "submodule": _first("deinit"),
    "checkout-index": _named("f", "--force", "a", "--all"),
    "read-tree": _named("u", "--reset"),
}
