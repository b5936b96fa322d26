"""Real agents' requests, read by their profiles: the key, what is shown, which option is the plain yes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, get_args

import pytest

from consent.answer import Answer, Yes
from consent.call import Arguments, Change, Command, Doubt, Origin, ToolCall
from mmconfigs import values
from orchestrator.acp.permission import Asking, read_request
from orchestrator.acp.profiles import GENERIC, PROFILES, profile_of
from orchestrator.words.banner import Asks
from tests.orchestrator.asked import CANCELLED, SESSION, Scene, asked_agent, chosen
from tests.orchestrator.words.calls import drawn, everything, lines

pytestmark = pytest.mark.anyio

AGENTS = Path(__file__).parents[2] / "corpus" / "agents"
FOLDERS = {"claude-agent-acp": "claude", "codex-acp": "codex"}
"""Profiles that are not called as the folder of what was recorded."""
KEYS = {
    "agentao": {"shell": "run_shell_command", "write": "write_file"},
    "claude": {"shell": "Bash", "write": "Write"},
    "codex": {"shell": "(execute)", "write": "(edit)"},
    "deepagents": {"shell": "(execute)", "write": "(edit)"},
    "fast-agent": {"shell": "execute", "write": "write_text_file"},
    "gemini": {"shell": "run_shell_command"},
    "isaac": {"shell": "run_command", "write": "edit_file"},
    "omp": {"shell": "(execute)"},
    "opencode": {"shell": "bash", "write": "write"},
    "openhands": {"shell": "(execute)", "write": "(edit)"},
    "qwen": {"shell": "(execute)", "write": "(edit)"},
    "vibe": {"shell": "bash", "write": "write_file"},
}
RECORDED = [(agent, deed) for agent, deeds in KEYS.items() for deed in deeds]
PLAIN = {
    "claude": "allow",
    "codex": "approved",
    "deepagents": "approve",
    "gemini": "proceed_once",
    "opencode": "once",
    "openhands": "accept",
    "qwen": "proceed_once",
}
"""The option of a plain yes, where it is not `allow_once`."""
COMMANDS = {"codex": "/bin/bash -lc 'touch /project/PROBE_FILE'", "gemini": ""}
"""The command that is shown, where it is not the plain one; gemini has it in the title only."""


def recorded(agent: str, deed: str) -> dict[str, Any]:
    folder = next((folder for folder, name in FOLDERS.items() if name == agent), agent)
    found: dict[str, Any] = json.loads((AGENTS / folder / f"{deed}.json").read_text(encoding="utf-8"))
    return found


def of(agent: str) -> Asking:
    return Asking(("gem",), Origin.FOREIGN, "/project", PROFILES[agent])


@asynccontextmanager
async def asks(agent: str, deed: str, answer: Answer | None = None) -> AsyncIterator[tuple[Scene, ToolCall]]:
    """The agent has said what was recorded, and its question is open."""
    said = recorded(agent, deed)
    async with asked_agent(answer, asking=of(agent)) as scene:
        for update in said["before"]:
            await announces(scene, update)
        params = {**said["request"]["params"], "sessionId": SESSION}
        await scene.agent.ask(said["request"]["id"], "session/request_permission", **params)
        await scene.person.sees(1)
        yield scene, scene.person.asked[0].question.call


async def announces(scene: Scene, update: dict[str, Any]) -> None:
    """An update as it is: with a `_meta` of its own."""
    params = {"sessionId": SESSION, "update": update}
    await scene.agent.say({"jsonrpc": "2.0", "method": "session/update", "params": params})


@pytest.mark.parametrize(("agent", "deed"), RECORDED)
async def test_a_real_agent_has_the_key_of_its_profile_and_no_doubt(agent: str, deed: str) -> None:
    async with asks(agent, deed, Answer.ALLOW_ONCE) as (scene, call):
        assert str(call.key) == f"gem/{KEYS[agent][deed]}"
        assert call.kind == {"shell": "execute", "write": "edit"}[deed]
        assert call.doubts == ()
        assert call.yeses == ()
        assert await scene.outcome() == chosen(PLAIN.get(agent, "allow_once"))


@pytest.mark.parametrize(("agent", "deed"), RECORDED)
async def test_what_will_run_is_seen(agent: str, deed: str) -> None:
    async with asks(agent, deed) as (_, call):
        text = "\n".join(lines(drawn(call)))
        assert "/project/PROBE_FILE" in text
        if deed == "shell":
            assert (call.detail == Command(COMMANDS.get(agent, "touch /project/PROBE_FILE"))) is (
                agent != "gemini"
            )
        else:
            assert isinstance(call.detail, Change | Arguments)
            assert "probe" in text


async def test_a_title_that_is_the_command_is_shown_as_what_the_agent_calls_it() -> None:
    async with asks("gemini", "shell") as (_, call):
        assert "gem calls it: touch /project/PROBE_FILE" in lines(drawn(call))


def reads(agent: str, **call: Any) -> ToolCall:
    options = [{"optionId": "y", "kind": "allow_once"}, {"optionId": "n", "kind": "reject_once"}]
    params = {"toolCall": {"toolCallId": "1", **call}, "options": options}
    return read_request(params, {}, of(agent)).call


@pytest.mark.parametrize("agent", ["qwen", "gemini", "omp"])
def test_such_a_title_counts_as_visible_arguments_and_is_seen_whole(agent: str) -> None:
    title = "echo " + "x" * 500 + "; rm -rf ~"
    call = reads(agent, kind="execute", title=title)
    assert Doubt.NO_ARGUMENTS not in call.doubts
    assert title in everything(call, drawn(call))
    assert Doubt.NO_ARGUMENTS in reads(agent, kind="execute", title="  ").doubts
    assert Doubt.NO_ARGUMENTS in reads("generic", kind="execute", title=title).doubts


async def test_a_title_that_is_the_command_withdraws_the_question_when_it_changes() -> None:
    async with asks("gemini", "shell") as (scene, _):
        await scene.updates("tool_call_update", toolCallId="run_shell_command__fc19872_0", title="rm -rf ~")
        assert await scene.outcome() == CANCELLED


async def test_the_call_that_a_request_means_withdraws_the_question_when_it_changes() -> None:
    async with asks("openhands", "shell") as (scene, _):
        changed = {"command": "rm -rf ~"}
        await scene.updates("tool_call_update", toolCallId="call_probe_67866_0", rawInput=changed)
        assert await scene.outcome() == CANCELLED


@pytest.mark.parametrize("agent", ["openhands", "deepagents"])
async def test_with_two_open_calls_it_is_not_guessed_which_one_is_meant(agent: str) -> None:
    said = recorded(agent, "shell")
    async with asked_agent(asking=of(agent)) as scene:
        await announces(scene, said["before"][0])
        await announces(scene, {**said["before"][0], "toolCallId": "another"})
        await scene.agent.ask(
            0, "session/request_permission", **{**said["request"]["params"], "sessionId": SESSION}
        )
        await scene.person.sees(1)
        call = scene.person.asked[0].question.call
        assert str(call.key) == {"openhands": "gem/(other)", "deepagents": "gem/(unclear)"}[agent]
        scene.person.decides(Answer.REFUSE_ONCE)
        await scene.outcome()


async def test_without_a_profile_two_yeses_stay_a_choice_of_the_person() -> None:
    said = recorded("openhands", "shell")["request"]["params"]
    plain = read_request(said, {}, of("openhands"))
    other = read_request(said, {}, of("generic"))
    assert (plain.call.yeses, plain.options.allow) == ((), ("accept",))
    assert other.call.yeses == ("Yes, proceed", "Auto-confirm LOW/MEDIUM risk, ask for HIGH risk action")
    assert Yes(0).allows


def test_arguments_that_say_something_else_replace_what_was_known() -> None:
    known = {"rawInput": {"tool": "run_command", "command": "ls"}}

    def meant(raw: Any) -> Any:
        return PROFILES["isaac"].meant({"toolCallId": "1", "rawInput": raw}, lambda _: known, ())["rawInput"]

    assert meant({"tool": "run_command"}) == known["rawInput"]
    for other in ({"tool": "run_command", "command": "rm"}, {"more": 1}, None, "ls"):
        assert meant(other) == other


@pytest.mark.parametrize(
    ("agent", "call", "first"),
    [
        ("opencode", {}, {"title": "bash: ls"}),
        ("opencode", {}, {"title": 7}),
        ("vibe", {}, {"_meta": {"tool_name": "gem/bash"}}),
        ("claude", {}, {"_meta": {"claudeCode": {"toolName": ""}}}),
        ("gemini", {"toolCallId": "__1"}, {}),
        ("isaac", {"rawInput": {"tool": "run command"}}, {}),
    ],
)
def test_an_invalid_name_at_its_place_stops_the_search(
    agent: str, call: dict[str, Any], first: dict[str, Any]
) -> None:
    options = [{"optionId": "y", "kind": "allow_once"}]
    params = {"toolCall": {"toolCallId": "1", "kind": "execute", **call}, "options": options}
    read = read_request(params, {}, of(agent), first).call
    assert str(read.key) == "gem/(unclear)"
    assert Doubt.NAME_INVALID in read.doubts


def test_the_name_of_the_protocol_comes_first_and_another_one_is_a_doubt() -> None:
    options = [{"optionId": "y", "kind": "allow_once"}]
    params = {"toolCall": {"toolCallId": "1", "name": "bash", "kind": "execute"}, "options": options}
    first = {"title": "write"}
    read = read_request(params, {}, of("opencode"), first).call
    assert str(read.key) == "gem/bash"
    assert Doubt.NAMES_DISAGREE in read.doubts
    later = {"toolCall": {"toolCallId": "1", "kind": "execute"}, "options": options}
    read = read_request(later, {"name": "bash"}, of("opencode"), first).call
    assert str(read.key) == "gem/bash"


@pytest.mark.parametrize("agent", PROFILES)
@pytest.mark.parametrize("junk", [None, 7, "x", [], {}, {"tool": 7}, {"claudeCode": 7}])
def test_no_junk_breaks_a_profile(agent: str, junk: Any) -> None:
    call = {"toolCallId": "1", "rawInput": junk, "kind": junk}
    profile = PROFILES[agent]
    meant = profile.meant(call, lambda _: {"rawInput": junk}, ("1",))
    profile.name(meant, {"title": junk, "_meta": junk})
    assert meant["toolCallId"] == "1"


def test_every_agent_of_the_corpus_has_a_profile() -> None:
    assert {FOLDERS.get(folder.name, folder.name) for folder in AGENTS.iterdir()} == set(KEYS)
    assert set(KEYS) < set(PROFILES)
    assert PROFILES["generic"] is GENERIC


def test_the_file_takes_the_names_of_the_table() -> None:
    assert get_args(values.Profile) == tuple(PROFILES)
    assert profile_of(None) is GENERIC


def test_who_asks_as_the_table_of_acp_says() -> None:
    """acp.md, "Real agents": what needs more than the environment or a session mode is not built."""
    asks = {asks: {name for name, row in PROFILES.items() if row.asks is asks} for asks in Asks}
    assert asks == {
        Asks.UNSURE: {"generic"},
        Asks.ALWAYS: {"opencode", "gemini", "openhands", "isaac"},
        Asks.UNLESS_HARMLESS: {"vibe", "qwen", "claude"},
        Asks.NEVER: {"codex", "fast-agent", "agentao", "omp", "deepagents", "gptme"},
    }
