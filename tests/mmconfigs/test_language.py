"""Faults in the language of the person: the whole sentence, with its place and its key as they are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mmconfigs
from mmconfigs.environ import agent_yolo, decide
from mmconfigs.errors import ConfigError, Fault
from mmconfigs.language import Words
from mmconfigs.load import load

FRENCH = Words("fr")
MODULES = sorted(Path(mmconfigs.__file__).parent.glob("*.py"))


def fault(tmp_path: Path, text: str) -> Fault:
    file = tmp_path / "a.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        decide(load(file, tools=("bash",), environ={}), {"--yolo": "yolo"}, {"AGENT_YOLO": "0"})
    return caught.value.faults[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("yollo: true", "1:1: yollo: clé inconnue « yollo » ; vouliez-vous dire yolo ?"),
        ("yolo: no", "1:1: yolo: trouvé : no, que YAML lit comme un booléen ; accepté : true ou false"),
        ("yolo:", "1:1: yolo: trouvé : rien (vide) ; accepté : true ou false"),
        ("limits: {steps: 0}", "1:10: limits.steps: trouvé : 0 ; accepté : au moins 1"),
        ("language: de", "1:1: language: trouvé : le texte « de » ; accepté : 'en' ou 'fr'"),
        (
            "mmConfigs: {you: {config: {}}}",
            "1:13: mmConfigs.you: ce nom est réservé ; un nom n'est ni you ni mm",
        ),
        ("mmConfigs: {jan: ./x.yaml}", "1:13: mmConfigs.jan.path: {folder}/x.yaml : introuvable"),
        (
            "tools: {approval: {jna/bash: deny}}\nmmConfigs: {jan: {config: {}}}",
            "1:20: tools.approval.jna/bash: pas d'agent jna dans {folder}/a.yaml ; vouliez-vous dire jan ?",
        ),
        ("model: 'demo", "1:13: le guillemet ouvert ligne 1 n'est jamais fermé"),
        ("", "1:1: le fichier est vide ; écrivez au moins `yolo: false` ou `yolo: true`"),
    ],
)
def test_a_fault_is_told_in_french(tmp_path: Path, text: str, told: str) -> None:
    expected = f"{tmp_path}/a.yaml:{told.replace('{folder}', str(tmp_path))}"
    assert fault(tmp_path, text).told(FRENCH) == expected


def test_programs_get_it_in_english_whoever_reads_the_sentence(tmp_path: Path) -> None:
    found = fault(tmp_path, "yolo: no")
    assert found.as_json()["message"] == "found no, which YAML reads as a boolean; accepted: true or false"
    assert found.as_json()["accepted"] == "true or false"


def test_what_contradicts_the_environment_is_told_in_french(tmp_path: Path) -> None:
    assert fault(tmp_path, "model: demo").told(FRENCH) == (
        "command line: --yolo: contradiction : --yolo dit yolo, AGENT_YOLO dit always-ask"
    )
    with pytest.raises(ConfigError) as caught:
        agent_yolo("maybe")
    assert caught.value.faults[0].told(FRENCH) == (
        "environment: AGENT_YOLO: trouvé : 'maybe' ; accepté : 1 true yes on ou 0 false no off"
    )


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_no_fault_is_written_in_one_language_alone(module: Path) -> None:
    """A text that stands where a fault or a value's misfit is made would be English for everybody."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            where = {"Misfit": 0, "ValueError": 0, "fault": 1}.get(name)
            texts = [word.value for word in node.keywords if word.arg == "text"]
            texts += [] if where is None else node.args[where : where + 1]
            written = [text for text in texts if isinstance(text, ast.JoinedStr | ast.Constant)]
            assert not written, f"{module.name}:{node.lineno}"
