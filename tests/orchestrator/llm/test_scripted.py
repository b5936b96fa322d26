"""The scripted model says what its file says, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from orchestrator.llm.messages import Assistant, Call, Message, ModelError, Result, User
from orchestrator.llm.scripted import ScriptedModel, Turn, load_script
from tests.orchestrator.llm.helpers import Heard, ask

REFERENCE = Path(__file__).parents[3] / "docs" / "reference" / "scripted-model.md"

Script = Callable[[str], ScriptedModel]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    def written(text: str) -> ScriptedModel:
        path = tmp_path / "turns.yaml"
        path.write_text(text, encoding="utf-8")
        return load_script(path, "script:turns.yaml")

    return written


def result(text: str) -> Result:
    return Result("x", "bash", text)


async def test_the_example_of_the_reference_does_what_the_reference_says(script: Script) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", REFERENCE.read_text(encoding="utf-8"), re.DOTALL)
    model = script(example)
    history: list[Message] = [User("Please list the files.")]
    first = await ask(model, history)
    assert first.text == "I look."
    assert [(call.name, call.arguments) for call in first.calls] == [("bash", '{"command": "ls"}')]
    second = await ask(model, [*history, Assistant("", first.calls), result("a.txt")])
    assert (second.text, second.finish) == ("There is a.txt.", "stop")
    for _ in range(2):
        retried = await ask(model, [User("Delete it."), result("refused")])
        assert [call.arguments for call in retried.calls] == ['{"command": "rm a.txt"}', '{"comm']
    with pytest.raises(ModelError, match=r"script:turns\.yaml: the script has no turn left for: 'More'"):
        await ask(model, [User("More")])


async def test_turns_come_in_order_and_their_end_is_said() -> None:
    model = ScriptedModel([Turn(say="one"), Turn(say="two", finish="length")])
    assert (await ask(model, [User("go")])).text == "one"
    assert (await ask(model, [User("go")])).finish == "length"
    with pytest.raises(ModelError, match="no turn left"):
        await ask(model, [User("go")])


async def test_when_looks_at_the_last_prompt_or_result() -> None:
    model = ScriptedModel([Turn(say="a", when="apple"), Turn(say="b", when="pear"), Turn(say="other")])
    assert (await ask(model, [User("a pear"), Assistant("apple")])).text == "b"
    assert (
        await ask(model, [User("a pear"), Assistant("", (Call("x", "bash", ""),)), result("apple")])
    ).text == "a"
    assert (await ask(model, [User("a pear")])).text == "other"


@pytest.mark.parametrize("repeat", [3, True])
async def test_a_turn_may_repeat(repeat: int) -> None:
    model = ScriptedModel([Turn(say="again", repeat=repeat), Turn(say="then")])
    said = [(await ask(model, [User("go")])).text for _ in range(4)]
    assert said == ["again"] * 3 + (["again"] if repeat is True else ["then"])


async def test_what_was_expected_and_what_was_there_are_both_shown() -> None:
    model = ScriptedModel([Turn(expect="refused")], name="script:a.yaml")
    with pytest.raises(
        ModelError, match=r"script:a\.yaml: expected 'refused' in the last message, but it is: 'done'"
    ):
        await ask(model, [User("go"), result("done")])


async def test_a_turn_waits_for_a_file(tmp_path: Path) -> None:
    model = ScriptedModel([Turn(say="now", wait_for="ready")], folder=tmp_path)
    heard = Heard()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: ask(model, [User("go")], heard=heard))
        await anyio.wait_all_tasks_blocked()
        assert heard.text == ""
        (tmp_path / "ready").touch()
    assert heard.text == "now"


async def test_a_file_that_never_comes_is_an_error(tmp_path: Path) -> None:
    model = ScriptedModel([Turn(wait_for="ready", seconds=0.05)], folder=tmp_path)
    with pytest.raises(ModelError, match=r"ready did not appear within 0\.05 seconds"):
        await ask(model, [User("go")])


async def test_a_script_that_repeats_for_ever_can_be_cancelled() -> None:
    model = ScriptedModel([Turn(repeat=True)])
    with anyio.move_on_after(0.05) as scope:
        while True:
            await model.reply([User("go")], (), Heard())
    assert scope.cancelled_caught


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "a list of turns"),
        ("say: hi", 1, "a list of turns"),
        ("- hi", 1, "here stands a mapping of say"),
        ("- say: hi\n  sya: ho", 2, "'sya' is unknown"),
        ("- say: hi\n  say: ho", 2, "'say' is unknown or there twice"),
        ("- say: hi\n- say: 5", 2, "say has the wrong type"),
        ("- say: hi\n- repeat: often", 2, "repeat has the wrong type"),
        ("- calls: {tool: bash}", 1, "calls has the wrong type"),
        ("- call: {tool: bash,\n    arg: {}}", 2, "'arg' is unknown"),
        ("-\n  call: {args: {}}", 2, "a call has a tool"),
        ("- calls:\n  - {tool: bash, raw: '', args: {}}", 2, "either args or raw"),
        ("- calls:\n  - bash", 2, "here stands a mapping of tool"),
    ],
)
def test_what_the_format_does_not_know_is_an_error_with_its_line(
    script: Script, text: str, line: int, words: str
) -> None:
    with pytest.raises(ModelError, match=rf"turns\.yaml:{line}: .*{words}"):
        script(text)


@pytest.mark.parametrize(
    "text",
    [
        "- [",
        "- !!python/name:os.system x",
        "- say: !x y",
        "- say: 2026-13-45",
        "- say: \x00",
        "- a\n---\n- b",
    ],
)
def test_what_is_no_plain_yaml_is_an_error(script: Script, text: str) -> None:
    with pytest.raises(ModelError, match=r"turns\.yaml"):
        script(text)


async def test_arguments_are_json_whatever_yaml_makes_of_them(script: Script) -> None:
    model = script("- calls:\n  - {tool: bash, args: {command: é, day: 2026-01-01}}\n  - {tool: plan}")
    first, second = (await ask(model, [User("go")])).calls
    assert (first.arguments, second.arguments) == ('{"command": "é", "day": "2026-01-01"}', "{}")
    assert first.id != second.id


def test_a_script_that_is_not_there_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.yaml: the script cannot be read"):
        load_script(tmp_path / "none.yaml", "script:none.yaml")
