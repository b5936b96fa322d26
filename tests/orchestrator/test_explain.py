"""What would be decided is told by the same gates as in a run, each agent's own first."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from consent.rules import TABLE
from consent.setting import Mode, Setting
from mmconfigs.language import Words
from mmconfigs.load import load
from orchestrator.explain import Explained, Query, Unexplained, explain, from_json, from_words, in_words
from orchestrator.wiring import BUILTIN_NAMES, own_yolos, rules_of
from orchestrator.words.explained import LINES

FILE = """
model: demo
tools: {approval: {"jan/write_file": deny, "gem/read": allow, edit_file: prompt}}
mmConfigs:
  jan:
    config:
      model: demo
      bashTool: false
      tools: {approval: {read_file: prompt}}
      mmConfigs: {bart: {config: {model: demo, tools: {approval: {bash: prompt}}}}}
  homer: {config: {model: demo}, yolo: true}
  gem: {command: [gemini]}
  lost: ./lost.yaml
"""
Explains = Callable[..., Explained]


@pytest.fixture
def explains(tmp_path: Path) -> Explains:
    (tmp_path / "riker.yaml").write_text(FILE)
    (tmp_path / "lost.yaml").write_text("model: demo\n")
    loaded = load(tmp_path / "riker.yaml", tools=BUILTIN_NAMES, environ={})
    (tmp_path / "lost.yaml").write_text("model: [\n")

    def explained(tool: str, *path: str, mode: Mode = Mode.ALWAYS_ASK, **arguments: str) -> Explained:
        setting = Setting(mode, own_yolos(loaded), tuple(rules_of(loaded)))
        return explain(loaded, setting, tmp_path, Query(tool, arguments, path))

    return explained


@pytest.mark.parametrize(
    ("tool", "path", "arguments", "decision", "line"),
    [
        ("bash", (), {"command": "ls"}, "ask", 11),
        ("read_file", (), {"path": "riker.yaml"}, "allow", 8),
        ("ask_homer", (), {"question": "hi"}, "ask", 11),
        ("ask_jan", (), {"question": "hi"}, "allow", 8),
        ("write_file", ("jan",), {"path": "a", "content": ""}, "refuse", 2),
        ("read_file", ("jan",), {"path": "riker.yaml"}, "ask", 5),
        ("bash", ("homer",), {"command": "ls"}, "allow", 6),
        ("bash", ("jan", "bart"), {"command": "ls"}, "ask", 5),
        ("(execute)", ("gem",), {"command": "ls"}, "ask", 11),
        ("(unclear)", ("gem",), {"command": "ls"}, "ask_once", 4),
        ("read", ("gem",), {"path": "a"}, "ask", 5),  # it names no kind: the rule for edit_file may mean it
    ],
)
def test_a_call_is_explained_by_its_line(
    explains: Explains,
    tool: str,
    path: tuple[str, ...],
    arguments: dict[str, str],
    decision: str,
    line: int,
) -> None:
    explained = explains(tool, *path, **arguments)
    assert (explained.outcome.value, explained.line) == (decision, line)
    assert explained.call.path == path


def test_the_mode_counts(explains: Explains) -> None:
    assert explains("bash", mode=Mode.YOLO, command="ls").line == 6
    assert explains("write_file", mode=Mode.WRITE, path="a", content="").line == 10


def test_the_rule_of_an_agents_own_file_is_told_where_that_one_wants_the_question(
    explains: Explains,
) -> None:
    rule = explains("bash", "jan", "bart", command="ls").rule
    assert rule is not None
    assert str(rule.pattern) == "bash"
    assert rule.where.endswith("riker.yaml:10:67")


@pytest.mark.parametrize(
    ("tool", "path", "arguments", "message"),
    [
        ("bsh", (), {}, "riker has no tool bsh; known: read_file"),
        ("bash", ("jan",), {"command": "ls"}, "jan has no tool bash"),
        ("bash", (), {}, "bash: "),
        ("bash", ("bart",), {}, "riker has no agent bart; known: jan, homer, gem, lost"),
        ("bash", ("gem", "x"), {}, "gem is started by command"),
        ("bash", ("lost",), {}, "the file of lost cannot be read"),
    ],
)
def test_what_is_no_call_is_said(
    explains: Explains, tool: str, path: tuple[str, ...], arguments: dict[str, str], message: str
) -> None:
    with pytest.raises(Unexplained, match=message):
        explains(tool, *path, **arguments)


def test_a_person_reads_the_line_in_words(explains: Explains) -> None:
    words = list(in_words(explains("bash", "jan", "bart", command="ls"), Words(), "yolo: off"))
    assert words[0] == "jan/bart/bash: asks; the answer can be remembered"
    assert words[1] == "by line 5 of the rules: a `prompt` matches, or a mark was sent along"
    assert words[2] == "the question: jan › bart wants to run a command on this computer"
    assert words[3].startswith("rule: bash: prompt (")
    assert "yolo: off" not in words
    doubtful = list(in_words(explains("(unclear)", "gem", command="ls"), Words("fr"), ""))
    assert doubtful[0] == "gem/(unclear): demande à chaque fois"
    assert len(doubtful) > 2


def test_a_person_reads_which_yolo_decided(explains: Explains) -> None:
    free = in_words(explains("bash", "homer", command="ls"), Words(), "yolo: on (riker.yaml:11:5)")
    assert list(free)[2:] == ["yolo: on (riker.yaml:11:5)"]
    asks = list(in_words(explains("ask_homer", question="hi"), Words(), "yolo: off"))
    assert asks[2:] == [
        "the question: your agent wants to hand a task to homer, who runs free: its yolo is on",
        "yolo: off",
    ]


def test_every_line_of_the_table_has_its_words() -> None:
    assert {line.number for line in TABLE} <= set(LINES)
    assert all(LINES[line.number].en == line.text for line in TABLE if line.number != 11)


def test_a_call_can_be_named_in_words_and_as_json() -> None:
    call = Query("bash", {"command": "ls"}, ("jan", "homer"))
    assert from_words(["bash", '{"command": "ls"}'], "jan/homer") == call
    assert from_json(json.dumps({"tool": "bash", "args": {"command": "ls"}, "agent": "jan/homer"})) == call
    assert from_words(["bash"], "") == from_json('{"tool": "bash"}') == Query("bash", {})


@pytest.mark.parametrize(
    "line",
    [
        "",
        "junk",
        "[]",
        "{}",
        '{"tool": 1}',
        '{"tool": ""}',
        '{"tool": "a", "args": []}',
        '{"tool": "a", "x": 1}',
    ],
)
def test_what_names_no_call_is_an_error(line: str) -> None:
    with pytest.raises(Unexplained, match=r"no JSON|a call is named by"):
        from_json(line)


def test_too_many_words_name_no_call() -> None:
    with pytest.raises(Unexplained, match="TOOL"):
        from_words(["a", "{}", "b"], "")
