"""What an asked agent says and asks, over a real connection: updates and requests."""

from __future__ import annotations

from typing import Any

import pytest

from consent.answer import Answer, Yes
from consent.call import Command, Doubt
from consent.matching import Effect, Rule, parse_pattern
from consent.rules import Why
from consent.setting import Setting
from orchestrator.events import CallEnded, CallStarted, Level, Noted, Said, Thought
from tests.orchestrator.asked import BASH, CANCELLED, FREE, GEM, OPTIONS, SESSION, asked_agent, chosen

pytestmark = pytest.mark.anyio

RM = {"command": "rm -rf ~"}
BELOW: dict[str, Any] = {"_meta": {"mm": {"path": ["homer"]}}}


def denying(pattern: str) -> Setting:
    return Setting(somebody=True, rules=(Rule(parse_pattern(pattern), Effect.DENY, "riker.yaml:3:5"),))


# --- requests


async def test_O_a1_a_session_that_was_never_given_gets_an_error_at_once_and_is_told() -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await scene.requests(1, sessionId="sess_jan-child")
        assert (await scene.agent.hear())["error"]["code"] == -32602
        (note,) = scene.page.notes
        assert "jan" in note
        assert "session" in note
        assert scene.person.asked == []


@pytest.mark.parametrize("session", [None, 1, "", ["sess_jan"]])
async def test_a_session_id_of_another_type_is_unknown(session: object) -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await scene.requests(1, sessionId=session)
        assert (await scene.agent.hear())["error"]["code"] == -32602


async def test_before_the_session_is_open_nothing_is_heard() -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        scene.listener.session = None
        said = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "hello"}}
        await scene.agent.say({"jsonrpc": "2.0", "method": "session/update", "params": {"update": said}})
        await scene.agent.ask(1, "session/request_permission", toolCall=BASH, options=OPTIONS)
        assert (await scene.agent.hear())["error"]["code"] == -32602
        assert scene.page.of(Said) == []
        assert scene.person.asked == []


async def test_O_b4_the_agent_underneath_never_gets_an_always() -> None:
    async with asked_agent(Answer.ALLOW_SESSION) as scene:
        await scene.requests(1)
        assert await scene.outcome() == chosen("yes")
        await scene.requests(2, BASH | {"toolCallId": "2"})
        assert await scene.outcome() == chosen("yes")
        assert len(scene.person.asked) == 1


async def test_O_b4_a_never_goes_out_as_a_refusal_once() -> None:
    async with asked_agent(Answer.NEVER) as scene:
        await scene.requests(1)
        assert await scene.outcome() == chosen("no")
        await scene.requests(2, BASH | {"toolCallId": "2"})
        assert await scene.outcome() == chosen("no")
        assert len(scene.person.asked) == 1


async def test_O_f4_what_was_said_before_of_the_same_call_counts() -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await scene.updates("tool_call", toolCallId="1", title="bash", rawInput={}, kind="execute")
        await scene.updates("tool_call_update", toolCallId="1", rawInput=RM)
        await scene.requests(1, {"toolCallId": "1", "title": "bash"})
        assert await scene.outcome() == chosen("yes")
        call = scene.person.asked[0].question.call
        assert call.detail == Command("rm -rf ~")
        assert str(call.key) == "jan/(execute)"


async def test_O_f4_a_command_that_was_never_given_is_a_doubt() -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await scene.requests(1, {"toolCallId": "1", "title": "bash"})
        await scene.outcome()
        question = scene.person.asked[0].question
        assert Doubt.NO_ARGUMENTS in question.call.doubts
        assert question.once_only


async def test_O_j7_unknown_kinds_and_calls_never_announced_do_no_harm() -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await scene.updates("usage_update", used=1, size=2, _meta={"x": 1})
        await scene.updates("x_future", anything=[1])
        await scene.updates("tool_call_update", toolCallId="unseen", status="in_progress")
        await scene.updates("tool_call_update", toolCallId=7)
        await scene.requests(1)
        await scene.updates("tool_call", **BASH, content=[{"type": "terminal", "terminalId": "nope"}])
        await scene.updates("tool_call_update", toolCallId="1", status="completed")
        assert await scene.outcome() == chosen("yes")
        await scene.all_is_read()
        assert len(scene.person.asked) == 1
        started = [event.call for event in scene.page.events if isinstance(event, CallStarted)]
        assert started == ["1:unseen", "1:1"]
        assert scene.page.of(CallEnded) == [CallEnded(("jan",), "1:1", True, "")]
        assert scene.page.notes == []


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ([("proceed", "allow_once"), ("stop", "reject_once")], chosen("proceed")),
        ([("a", "allow_always"), ("b", "reject_once")], chosen("b")),
        ([("p", "allow_persistent"), ("n", "reject_once")], chosen("n")),
        ([("allow_once", "reject_once"), ("reject_once", "allow_once")], chosen("reject_once")),
        ([("a", "allow_once"), ("a", "reject_once")], CANCELLED),
        ([], CANCELLED),
    ],
)
async def test_O_j8_options_are_chosen_by_kind_alone(options: list[Any], outcome: dict[str, Any]) -> None:
    offered = [{"optionId": id_, "name": id_, "kind": kind} for id_, kind in options]
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await scene.requests(1, options=offered)
        assert await scene.outcome() == outcome


