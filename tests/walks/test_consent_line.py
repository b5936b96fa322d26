"""Whose yolo counts, what is asked, and what is remembered: told at a terminal."""

from __future__ import annotations

from tests.walks.builder import Walk

ASKS = "yolo: false"
FREE = "yolo: true"
JAN = "mmConfigs: {jan: ./jan.yaml}"
HOMER = "mmConfigs: {homer: {path: ./homer.yaml, yolo: true}}"
LOCK = "🔐"


def test_yolo_on_runs_jans_command_without_a_question(walk: Walk) -> None:
    walk.agent("riker", FREE, JAN)
    walk.agent("jan", ASKS)
    with walk.line() as mm:
        mm.sees("yolo: on").types("/ask-jan run touch made").types("/quit").ends(0)
        mm.never_saw(LOCK)
    assert walk.made("made")


def test_yolo_off_asks_once_and_remembers_under_jans_key_only(walk: Walk) -> None:
    """O-b1"""
    walk.agent("riker", ASKS, "mmConfigs: {jan: ./jan.yaml, lisa: ./lisa.yaml}")
    walk.agent("jan")
    walk.agent("lisa")
    with walk.line() as mm:
        mm.sees("yolo: off (tools ask)")
        mm.types("/ask-jan run touch first").sees(LOCK, "jan", "touch first").answers("2")
        mm.types("/ask-jan run touch second")
        mm.types("run touch own").sees(LOCK, "you", "touch own").answers("4")
        mm.types("/ask-lisa run touch third").sees(LOCK, "lisa").answers("4")
        mm.types("/quit").ends(0)
        assert mm.count(LOCK) == 3
    assert walk.made("first")
    assert walk.made("second")
    assert not walk.made("own")
    assert not walk.made("third")


def test_an_answer_for_one_tool_frees_no_other(walk: Walk) -> None:
    """O-b3"""
    walk.agent("riker", ASKS)
    with walk.line() as mm:
        mm.types("run touch first").answers("2")
        mm.types("run touch second then write third: text").sees("third").answers("4")
        mm.types("/quit").ends(0)
        assert mm.count(LOCK) == 2
    assert walk.made("second")
    assert not walk.made("third")


def test_never_ends_the_questions_of_its_agent_alone(walk: Walk) -> None:
    walk.agent("riker", ASKS, JAN)
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("/ask-jan run touch first").answers("3")
        mm.types("/ask-jan run touch second").types("run touch own").answers("1")
        mm.types("/quit").ends(0)
        assert mm.count(LOCK) == 2
    assert not walk.made("first")
    assert not walk.made("second")
    assert walk.made("own")


def test_an_entry_with_yolo_runs_below_an_agent_that_asks(walk: Walk) -> None:
    """O-c3"""
    walk.agent("riker", ASKS, "bashTool: false", HOMER)
    walk.agent("homer")
    with walk.line() as mm:
        mm.sees("homer", "yolo: on").types("/ask-homer run touch made").types("/quit").ends(0)
        mm.never_saw(LOCK)
    assert walk.made("made")


def test_an_entry_without_yolo_asks_below_an_agent_that_runs_free(walk: Walk) -> None:
    """O-c3, the other direction"""
    walk.agent("riker", FREE, "mmConfigs: {jan: {path: ./jan.yaml, yolo: false}}")
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("/ask-jan run touch made").sees(LOCK, "jan").answers("4")
        mm.types("run touch own").types("/quit").ends(0)
        assert mm.count(LOCK) == 1
    assert not walk.made("made")
    assert walk.made("own")


def test_jans_own_file_frees_nothing(walk: Walk) -> None:
    """O-c2"""
    walk.agent("riker", ASKS, JAN)
    walk.agent("jan", FREE)
    with walk.line() as mm:
        mm.types("/ask-jan run touch first then write second: text").answers("1")
        mm.sees(LOCK, "jan", "second").answers("4")
        mm.types("run touch own").sees(LOCK, "you").answers("4")
        mm.types("/quit").ends(0)
        assert mm.count(LOCK) == 3
    assert walk.made("first")
    assert not walk.made("second")
    assert not walk.made("own")


def test_every_task_of_jan_is_treated_alike(walk: Walk) -> None:
    """O-c4: the first task, one more for the same jan, and one for a fresh jan."""
    walk.agent("riker", FREE, JAN)
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("/ask-jan run touch first").types("/ask-jan run touch second")
        mm.types("/new").types("/ask-jan run touch third").types("/quit").ends(0)
        mm.never_saw(LOCK)
    assert all(map(walk.made, ("first", "second", "third")))


def test_a_deny_of_the_launched_file_binds_jan(walk: Walk) -> None:
    walk.agent("riker", FREE, JAN, "tools: {approval: {bash: deny}}")
    walk.agent("jan", FREE)
    with walk.line() as mm:
        mm.types("/ask-jan run touch made").types("run touch own").types("/quit").ends(0)
        mm.never_saw(LOCK)
    assert not walk.made("made")
    assert not walk.made("own")


def test_a_prompt_of_the_launched_file_asks_although_yolo_is_on(walk: Walk) -> None:
    walk.agent("riker", FREE, JAN, "tools: {approval: {jan/bash: prompt}}")
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("/ask-jan run touch made").sees(LOCK, "jan").answers("1").types("/quit").ends(0)
    assert walk.made("made")


def test_each_question_says_who_asks(walk: Walk) -> None:
    """O-a3"""
    walk.agent("riker", ASKS, JAN)
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("/ask-jan run ls").sees(f"{LOCK} jan").answers("4")
        mm.types("run ls").sees(f"{LOCK} you").answers("4").types("/quit").ends(0)


def test_a_question_of_jans_own_agent_reaches_the_person_and_its_answer_reaches_jan(walk: Walk) -> None:
    """O-m5"""
    walk.agent("riker", ASKS, JAN)
    walk.agent("jan", "mmConfigs: {homer: ./homer.yaml}")
    walk.agent("homer")
    with walk.line() as mm:
        mm.types("/ask-jan ask homer: run echo $((6*7)) | tee made")
        mm.sees(f"{LOCK} jan › homer").answers("1").sees("42").types("/quit").ends(0)
        assert mm.count(LOCK) == 1
    assert walk.read("made") == "42\n"
