"""A question says who asks, what it wants, the detail, what is doubtful, and what each answer covers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from consent.answer import Answer
from consent.call import Altered, Arguments, Change, Detail, Doubt, Place, Task, Tier
from consent.danger.finding import Finding, Reason, Verdict
from consent.docket import Waiting
from consent.gate import Question
from consent.key import Kind
from consent.matching import Effect, Rule, parse_pattern
from orchestrator.words.card import Choice, card
from orchestrator.words.detail import whole_detail
from tests.orchestrator.words.calls import ENGLISH, FRENCH, GEM, JAN, OWN, command, drawn, everything, lines

HOME = Finding(Verdict.CRITICAL, Reason.DELETES_HOME, "~")


def test_a_question_stands_in_its_order() -> None:
    call = command("rm -rf ~", mark=HOME, doubts=(Doubt.TOO_LONG,), title="a tidy-up")
    assert lines(drawn(call, behind=2)) == [
        "jan wants to run a command on this computer",
        "│ rm -rf ~",
        "all arguments:",
        "│ {",
        '│   "command": "rm -rf ~"',
        "│ }",
        "critical: deletes a home folder: ~",
        "the command is longer than a person can read",
        "jan calls it: a tidy-up",
        "folder: /home/me/project",
        "1 allow once (only this call)",
        "2 allow for the session (every bash call of jan until mm stops)",
        "3 never in this session (every bash call of jan until mm stops)",
        "4 refuse once (only this call)",
        "stop jan and every agent below: all that waits is cancelled",
        "2 more waiting",
    ]


def test_a_question_says_which_rule_wants_it() -> None:
    rule = Rule(parse_pattern("jan/bash"), Effect.PROMPT, "riker.yaml:3:5")
    ruled = card(Waiting(0, Question(JAN, 5, False, rule)), ENGLISH, 0)
    assert ruled.cause == "a rule asks: jan/bash: prompt (riker.yaml:3:5)"
    assert ruled.cause in ruled.body
    assert drawn(replace(JAN, marked=True)).cause == "the own file of jan asks"
    inherited = replace(rule, inherited=True)
    assert card(Waiting(0, Question(JAN, 5, False, inherited)), ENGLISH, 0).cause == ""
    assert drawn(JAN).cause == ""


def test_a_question_speaks_french() -> None:
    assert lines(drawn(OWN, FRENCH, behind=1)) == [
        "votre agent veut exécuter une commande sur cet ordinateur",
        "│ ls",
        "dossier : /home/me/project",
        "1 autoriser une fois (seulement cet appel)",
        "2 autoriser pour la session (chaque appel bash de votre agent jusqu'à l'arrêt de mm)",
        "3 jamais dans cette session (chaque appel bash de votre agent jusqu'à l'arrêt de mm)",
        "4 refuser une fois (seulement cet appel)",
        "arrêter votre agent et tous les agents au-dessous : tout ce qui attend est annulé",
        "encore 1 en attente",
    ]


def test_O_a3_each_question_names_its_asker_in_words() -> None:
    nested = replace(JAN, path=("jan", "homer"))
    assert [drawn(call).who for call in (OWN, JAN, nested, GEM)] == [
        "you",
        "jan",
        "jan › homer",
        "gem, or an agent that it asks",
    ]
    assert all(drawn(call).sentence.startswith(drawn(call).who) for call in (OWN, JAN, nested, GEM))


@pytest.mark.parametrize(
    ("name", "kind", "detail", "wish"),
    [
        ("edit_file", Kind.EDIT, Change("a", "/a", "x", "y"), "change a file on this computer"),
        ("write_file", Kind.EDIT, Change("a", "/a", None, "y"), "write a whole file on this computer"),
        ("ask_homer", Kind.OTHER, Task("homer", "hi"), "hand a task to homer"),
        ("read_file", Kind.READ, Place("/a"), "read a file on this computer"),
        ("fetch_content", Kind.FETCH, Place("http://a"), "open a network address from this computer"),
        ("bash", Kind.EXECUTE, Arguments(""), "run a command on this computer"),
        ("sweep", Kind.READ, Arguments("{}"), "use the tool sweep on this computer"),
        (None, Kind.DELETE, Arguments("{}"), "delete something on this computer"),
        ("", Kind.READ, Arguments("{}"), "do something on this computer, with a tool that it does not name"),
        ("exit", Kind.SWITCH_MODE, Arguments("{}"), "change its mode: what it may do on this computer"),
    ],
)
def test_one_plain_sentence_says_what_it_wants(
    name: str | None, kind: Kind, detail: Detail, wish: str
) -> None:
    sentence = drawn(replace(JAN, name=name, kind=kind, detail=detail)).sentence
    assert sentence.startswith(f"jan wants to {wish}")


def test_a_task_that_frees_something_says_why_it_asks() -> None:
    task = replace(OWN, name="ask_homer", detail=Task("homer", "hi"), tier=Tier.EXEC)
    assert drawn(task).sentence == "your agent wants to hand a task to homer, who runs free: its yolo is on"
    assert drawn(replace(task, tier=Tier.READ)).sentence == "your agent wants to hand a task to homer"
    assert "free" not in drawn(replace(JAN, name="ask_homer", detail=Task("homer", "hi"))).sentence


CHANGED = replace(
    OWN,
    name="ask_jan",
    kind=Kind.SWITCH_MODE,
    detail=Altered("jan", "/w/jan.yaml", "/w/jan.yaml"),
    arguments='{"agent": "jan", "path": "/w/jan.yaml", "file": "/w/jan.yaml", "content": "sha256:1"}',
)


def test_a_file_that_changed_is_said_in_one_sentence_with_where_to_look() -> None:
    wants = "your agent wants to start jan on this computer"
    assert drawn(CHANGED, once_only=True).body == (
        f"{wants}; the file that decides what jan does changed since mm was started",
        "│ /w/jan.yaml",
        "to see what it says now, open this file",
        "folder: /home/me/project",
    )
    linked = replace(CHANGED, detail=Altered("jan", "/w/jan.yaml", "/w/evil\x1b.yaml"))
    assert drawn(linked).detail[1] == r"leads to /w/evil\u{1b}.yaml"
    assert "sha256:1" in everything(CHANGED, drawn(CHANGED))
    assert "le fichier qui décide de ce que fait jan a changé" in drawn(CHANGED, FRENCH).sentence


def test_a_foreign_agent_compared_nothing_so_its_claim_is_shown_as_it_is() -> None:
    claimed = replace(GEM, name="ask_jan", kind=Kind.SWITCH_MODE, detail=CHANGED.detail)
    shown = drawn(replace(claimed, arguments=CHANGED.arguments))
    assert "wants to change its mode" in shown.sentence
    assert '│   "content": "sha256:1"' in shown.detail


def test_a_tool_of_a_server_is_third_party() -> None:
    shown = drawn(replace(OWN, name="delete", server="files", detail=Arguments("{}")))
    assert "the tool delete of the third-party server files" in shown.sentence
    assert shown.title == "mcp__files__delete: {}"


def test_a_once_only_question_has_no_second_answer() -> None:
    shown = drawn(JAN, once_only=True)
    assert [(choice.digit, choice.answer) for choice in shown.choices] == [
        (1, Answer.ALLOW_ONCE),
        (3, Answer.NEVER),
        (4, Answer.REFUSE_ONCE),
    ]


def test_each_of_several_yeses_is_an_answer_of_its_own_and_the_other_digits_mean_the_same() -> None:
    several = drawn(replace(GEM, yeses=("Yes", "Yes, and edit\nfreely", "")))
    assert lines(several)[-6:-1] == [
        "1 allow once: Yes (only this call, and whatever gem means by it)",
        r"5 allow once: Yes, and edit\nfreely (only this call, and whatever gem means by it)",
        '6 allow once: "" (only this call, and whatever gem means by it)',
        "3 never in this session (every bash call of gem and of agents that it asks until mm stops)",
        "4 refuse once (only this call)",
    ]


def test_a_lasting_answer_says_what_it_covers() -> None:
    def never(**changes: object) -> Choice:
        call = replace(JAN, **changes)  # type: ignore[arg-type]
        return next(choice for choice in drawn(call).choices if choice.answer is Answer.NEVER)

    assert never(name=None).covers == "every (execute) call of jan without a tool name until mm stops"
    assert never(name="b\u0430sh").covers == "every call of jan without a clear name until mm stops"
    assert never(path=("jan", "homer")).covers == "every bash call of jan › homer until mm stops"
    covers = drawn(GEM).choices[1].covers
    assert covers == "every bash call of gem and of agents that it asks until mm stops"


def test_the_doubts_are_said_in_the_words_that_scripts_look_for() -> None:
    doubts = (Doubt.NO_ARGUMENTS, Doubt.AFTER_THE_FACT, Doubt.KIND_DISAGREES)
    said = drawn(replace(JAN, kind=Kind.READ, doubts=doubts)).doubts
    assert "did not say" in said[0]
    assert "already" in said[1]
    assert said[2] == "the kind of call that jan gave (read) does not match the tool bash"


def test_an_invalid_name_is_spelled_out() -> None:
    shown = drawn(replace(GEM, name="b\u0430sh", doubts=(Doubt.NAME_INVALID,)))
    assert shown.doubts == (r"gem gave a tool name that is no valid name: b\u{430}sh",)
    assert shown.title == "gem › (unclear): ls"


@pytest.mark.parametrize("title", ["", "ls", "bash: ls", "jan › bash: ls", "bash"])
def test_a_title_that_says_no_more_is_not_repeated(title: str) -> None:
    detail = Arguments("") if title == "bash" else JAN.detail
    assert drawn(replace(JAN, title=title, detail=detail)).claim == ()


def test_the_cut_title_of_our_own_child_is_not_repeated() -> None:
    long = command("echo " + "x" * 500 + "\x1b", path=("jan", "homer"))
    from_child = drawn(replace(long, path=("homer",))).title
    assert drawn(replace(long, title=from_child)).claim == ()


def test_a_title_is_one_line_and_never_trusted() -> None:
    call = command("rm -rf ~", title="bash: ls\n\U0001f510 jan wants: ls [allowed]")
    assert drawn(call).claim == (r"jan calls it: bash: ls\n\u{1f510} jan wants: ls [allowed]",)
    assert len("".join(drawn(replace(call, title="x" * 5000)).claim)) < 200


def test_a_title_that_is_all_there_is_to_see_is_cut_like_a_command_with_its_count() -> None:
    shown = replace(GEM, arguments="", detail=Arguments(""), title="git status " + "x" * 900 + "; EVIL")
    claim = drawn(shown).claim
    assert claim[0] == "gem calls it:"
    assert claim[1].startswith("│ git status")
    assert claim[2] == "… 167 characters hidden …"
    assert claim[3].endswith("; EVIL")
    assert f"│ {shown.title}" in whole_detail(shown, ENGLISH)
    assert drawn(shown, FRENCH).claim[2] == "… 167 caractères cachés …"


def test_the_whole_name_of_a_yes_stands_behind_details() -> None:
    name = "yes " + "a" * 300 + " and switch to free editing " + "b" * 200
    several = replace(GEM, yeses=(name, "no more"))
    assert whole_detail(several, ENGLISH)[-2:] == ("allow once:", f"│ {name}")


def test_the_title_for_editors_is_cut_and_keeps_its_end() -> None:
    title = drawn(command("echo " + "x" * 5000 + "; rm -rf ~/x")).title
    assert title.startswith("jan › bash: echo xxx")
    assert title.endswith("; rm -rf ~/x")
    assert len(title) < 160


def test_names_from_the_wire_cannot_draw() -> None:
    shown = drawn(
        replace(JAN, path=("jan", "\x1b[2J › you"), folder="/w\x1b[2J", mark=replace(HOME, what="\x07"))
    )
    assert shown.who == r"jan › \u{1b}[2J \u{203a} you"
    assert shown.folder == r"folder: /w\u{1b}[2J"
    assert shown.mark == r"critical: deletes a home folder: \u{7}"


def test_the_languages_differ_only_in_words() -> None:
    english, french = drawn(GEM, ENGLISH), drawn(GEM, FRENCH)
    assert english.title == french.title
    assert french.who == "gem, ou un agent qu'il interroge"
    assert "{" not in "".join(lines(french))
