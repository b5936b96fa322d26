"""A pipeline is checked whole before anything of it starts: each fault has its line and column."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmconfigs.errors import ConfigError, Fault
from mmconfigs.load import load
from mmconfigs.loaded import Loaded
from mmconfigs.pipelines import FIELDS, fields_of

AGENTS = """\
mmConfigs:
  homer: {config: {}}
  jan: {config: {}}
  lisa: {path: lisa.yaml}
  gem: {command: gemini}
  lodger: {config: {}, cwd: kitchen}
"""
"""Six lines: pipelines begin on the seventh."""

WHOLE = """\
pipelines:
  review:
    description: homer codes, jan and gem review
    worktree: true
    limits: {rounds: 3, minutes: 30, agents: 4}
    steps:
      - {ask: homer, prompt: "{task}", handover: approve, onFail: ask}
      - together:
          - {ask: jan, prompt: "Round {round}. {files}\\n{diff} {{braces}}"}
          - {ask: gem, prompt: "{answer}"}
        verdict: {accept: "YES", reject: "NO", all: false}
        onFail: continue
      - repeat: {from: 0, until: verdict, prompt: "{findings}"}
      - {ask: lisa, prompt: Write what is new., handover: auto, onFail: stop}
      - {ask: homer, prompt: "Is it good?", verdict: {}}
      - repeat: {from: 3, prompt: "Once more: {findings}"}
    finish: {merge: ask}
