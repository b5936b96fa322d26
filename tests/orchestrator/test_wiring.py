"""The composition root: what the file, the flags and the environment become together."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from consent.setting import Mode
from mmconfigs.errors import ConfigError
from orchestrator.acp.handed import Handed
from orchestrator.chain import VARIABLE, Chain
from orchestrator.launch import YOLO
from orchestrator.llm.messages import ModelError, User
from orchestrator.session import open_session
from orchestrator.wiring import Wanted, Wiring, wire
from orchestrator.words.banner import yolo_line
from tests.orchestrator.llm.helpers import ask
from tests.orchestrator.llm.server import Server, serving
from tests.orchestrator.parts import Events, Person, bash_call

ROWS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "mmconfigs/corpus/agent_yolo_cases.json").read_text()
)["interaction"]
ASKED = {VARIABLE: str(Chain().through("boss", "/boss.yaml", 4))}

Wire = Callable[..., Wiring]


@pytest.fixture
def wired(tmp_path: Path) -> Wire:
    """Wires a file's text, for a facade, with fields of Wanted and an environment."""
    for name in ("jan", "homer"):
        (tmp_path / f"{name}.yaml").write_text("model: demo")

    def make(text: str, facade: str = "headless", wanted: Any = None, **environ: str) -> Wiring:
        file = tmp_path / "riker.yaml"
        file.write_text(textwrap.dedent(text))
        return wire(Wanted(facade, file, **(wanted or {})), environ)

    return make


FREE = "{model: demo, yolo: true, mmConfigs: {jan: ./jan.yaml, homer: {path: ./homer.yaml, yolo: true}}}"


@pytest.mark.parametrize("facade", ["editor", "headless", "line"])
@pytest.mark.parametrize("value", ["false", "true", None])
@pytest.mark.parametrize("asked", [True, False])
def test_the_floor_is_an_asking_agent_or_false_from_an_editor(
    wired: Wire, facade: str, value: str | None, asked: bool
) -> None:
    environ = ({YOLO: value} if value else {}) | (ASKED if asked else {})
    setting = wired(FREE, facade, **environ).setting
    assert setting.floor is (asked or (value == "false" and facade == "editor"))
    assert setting.yolo(("homer",)) is not setting.floor


@pytest.mark.parametrize("row", [r for r in ROWS if r.get("facade")], ids=lambda row: row["expect"])
def test_the_corpus_says_where_the_entries_keep_their_yolo(wired: Wire, row: dict[str, Any]) -> None:
    facade = {"acp": "editor", "line": "line"}[row["facade"]]
    entries = {name: {**entry, "path": "./jan.yaml"} for name, entry in row["file"]["mmConfigs"].items()}
    text = json.dumps({**row["file"], "model": "demo", "mmConfigs": entries})
    setting = wired(text, facade, AGENT_YOLO=row["env"]).setting
    assert not setting.yolo(())
    assert setting.yolo(("homer",)) is (row["expect"] == "own calls ask; homer runs")


def test_under_the_floor_nothing_of_the_file_widens(wired: Wire) -> None:
    wiring = wired(FREE, "editor", AGENT_YOLO="false")
    assert not wiring.setting.frees(("homer",))
    assert "homer" in "\n".join(wiring.notes())
    assert yolo_line(wiring.plan(Path.cwd()).launched) == "yolo: off (tools ask) (AGENT_YOLO)"


def test_an_asked_agent_does_not_talk_of_the_floor(wired: Wire) -> None:
    assert wired(FREE, "editor", AGENT_YOLO="false", **ASKED).notes() == ()


def test_a_chain_that_cannot_be_read_is_a_floor_too(wired: Wire) -> None:
    wiring = wired(FREE, "headless", AGENT_YOLO="false", MM_CHAIN="?")
    assert wiring.setting.floor
    assert wiring.chain.asked


@pytest.mark.parametrize("value", ["maybe", "", "write"])
def test_another_agent_yolo_is_a_start_error(wired: Wire, value: str) -> None:
    """O-d4"""
    with pytest.raises(ConfigError, match=YOLO):
        wired(FREE, AGENT_YOLO=value)


