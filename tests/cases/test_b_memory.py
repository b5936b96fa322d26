"""Group b: answers that are remembered too widely, too narrowly, too long, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from consent.answer import Answer
from tests.cases.telling import ask, foreign, team, turn
from tests.contract.facades import Facade
from tests.walks.builder import Walk

ONCE, SESSION, NEVER, NO = Answer
RUN = {"you": "run touch {0}", "jan": "/ask-jan run touch {0}", "lisa": "/ask-lisa run touch {0}"}
ALWAYS_FIRST = [
    {"optionId": f"{kind} of jan", "name": "Yes", "kind": kind}
    for kind in ("allow_always", "reject_always", "reject_once", "allow_once")
]


@pytest.mark.parametrize("who", list(RUN))
def test_b1_no_answer_crosses_a_key_in_any_direction(walk: Walk, facade: type[Facade], who: str) -> None:
    team(walk, "jan", "lisa")
    others = [other for other in RUN if other != who]
    with facade.starts(walk) as mm:
        for answer in (SESSION, NEVER):
            turn(mm, RUN[who].format(f"first-{answer}"), answer)
            turn(mm, RUN[who].format(f"second-{answer}"))
            for other in others:
                turn(mm, RUN[other].format(f"{other}-{answer}"), ONCE)
            turn(mm, f"/revoke {'bash' if who == 'you' else f'{who}/bash'}")
    assert walk.made(f"first-{SESSION}")
    assert walk.made(f"second-{SESSION}")
    assert not walk.made(f"first-{NEVER}")
    assert not walk.made(f"second-{NEVER}")
    assert all(walk.made(f"{other}-{answer}") for other in others for answer in (SESSION, NEVER))


@pytest.mark.parametrize("restart", ["/new", "it dies"])
def test_b2_an_answer_outlives_the_turn_the_task_and_jans_process(
    walk: Walk, facade: type[Facade], restart: str
) -> None:
    dies = [{"exit": 7}] if restart == "it dies" else []
    foreign(walk, [ask("bash", "touch made"), *dies])
    with facade.starts(walk) as mm:
        turn(mm, "/ask-jan work", SESSION)
        if restart == "/new":
            turn(mm, "/new")
        turn(mm, "/ask-jan work")
        turn(mm, "/ask-jan work")
    started = [frame["method"] for frame in walk.frames("jan.log") if "method" in frame].count("initialize")
    assert started == (3 if dies else 2)
    assert walk.chosen() == ["allow_once-id"] * 3


def test_b3_an_answer_for_one_tool_frees_no_other_and_no_mode(walk: Walk, facade: type[Facade]) -> None:
    calls = {"alpha": "bash", "beta": "bash", "gamma": "write_file", "delta": "mcp__files__delete"}
    foreign(walk, [ask(tool, word) for word, tool in calls.items()])
    with facade.starts(walk) as mm:
        questions = turn(mm, "/ask-jan work", SESSION, NO, NO)
        asked = [word for question in questions for word in calls if word in question]
        assert asked == ["alpha", "gamma", "delta"]
        turn(mm, "/help")
        assert "yolo: off (tools ask)" in mm.shown()
    assert walk.chosen() == ["allow_once-id"] * 2 + ["reject_once-id"] * 2


@pytest.mark.parametrize(("answer", "sent"), [(SESSION, "allow_once of jan"), (NEVER, "reject_once of jan")])
def test_b4_jan_is_only_ever_told_once_and_the_memory_is_mms(
    walk: Walk, facade: type[Facade], answer: Answer, sent: str
) -> None:
    foreign(walk, [ask("bash", "touch made", options=ALWAYS_FIRST)])
    before = files(walk.folder)
    with facade.starts(walk) as mm:
        turn(mm, "/ask-jan work", answer)
        turn(mm, "/ask-jan work")
    assert walk.chosen() == [sent, sent]
    assert files(walk.folder) == before | {"jan.log"}


def test_b5_an_answer_is_about_the_tool_not_the_command_line_and_says_so(
    walk: Walk, facade: type[Facade]
) -> None:
    team(walk, "jan")
    with facade.starts(walk) as mm:
        (question,) = turn(mm, "/ask-jan run grep foo a.log", SESSION)
        assert "every bash call of jan until mm stops" in question
        turn(mm, "/ask-jan run grep bar b.log")
        (question,) = turn(mm, "run grep foo a.log", SESSION)
        assert "every bash call of your agent until mm stops" in question
        turn(mm, "run grep bar b.log")


def test_b6_an_answer_ends_with_mm_and_can_be_seen_and_taken_back(walk: Walk, facade: type[Facade]) -> None:
    marked = "tools: {approval: {jan/mcp__notes__delete: prompt}}"
    foreign(walk, [ask("mcp__notes__delete", "note 1")], riker=("yolo: true", marked))
    for _ in ("first run", "second run"):
        with facade.starts(walk) as mm:
            turn(mm, "/ask-jan work", SESSION)
            turn(mm, "/ask-jan work")
            turn(mm, "/grants")
            assert "jan/mcp__notes__delete: allow for the session" in mm.shown()
            turn(mm, "/revoke jan/mcp__notes__delete")
            turn(mm, "/ask-jan work", NO)
            turn(mm, "/ask-jan work", SESSION)
    # The audit tells of answers; it is never read back, as the second run has just shown.
    written = [path for path in walk.home.rglob("*") if path.is_file() and path.name != "audit.jsonl"]
    assert not [path for path in written if "allow" in path.read_text(errors="replace")]


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