"""


def loaded(folder: Path, text: str) -> Loaded:
    (folder / "lisa.yaml").write_text("model: demo")
    (folder / "kitchen").mkdir()
    file = folder / "agents.yaml"
    file.write_text(AGENTS + textwrap.dedent(text))
    return load(file, tools=("bash",), environ={})


def faults(folder: Path, text: str) -> tuple[Fault, ...]:
    with pytest.raises(ConfigError) as caught:
        loaded(folder, text)
    return caught.value.faults


def of_steps(*steps: str, more: str = "") -> str:
    """A pipeline whose steps stand one a line, the first on line 10 and in column 7."""
    lines = [f"    - {step}" for step in steps]
    return "\n".join(("pipelines:", "  p:", "    steps:", *lines, *([f"    {more}"] if more else ()), ""))


def test_a_pipeline_with_every_key_is_accepted(tmp_path: Path) -> None:
    pipeline = loaded(tmp_path, WHOLE).config.pipelines["review"]
    assert [step.ask for step in pipeline.steps] == ["homer", None, None, "lisa", "homer", None]
    assert (pipeline.limits.rounds, pipeline.limits.minutes, pipeline.finish.merge) == (3, 30, "ask")
    judging = pipeline.steps[4].verdict
    assert judging
    assert (judging.accept, judging.reject, judging.all) == ("ACCEPT", "REJECT", True)


def test_what_is_left_out_has_the_careful_value(tmp_path: Path) -> None:
    pipeline = loaded(tmp_path, of_steps("{ask: homer, prompt: x}")).config.pipelines["p"]
    assert (pipeline.worktree, pipeline.finish.merge, pipeline.limits.rounds) == (True, "branch", 3)


CODE, JUDGE = "{ask: homer, prompt: x}", "{ask: jan, prompt: x, verdict: {}}"
BACK = "repeat: {from: 0, prompt: x}"


@pytest.mark.parametrize(
    ("steps", "place", "key", "message"),
    [
        (["{onFail: stop}"], (10, 7), "0", "exactly one of ask, together and repeat"),
        (["{ask: homer, prompt: x, together: [{ask: jan, prompt: x}]}"], (10, 7), "0", "exactly one of"),
        ([CODE, JUDGE, f"{{ask: homer, {BACK}}}"], (12, 7), "2", "exactly one of"),
        (["{ask: homer}"], (10, 7), "0", "the key prompt is missing"),
        (["{ask: homer, prompt: ''}"], (10, 20), "0.prompt", "accepted: a text that is not empty"),
        (["{together: []}"], (10, 8), "0.together", "at least one element"),
        (["{prompt: x, together: [{ask: jan, prompt: x}]}"], (10, 8), "0.prompt", "only a step with ask"),
        (["{ask: 3, prompt: x}"], (10, 8), "0.ask", "found 3; accepted: text"),
        ([CODE, "3"], (11, 7), "1", "found 3; accepted: a mapping"),
        (["{together: [{ask: jan, prompt: x}, {ask: jan}]}"], (10, 42), "0.together.1.prompt", "missing"),
        (["{together: [{ask: jan}]}"], (10, 19), "0.together.0.prompt", "missing"),
        (["{ask: homr, prompt: x}"], (10, 8), "0.ask", "no agent homr in mmConfigs; did you mean homer?"),
        (["{ask: qqqq, prompt: x}"], (10, 8), "0.ask", "known: homer, jan, lisa, gem, lodger"),
        (["{ask: lodger, prompt: x}"], (10, 8), "0.ask", "lodger has a folder of its own (cwd)"),
        (["{together: [{ask: jna, prompt: x}]}"], (10, 20), "0.together.0.ask", "did you mean jan?"),
        (
            ["{together: [{ask: jan, prompt: x}, {ask: jan, prompt: y}]}"],
            (10, 43),
            "0.together.1.ask",
            "jan stands twice in one step",
        ),
        (["{ask: homer, prompt: '{taks}'}"], (10, 20), "0.prompt", "found {taks}; did you mean {task}?"),
        (["{ask: homer, prompt: 'a { b'}"], (10, 20), "0.prompt", "found {; the fields: task, answer"),
        (["{ask: homer, prompt: 'a } b'}"], (10, 20), "0.prompt", "found }; the fields"),
        (["{ask: homer, prompt: '{}'}"], (10, 20), "0.prompt", "found {}; the fields"),
        (["{ask: homer, prompt: '{ task }'}"], (10, 20), "0.prompt", "found { task }; did you mean {task}?"),
        (["{ask: homer, prompt: '{task.x}'}"], (10, 20), "0.prompt", "found {task.x}; did you mean {task}?"),
        (["{together: [{ask: jan, prompt: '{x}'}]}"], (10, 30), "0.together.0.prompt", "found {x}"),
        (
            [CODE, "{ask: jan, prompt: x, verdict: {accept: 'NO', reject: 'NO'}}"],
            (11, 53),
            "1.verdict.reject",
            "the same word as accept",
        ),
        (
            [CODE, "{ask: jan, prompt: x, verdict: {accept: ' YES'}}"],
            (11, 39),
            "1.verdict.accept",
            "blanks around the word",
        ),
        (
            [CODE, "{ask: jan, prompt: x, verdict: {reject: 'NO '}}"],
            (11, 39),
            "1.verdict.reject",
            "blanks around the word",
        ),
        ([f"{{{BACK}}}"], (10, 17), "0.repeat.from", "a step behind the last repeat and before this one"),
        ([CODE, JUDGE, "{repeat: {from: 2, prompt: x}}"], (12, 17), "2.repeat.from", "found 2; accepted"),
        ([CODE, JUDGE, "{repeat: {from: 1, prompt: x}}"], (12, 17), "2.repeat.from", "step 1 does not write"),
        (
            ["{together: [{ask: jan, prompt: x}], verdict: {}}", f"{{{BACK}}}"],
            (11, 17),
            "1.repeat.from",
            "step 0 does not write",
        ),
        ([CODE, f"{{{BACK}}}"], (11, 8), "1.repeat", "no step from 0 to 0 gives a verdict"),
        ([CODE, JUDGE, f"{{{BACK}}}", f"{{{BACK}}}"], (13, 17), "3.repeat.from", "behind the last repeat"),
        (
            [CODE, JUDGE, "{repeat: {from: 0, prompt: '{nothing}'}}"],
            (12, 26),
            "2.repeat.prompt",
            "found {nothing}",
        ),
        ([CODE, JUDGE, f"{{{BACK}, verdict: {{}}}}"], (12, 38), "2.verdict", "only leads back"),
        ([CODE, JUDGE, f"{{{BACK}, handover: auto}}"], (12, 38), "2.handover", "only leads back"),
        ([CODE, JUDGE, f"{{{BACK}, onFail: stop}}"], (12, 38), "2.onFail", "only leads back"),
    ],
)
def test_a_fault_has_its_line_and_column(
    steps: list[str], place: tuple[int, int], key: str, message: str, tmp_path: Path
) -> None:
    (fault,) = faults(tmp_path, of_steps(*steps))
    assert message in fault.message
    assert (fault.line, fault.column, fault.key) == (*place, f"pipelines.p.steps.{key}")


@pytest.mark.parametrize(
    ("more", "key", "message"),
    [
        ("worktree: false\n    finish: {merge: ask}", "finish.merge", "there is nothing to merge"),
        ("worktree: false\n    finish: {merge: never}", "finish.merge", "there is nothing to merge"),
        ("limits: {rounds: 0}", "limits.rounds", "1"),
        ("limits: {rounds: 101}", "limits.rounds", "100"),
        ("limits: {minutes: 0}", "limits.minutes", "0"),
        ("limits: {minutes: .nan}", "limits.minutes", "a number"),
        ("limits: {agents: 0}", "limits.agents", "1"),
        ("finish: {merge: force}", "finish.merge", "'ask', 'never' or 'branch'"),
        ("worktre: true", "worktre", "did you mean worktree?"),
    ],
)
def test_a_fault_beside_the_steps_is_told_as_well(more: str, key: str, message: str, tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, of_steps(CODE, more=more))
    assert fault.key == f"pipelines.p.{key}"
    assert fault.line in (11, 12)
    assert message in fault.message


@pytest.mark.parametrize("field", ["diff", "files"])
def test_without_a_worktree_there_is_no_difference_to_show(field: str, tmp_path: Path) -> None:
    text = of_steps(f"{{ask: homer, prompt: '{{{field}}}'}}", more="worktree: false")
    (fault,) = faults(tmp_path, text)
    assert (fault.line, fault.message) == (10, f"{{{field}}} needs `worktree: true`")


@pytest.mark.parametrize(
    "step", ["{ask: gem, prompt: x, verdict: {}}", "{together: [{ask: gem, prompt: x}]}"]
)
def test_a_foreign_reviewer_needs_a_worktree(step: str, tmp_path: Path) -> None:
    """Nothing but a folder of its own keeps what it writes away from the work."""
    (fault,) = faults(tmp_path, of_steps(step, more="worktree: false"))
    assert "gem is not an agent of mm" in fault.message


def test_without_a_worktree_the_rest_is_fine(tmp_path: Path) -> None:
    text = of_steps(
        "{ask: lodger, prompt: '{task}'}", "{ask: gem, prompt: x}", JUDGE, BACK, more="worktree: false"
    )
    assert not loaded(tmp_path, text).config.pipelines["p"].worktree


@pytest.mark.parametrize(
    ("most", "limits", "fine"),
    [(2, "{}", False), (3, "{}", True), (2, "{agents: 1}", True), (1, "{agents: 1}", False)],
)
def test_more_agents_than_may_live_are_no_pipeline(
    most: int, limits: str, fine: bool, tmp_path: Path
) -> None:
    """Those who write stay for later rounds; those who read side by side come on top."""
    reviewers = "{together: [{ask: jan, prompt: x}, {ask: lisa, prompt: x}]}"
    text = of_steps(CODE, reviewers, more=f"limits: {limits}") + f"limits: {{agents: {most}}}\n"
    if fine:
        assert loaded(tmp_path, text).config.limits.agents == most
    else:
        (fault,) = faults(tmp_path, text)
        assert (fault.key, fault.line) == ("pipelines.p", 8)
        assert f"at the same time, and limits.agents of the file is {most}" in fault.message


def test_every_fault_of_every_pipeline_is_told_at_once(tmp_path: Path) -> None:
    text = """\
    pipelines:
      a: {steps: [{ask: homr, prompt: "{taks}"}]}
      b:
        steps:
          - {ask: gem}
          - {together: [{ask: jan, prompt: "{nope}"}], verdict: {accept: x, reject: x}}
    """
    assert [(fault.line, fault.key) for fault in faults(tmp_path, text)] == [
        (8, "pipelines.a.steps.0.ask"),
        (8, "pipelines.a.steps.0.prompt"),
        (11, "pipelines.b.steps.0"),
        (12, "pipelines.b.steps.1.together.0.prompt"),
        (12, "pipelines.b.steps.1.verdict.reject"),
    ]


def test_without_agents_none_is_known(tmp_path: Path) -> None:
    file = tmp_path / "agents.yaml"
    file.write_text("pipelines: {p: {steps: [{ask: homer, prompt: x}]}}")
    with pytest.raises(ConfigError, match="no agent homer in mmConfigs; known: none"):
        load(file, tools=("bash",), environ={})


def test_a_pipeline_of_a_configuration_in_place_has_the_agents_of_that(tmp_path: Path) -> None:
    file = tmp_path / "agents.yaml"
    file.write_text(
        "mmConfigs: {jan: {config: {pipelines: {p: {steps: [{ask: jan, prompt: x}]}}, "
        "mmConfigs: {homer: {config: {}}}}}}"
    )
    with pytest.raises(ConfigError, match=r"jan\.config\.pipelines\.p\.steps\.0\.ask: there is no agent jan"):
        load(file, tools=("bash",), environ={})


@given(st.lists(st.sampled_from(["{", "}", "{{", "}}", "task", " ", *(f"{{{name}}}" for name in FIELDS)])))
def test_every_single_brace_is_seen(parts: list[str]) -> None:
    """What has no field but those of the list has, with them filled in, even braces only."""
    prompt = "".join(parts)
    if set(fields_of(prompt)) <= set(FIELDS):
        filled = prompt.format(**dict.fromkeys(FIELDS, ""))
        assert "{" not in filled.replace("{", "", prompt.count("{{"))
    else:
        with pytest.raises((ValueError, KeyError, IndexError)):
            prompt.format(**dict.fromkeys(FIELDS, ""))