def test_a_flag_decides_for_this_run_and_entries_keep_theirs(wired: Wire) -> None:
    setting = wired(FREE, wanted={"flags": {"--approval-mode": "always-ask"}}).setting
    assert (setting.mode, setting.yolo(("homer",)), setting.yolo(("jan",))) == (Mode.ALWAYS_ASK, True, False)


def test_the_rules_of_the_file_carry_their_place(wired: Wire) -> None:
    text = """
        model: demo
        mmConfigs: {jan: ./jan.yaml}
        tools:
          approval: {bash: prompt, jan/bash: deny}
    """
    rules = wired(text).setting.rules
    assert [(str(r.pattern), r.effect.value) for r in rules] == [("bash", "prompt"), ("jan/bash", "deny")]
    assert [r.where.rpartition("riker.yaml")[2] for r in rules] == [":5:14", ":5:28"]


@pytest.mark.parametrize("effect", ["deny", "prompt"])
def test_a_rule_that_cannot_be_enforced_is_a_start_error(wired: Wire, effect: str) -> None:
    def text(entry: str, rule: str) -> str:
        return f"{{model: demo, mmConfigs: {{gem: {entry}}}, tools: {{approval: {{{rule}}}}}}}"

    place = r"riker\.yaml:1:\d+: tools\.approval\.gem/read_file: .*never submits"
    with pytest.raises(ConfigError, match=place):
        wired(text("{command: gem}", f"gem/read_file: {effect}"))
    wired(text("{command: gem}", "gem/read_file: allow"))
    wired(text("{command: gem}", f"read_file: {effect}, gem/bash: {effect}"))
    wired(text("./jan.yaml", f"gem/read_file: {effect}"))


@pytest.mark.parametrize("facade", ["headless", "editor"])
def test_without_a_model_only_line_mode_starts(wired: Wire, facade: str) -> None:
    with pytest.raises(ConfigError, match=r"riker\.yaml:1:1: model: .*demo"):
        wired("yolo: false", facade)
    assert wired("yolo: false", "line").model == "demo"
    assert wired("yolo: false", facade, {"model": "demo"}).model == "demo"


@pytest.mark.parametrize(
    ("text", "wanted", "named"),
    [("yolo: false", {}, False), ("model: demo", {}, True), ("yolo: false", {"model": "demo"}, True)],
)
def test_a_model_is_named_by_the_file_or_a_flag(wired: Wire, text: str, wanted: Any, named: bool) -> None:
    assert wired(text, "line", wanted).named is named


@pytest.mark.parametrize("protocol", ["native", "json"])
async def test_the_model_calls_tools_as_the_file_says(wired: Wire, protocol: str) -> None:
    async with serving(Server([b"data: [DONE]\n\n"])) as server:
        plan = wired(f"{{model: m, baseUrl: '{server.url}', toolProtocol: {protocol}}}").plan(Path.cwd())
        with pytest.raises(ModelError):
            await ask(plan.model, [User("go")], "bash")
    assert ("response_format" in server.bodies[0]) is (protocol == "json")
    assert ("tools" in server.bodies[0]) is (protocol == "native")


def test_a_foreign_agent_is_warned_of_where_calls_must_ask(wired: Wire) -> None:
    entries = "mmConfigs: {gem: {command: gem}, homer: {command: h, yolo: true}}"
    (note,) = wired(f"{{model: demo, yolo: false, {entries}}}").notes()
    assert "gem" in note
    assert wired(f"{{model: demo, yolo: true, {entries}}}").notes() == ()


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("bash: deny", "so `bash: deny` holds only where it does"),
        ("gem/bash: prompt", "so `gem/bash: prompt` holds only where it does"),
        ("'gem/*': prompt, edit_file: deny", "so `gem/*: prompt`, `edit_file: deny` holds only where it"),
        ("gem/bash: allow", ""),
        ("jan/bash: deny", ""),
        ("'jan/**': deny", ""),
    ],
)
@pytest.mark.parametrize("yolo", ["true", "false"])
def test_a_rule_over_a_foreign_agent_is_warned_of_in_one_line_for_each_entry(
    wired: Wire, rules: str, told: str, yolo: str
) -> None:
    """consent.md, "Matching": also where yolo is on; and of our own agents nothing, since they submit."""
    entries = "{jan: ./jan.yaml, gem: {command: gem}}"
    notes = wired(
        f"{{model: demo, yolo: {yolo}, mmConfigs: {entries}, tools: {{approval: {{{rules}}}}}}}"
    ).notes()
    about = [note for note in notes if "mm cannot tell whether gem asks before it acts" in note]
    assert list(notes) == about
    assert len(about) == (1 if told or yolo == "false" else 0)
    assert all(told in note for note in about)


