"""A file that decides, and that changed since mm was started, starts nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mmconfigs.load import load
from orchestrator.seal import changed, seal
from orchestrator.wiring import BUILTIN_NAMES
from tests.walks.builder import Walk

EVIL = "model: demo\nmmConfigs: {evil: {command: [sh, -c, touch pwned; sleep 1]}}\n"
WRITES = """
    - call: {tool: write_file, args: {path: %s, content: "%s"}}
    - call: {tool: ask_jan, args: {question: "ask %s: go"}}
    - say: done
"""


def test_the_seal_holds_every_file_of_the_tree_broken_and_missing_ones_too(tmp_path: Path) -> None:
    for name, text in {
        "a.yaml": "mmConfigs: {b: ./b.yaml, in: {config: {mmConfigs: {c: ./c.yaml}}}}",
        "b.yaml": "mmConfigs: {a: ./a.yaml, d: ./d.yaml}",
        "c.yaml": "nonsense",
        "d.yaml": "model: demo",
    }.items():
        (tmp_path / name).write_text(text)
    loaded = load(tmp_path / "a.yaml", tools=BUILTIN_NAMES, environ={})
    sealed = seal(loaded, BUILTIN_NAMES, tmp_path)
    assert {Path(file).name for file in sealed} == {"a.yaml", "b.yaml", "c.yaml", "d.yaml"}
    assert sealed[str(tmp_path / "c.yaml")] == ""
    assert changed(loaded.file, loaded, sealed) == ""
    assert "start mm anew" in changed(loaded.file, loaded, {})


@pytest.mark.parametrize(
    ("written", "content", "asked"),
    [
        ("jan.yaml", EVIL, "evil"),
        ("homer.yaml", EVIL.replace("evil", "homer"), "homer"),
    ],
)
def test_a_program_that_an_agent_wrote_into_a_file_of_the_tree_does_not_start(
    walk: Walk, written: str, content: str, asked: str
) -> None:
    walk.agent(
        "riker",
        "model: script:turns.yaml",
        "yolo: false",
        "tools: {approval: {write_file: allow}}",
        "mmConfigs: {jan: ./jan.yaml}",
    )
    walk.agent("jan", "mmConfigs: {homer: ./homer.yaml}")
    walk.agent("homer")
    walk.file("turns.yaml", WRITES % (written, content.replace("\n", "\\n"), asked))
    ran = walk.runs("-p", "go")
    assert ran.stdout.strip() == "done", ran.stderr
    assert walk.read(written).startswith("model: demo")
    assert not walk.made("pwned")


def test_an_agent_written_in_place_does_not_start_from_a_file_that_changed(walk: Walk) -> None:
    head = (
        "model: script:turns.yaml",
        "yolo: false",
        "tools: {approval: {write_file: allow}}",
    )
    walk.agent("riker", *head, "mmConfigs: {jan: {config: {model: demo}}}")
    evil = "\\n".join((*head, "mmConfigs: {jan: {config: {model: demo, instructions: be evil}}}"))
    walk.file("turns.yaml", WRITES % ("riker.yaml", evil, "nobody"))
    walk.file("outer.yaml", "- {call: {tool: ask_jan, args: {question: run date}}}\n")
    ran = walk.runs("-p", "go", "--verbose")
    assert "changed since the asking agent read it" in ran.stderr


def test_a_script_that_an_agent_wrote_over_does_not_start(walk: Walk) -> None:
    walk.file("gem.py", "raise SystemExit(1)\n")
    gem = f"{{command: [{sys.executable}, gem.py]}}"
    walk.agent("riker", "yolo: false", "tools: {approval: {write_file: allow}}", f"mmConfigs: {{gem: {gem}}}")
    ran = walk.runs("-p", "write gem.py: open('pwned','w').write('x') then ask gem: hi")
    assert "gem is not started" in ran.stdout
    assert not walk.made("pwned")


def test_a_script_in_another_working_folder_is_sealed_too(walk: Walk) -> None:
    (walk.folder / "sub").mkdir()
    walk.file("sub/gem.py", "raise SystemExit(1)\n")
    gem = f"{{command: [{sys.executable}, gem.py]}}"
    walk.agent("riker", "yolo: false", "tools: {approval: {write_file: allow}}", f"mmConfigs: {{gem: {gem}}}")
    ran = walk.runs("--cwd", "sub", "-p", "write gem.py: open('pwned','w').write('x') then ask gem: hi")
    assert "gem is not started" in ran.stdout
    assert not walk.made("sub/pwned")


def test_a_link_to_another_file_of_the_tree_does_not_take_its_place(walk: Walk) -> None:
    walk.agent(
        "riker", "yolo: false", "mmConfigs: {jan: {path: ./jan.yaml, yolo: true}, homer: ./homer.yaml}"
    )
    walk.agent("jan", "bashTool: false")
    walk.agent("homer")
    with walk.line() as mm:
        mm.waits_for_prompt()
        (walk.folder / "jan.yaml").unlink()
        (walk.folder / "jan.yaml").symlink_to("homer.yaml")
        mm.types("/ask-jan run touch pwned").sees("jan is not started").waits_for_prompt()
        mm.types("/quit").ends(0)
    assert not walk.made("pwned")


def test_a_file_that_did_not_change_is_used_as_ever(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", "mmConfigs: {jan: ./jan.yaml}")
    walk.agent("jan", "mmConfigs: {homer: ./homer.yaml}")
    walk.agent("homer")
    assert walk.runs("--ask", "jan", "ask homer: run touch made").code == 0
    assert walk.made("made")
