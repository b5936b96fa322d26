"""The sentences of marks: why a call is dangerous, in English and French; `what` is the part meant."""

from __future__ import annotations

from collections.abc import Mapping

from consent.danger.finding import Finding, Reason, Verdict
from mmconfigs.language import Sentence, Words
from orchestrator.words.party import one_line

MOST_CHARACTERS = 200

VERDICTS: Mapping[Verdict, Sentence] = {
    Verdict.CRITICAL: Sentence("critical: {reason}", "critique : {reason}"),
    Verdict.DESTRUCTIVE: Sentence("destructive: {reason}", "destructeur : {reason}"),
    Verdict.UNCLEAR: Sentence("not understood: {reason}", "pas compris : {reason}"),
}

REASONS: Mapping[Reason, Sentence] = {
    Reason.DELETES_ROOT: Sentence(
        "deletes the root or a system folder: {what}", "supprime la racine ou un dossier système : {what}"
    ),
    Reason.DELETES_HOME: Sentence("deletes a home folder: {what}", "supprime un dossier personnel : {what}"),
    Reason.FORK_BOMB: Sentence("starts itself without end: {what}", "se relance lui-même sans fin : {what}"),
    Reason.RUNS_FETCHED: Sentence(
        "runs what it fetches from another computer: {what}",
        "exécute ce qu'il va chercher sur un autre ordinateur : {what}",
    ),
    Reason.PERMISSIONS: Sentence(
        "changes the permissions of the root or of a home folder: {what}",
        "change les droits de la racine ou d'un dossier personnel : {what}",
    ),
    Reason.KILLS_INIT: Sentence(
        "ends the first process or all of them: {what}", "termine le premier processus ou tous : {what}"
    ),
    Reason.DISK: Sentence(
        "writes past every file on a disk: {what}", "écrit sur un disque, sous les fichiers : {what}"
    ),
    Reason.SHUTS_DOWN: Sentence("shuts the computer down: {what}", "arrête l'ordinateur : {what}"),
    Reason.ACCOUNTS: Sentence(
        "changes the accounts of this computer: {what}", "change les comptes de cet ordinateur : {what}"
    ),
    Reason.SSH: Sentence(
        "changes keys or settings of SSH: {what}", "change des clés ou réglages de SSH : {what}"
    ),
    Reason.STARTUP: Sentence(
        "changes what runs at every start of a shell: {what}",
        "change ce qui s'exécute à chaque démarrage d'un shell : {what}",
    ),
    Reason.GIT_INNER: Sentence(
        "changes what git runs: hooks or settings: {what}",
        "change ce que git exécute : hooks ou réglages : {what}",
    ),
    Reason.CRONTAB: Sentence(
        "changes what runs at set times: {what}", "change ce qui s'exécute à heure fixe : {what}"
    ),
    Reason.DECIDES: Sentence(
        "changes a file that decides what agents may do: {what}",
        "change un fichier qui décide de ce que les agents peuvent faire : {what}",
    ),
    Reason.DELETES: Sentence("deletes files: {what}", "supprime des fichiers : {what}"),
    Reason.MOVES: Sentence(
        "moves files, over one that may be there: {what}",
        "déplace des fichiers, sur un autre peut-être : {what}",
    ),
    Reason.OVERWRITES: Sentence("overwrites a file: {what}", "écrase un fichier : {what}"),
    Reason.EDITS: Sentence("changes files in place: {what}", "change des fichiers sur place : {what}"),
    Reason.GIT: Sentence(
        "loses changes or history in git: {what}", "perd des changements ou l'historique de git : {what}"
    ),
    Reason.POWER: Sentence("can shut the computer down: {what}", "peut arrêter l'ordinateur : {what}"),
    Reason.COMPUTED: Sentence(
        "what runs is known only when it runs: {what}",
        "ce qui s'exécute n'est connu qu'à l'exécution : {what}",
    ),
    Reason.PIPED: Sentence(
        "runs what another command gives it: {what}", "exécute ce qu'une autre commande lui donne : {what}"
    ),
    Reason.UNKNOWN_PROGRAM: Sentence(
        "a program that is not known may run this: {what}",
        "un programme inconnu exécute peut-être ceci : {what}",
    ),
    Reason.SYNTAX: Sentence(
        "a part of the command cannot be read as the shell would",
        "une partie de la commande ne se lit pas comme le shell la lirait",
    ),
    Reason.TOO_DEEP: Sentence("too many commands inside commands", "trop de commandes dans des commandes"),
    Reason.TOO_LONG: Sentence(
        "the command is too long to be looked at whole",
        "la commande est trop longue pour être examinée en entier",
    ),
    Reason.TOO_MUCH: Sentence(
        "it names more than can be looked at", "elle nomme plus que ce qui peut être examiné"
    ),
}


def mark(found: Finding, words: Words) -> str:
    """A mark in words; empty for a call without one."""
    return words.say(VERDICTS[found.verdict], reason=reason(found, words)) if found.reason else ""


def reason(found: Finding, words: Words) -> str:
    """Why a call is marked, in words; empty for a call without a mark."""
    what = one_line(found.what, MOST_CHARACTERS)
    return words.say(REASONS[found.reason], what=what) if found.reason else ""