@pytest.mark.parametrize("rule", ["gem/bash: deny", "'gem/*': prompt"])
def test_a_rule_over_an_agent_that_cannot_be_made_to_ask_is_a_start_error(wired: Wire, rule: str) -> None:
    entry = "{command: gem, profile: codex, yolo: true}"
    text = f"{{model: demo, mmConfigs: {{gem: {entry}}}, tools: {{approval: {{{rule}}}}}}}"
    with pytest.raises(ConfigError, match=r"tools\.approval\.gem/\S+: gem has the profile codex"):
        wired(text)
    wired(text.replace("codex", "opencode"))


@pytest.mark.parametrize(
    ("profile", "protected", "ruled"),
    [
        (
            "generic",
            "cannot tell whether gem asks .* what it does unasked is told",
            "`bash: deny` holds only",
        ),
        ("opencode", "", ""),
        (
            "qwen",
            "except for commands that it judges harmless",
            "except for commands that it judges harmless",
        ),
        ("codex", "gem is not asked: mm cannot make it ask", "`bash: deny` does not hold for it"),
    ],
)
def test_the_caution_says_how_far_a_profile_asks(
    wired: Wire, profile: str, protected: str, ruled: str
) -> None:
    def notes(more: str) -> str:
        entries = f"{{gem: {{command: gem, profile: {profile}}}}}"
        return "\n".join(wired(f"{{model: demo, mmConfigs: {entries}, {more}}}").notes())

    assert notes("yolo: true") == ""
    for told, expected in (
        (notes("yolo: false"), protected),
        (notes("tools: {approval: {bash: deny}}"), ruled),
    ):
        assert re.search(expected, told) if expected else not told, told


def test_a_variable_by_which_an_agent_is_made_to_ask_is_no_entrys(wired: Wire) -> None:
    def text(profile: str) -> str:
        env = 'env: {OPENCODE_CONFIG_CONTENT: "{}"}'
        return f"{{model: demo, mmConfigs: {{gem: {{command: gem, profile: {profile}, {env}}}}}}}"

    with pytest.raises(ConfigError, match=r"mmConfigs\.gem\.env\.OPENCODE_CONFIG_CONTENT: .*is set by mm"):
        wired(text("opencode"))
    wired(text("generic"))


def test_a_rule_for_the_whole_tree_is_warned_of_for_each_foreign_agent(wired: Wire) -> None:
    entries = "{gem: {command: gem, yolo: true}, pip: {command: pip}}"
    notes = wired(f"{{model: demo, mmConfigs: {entries}, tools: {{approval: {{bash: deny}}}}}}").notes()
    assert ["gem asks" in notes[0], "pip asks" in notes[1], len(notes)] == [True, True, 2]


def test_the_language_is_the_files_else_the_systems(wired: Wire) -> None:
    text = "{model: demo, yolo: false, mmConfigs: {gem: {command: gem}}}"
    assert "cannot tell" in wired(text).notes()[0]
    assert "savoir" in wired(text, LANG="fr_FR.UTF-8").notes()[0]
    assert "cannot tell" in wired(text.replace("model", "language: en, model"), LANG="fr_FR.UTF-8").notes()[0]


