"""Every call is looked at before it is decided: its command, its file, and where that leads on this disk."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consent.answer import Answer
from consent.call import Altered, Arguments, Change, Command, Detail, Doubt, Origin, Place, Tier, ToolCall
from consent.danger.finding import QUIET, Reason, Verdict
from consent.key import Kind
from consent.matching import Effect, Rule, parse_pattern
from consent.rules import Why
from consent.setting import Setting
from orchestrator.desk import Desk
from orchestrator.marks import Eyes, deciding
from orchestrator.tools.base import Seen, call_of
from orchestrator.tools.edit import WRITE_FILE
from orchestrator.words.card import card
from orchestrator.words.marks import mark, reason
from tests.orchestrator.parts import Person, bash_call
from tests.orchestrator.words.calls import ENGLISH, FRENCH, question

HOME = "/home/ann"
EYES = Eyes(HOME)


def call(detail: Detail, folder: Path | str = "/w", **changes: object) -> ToolCall:
    return replace(bash_call(), detail=detail, folder=str(folder), **changes)  # type: ignore[arg-type]


def reason_of(eyes: Eyes, submitted: ToolCall) -> Reason | None:
    return eyes.look(submitted).reason


def test_a_truncating_redirect_is_marked_only_where_something_is(tmp_path: Path) -> None:
    command = call(Command("ls > notes"), tmp_path)
    assert EYES.look(command) == QUIET
    (tmp_path / "notes").symlink_to("nowhere")
    assert reason_of(EYES, command) is Reason.OVERWRITES


def test_a_link_to_a_file_that_decides_is_followed(tmp_path: Path) -> None:
    file = tmp_path / "agents.yaml"
    file.touch()
    (tmp_path / "innocent").symlink_to(file)
    eyes = Eyes(HOME, deciding({str(file): ""}, tmp_path / "state"))
    assert reason_of(eyes, call(Command("echo >> innocent"), tmp_path)) is Reason.DECIDES
    assert reason_of(eyes, call(Command("echo > state/audit.jsonl"), tmp_path)) is Reason.DECIDES
    assert reason_of(eyes, call(Change("innocent", str(file), "", "x"), tmp_path)) is Reason.DECIDES


def test_a_file_is_overwritten_by_write_file_only_where_one_is(tmp_path: Path) -> None:
    target = tmp_path / "a"
    change = call(Change("a", str(target), None, "x"), tmp_path, name="write_file")
    assert EYES.look(change) == QUIET
    target.touch()
    assert reason_of(EYES, change) is Reason.OVERWRITES
    assert reason_of(EYES, replace(change, name="edit_file")) is None


@pytest.mark.parametrize("arguments", ['{"path": "~x/../.git/hooks/a"}', '[{"file_path": "/etc/passwd"}]'])
def test_any_tool_that_names_a_critical_file_is_critical(arguments: str) -> None:
    asked = call(Arguments(arguments), path=("gem",), origin=Origin.FOREIGN, kind=Kind.READ, name="x")
    assert EYES.look(asked).verdict is Verdict.CRITICAL


def foreign(
    arguments: object, folder: Path | str = "/w", detail: Detail | None = None, **changes: object
) -> ToolCall:
    text = json.dumps(arguments)
    asked = {"path": ("gem",), "origin": Origin.FOREIGN, "kind": Kind.OTHER, "name": "x", "arguments": text}
    return call(detail or Arguments(text), folder, **(asked | changes))


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Path, Eyes]:
    """A folder with links to a home, to what is in it, and to a folder beside the files that decide."""
    home, work, mm = (tmp_path.resolve() / name for name in ("ann", "work", "mm"))
    for folder in (home / "sub", work / "src", mm / "beside"):
        folder.mkdir(parents=True)
    (mm / "caf\u00e9.yaml").touch()
    (work / "link").symlink_to(home / "sub")
    (work / "src" / "again").symlink_to("../link")
    (work / "home").symlink_to(home)
    (work / "innocent").symlink_to("home/.bashrc")
    (work / "beside").symlink_to(mm / "beside")
    return work, Eyes(str(home), deciding({str(mm / "caf\u00e9.yaml"): ""}, tmp_path / "state"))


STARTUP, DECIDES = Reason.STARTUP, Reason.DECIDES
WRITINGS = [
    ("link/../.bashrc", STARTUP),
    ("./link//.././.bashrc", STARTUP),
    ("src/again/../.bashrc", STARTUP),
    ("home/.bashrc", STARTUP),
    ("home/.BashRC/.", STARTUP),
    ("innocent", STARTUP),
    ("~/.bashrc", STARTUP),
    ("$HOME/.bashrc", STARTUP),
    ("${HOME}/sub/../.bashrc", STARTUP),
    ("file:innocent", STARTUP),
    ("file://~/%2ebashrc#L3", STARTUP),
    ("beside/../CAFE\u0301.yaml", DECIDES),
    ("beside/../caf\u00e9.yaml/", DECIDES),
    ("link/.bashrc", None),
    ("src/../.bashrc", None),
    ("https://example.com/home/.bashrc", None),
]


@pytest.mark.parametrize(("path", "wanted"), WRITINGS)
@pytest.mark.parametrize("field", ["path", "destination"])
def test_a_critical_file_is_known_however_it_is_written(
    linked: tuple[Path, Eyes], field: str, path: str, wanted: Reason | None
) -> None:
    folder, eyes = linked
    assert reason_of(eyes, foreign({"edits": [{field: path}]}, folder)) is wanted


@pytest.mark.parametrize(("path", "wanted"), [row for row in WRITINGS if not row[0].startswith("file:")])
def test_a_command_and_a_change_know_it_as_well(
    linked: tuple[Path, Eyes], path: str, wanted: Reason | None
) -> None:
    folder, eyes = linked
    change = Change(path, str(folder / path), None, "x")
    assert reason_of(eyes, call(change, folder, arguments="")) is wanted
    assert reason_of(eyes, call(Command(f"echo >> {path}"), folder, arguments="")) is wanted


CRITICAL = {
    "a foreign agent's fetch": foreign({"url": "https://x", "output": "~/.bashrc"}),
    "jan's fetch": foreign(
        {"url": "https://x", "output": "~/.bashrc"},
        detail=Place("https://x"),
        origin=Origin.OURS,
        name="fetch_content",
    ),
    "an own fetch": foreign({"url": "https://x", "output": "/home/ann/.bashrc"}, path=(), origin=Origin.OWN),
    "a location": foreign({}, beside=("/home/ann/.bashrc",)),
    "a patch": foreign({"input": "*** Begin Patch\n*** Update File: ../home/ann/.bashrc\n"}),
    "a read as a foreign agent claims": foreign({}, detail=Place("/"), beside=("/home/ann/.bashrc",)),
    "a file beside a command": foreign({"command": "ls", "log": "~/.bashrc"}, detail=Command("ls")),
    "a command below": foreign({"do": {"cmd": "echo >> ~/.bashrc"}}),
    "a command with its arguments": foreign(
        {"command": "tee", "args": ["/home/ann/.bashrc"]}, detail=Command("tee")
    ),
    "a command in another folder": foreign(
        {"command": "echo >> .bashrc", "cwd": "~"}, detail=Command("echo >> .bashrc")
    ),
    "a name in the home": foreign({"target": ".bashrc"}, "/home/ann"),
    "a title that is the command": foreign({}, detail=Arguments(""), title="echo >> ~/.bashrc"),
}


@pytest.mark.parametrize("submitted", CRITICAL.values(), ids=CRITICAL)
def test_a_critical_file_is_known_wherever_it_stands(submitted: ToolCall) -> None:
    assert reason_of(EYES, submitted) is Reason.STARTUP


@pytest.mark.parametrize(
    "submitted",
    [
        foreign({"path": "notes", "content": "~/.bashrc", "new_string": "/etc/passwd"}),
        foreign({"prompt": "Add the alias to ~/.bashrc, and say\n~/.bashrc\nwhen it is there."}),
        foreign({"mode": "fast", "format": "json"}, "/home/ann/.ssh"),
        foreign({"dir": "."}, "/home"),
        foreign({"command": "cat a/.git/config"}, detail=Command("cat a/.git/config")),
        foreign({}, detail=Arguments(""), title="Don't touch ~/.bashrc"),
        foreign(
            {"path": "~/.bashrc"}, detail=Place("/home/ann/.bashrc"), origin=Origin.OURS, name="read_file"
        ),
        foreign({"path": "~/.bashrc"}, detail=Altered("homer", "~/.bashrc", "/home/ann/.bashrc")),
    ],
)
def test_what_names_no_file_to_write_is_quiet(submitted: ToolCall) -> None:
    assert EYES.look(submitted) == QUIET


def test_the_files_that_an_own_tool_would_touch_are_looked_at() -> None:
    tool = replace(WRITE_FILE, name="fetch_content")
    seen = Seen(Place("https://example.com"), Tier.WRITE, ("/home/ann/.bashrc",))
    assert reason_of(EYES, call_of(tool, "{}", seen, "/w")) is Reason.STARTUP
    assert EYES.look(call_of(tool, "{}", replace(seen, tier=Tier.READ), "/w")) == QUIET


def test_a_word_is_a_file_where_one_is(tmp_path: Path) -> None:
    keys = tmp_path / ".ssh"
    keys.mkdir()
    (keys / "fast").touch()
    assert reason_of(Eyes(str(tmp_path)), foreign({"mode": "fast"}, keys)) is Reason.SSH


def test_deleting_a_home_is_critical_with_any_tool() -> None:
    assert reason_of(EYES, foreign({"path": "~"}, kind=Kind.DELETE)) is Reason.DELETES_HOME
    assert reason_of(EYES, foreign({"target": "/usr/"}, kind=Kind.MOVE)) is Reason.DELETES_ROOT
    assert reason_of(EYES, foreign({"target": "/dev/sda"})) is Reason.DISK


def test_a_call_that_names_too_much_is_unclear_and_doubtful() -> None:
    names = [f"{number}.txt" for number in range(300)]
    marked = EYES.marked(foreign([*names, "~/.bashrc"]))
    assert (marked.mark.verdict, marked.doubts) == (Verdict.UNCLEAR, (Doubt.TOO_LARGE,))
    assert mark(marked.mark, ENGLISH) == "not understood: it names more than can be looked at"
    assert EYES.marked(foreign(["~/.bashrc", *names])).critical
    assert EYES.marked(foreign(names[:200])).doubts == ()


def test_a_disk_that_takes_too_long_makes_a_call_unclear(tmp_path: Path) -> None:
    long = [f"{tmp_path}/" + "../" * 3 + f"{tmp_path}/." * 20 + f"/{number}" for number in range(200)]
    assert EYES.marked(foreign(long)).doubts == (Doubt.TOO_LARGE,)


def test_an_own_tool_that_only_reads_is_quiet() -> None:
    assert EYES.look(call(Arguments('{"path": "/etc/passwd"}'), tier=Tier.READ)) == QUIET
    assert EYES.look(call(Place("/etc/passwd"), tier=Tier.READ)) == QUIET


def test_a_claimed_kind_adds_a_mark() -> None:
    asked = call(Arguments('{"path": "a"}'), path=("gem",), origin=Origin.FOREIGN, kind=Kind.DELETE, name="x")
    assert reason_of(EYES, asked) is Reason.DELETES


@pytest.mark.parametrize("arguments", ["", "[1]", "{", "7", '{"path": 1}', "[" * 10_000])
def test_arguments_that_name_no_file_are_quiet(arguments: str) -> None:
    assert EYES.look(call(Arguments(arguments))) == QUIET


@pytest.mark.parametrize("path", [(), ("jan",)])
async def test_no_allow_of_a_critical_command_is_remembered(path: tuple[str, ...]) -> None:
    person = Person(Answer.ALLOW_SESSION, Answer.ALLOW_ONCE)
    allow = Rule(parse_pattern("/".join((*path, "bash"))), Effect.ALLOW)
    desk = Desk(Setting(rules=(allow,), somebody=True), person, lambda _: None, look=EYES.marked)
    quiet = replace(bash_call(path=path), detail=Command("ls"))
    critical = replace(bash_call(path=path), detail=Command("cd && rm -rf *"))
    assert (await desk.decide(quiet)).why is Why.POLICY
    assert not (await desk.decide(critical)).allowed  # "for the session" was not on offer
    assert (await desk.decide(critical)).answer is Answer.ALLOW_ONCE
    assert desk.grants == ()


def test_a_mark_says_in_words_what_it_is_about() -> None:
    found = EYES.look(call(Command("cd /srv; sudo rm -rf \x1b[2J")))
    assert mark(found, ENGLISH) == "destructive: deletes files: rm"
    assert mark(found, FRENCH) == "destructeur : supprime des fichiers : rm"
    assert mark(QUIET, ENGLISH) == reason(QUIET, ENGLISH) == ""


def test_the_part_that_is_meant_is_escaped_like_all_of_another_process() -> None:
    found = EYES.look(call(Command("ls > /etc/\x1b/../passwd")))
    assert mark(found, ENGLISH) == r"critical: changes the accounts of this computer: /etc/\u{1b}/../passwd"


def test_the_mark_stands_beside_the_whole_command() -> None:
    """O-f3: the part that is meant does not take the place of the text."""
    shown = card(question(EYES.marked(call(Command("cd /srv/www && rm -rf *"), path=("jan",)))), ENGLISH, 0)
    assert "│ cd /srv/www && rm -rf *" in shown.body
    assert "destructive: deletes files: rm" in shown.body
    assert "folder: /w" in shown.body


JSON = st.recursive(
    st.none()
    | st.integers()
    | st.text()
    | st.sampled_from(["~", "$HOME/x", "file://%00/", "/\ud800", "rm {"]),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["path", "cwd", "cmd", "args", "x"]), inner)
    ),
)


@given(JSON, st.sampled_from([*Kind, None]), st.lists(st.text()), st.text())
def test_nothing_that_an_agent_says_makes_the_eyes_fail(
    arguments: object, kind: Kind | None, beside: list[str], title: str
) -> None:
    marked = EYES.marked(foreign(arguments, kind=kind, beside=tuple(beside), title=title))
    assert marked.arguments == json.dumps(arguments)


RM = "rm -rf /"


@pytest.mark.parametrize(
    "arguments",
    [
        {"program": "rm", "args": ["-rf", "/"]},
        {"command": "rm", "args": "-rf /"},
        {"command": {"executable": "rm", "arguments": "-rf /"}},
        {"run": RM},
        {"bash": RM},
        {"command ": RM},
        {"comm\u200band": RM},
        {"cmds": [RM]},
        {"commands": [["rm", "-rf", "/"]]},
        {"input": RM},
        {"deep": [{"chars": RM + "\n"}]},
        ["rm", "-rf", "/"],
        RM,
        json.dumps({"command": RM}),
        {"raw": json.dumps(json.dumps({"command": RM}))},
    ],
)
def test_what_a_call_would_execute_is_read_wherever_it_stands(arguments: object) -> None:
    assert reason_of(EYES, foreign(arguments, kind=Kind.EXECUTE)) is Reason.DELETES_ROOT


def test_sentences_of_a_call_that_executes_are_no_commands() -> None:
    said = {"description": "Deletes nothing (it's only a test), really", "title": "Run: it"}
    assert EYES.look(foreign(said, kind=Kind.EXECUTE)) == QUIET
    assert EYES.look(foreign({"content": RM, "query": "$X"}, kind=Kind.EXECUTE)) == QUIET
    assert EYES.look(foreign({"query": RM}, kind=Kind.SEARCH)) == QUIET


@pytest.mark.parametrize("field", ["cwd", "directory", "dir_path"])
def test_a_command_is_seen_from_the_folder_that_it_names(field: str) -> None:
    assert reason_of(EYES, foreign({"command": "rm -rf *", field: HOME})) is Reason.DELETES_HOME


def test_the_content_of_a_call_without_arguments_may_be_its_command() -> None:
    asked = call(Arguments(RM), path=("gem",), origin=Origin.FOREIGN, kind=Kind.EXECUTE, arguments="{}")
    assert reason_of(EYES, asked) is Reason.DELETES_ROOT


@pytest.mark.parametrize("arguments", [{"target_file": "a"}, {"files": ["a"]}, {"id": 1}, {}])
def test_a_call_that_says_it_deletes_or_moves_is_marked_whatever_it_names(arguments: object) -> None:
    assert reason_of(EYES, foreign(arguments, kind=Kind.DELETE)) is Reason.DELETES
    assert reason_of(EYES, foreign(arguments, kind=Kind.MOVE)) is Reason.MOVES