async def test_what_is_asked_outside_of_a_turn_is_cancelled_and_written_down_once() -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        scene.listener.end()
        await scene.requests(1)
        assert await scene.outcome() == CANCELLED
        assert scene.person.asked == []
        assert [(decision.allowed, decision.why) for decision in scene.written] == [(False, Why.CANCELLED)]


async def test_an_answer_in_the_moment_of_a_change_allows_nothing_and_is_not_remembered() -> None:
    async with asked_agent() as scene:
        await scene.requests(1)
        await scene.person.sees(1)
        scene.person.answer = Answer.ALLOW_SESSION
        scene.person.change()  # both before the desk wakes up
        update = {"sessionUpdate": "tool_call_update", "toolCallId": "1", "rawInput": RM}
        await scene.listener.on_notification("session/update", {"sessionId": SESSION, "update": update})
        assert await scene.outcome() == CANCELLED
        assert scene.desk.grants == ()
        assert [(decision.allowed, decision.why) for decision in scene.written] == [(False, Why.CANCELLED)]


async def test_O_j8_several_yeses_are_a_choice_of_the_person_also_when_yolo_is_on() -> None:
    offered = [
        {"optionId": f"id-{name}", "name": name, "kind": kind}
        for name, kind in (("Alpha", "allow_once"), ("Beta", "allow_once"), ("no", "reject_once"))
    ]
    async with asked_agent(Yes(1), setting=FREE) as scene:
        await scene.requests(1, options=offered)
        assert await scene.outcome() == chosen("id-Beta")
        (waiting,) = scene.person.asked
        assert waiting.question.call.yeses == ("Alpha", "Beta")
        assert scene.desk.grants == ()


async def test_a_rule_of_the_file_refuses_and_the_person_is_told_where_it_stands() -> None:
    async with asked_agent(setting=denying("jan/bash")) as scene:
        await scene.requests(1)
        answer = await scene.agent.hear()
        assert answer["result"] == chosen("no") | {"_meta": {"mm": {"why": "policy"}}}
        assert "riker.yaml:3:5" in scene.page.notes[0]
        assert scene.listener.heard.refused == ["jan/bash (a rule of the file refused)"]


async def test_O_a2_our_agent_is_told_that_nobody_could_be_asked() -> None:
    async with asked_agent(setting=Setting()) as scene:
        await scene.requests(1)
        assert (await scene.agent.hear())["result"] == chosen("no") | {"_meta": {"mm": {"why": "nobody"}}}


async def test_an_answer_that_was_not_understood_is_told_where_it_came_not_once_more() -> None:
    async with asked_agent(Why.INVALID) as scene:
        await scene.requests(1)
        assert (await scene.agent.hear())["result"] == chosen("no") | {"_meta": {"mm": {"why": "invalid"}}}
        assert not scene.page.notes


async def test_a_foreign_agent_gets_the_option_and_nothing_else() -> None:
    async with asked_agent(Answer.REFUSE_ONCE, asking=GEM) as scene:
        await scene.requests(1)
        assert (await scene.agent.hear())["result"] == chosen("no")


async def test_a_request_that_is_taken_back_withdraws_its_question() -> None:
    async with asked_agent() as scene:
        await scene.requests(1)
        await scene.person.sees(1)
        cancel = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}}
        await scene.agent.say(cancel)
        assert (await scene.agent.hear())["error"]["code"] == -32800
        assert scene.person.withdrawn == scene.person.asked


async def test_a_call_that_was_never_announced_is_announced_before_its_question() -> None:
    async with asked_agent() as scene:
        await scene.requests(1)
        await scene.person.sees(1)
        (started,) = scene.page.events
        call = scene.person.asked[0].question.call
        assert isinstance(started, CallStarted)
        assert (started.path, started.call, started.detail) == (call.path, call.id, call.detail)


# --- what our own agents say along, and foreign ones in vain


async def test_a_call_from_below_our_agent_has_its_whole_path() -> None:
    async with asked_agent(Answer.NEVER) as scene:
        await scene.requests(1, _meta={"mm": {"path": ["homer"], "ask": True}})
        assert await scene.outcome() == chosen("no")
        call = scene.person.asked[0].question.call
        assert str(call.key) == "jan/homer/bash"
        assert call.marked


