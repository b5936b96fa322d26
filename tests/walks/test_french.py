"""What a person reads whose terminal speaks French; what scripts read stays as it is."""

from __future__ import annotations

import re

import pytest

from tests.walks.builder import Ran, Walk


def runs(walk: Walk, *args: str) -> Ran:
    return walk.runs(*args, LANG="fr_FR.UTF-8")


def team(walk: Walk, *lines: str) -> None:
    walk.agent("riker", "yolo: false", "mmConfigs: {jan: ./jan.yaml}", *lines)
    walk.agent("jan")


def test_the_help_is_french_and_names_the_same_flags(walk: Walk) -> None:
    flag = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
    english, french = walk.runs("--help").stdout, runs(walk, "--help").stdout
    assert flag.findall(french) == flag.findall(english)
    assert french.startswith("usage : mm [-h] [-c FILE]")
    assert "que faire :\n" in french
    assert "  -h, --help            cette aide\n" in french
    assert english.startswith("usage: mm [-h] [-c FILE]")
    assert not {"the", "file", "agent that", "show"} & set(french.split())


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["lgo"], "lgo n'est pas une commande de mm ; vouliez-vous dire log ? (commandes : "),
        (["--nix"], "arguments inconnus : --nix ; voir mm --help"),
        (["--cwd"], "--cwd demande une valeur ; voir mm --help"),
        (["--approval-mode", "x"], "--approval-mode : trouvé 'x' ; accepté : 'always-ask', "),
        (["--yolo=x"], "--yolo/--auto-approve ne prend pas de valeur ; voir mm --help"),
        (["-p", "hi", "--acp"], "-p, --ask, --pipeline et --acp s'excluent les uns les autres"),
        (["-p", " "], "la demande est vide : écrivez-la derrière -p, --ask NAME ou --pipeline NAME, "),
        (["--ask", "jna", "hi"], "il n'y a pas d'agent jna ; connus : jan"),
        (["log", "--since", "hier"], "hier n'est pas un temps ; accepté : 30m, 2h, 7d, 1w ou "),
        (["explain", "bsh"], "riker n'a pas d'outil bsh ; connus : read_file, write_file, "),
        (["explain", "bash", "ls"], "pas du JSON : "),
        (["explain", "--batch", "nix.jsonl"], "nix.jsonl : No such file or directory"),
    ],
)
def test_wrong_usage_is_told_in_french(walk: Walk, args: list[str], told: str) -> None:
    team(walk)
    ran = runs(walk, *args)
    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"mm: {told}")


def test_faults_of_the_file_are_told_in_french_and_programs_get_english(walk: Walk) -> None:
    walk.agent("riker", "yollo: true")
    fault = "riker.yaml:2:1: yollo: clé inconnue « yollo » ; vouliez-vous dire yolo ?\n"
    assert runs(walk, "check").stdout == fault
    assert runs(walk, "-p", "hi").stderr == fault
    assert "unknown key 'yollo'; did you mean yolo?" in runs(walk, "check", "--json").stdout


def test_a_check_lists_in_french_what_would_be_started(walk: Walk) -> None:
    walk.agent("riker", "mmConfigs: {gem: {command: [gemini, --acp]}}")
    assert runs(walk, "check").stdout == (
        "riker.yaml:2:19: mmConfigs.gem.command: lance gemini --acp\nriker.yaml: aucune faute\n"
    )


def test_a_run_its_log_and_what_explains_it_are_french_and_its_last_line_is_for_scripts(walk: Walk) -> None:
    team(walk, "tools: {approval: {jan/edit_file: deny}}")
    ran = runs(walk, "--verbose", "-p", "lis jan.yaml puis lance date")
    assert ran.code == 3
    assert ran.stderr == (
        'mm: read_file {"path": "jan.yaml"}\nmm: read_file terminé : model: demo\n'
        'mm: bash {"command": "date"}\n'
        "mm: bash a échoué : Not allowed: bash needs a yes, and nobody could be asked; "
        "nobody has said no to it.\n"
        "mm: appels de votre agent : 1 autorisé (sans rien changer), 1 refusé (personne à qui demander)\n"
        "mm: 1 call refused because nobody could be asked: bash (1)\n"
    )
    ran = runs(walk, "--ask", "jan", "modifie jan.yaml : demo => x")
    assert ran.stderr.startswith(
        "mm: attention : jan/edit_file a été refusé par une règle du fichier : riker.yaml:"
    )
    read, asked, denied = (line.partition("  ")[2] for line in runs(walk, "log").stdout.splitlines())
    assert read == "autorisé  read_file  sans rien changer  jan.yaml"
    assert asked == "refusé    bash      personne à qui demander  date"
    assert denied.startswith(
        "refusé    jan/edit_file  par une règle du fichier : jan/edit_file: deny (riker.yaml:"
    )
    explained = runs(walk, "explain", "--agent", "jan", "bash", '{"command": "date"}').stdout
    assert explained.startswith(
        "jan/bash: demande ; la réponse peut être retenue\n"
        "selon la ligne 11 des règles : aucune autre ligne n'en parle\n"
        "la question : jan veut exécuter une commande sur cet ordinateur\n"
        "yolo: off (tools ask) (riker.yaml:2:1)\n"
    )