def test_a_plan_holds_what_the_file_says(wired: Wire, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Use tabs.")
    plan = wired(
        """
        model: demo
        bashTool: false
        instructions: Be brief.
        limits: {steps: 7, agents: 3}
        mmConfigs: {jan: {path: ./jan.yaml, description: knows tabs}}
        """
    ).plan(tmp_path)
    assert [tool.name for tool in plan.tools] == ["read_file", "write_file", "edit_file"]
    assert (plan.steps, plan.agents, plan.entries) == (7, 3, {"jan": "knows tabs"})
    assert "Be brief." in plan.instructions
    assert "Use tabs." in plan.instructions
    assert plan.place.folder == tmp_path


@pytest.mark.parametrize(
    ("text", "floor"),
    [
        ("{model: demo, yolo: false}", True),
        ("{model: demo, yolo: true, tools: {approval: {bash: prompt}}}", True),
        ("{model: demo, yolo: true, tools: {approval: {bash: deny}}}", True),
        ("{model: demo, yolo: true}", False),
        ("{model: demo, yolo: true, tools: {approval: {bash: allow}}}", False),
        (
            "{model: demo, yolo: true, mmConfigs: {jan: ./jan.yaml}, tools: {approval: {jan/bash: deny}}}",
            False,
        ),
    ],
)
async def test_commands_of_an_agent_that_asks_inherit_the_floor(wired: Wire, text: str, floor: bool) -> None:
    """O-m6"""
    async with open_session(wired(text).plan(Path.cwd()), Events(), Person()) as session:
        environ = session.place.inherited()
    assert environ.get(YOLO) == ("false" if floor else None)
    assert (VARIABLE in environ) is floor


async def test_an_asked_agent_is_never_freer_below(wired: Wire) -> None:
    """O-m6: its own file says yolo, and what it starts still asks."""
    plan = wired(FREE, "editor", AGENT_YOLO="false", **ASKED).plan(Path.cwd())
    async with open_session(plan, Events(), Person()) as session:
        environ = session.place.inherited()
    assert environ[YOLO] == "false"
    assert "boss:" in environ[VARIABLE]


async def test_commands_follow_the_mode_of_the_conversation(wired: Wire) -> None:
    """O-m6: nothing below is freer than mm is at that moment; a rule for own calls is never outvoted."""
    told: dict[str, list[str | None]] = {}
    for rule in ("", ", tools: {approval: {bash: prompt}}"):
        plan = wired(f"{{model: demo, yolo: true{rule}}}").plan(Path.cwd())
        async with open_session(plan, Events(), Person()) as session:
            for mode in (Mode.WRITE, Mode.YOLO, Mode.ALWAYS_ASK):
                assert session.set_mode(mode, "/yolo")
                told.setdefault(rule, []).append(session.place.inherited().get(YOLO))
    assert list(told.values()) == [["false", None, "false"], ["false"] * 3]


def test_the_banner_says_that_an_asking_agent_outvotes_the_file(wired: Wire) -> None:
    launched = wired(FREE, **ASKED).plan(Path.cwd()).launched
    assert yolo_line(launched) == f"yolo: off (tools ask) ({VARIABLE})"


@pytest.mark.parametrize("mode", ["always-ask", "write", "yolo"])
def test_c3_overrides_replace_the_top_of_the_file_and_entries_keep_theirs(wired: Wire, mode: str) -> None:
    setting = wired(FREE, wanted={"flags": {"--approval-mode": mode}}).setting
    assert setting.mode is Mode(mode)
    assert setting.yolo(("homer",))
    assert setting.yolo(("jan",)) is (mode == "yolo")


def test_the_mode_write_of_the_file_counts(wired: Wire) -> None:
    plan = wired("{model: demo, tools: {approvalMode: write}}").plan(Path.cwd())
    assert plan.setting.mode is Mode.WRITE
    text, _, origin = yolo_line(plan.launched).rpartition(" (")
    assert text == "yolo: write (commands, MCP and asked agents ask)"
    assert origin.endswith("riker.yaml:1:23)")


def test_calls_that_the_asking_agent_named_ask_as_well(wired: Wire) -> None:
    wiring = wired("{model: demo, yolo: true}", "editor", {"somebody": True})
    plan = wiring.plan(Path.cwd(), Handed(("read_file", "homer/**")))
    assert [str(rule.pattern) for rule in plan.setting.rules] == ["read_file", "homer/**"]
    assert all(rule.inherited for rule in plan.setting.rules)
    assert wiring.plan(Path.cwd()).setting.rules == ()


def test_a_folder_or_a_model_that_cannot_be_used_is_an_error(wired: Wire, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nowhere"):
        wired("{model: demo}").plan(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"turns\.yaml"):
        wired("{model: 'script:turns.yaml'}").plan(tmp_path)


def test_what_a_free_entry_frees_is_nothing_under_the_floor(wired: Wire) -> None:
    free, floored = wired(FREE), wired(FREE, "editor", AGENT_YOLO="false")
    call = bash_call(path=("homer",))
    assert free.setting.yolo(call.path)
    assert not floored.setting.yolo(call.path)
