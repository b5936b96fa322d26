"""The scripted child itself, and that its documentation tells the truth."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from orchestrator.acp.scripted import STEPS
from tests.walks.builder import CHECKOUT, Walk
from tests.walks.editor import Editor
from tests.walks.processes import until

REFERENCE = CHECKOUT / "docs/reference/scripted-child.md"
BRANCHES = (
    "allowed: [{say: ran}], refused: [{say: did not}], cancelled: [{say: stopped}], failed: [{say: odd}]"
)
ASK = f"{{ask: {{toolCall: {{toolCallId: t1}}, {BRANCHES}}}}}"


def child(walk: Walk, script: str) -> Editor:
    path = walk.file("gem.yaml", script)
    argv = (sys.executable, "-m", "orchestrator.acp.scripted", str(path))
    return Editor(argv, walk.environ({}), walk.folder, walk.folder / "stderr")


def documented_example() -> str:
    blocks: list[str] = re.findall(r"```yaml\n(.*?)```", REFERENCE.read_text(encoding="utf-8"), re.DOTALL)
    return next(block for block in blocks if "prompts:" in block)


def test_the_documented_example_runs_what_was_allowed(walk: Walk) -> None:
    with child(walk, documented_example()) as gem:
        gem.opens().says("list the files")
        gem.answers(gem.question(), "allow_once")
        assert gem.stop_reason == "end_turn"
        assert gem.text() == "Let me look. Done."
        assert "gem.yaml" in walk.read("listing.txt")
        gem.says("and now?")
        assert gem.stop_reason == "refusal"
    assert [frame["method"] for frame in walk.frames("gem.log") if "method" in frame] == [
        "initialize",
        "session/new",
        "session/prompt",
        "session/prompt",
    ]


def test_the_documented_example_runs_nothing_that_was_refused(walk: Walk) -> None:
    with child(walk, documented_example()) as gem:
        gem.opens().says("list the files")
        gem.answers(gem.question(), "reject_once")
        assert gem.stop_reason == "end_turn"
        assert gem.text() == "Let me look. Then not."
    assert not walk.made("listing.txt")


def test_every_step_is_documented() -> None:
    text = REFERENCE.read_text(encoding="utf-8").split("## Steps")[1]
    documented = set(re.findall(r"`([a-z_]+)(?:: [^`]+)?`", text))
    assert set(STEPS) <= documented


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ({"outcome": "cancelled"}, "stopped"),
        ({"outcome": "selected", "optionId": "reject_always-id"}, "did not"),
        ({"outcome": "selected", "optionId": "nobody offered this"}, "odd"),
        ({}, "odd"),
    ],
)
def test_steps_branch_by_the_outcome(walk: Walk, outcome: dict[str, str], said: str) -> None:
    with child(walk, f"prompts: [[{ASK}]]") as gem:
        gem.opens().says("go").decides(gem.question(), outcome)
        assert gem.stop_reason == "end_turn"
        assert gem.text() == said


def test_a_cancelled_turn_ends_after_its_question_is_answered(walk: Walk) -> None:
    with child(walk, f"prompts: [[{ASK}, hang]]") as gem:
        gem.opens().says("go")
        question = gem.question()
        gem.stops().decides(question, {"outcome": "cancelled"})
        assert gem.stop_reason == "cancelled"
        assert gem.text() == "stopped"


def test_stdin_that_ends_ends_it(walk: Walk) -> None:
    with child(walk, "prompts: [[hang]]") as gem:
        gem.opens().says("go").closes_stdin().ends(0)


def test_it_can_outlive_its_stdin(walk: Walk) -> None:
    with child(walk, "{ignore_eof: true, prompts: [[{wait_for: late}, {touch: done}, {exit: 5}]]}") as gem:
        gem.opens().says("go").closes_stdin()
        walk.file("late", "")
        gem.ends(5)
    assert walk.made("done")


def test_it_can_die_by_a_signal_after_half_a_frame(walk: Walk) -> None:
    with child(walk, """prompts: [[{raw: '{"jsonrpc": '}, {raw_hex: 'ff'}, {kill: 9}]]""") as gem:
        gem.opens().says("go").ends(-9)
        assert until(lambda: gem.rubbish == [b'{"jsonrpc": \xff'])


def test_it_can_refuse_to_start(walk: Walk) -> None:
    with child(walk, "start: [{stderr: {text: no key, times: 2}}, {exit: 3}]") as gem:
        gem.ends(3)
        assert gem.stderr == "no keyno key"


def test_it_can_answer_with_an_error(walk: Walk) -> None:
    with child(walk, "initialize: [{error: {code: -32000, message: log in first}}]") as gem:
        answer = gem.answer(gem.asks("initialize", {"protocolVersion": 1}))
        assert answer["error"] == {"code": -32000, "message": "log in first"}


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("promts: []", "unknown key 'promts'"),
        ("prompts: [[{shout: loud}]]", "prompts[0][0]: unknown step 'shout'"),
        ("prompts: [[{say: 3}]]", "prompts[0][0].say: takes str, found 3"),
        ("prompts: [[{ask: {tool: x}}]]", "unknown key 'tool'"),
        ("prompts: [[{ask: {allowed: [{shout: x}]}}]]", "ask.allowed[0]: unknown step"),
        ("[]", "`key: value` lines are expected"),
    ],
)
def test_a_script_with_a_fault_is_refused(walk: Walk, script: str, complaint: str) -> None:
    with child(walk, script) as gem:
        gem.ends(2)
        assert complaint in gem.stderr


def test_a_missing_script_is_said(walk: Walk) -> None:
    argv = (sys.executable, "-m", "orchestrator.acp.scripted", "nowhere.yaml")
    with Editor(argv, walk.environ({}), walk.folder, Path(walk.folder / "stderr")) as gem:
        gem.ends(2)
        assert "nowhere.yaml" in gem.stderr
