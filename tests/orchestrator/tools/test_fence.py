"""The fence of mode `write`: what lies in the conversation's folder, links followed (consent.md)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from consent.setting import Mode, Setting
from orchestrator.llm.scripted import Turn
from orchestrator.tools.base import Tool, Workplace
from orchestrator.tools.edit import EDIT_FILE, WRITE_FILE
from tests.orchestrator.parts import Outcomes, Person, running
from tests.orchestrator.team import Team, conversation

WRITING = Setting(Mode.WRITE, somebody=True)


def fenced(place: Workplace, path: str, tool: Tool = WRITE_FILE) -> bool:
    rest = {"content": "new"} if tool is WRITE_FILE else {"old": "old", "new": "new"}
    return tool.look({"path": path, **rest}, place).fenced


@pytest.fixture
def around(place: Workplace) -> Path:
    """What lies around the conversation's folder, which is `work`."""
    here, around = place.folder, place.folder.parent
    for folder in (here / "sub", around / "other", around / f"{here.name}-2"):
        folder.mkdir()
        (folder / "a").write_text("old")
    (here / "a").write_text("old")
    (around / "a").write_text("old")
    links = {"in": "sub", "out": "../other", "up": "..", "a-in": "a", "a-out": "../a", "none-out": "../new"}
    links |= {"chain": "out", "back": f"../other/../{here.name}"}
    for name, target in links.items():
        (here / name).symlink_to(target)
    (around / "other" / "home").symlink_to(here)
    return around


INSIDE = ["a", "./a", "sub/a", "sub/../a", "in/a", "a-in", "in/../a", "back/a", "out/home/a", "in/none/new"]
OUTSIDE = ["../a", "sub/../../a", "out/a", "up/a", "a-out", "chain/a", "../other/a", "out/none/new", "/etc/x"]
OUTSIDE += ["none-out", "none/../../new", "../{}-2/a", "up/{}-2/a", "out/home/../a"]


@pytest.mark.parametrize("path", INSIDE)
def test_what_really_lies_in_the_folder_is_inside(place: Workplace, around: Path, path: str) -> None:
    assert fenced(place, path)
    assert fenced(place, str(place.folder / path))


@pytest.mark.parametrize("path", OUTSIDE)
def test_what_really_lies_elsewhere_is_outside(place: Workplace, around: Path, path: str) -> None:
    path = path.format(place.folder.name)
    assert not fenced(place, path)
    assert not fenced(place, str(place.folder / path))


def test_an_edit_has_the_same_fence(place: Workplace, around: Path) -> None:
    for path, inside in {"sub/a": True, "a-in": True, "a-out": False, "out/a": False}.items():
        assert fenced(place, path, EDIT_FILE) is inside


def test_a_folder_that_is_a_link_is_the_folder_that_it_leads_to(place: Workplace, around: Path) -> None:
    linked = Workplace(around / "other" / "home", os.environ)
    assert fenced(linked, "a")
    assert fenced(linked, str(place.folder / "a"))
    assert not fenced(linked, "../a")


def write(path: str) -> tuple[str, str]:
    return "write_file", f'{{"path": "{path}", "content": "new"}}'


async def test_mode_write_writes_inside_unasked_and_asks_outside(team: Team) -> None:
    team.folder = team.folder / "work"
    team.folder.mkdir()
    calls = Turn("", (write("sub/new"), write("../outside")))
    async with conversation(team, calls, setting=WRITING) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("turn", talk.session.prompt("go"))
        await talk.person.asked(1)
        assert (team.folder / "sub" / "new").read_text() == "new"
        assert not (team.folder.parent / "outside").exists()
        assert [waiting.question.call.arguments for waiting in talk.person.questions] == [calls.calls[1][1]]
        talk.session.stop()
        await outcomes.result("turn")


async def test_a_link_that_is_made_after_the_look_leads_nothing_outside(team: Team) -> None:
    """What was shown is what runs: while a person thinks, the folder becomes a link to elsewhere."""
    work, elsewhere = team.folder / "work", team.folder / "elsewhere"
    work.mkdir()
    elsewhere.mkdir()
    team.folder = work
    asking = Setting(somebody=True)
    async with conversation(team, Turn("", (write("sub/new"),)), setting=asking) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("turn", talk.session.prompt("go"))
        await talk.person.asked(1)
        (work / "sub").symlink_to(elsewhere)
        talk.session.set_mode(Mode.WRITE, "/yolo write")
        assert (await outcomes.result("turn")).done
        assert talk.person.withdrawn == [0]
        assert not talk.model.results[0].ok
    assert list(elsewhere.iterdir()) == []


async def test_commands_ask_in_mode_write(team: Team) -> None:
    call = Turn("", (("bash", '{"command": "touch made"}'),))
    async with conversation(team, call, setting=WRITING, person=Person()) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("turn", talk.session.prompt("go"))
        await talk.person.asked(1)
        talk.session.stop()
        await outcomes.result("turn")
    assert not (team.folder / "made").exists()
