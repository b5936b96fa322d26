"""Group c, the first two: the launched file alone decides who runs free. The rest stands beside the modes."""

from __future__ import annotations

from consent.answer import Answer
from tests.cases.telling import ask, foreign, team, turn
from tests.contract.facades import Facade
from tests.walks.builder import Walk

ONCE, SESSION, NEVER, NO = Answer
BELL = "\a"


def test_c1_a_free_riker_lets_a_foreign_jan_run_each_time(walk: Walk, facade: type[Facade]) -> None:
    foreign(walk, [ask("bash", f"command {number}") for number in range(10)], riker=("yolo: true",))
    with facade.starts(walk) as mm:
        turn(mm, "/ask-jan work")
        assert BELL not in mm.shown()
    assert walk.chosen() == ["allow_once-id"] * 10


def test_c1_what_jans_own_file_says_is_irrelevant(walk: Walk, facade: type[Facade]) -> None:
    team(walk, "jan", riker="yolo: true")
    walk.agent("jan", "yolo: false")
    with facade.starts(walk) as mm:
        turn(mm, "/ask-jan run touch first then write second: text")
    assert walk.made("first")
    assert walk.made("second")


def test_c2_jans_own_yolo_frees_nothing_while_it_runs_or_after_it_died(
    walk: Walk, facade: type[Facade]
) -> None:
    team(walk, "jan")
    walk.agent("jan", "yolo: true")
    with facade.starts(walk) as mm:
        turn(mm, "/ask-jan run touch first then write second: text", ONCE, NO)
        turn(mm, "run touch own", NO)
        turn(mm, "/ask-jan run kill -9 $PPID", ONCE)
        turn(mm, "run touch own", NO)
        turn(mm, "/ask-jan run touch third", NO)
    assert walk.made("first")
    assert not any(map(walk.made, ("second", "third", "own")))


def test_c2_an_mcp_tool_of_a_foreign_jan_asks_too(walk: Walk, facade: type[Facade]) -> None:
    foreign(
        walk, [ask("bash", "one"), ask("write_file", "two"), ask("mcp__notes__delete", "three"), {"exit": 7}]
    )
    with facade.starts(walk) as mm:
        turn(mm, "/ask-jan work", ONCE, ONCE, ONCE)
        turn(mm, "run touch own", NO)
    assert walk.chosen() == ["allow_once-id"] * 3
    assert not walk.made("own")
