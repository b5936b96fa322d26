"""What is said about runs, in English and French."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from mmconfigs.language import Sentence, Text, saying
from orchestrator.pipelines.outcome import Ended
from orchestrator.pipelines.verdict import NO_VERDICT, TWO_VERDICTS

PAUSED = Sentence(
    "{why}. Nothing is lost: mm pipeline resume {run}",
    "{why}. Rien n'est perdu : mm pipeline resume {run}",
)
STOPPED = Sentence("the run was stopped", "l'exécution a été arrêtée")
DRIVEN = Sentence(
    "another mm works on the run {run} at this moment",
    "un autre mm travaille en ce moment sur l'exécution {run}",
)
NOT_AS_ASKED = Sentence(
    "the database says otherwise than what the run {run} was asked for here; cancel it, and begin anew",
    "la base de données dit autre chose que ce qui a été demandé ici pour l'exécution {run} ; annulez-la",
)
ANOTHER_FOLDER = Sentence(
    "the run {run} works in {folder}: resume it there",
    "l'exécution {run} travaille dans {folder} : reprenez-la là",
)
CHANGED = Sentence(
    "the pipeline {name} is not what it was when the run {run} began; write it as it was, or begin anew",
    "le pipeline {name} a changé depuis le début de l'exécution {run} ; remettez-le, ou recommencez",
)
HELP_RUN = Sentence("run the pipeline {name} on a task", "lancer le pipeline {name} sur une tâche")
NO_PIPELINES = Sentence("none; write some under pipelines", "aucun ; écrivez-en sous pipelines")
UNKNOWN_PIPELINE = Sentence(
    "there is no pipeline {name}; known: {known}", "il n'y a pas de pipeline {name} ; connus : {known}"
)
EMPTY_TASK = Sentence("what is the task? /run-{name} TASK", "quelle est la tâche ? /run-{name} …")


ENDS: Mapping[Ended, Sentence] = {
    Ended.DONE: Sentence("done", "fini"),
    Ended.REFUSED: Sentence("refused", "refusé"),
    Ended.CUT: Sentence("cut off", "coupé"),
    Ended.FAILED: Sentence("failed", "échec"),
    Ended.STOPPED: Sentence("stopped", "arrêté"),
    Ended.LATE: Sentence("out of time", "hors délai"),
    Ended.LATE: Sentence("out of time", "hors délai"),
}
"""How an agent's part of a step ended."""
UNFINISHED = "did not finish: {ended}"
"""The verdict of a reviewer that did not come to its end, as it is kept."""
WHYS: Mapping[str, Sentence] = {
    NO_VERDICT: Sentence(NO_VERDICT, "aucun verdict"),
    TWO_VERDICTS: Sentence(TWO_VERDICTS, "plus d'un verdict"),
    **{
        UNFINISHED.format(ended=ended): Sentence(f"did not finish: {end.en}", f"pas fini : {end.fr}")
        for ended, end in ENDS.items()
    },
}
"""What stands in the place of a verdict that there is not."""


def verdict(why: str) -> Text:
    """A verdict as a person reads it: a word of the file as it is."""
    return saying(WHYS[why]) if why in WHYS else why


# Why a run ends without being over.
WAS_STOPPED = Sentence("{agent} was stopped", "{agent} a été arrêté")
DID_NOT_FINISH = Sentence("{agent} did not finish: {why}", "{agent} n'a pas fini : {why}")
NOT_APPROVED = Sentence(
    "the task for {agent} was not approved", "la tâche pour {agent} n'a pas été approuvée"
)
WAITS_FOR_MERGE = Sentence(
    "the work is accepted and waits to be merged", "le travail est accepté et attend d'être fusionné"
)
SINCE_NOBODY = Sentence("{what}: nobody could be asked", "{what} : personne à qui demander")
REFUSED_ONES = Sentence("refused: {calls}", "refusés : {calls}")

# Why a run was not accepted.
REACHED = Sentence("{limit} reached", "{limit} atteint")
LAST_REJECTS = Sentence("the last verdict rejects", "le dernier verdict rejette")

