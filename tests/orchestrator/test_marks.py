"""Every call is looked at before it is decided: its command, its file, and where that leads on this disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from consent.answer import Answer
from consent.call import Arguments, Change, Command, Detail, Origin, Place, Tier, ToolCall
from consent.danger.finding import QUIET, Reason, Verdict
from consent.key import Kind
from consent.matching import Effect, Rule, parse_pattern
from consent.rules import Why
from consent.setting import Setting
from orchestrator.desk import Desk
from orchestrator.disk import Disk
from orchestrator.marks import Eyes, deciding
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


def test_an_own_tool_that_only_reads_is_quiet() -> None:
    assert EYES.look(call(Arguments('{"path": "/etc/passwd"}'), tier=Tier.READ)) == QUIET
    assert EYES.look(call(Place("/etc/passwd"), tier=Tier.READ)) == QUIET


def test_a_claimed_kind_adds_a_mark() -> None:
    asked = call(Arguments('{"path": "a"}'), path=("gem",), origin=Origin.FOREIGN, kind=Kind.DELETE, name="x")
    assert reason_of(EYES, asked) is Reason.DELETES


@pytest.mark.parametrize("arguments", ["", "[1]", "{", "7", '{"path": 1}', "[" * 100_000])
def test_arguments_that_name_no_file_are_quiet(arguments: str) -> None:
    assert EYES.look(call(Arguments(arguments))) == QUIET


@pytest.mark.parametrize("path", ["/\ud800", "/a\0b", "/" + "x" * 5000])
def test_what_cannot_be_looked_at_is_there_and_leads_nowhere_else(path: str) -> None:
    assert Disk().real(path) == path
    assert Disk().exists(path)


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
