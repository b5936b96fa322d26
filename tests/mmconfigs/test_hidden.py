"""What no log may hold: the secrets of a file and of all that it names, broken files included."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from mmconfigs.hidden import secrets_of
from mmconfigs.load import load


def hidden(folder: Path, environ: dict[str, str] | None = None, **files: str) -> frozenset[str]:
    """The secrets of riker's file beside these others."""
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(textwrap.dedent(text))
    held = environ or {}
    return secrets_of(load(folder / "riker.yaml", tools=("bash",), environ=held), ("bash",), held)


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("model: demo", set()),
        ("apiKey: sk", {"sk"}),
        ("apiKey: 'sk-${K}'", {"v", "sk-v"}),
        ("headers: {Authorization: Bearer 12345678}", {"Bearer 12345678", "12345678"}),
        ("headers: {Authorization: 'Bearer ${LONG}'}", {"Bearer 123456789", "123456789"}),
        ("headers: {X-Debug: 'true'}", set()),
        ("mmConfigs: {gem: {command: gem, env: {TOKEN: 12345678x}}}", {"12345678x"}),
        ("mmConfigs: {gem: {command: gem, env: {DEBUG: '1', TOKEN: '${K}'}}}", {"v"}),
        (
            "mmConfigs: {jan: {config: {apiKey: jans, mmConfigs: {lisa: {config: {apiKey: '${K}'}}}}}}",
            {"jans", "v"},
        ),
        ("mcpServers: {docs: {command: d, env: {A: 12345678x}}}", {"12345678x"}),
        ("mcpServers: {docs: {url: 'http://me:p%20w@host/', headers: {A: '${K}'}}}", {"p%20w", "p w", "v"}),
        ("baseUrl: 'http://me:pw@host/v1'", {"pw"}),
        ("pipelinesDatabase: 'postgresql://h/d'", {"postgresql://h/d"}),
        ("pipelinesDatabase: 'postgresql://me:pw@h/d'", {"postgresql://me:pw@h/d", "pw"}),
        ("pipelinesDatabase: 'postgresql://me:${K}@h/d'", {"postgresql://me:v@h/d", "v"}),
        ("pipelinesDatabase: 'postgresql://[pw@h'", {"postgresql://[pw@h"}),
        ("{model: '12345678x', instructions: 12345678x}", set()),
    ],
)
def test_what_stands_in_secret_places_is_hidden(text: str, secrets: set[str], tmp_path: Path) -> None:
    found = hidden(tmp_path, {"K": "v", "LONG": "123456789", "OTHER": "unnamed"}, riker=text)
    assert found == secrets


RIKER = "mmConfigs: {jan: ./jan.yaml}"


def test_the_files_of_asked_agents_count_however_deep_and_in_a_circle(tmp_path: Path) -> None:
    found = hidden(
        tmp_path,
        {"KEY": "of the environment"},
        riker="mmConfigs: {outer: {config: {mmConfigs: {jan: ./jan.yaml}}}}",
        jan="{apiKey: jans, mmConfigs: {homer: {path: ./homer.yaml}}}",
        homer="{apiKey: '${KEY}', mmConfigs: {jan: ./jan.yaml, riker: ./riker.yaml}}",
    )
    assert found == {"jans", "of the environment"}


def test_a_variable_that_an_entry_gives_its_agent_is_hidden_in_any_length(tmp_path: Path) -> None:
    entries = ("jan: {path: ./jan.yaml, env: {KEY: k1, MORE: m}}", "bart: {path: ./jan.yaml, env: {KEY: k2}}")
    riker = f"mmConfigs: {{{', '.join(entries)}}}"
    assert hidden(tmp_path, riker=riker, jan="apiKey: 'sk-${KEY}'") == {"k1", "k2"}


@pytest.mark.parametrize(
    ("jan", "secrets"),
    [
        ("{apiKey: jans, modell: demo}", {"jans"}),
        ("{apiKey: jans, yolo: true, permissions: ask}", {"jans"}),
        ("{apiKey: '${UNSET}', headers: {A: 12345678}, baseUrl: 'http://[', env: x}", set()),
        ("{apiKey: jans, mmConfigs: {homer: 7, lisa: {path: ./lisa.yaml}}}", {"jans", "lisas"}),
        ("{apiKey: [jans], headers: jans}", set()),
        ("{apiKey: jans", set()),
        ("- apiKey: jans", set()),
        ("", set()),
        ("\0", set()),
    ],
)
def test_a_broken_file_hides_what_can_be_read_of_it(jan: str, secrets: set[str], tmp_path: Path) -> None:
    assert hidden(tmp_path, riker=RIKER, jan=jan, lisa="apiKey: lisas") == secrets


def test_a_file_that_is_not_there_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "jan.yaml").write_text("model: demo")
    (tmp_path / "riker.yaml").write_text(f"{{apiKey: rikers, {RIKER}}}")
    loaded = load(tmp_path / "riker.yaml", tools=(), environ={})
    (tmp_path / "jan.yaml").unlink()
    assert secrets_of(loaded, (), {}) == {"rikers"}
