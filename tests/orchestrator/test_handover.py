"""Handing a task over, and the text that comes back: its first word says whether it is done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from consent.call import Doubt, Task, Tier
from orchestrator.agent import Reason, Stop
from orchestrator.handover import LONGEST, ask_tool, handover_text
from orchestrator.scratch import Scratch
from orchestrator.tools.base import BadArguments, Tool, Workplace
from orchestrator.words import shown
from tests.orchestrator.team import Team, conversation

PLACE = Workplace(Path("/"), {})


def tool(stop: Stop, *, frees: bool = False, sent: list[str] | None = None) -> Tool:
    async def ask(text: str) -> Stop:
        if sent is not None:
            sent.append(text)
        return stop

    return ask_tool("jan", "knows the code", lambda: frees, ask)


def test_an_answer_is_handed_over_as_it_is() -> None:
    assert handover_text("jan", Stop(Reason.END_TURN, "42\n"), Scratch()) == "42"


def test_an_empty_answer_is_said() -> None:
    """O-m2"""
    assert "empty answer" in handover_text("jan", Stop(Reason.END_TURN, " \n"), Scratch())


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason is not Reason.END_TURN])
def test_any_other_end_is_the_first_word(reason: Reason) -> None:
    """O-m1"""
    text = handover_text("jan", Stop(reason, "half of it", "the lamp went out"), Scratch())
    assert text.startswith(f"{reason.value}: jan did not finish: the lamp went out")
    assert text.endswith("What jan had said until then:\n\nhalf of it")


def test_refused_calls_are_named_whatever_the_agent_says() -> None:
    text = handover_text(
        "jan",
        Stop(Reason.END_TURN, "All done.", refused=("jan/bash (the person refused)", "jan/x (cancelled)")),
        Scratch(),
    )
    assert text == "All done.\n\nCalls that were refused: jan/bash (the person refused), jan/x (cancelled)"


def test_a_long_answer_is_cut_in_the_middle_with_a_mark() -> None:
    """O-m2"""
    scratch, said = Scratch(), "a" * LONGEST + "b" * LONGEST
    text = handover_text("jan", Stop(Reason.END_TURN, said), scratch)
    assert text.startswith("a")
    assert text.endswith("b")
    mark = re.search(r"left out; the whole answer is in (.*) \.\.\.\]", text)
    assert mark
    assert Path(mark[1]).read_text(encoding="utf-8") == said
    assert len(text) < LONGEST + 300
    scratch.remove()
    assert not Path(mark[1]).exists()
    whole = "c" * LONGEST
    assert handover_text("jan", Stop(Reason.END_TURN, whole), Scratch()) == whole


async def test_the_task_runs_as_it_was_shown() -> None:
    sent: list[str] = []
    asking = tool(Stop(Reason.END_TURN, "42"), sent=sent)
    arguments = {"question": "what is it?", "context": "We count."}
    seen = asking.look(arguments, PLACE)
    assert seen.detail == Task("jan", "We count.\n\nwhat is it?")
    outcome = await asking.run(arguments, seen, PLACE)
    assert (outcome.text, outcome.ok) == ("42", True)
    assert sent == ["We count.\n\nwhat is it?"]


async def test_an_agent_that_did_not_finish_is_a_failed_call() -> None:
    asking = tool(Stop(Reason.MAX_TOKENS, "half"))
    arguments = {"question": "work"}
    assert not (await asking.run(arguments, asking.look(arguments, PLACE), PLACE)).ok


def test_only_a_hand_over_that_frees_something_asks() -> None:
    stop, arguments = Stop(Reason.END_TURN), {"question": "work"}
    assert tool(stop, frees=False).look(arguments, PLACE).tier is Tier.READ
    assert tool(stop, frees=True).look(arguments, PLACE).tier is Tier.EXEC


def test_a_freeing_hand_over_that_nobody_can_read_whole_is_a_doubt() -> None:
    stop, longest = Stop(Reason.END_TURN), {"question": "w" * shown.LONGEST}
    longer = {**longest, "context": "more"}
    assert tool(stop, frees=True).look(longest, PLACE).doubts == ()
    assert tool(stop, frees=True).look(longer, PLACE).doubts == (Doubt.TOO_LARGE,)
    assert tool(stop, frees=False).look(longer, PLACE).doubts == ()  # each of its calls asks for itself


@pytest.mark.parametrize(
    "arguments", [{}, {"question": 1}, {"question": "a", "context": None}, {"task": "a"}]
)
def test_other_arguments_are_the_models_fault(arguments: dict[str, object]) -> None:
    with pytest.raises(BadArguments):
        tool(Stop(Reason.END_TURN)).look(arguments, PLACE)


def test_the_model_is_told_whom_it_may_ask() -> None:
    asking = tool(Stop(Reason.END_TURN))
    assert asking.name == "ask_jan"
    assert "jan: knows the code" in asking.description


async def test_the_text_handed_over_is_what_was_said_after_the_last_call(team: Team) -> None:
    """O-m2"""
    call = "{update: {sessionUpdate: tool_call, toolCallId: t1, title: ls, kind: read, status: completed}}"
    team.has("jan", f"prompts: [[{{say: I look.}}, {call}, {{say: 'It is '}}, {{say: done.}}]]")
    team.has("homer", f"prompts: [[{{say: I have found it.}}, {call}]]")
    team.has("marge", f"prompts: [[{call}]]")
    async with conversation(team) as talk:
        assert (await talk.session.ask("jan", "work")).text == "It is done."
        assert (await talk.session.ask("homer", "work")).text == "I have found it."
        assert (await talk.session.ask("marge", "work")).text == ""
        assert "marge gave an empty answer" in await talk.heard()


async def test_what_begins_to_free_something_between_the_look_and_the_run_is_not_handed_over() -> None:
    sent: list[str] = []
    free = iter((False, True))

    async def ask(text: str) -> Stop:
        sent.append(text)
        return Stop(Reason.END_TURN)

    changing = ask_tool("homer", "", lambda: next(free), ask)
    seen = changing.look({"question": "work"}, PLACE)
    assert seen.tier is Tier.READ
    outcome = await changing.run({"question": "work"}, seen, PLACE)
    assert (outcome.ok, sent) == (False, [])
    assert "ask again" in outcome.text
