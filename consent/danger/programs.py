"""What single programs destroy, by their arguments: one judge for each name.

Source: consent.md, "Marks" and "Critical". Knows no shell: words come without quotes, wrappers are gone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from consent.danger import git
from consent.danger.finding import Harm, Reason
from consent.danger.options import Options, options
from consent.danger.scene import Scene
from consent.danger.wrappers import Program
from consent.shell.syntax import Word

Judge = Callable[[Program, Scene], Iterator[Harm]]

_ASKS_FOR_HELP = ("--help", "--version", "V", "h")
_RSYNC_DELETES = ("--delete", "--del", "--remove-source-files")


def _only_tells(program: Program) -> bool:
    """A first argument for which the program says how to use it, or that it does not know it, and ends."""
    return bool(program.args) and program.args[0].text in ("--help", "--version")


def _delete(program: Program, scene: Scene) -> Iterator[Harm]:
    if _only_tells(program):
        return
    for word in options(program.args, "n s --iterations --size").operands:
        yield from scene.deleted(word)
    yield Harm(Reason.DELETES, program.word)


def _move(program: Program, scene: Scene) -> Iterator[Harm]:
    sources, target = _transfer(options(program.args, "t S --target-directory --suffix"))
    for source in sources:
        yield from scene.deleted(source)
    if target:
        yield from _arrivals(sources, target, scene)
        yield from scene.overwritten(target, Reason.MOVES)


def _copy(program: Program, scene: Scene) -> Iterator[Harm]:
    valued = "t S m o g e --target-directory --suffix --mode --owner --group --rsh --exclude --include"
    given = options(program.args, valued)
    sources, target = _transfer(given)
    if target:
        yield from scene.written(target)
        yield from _arrivals(sources, target, scene)
        if any(source.text == "/dev/null" for source in sources):
            yield from scene.overwritten(target, Reason.OVERWRITES)
    deletes = [name for name in given.given if name.startswith(_RSYNC_DELETES)]
    if program.name == "rsync" and deletes:
        yield from scene.deleted(target) if target else ()
        yield Harm(Reason.DELETES, program.word)


def _transfer(given: Options) -> tuple[tuple[Word, ...], Word | None]:
    if target := given.value("t", "--target-directory"):
        return given.operands, target
    return given.operands[:-1], given.operands[-1] if len(given.operands) > 1 else None


def _arrivals(sources: tuple[Word, ...], target: Word, scene: Scene) -> Iterator[Harm]:
    for source in sources:
        yield from scene.arrived(source, target)


def _dd(program: Program, scene: Scene) -> Iterator[Harm]:
    for word in program.args:
        name, _, value = word.text.partition("=")
        if name == "of":
            yield from scene.overwritten(word._replace(text=value), Reason.OVERWRITES)


def _truncate(program: Program, scene: Scene) -> Iterator[Harm]:
    if _only_tells(program):
        return
    for word in options(program.args, "s r --size --reference").operands:
        yield from scene.written(word)
    yield Harm(Reason.OVERWRITES, program.word)


def _tee(program: Program, scene: Scene) -> Iterator[Harm]:
    given = options(program.args)
    for word in given.operands:
        yield from (
            scene.written(word)
            if given.surely("a", "--append")
            else scene.overwritten(word, Reason.OVERWRITES)
        )


_IN_PLACE_VALUES = {"perl": "e E F I M m", "ruby": "e E F I K C r T W x"}
_SED_VALUES = "e f l E F --expression --file --line-length"


def _in_place(program: Program, scene: Scene) -> Iterator[Harm]:
    given = options(program.args, _IN_PLACE_VALUES.get(program.name, _SED_VALUES))
    if given.has("i", "--in-place"):
        for word in given.operands:
            yield from scene.written(word)
        yield Harm(Reason.EDITS, program.word)


def _find(program: Program, scene: Scene) -> Iterator[Harm]:
    """`find -delete`, and files that find writes; what `-exec` runs is unwrapped elsewhere."""
    deletes = next((word for word in program.args if word.text == "-delete"), None)
    if deletes:
        yield from (harm for root in whole_roots(program) for harm in scene.deleted(root))
        yield Harm(Reason.DELETES, deletes)
    for at, word in enumerate(program.args):
        if word.text in ("-fprint", "-fprint0", "-fprintf", "-fls"):
            yield from (
                harm
                for file in program.args[at + 1 : at + 2]
                for harm in scene.overwritten(file, Reason.OVERWRITES)
            )


_FIND_FILTER = re.compile(
    r"-(?:i?name|i?path|i?wholename|i?regex|i?lname|empty|size|perm|[acm](?:time|min)|newer\w*|user|group|inum)"
)


def whole_roots(program: Program) -> Iterator[Word]:
    """The folders that `find` starts from, where it leaves nothing out."""
    if any(_FIND_FILTER.fullmatch(word.text) for word in program.args):
        return
    for word in program.args:
        if word.text[:1] in ("-", "(", "!"):
            if word.text in ("-H", "-L", "-P"):
                continue
            return
        yield word


def _git(program: Program, scene: Scene) -> Iterator[Harm]:
    call = git.called(program.args)
    if git.configures(call):
        yield Harm(Reason.GIT_INNER, program.word)
    if call.name == "rm":
        yield from (harm for word in call.given.operands for harm in scene.written(word, whole=True))
    maybe = git.may_check_out(call)
    if git.loses(call) or (maybe and scene.is_file(maybe)):
        yield Harm(Reason.GIT, program.word)


def _permissions(program: Program, scene: Scene) -> Iterator[Harm]:
    for word in options(program.args, "--reference").operands:
        yield from scene.opened(word)


def _kill(program: Program, _: Scene) -> Iterator[Harm]:
    """Process 1, or every process; a first argument that begins with `-` is the signal; 0 is none."""
    args = program.args
    texts = [word.text for word in args[:2]]
    if texts[:1] in (["-0"], ["-l"], ["-L"], ["--list"]) or texts in (["-s", "0"], ["-n", "0"]):
        return
    first = args[0].text if args else ""
    named = first in ("-s", "-n", "-q", "--signal")
    given = args[2:] if named else args[1:] if first.startswith("-") and first != "--" else args
    yield from (Harm(Reason.KILLS_INIT, word) for word in given if word.text in ("1", "-1"))


def _kill_by_name(program: Program, _: Scene) -> Iterator[Harm]:
    names = ("init", "systemd", "launchd")
    yield from (Harm(Reason.KILLS_INIT, word) for word in program.args if word.text in names)


def _shut_down(program: Program, _: Scene) -> Iterator[Harm]:
    given = options(program.args)
    if given.surely("c") and not given.operands and program.name == "shutdown":
        return  # calls one off
    helps = given.surely("--help", "--version")
    yield Harm(Reason.POWER if helps else Reason.SHUTS_DOWN, program.word)


def _run_level(program: Program, _: Scene) -> Iterator[Harm]:
    if any(word.text in ("0", "6") for word in program.args):
        yield Harm(Reason.SHUTS_DOWN, program.word)


def _service(program: Program, _: Scene) -> Iterator[Harm]:
    verb, *units = options(program.args, "H M t p n o --host --machine").operands or (program.word,)
    ends = ("poweroff", "reboot", "halt", "kexec", "soft-reboot", "emergency", "rescue")
    targets = (f"{end}.target" for end in (*ends, "shutdown", "runlevel0", "runlevel6"))
    if verb.text in ends or (
        verb.text in ("start", "isolate") and not {u.text for u in units}.isdisjoint(targets)
    ):
        yield Harm(Reason.SHUTS_DOWN, verb)


def _disk(program: Program, _: Scene) -> Iterator[Harm]:
    """Every use but listing."""
    if not options(program.args).surely("l", "--list", *_ASKS_FOR_HELP):
        yield Harm(Reason.DISK, program.word)


def _disk_by_verb(*verbs: str) -> Judge:
    def judge(program: Program, _: Scene) -> Iterator[Harm]:
        found = any(word.text.lstrip("-").lower().startswith(verbs) for word in program.args)
        yield from (Harm(Reason.DISK, program.word),) if found else ()

    return judge


def _crontab(program: Program, _: Scene) -> Iterator[Harm]:
    if not options(program.args, "u").surely("l", "--help"):
        yield Harm(Reason.CRONTAB, program.word)


def _key(program: Program, scene: Scene) -> Iterator[Harm]:
    """Every use but looking at a key."""
    given = options(program.args, "a b C D E F f I M m N n O P R r s t V w Y Z z")
    if not given.surely("l", "B", "y", "e"):
        for word in given.values("f"):
            yield from scene.written(word)


def _accounts(program: Program, _: Scene) -> Iterator[Harm]:
    if not options(program.args).surely("S", "--status", "c", "--check", *_ASKS_FOR_HELP):
        yield Harm(Reason.ACCOUNTS, program.word)


def _writes(valued: str = "") -> Judge:
    """Every operand is written to, but only some files matter."""

    def judge(program: Program, scene: Scene) -> Iterator[Harm]:
        for word in options(program.args, valued).operands:
            yield from scene.written(word)

    return judge


def _writes_value(*names: str) -> Judge:
    def judge(program: Program, scene: Scene) -> Iterator[Harm]:
        for word in options(program.args, " ".join(names)).values(*names):
            yield from scene.written(word)

    return judge


JUDGES: Mapping[str, Judge] = {
    **dict.fromkeys(("rm", "rmdir", "unlink", "shred", "srm", "wipe", "grm", "grmdir"), _delete),
    **dict.fromkeys(("mv", "gmv"), _move),
    **dict.fromkeys(("cp", "gcp", "install", "ln", "scp", "rsync"), _copy),
    "dd": _dd,
    "truncate": _truncate,
    **dict.fromkeys(("tee", "sponge"), _tee),
    **dict.fromkeys(("sed", "gsed", "perl", "ruby"), _in_place),
    "find": _find,
    "git": _git,
    **dict.fromkeys(("chmod", "chown", "chgrp", "setfacl", "chattr"), _permissions),
    "kill": _kill,
    **dict.fromkeys(("pkill", "killall"), _kill_by_name),
    **dict.fromkeys(("shutdown", "reboot", "halt", "poweroff"), _shut_down),
    **dict.fromkeys(("init", "telinit"), _run_level),
    **dict.fromkeys(("systemctl", "loginctl"), _service),
    **dict.fromkeys(
        ("mkfs", "mke2fs", "mkswap", "wipefs", "fdisk", "sfdisk", "gdisk", "sgdisk", "cfdisk", "parted"),
        _disk,
    ),
    **dict.fromkeys(
        ("blkdiscard", "newfs", "newfs_apfs", "newfs_hfs", "lvremove", "vgremove", "pvremove"), _disk
    ),
    "diskutil": _disk_by_verb("erase", "zero", "random", "secureerase", "reformat", "partition", "apfs"),
    "cryptsetup": _disk_by_verb("luksformat", "erase", "lukserase", "reencrypt"),
    "hdparm": _disk_by_verb("security-erase", "trim-sector"),
    "nvme": _disk_by_verb("format", "sanitize"),
    "zpool": _disk_by_verb("destroy", "create", "labelclear"),
    "zfs": _disk_by_verb("destroy", "rollback"),
    "badblocks": _disk_by_verb("w"),
    "crontab": _crontab,
    **dict.fromkeys(
        ("useradd", "usermod", "userdel", "adduser", "deluser", "newusers", "chsh", "chfn"), _accounts
    ),
    **dict.fromkeys(("groupadd", "groupmod", "groupdel", "addgroup", "delgroup", "gpasswd"), _accounts),
    **dict.fromkeys(("passwd", "chpasswd", "vipw", "vigr", "visudo"), _accounts),
    **dict.fromkeys(("touch", "mkdir"), _writes("d m r t --date --mode --reference")),
    **dict.fromkeys(("vi", "vim", "nvim", "ex", "ed", "nano", "emacs", "sudoedit"), _writes("c S")),
    "curl": _writes_value("o", "--output", "--output-dir"),
    "wget": _writes_value("O", "--output-document", "P", "--directory-prefix"),
    "sort": _writes_value("o", "--output"),
    "tar": _writes_value("C", "--directory"),
    "unzip": _writes_value("d"),
    "ssh-keygen": _key,
}
"""Who judges the arguments of a program. `mkfs.ext4` goes by `mkfs`."""


def judge_of(name: str) -> Judge | None:
    """The judge of a program, if it has one."""
    return JUDGES.get(name) or JUDGES.get(name.partition(".")[0] if name.startswith("mkfs.") else "")
