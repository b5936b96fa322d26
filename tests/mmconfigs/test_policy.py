"""The patterns of `tools.approval` name agents and tools that exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmconfigs.errors import ConfigError
from mmconfigs.load import load
from mmconfigs.loaded import Loaded

FILE = """\
tools: {{approval: {{"{pattern}": {verdict}}}}}
mmConfigs:
  jan: {{path: jan.yaml}}
  broken: {{path: broken.yaml}}
  marge: {{config: {{mmConfigs: {{bart: {{config: {{}}}}}}}}}}
  gem: {{command: [gemini, --acp]}}
mcpServers: {{files: {{command: x}}}}
"""


def check(folder: Path, pattern: str, verdict: str = "deny") -> Loaded:
    (folder / "jan.yaml").write_text("mmConfigs: {homer: {config: {}}}\nmcpServers: {docs: {command: x}}")
    (folder / "broken.yaml").write_text("yollo: true")
    file = folder / "agents.yaml"
    file.write_text(FILE.format(pattern=pattern, verdict=verdict))
    return load(file, tools=("bash", "write_file"), environ={})


@pytest.mark.parametrize(
    "pattern",
    [
        "bash",
        "ask_jan",
        "mcp__files__delete",
        "jan/bash",
        "jan/*",
        "jan/**",
        "jan/ask_homer",
        "jan/mcp__docs__search",
        "jan/homer/bash",
        "marge/bart/**",
        "gem/*",
        "gem/any-tool.of_its.own",
        "broken/bash",
        "broken/ask_nobody",
        "broken/mcp__x__y",
        "broken/below/anything",
    ],
)
def test_a_pattern_that_can_match_is_accepted(pattern: str, tmp_path: Path) -> None:
    loaded = check(tmp_path, pattern)
    assert loaded.config.tools.approval == {pattern: "deny"}
    assert loaded.where(f"tools.approval.{pattern}").endswith(":1:20")


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("*", "a bare * is no pattern; name a tool, or write `yolo: false`"),
        ("**", "a bare **"),
        ("bsah", "no tool bsah; did you mean bash?"),
        ("Bash", "did you mean bash?"),
        ("ask_jna", "did you mean ask_jan?"),
        ("mcp__nope__delete", "no tool mcp__nope__delete"),
        ("jna/bash", "no agent jna in"),
        ("jan/homr/bash", "did you mean homer?"),
        ("jan/wirte_file", "did you mean write_file?"),
        ("jan/mcp__files__delete", "no tool"),
        ("broken/bsah", "no tool bsah"),
        ("gem/deeper/bash", "gem is started by command"),
        ("jan/(execute)", "accepted: tool, agent/tool, agent/*, agent/**"),
        ("jan/", "is no pattern"),
        ("/bash", "no agent"),
        ("", "is no pattern"),
        ("ba*", "is no pattern"),
        ("jan/***", "is no pattern"),
        ("jan/*/bash", "no agent *"),
    ],
)
def test_a_pattern_that_can_match_nothing_is_an_error(pattern: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        check(tmp_path, pattern)
    (fault,) = caught.value.faults
    assert (fault.line, fault.key, fault.found) == (1, f"tools.approval.{pattern}", pattern)
    assert message in fault.message


def test_a_pattern_may_name_an_agent_that_is_itself_at_fault(tmp_path: Path) -> None:
    file = tmp_path / "agents.yaml"
    file.write_text(
        "tools: {approval: {jan/bash: deny, Jan/bash: deny, lisa/x/y: deny}}\n"
        "mmConfigs: {Jan: {config: {}}, lisa: {config: x}}"
    )
    with pytest.raises(ConfigError) as caught:
        load(file, tools=("bash",), environ={})
    found = {fault.key: fault.near for fault in caught.value.faults}
    assert found == {
        "tools.approval.Jan/bash": "jan",
        "mmConfigs.Jan": None,
        "mmConfigs.lisa.config": None,
    }


def test_a_verdict_is_deny_prompt_or_allow(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="accepted: 'deny', 'prompt' or 'allow'; did you mean deny"):
        check(tmp_path, "bash", "denny")


def test_the_patterns_of_a_configuration_in_place_are_checked_with_its_own_agents(tmp_path: Path) -> None:
    file = tmp_path / "agents.yaml"
    file.write_text("mmConfigs: {jan: {config: {tools: {approval: {jan/bash: deny}}}}}")
    with pytest.raises(ConfigError, match=r"mmConfigs\.jan\.config\.tools\.approval\.jan/bash: no agent jan"):
        load(file, tools=("bash",), environ={})


HOOKS = """\
hooks:
  preToolCall:
    - {{command: no-push}}
    - {{match: {match}, command: no-push}}
mmConfigs: {{jan: {{config: {{}}}}, gem: {{command: x}}}}
"""


def hooked(folder: Path, match: str) -> Loaded:
    file = folder / "agents.yaml"
    file.write_text(HOOKS.format(match=match))
    return load(file, tools=("bash",), environ={})


@pytest.mark.parametrize("match", ["bash", "jan/bash", "'jan/*'", "'jan/**'", "gem/any", "ask_jan"])
def test_a_hook_takes_the_same_patterns(match: str, tmp_path: Path) -> None:
    _, hook = hooked(tmp_path, match).config.hooks.pre_tool_call
    assert hook.match == match.strip("'")


@pytest.mark.parametrize(
    ("match", "message"),
    [
        ("bsah", "no tool bsah; did you mean bash?"),
        ("jna/bash", "no agent jna in"),
        ("'*'", "a hook without `match` for all own calls"),
        ("gem/x/bash", "gem is started by command"),
        ("jan/(execute)", "is no pattern"),
        ("''", "must be one line of text"),
    ],
)
def test_a_hook_that_would_see_nothing_is_an_error(match: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        hooked(tmp_path, match)
    (fault,) = caught.value.faults
    assert (fault.line, fault.key) == (4, "hooks.preToolCall.1.match")
    assert message in fault.message