# The report.
HEAD = Sentence("{who}: {what}", "{who} : {what}")
ENDED = Sentence("ended", "fin")
ASKED = Sentence("asked", "demandés")
ALLOWED = Sentence("allowed", "autorisés")
REFUSED = Sentence("refused", "refusés")
UNASKED = Sentence("unasked", "sans demande")
CHANGES = Sentence("Changes", "Changements")
NO_CHANGES = Sentence("None.", "Aucun.")
TESTS = Sentence("Tests", "Tests")
COMMANDS = Sentence("Commands", "Commandes")
REFUSED_CALLS = Sentence("Refused", "Refusés")
RAN_UNASKED = Sentence("Ran past the answers", "Lancés malgré les réponses")
WELL = Sentence("ok", "réussi")
BADLY = Sentence("failed", "échec")
IN_ROUND = Sentence("{agent}, round {number}", "{agent}, tour {number}")
BRANCH = Sentence("Branch `{branch}`.", "Branche `{branch}`.")
NOT_MERGED = Sentence("Not merged.", "Pas fusionnée.")
MERGED = Sentence("Merged as {commit}.", "Fusionnée : {commit}.")
SAID_NO = Sentence("Not merged: you said no.", "Pas fusionnée : vous avez dit non.")
CONFLICT = Sentence(
    "Not merged, since you and the run changed the same places of these files:",
    "Pas fusionnée, car vous et l'exécution avez changé les mêmes endroits de ces fichiers :",
)
NOT_MERGED_SINCE = Sentence("Not merged:", "Pas fusionnée :")
STAYS = Sentence("The worktree stays: {folder}", "Le worktree reste : {folder}")
LOOK_FIRST = Sentence("to look at it first: {command}", "pour regarder d'abord : {command}")
MORE_FILES = Sentence("and {count} more files", "et encore {count} fichiers")
SUM = Sentence("{files} files, +{added} -{removed}", "{files} fichiers, +{added} -{removed}")
NO_TEXT = Sentence("not text", "pas du texte")
KINDS_OF_CHANGE: Mapping[str, Sentence] = {
    "added": Sentence("new", "nouveau"),
    "deleted": Sentence("deleted", "supprimé"),
    "renamed": Sentence("before: {before}", "avant : {before}"),
    "of another kind": Sentence("of another kind", "d'une autre sorte"),
}
"""What became of a file, by `differences.WHAT`; one that only changed needs no word."""


DIRTY = Sentence(
    "the run begins with {commit} and does not see what is not committed: {files}",
    "l'exécution part de {commit} et ne voit pas ce qui n'est pas validé : {files}",
)
SUBMODULES = Sentence(
    "submodules are empty in the worktree of the run: {folders}",
    "les sous-modules sont vides dans le worktree de l'exécution : {folders}",
)
DETACHED = Sentence(
    "no branch is checked out (HEAD is detached at {commit}): the work stays on the branch of the run",
    "aucune branche n'est extraite (HEAD est détaché sur {commit}) : le travail reste sur la branche de "
    "l'exécution",
)
KEPT_WORK = Sentence(
    "the step begins anew; what it had left is kept: git show {refs}",
    "l'étape recommence ; ce qu'elle avait laissé est gardé : git show {refs}",
)


class State(StrEnum):
    """How a run stands, as a person sees it."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"
    ELSEWHERE = "elsewhere"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    LIMIT = "limit"
    CANCELLED = "cancelled"
    BROKEN = "broken"


RESUMABLE = (State.INTERRUPTED,)
STATES: Mapping[State, Sentence] = {
    State.RUNNING: Sentence("running", "en cours"),
    State.INTERRUPTED: Sentence("interrupted, can be resumed", "interrompue, peut reprendre"),
    State.ACCEPTED: Sentence("accepted", "acceptée"),
    State.REJECTED: Sentence("rejected", "rejetée"),
    State.LIMIT: Sentence("ended by a limit", "arrêtée par une limite"),
    State.CANCELLED: Sentence("cancelled", "annulée"),
    State.BROKEN: Sentence("broken", "défectueuse"),
    State.ELSEWHERE: Sentence(
        "under way elsewhere, or interrupted there", "en cours ailleurs, ou interrompue"
    ),
}
NO_RUNS = Sentence("no runs yet: mm --pipeline NAME TASK", "aucune exécution : mm --pipeline NOM TÂCHE")
UNKNOWN_RUN = Sentence(
    "there is no run {run}; mm pipeline list names them",
    "il n'y a pas d'exécution {run} ; voir mm pipeline list",
)
NOT_RESUMABLE = Sentence("{run} cannot be resumed: {state}", "{run} ne peut pas reprendre : {state}")
ELSEWHERE = Sentence(
    "{run} began on {host}, where its worktree is ({trees}): resume it there",
    "{run} a commencé sur {host}, où se trouve son worktree ({trees}) : reprenez-la là-bas",
)
NOT_CANCELLED = Sentence("{run} cannot be cancelled: {state}", "{run} ne peut pas être annulée : {state}")
STOP_IT_FIRST = Sentence(
    "{run} cannot be cancelled: {state}; stop it where it runs, with Ctrl-C, then cancel it",
    "{run} ne peut pas être annulée : {state} ; arrêtez-la là où elle tourne, avec Ctrl-C, puis annulez-la",
)
CANCELLED = Sentence(
    "{run} is cancelled; mm pipeline clean takes its worktree away",
    "{run} est annulée ; mm pipeline clean enlève son worktree",
)
OF_ANOTHER = Sentence("its worktree is on {host}", "son worktree est sur {host}")
NOTHING_OVER = Sentence("no run is over: nothing to clean", "aucune exécution n'est finie : rien à nettoyer")
KEPT_TREE = Sentence("{run} is not forgotten: {why}", "{run} n'est pas oubliée : {why}")
FORGOTTEN = Sentence("{run} is forgotten", "{run} est oubliée")
BASED = Sentence("in {repository}, from {commit}", "dans {repository}, depuis {commit}")