async def test_the_meta_of_a_foreign_agent_is_ignored() -> None:
    meta = {"mm": {"path": ["riker"], "ask": True, "doubts": ["too-long"], "note": "error", "why": "yolo"}}
    async with asked_agent(Answer.ALLOW_ONCE, asking=GEM) as scene:
        await scene.updates("agent_message_chunk", content={"type": "text", "text": "hi"}, _meta=meta)
        await scene.requests(1, _meta=meta)
        await scene.outcome()
        call = scene.person.asked[0].question.call
        assert (str(call.key), call.marked, call.doubts) == ("gem/bash", False, ())
        assert scene.page.of(Said, Noted) == [Said(("gem",), "hi")]


@pytest.mark.parametrize("path", ["homer", [1], ["HOMER"], ["a/b"], [""], {"0": "homer"}, None])
async def test_a_path_that_is_none_is_an_error_and_told(path: object) -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await scene.requests(1, _meta={"mm": {"path": path}})
        assert (await scene.agent.hear())["error"]["code"] == -32602
        await scene.updates("agent_message_chunk", content={"text": "hi"}, _meta={"mm": {"path": path}})
        await scene.all_is_read()
        assert len(scene.page.notes) == 2
        assert scene.page.of(Said) == []


async def test_a_note_of_our_agent_stays_a_note() -> None:
    note = {"mm": {"path": ["homer"], "note": "warning"}}
    async with asked_agent() as scene:
        await scene.updates("agent_message_chunk", content={"type": "text", "text": "beware"}, _meta=note)
        await scene.all_is_read()
        assert scene.page.events == [Noted(("jan", "homer"), "beware", Level.WARNING)]
        assert scene.listener.heard.text == ""


# --- updates


async def test_what_is_said_behind_the_last_call_is_the_answer() -> None:
    async with asked_agent() as scene:
        for text in ("I look ", "first."):
            await scene.updates("agent_message_chunk", content={"type": "text", "text": text})
        await scene.updates("tool_call", **BASH)
        await scene.updates("agent_thought_chunk", content={"type": "text", "text": "hm"})
        await scene.all_is_read()
        assert scene.listener.heard.text == "I look first."
        await scene.updates("agent_message_chunk", content={"type": "text", "text": "Done."})
        await scene.all_is_read()
        assert scene.listener.heard.text == "Done."
        assert scene.page.of(Thought) == [Thought(("jan",), "hm")]


async def test_what_agents_below_say_is_shown_and_is_not_the_answer() -> None:
    async with asked_agent() as scene:
        await scene.updates("agent_message_chunk", content={"type": "text", "text": "hi"}, **BELOW)
        await scene.all_is_read()
        assert scene.page.events == [Said(("jan", "homer"), "hi")]
        assert scene.listener.heard.text == ""


async def test_calls_that_are_left_open_are_closed_under_their_own_agent() -> None:
    async with asked_agent() as scene:
        await scene.updates("tool_call", **BASH)
        await scene.updates("tool_call", **BASH | {"toolCallId": "homer:1"}, **BELOW)
        await scene.updates("tool_call", **BASH | {"toolCallId": "3"}, status="failed")
        await scene.all_is_read()
        await scene.listener.close_calls(stopped=False)
        await scene.listener.close_calls(stopped=False)
        ended = [(e.path, e.call, e.ok) for e in scene.page.events if isinstance(e, CallEnded)]
        assert ended == [
            (("jan",), "1:3", False),
            (("jan",), "1:1", False),
            (("jan", "homer"), "1:homer:1", False),
        ]


async def test_the_text_of_a_result_is_handed_on_once() -> None:
    result = [{"type": "content", "content": {"type": "text", "text": "a.txt"}}, "rubbish", {"type": "diff"}]
    async with asked_agent() as scene:
        await scene.updates("tool_call", **BASH, status="completed", content=result)
        await scene.updates("tool_call_update", toolCallId="1", status="failed")
        await scene.all_is_read()
        assert scene.page.of(CallEnded) == [CallEnded(("jan",), "1:1", True, "a.txt")]


@pytest.mark.parametrize("update", [None, 5, "x", [], {}])
async def test_an_update_without_a_shape_breaks_nothing(update: object) -> None:
    async with asked_agent() as scene:
        params = {"sessionId": SESSION, "update": update}
        await scene.agent.say({"jsonrpc": "2.0", "method": "session/update", "params": params})
        await scene.updates("agent_message_chunk", content=["no object"])
        await scene.updates("agent_message_chunk", content={"type": "text", "text": 7})
        await scene.all_is_read()
        assert scene.listener.heard.text == ""


async def test_updates_of_another_session_are_not_heard() -> None:
    async with asked_agent() as scene:
        await scene.updates("agent_message_chunk", "other", content={"type": "text", "text": "hi"})
        await scene.all_is_read()
        assert scene.page.events == []
