"""The summary: how many calls went which way, by whom, in one line."""

from __future__ import annotations

from consent.gate import Decision
from consent.rules import Why
from consent.tally import Tally
from consent.unasked import Finding
from orchestrator.words.summary import of_run, of_turn, unexplained
from tests.orchestrator.words.calls import ENGLISH, FRENCH

JAN = ("jan",)
YES, NO = Decision(True, Why.ANSWER, 11), Decision(False, Why.ANSWER, 11)
READ, DENIED = Decision(True, Why.READ, 8), Decision(False, Why.POLICY, 2)
BUSY = (
    Tally()
    .decided((), READ, asked=False)
    .decided(JAN, YES, asked=True)
    .decided(JAN, YES, asked=True)
    .decided(JAN, NO, asked=True)
    .decided(JAN, DENIED, asked=False)
    .acted(JAN, Finding.UNASKED)
)


def test_a_turn_is_one_line_over_all_agents() -> None:
    assert of_turn(BUSY, ENGLISH) == (
        "mm: calls of this turn: 3 questions, 3 allowed (1 changing nothing, 2 by you), "
        "2 refused (1 by you, 1 by a rule of the file), 1 ran past the answers (without asking)"
    )


def test_a_run_has_a_line_for_each_agent() -> None:
    own, jan = of_run(BUSY, FRENCH)
    assert own == "mm: appels de votre agent : 1 autorisé (sans rien changer)"
    assert jan == (
        "mm: appels de jan : 3 questions, 2 autorisés (par vous), "
        "2 refusés (1 par vous, 1 par une règle du fichier), 1 lancé malgré les réponses (sans demander)"
    )
    assert list(of_run(Tally(), ENGLISH)) == []


def test_a_person_knows_of_what_was_asked_and_of_stop() -> None:
    stopped = Decision(False, Why.CANCELLED, 0)
    asked = (
        Tally().decided(JAN, YES, asked=True).decided(JAN, NO, asked=True).decided(JAN, stopped, asked=True)
    )
    assert not unexplained(asked.whole)
    assert unexplained(Tally().decided(JAN, DENIED, asked=False).whole)
    assert unexplained(Tally().acted(JAN, Finding.UNASKED).whole)
