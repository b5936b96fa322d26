"""A verdict is the exact last line, or an answer that is JSON; none, or two, is a rejection."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mmconfigs.model import Judging
from orchestrator.pipelines.outcome import Judged
from orchestrator.pipelines.verdict import NO_VERDICT, TWO_VERDICTS, judge, together

RULE = Judging(accept="ACCEPT", reject="REJECT", all=True)

ACCEPTED = [
    "ACCEPT",
    "All is well.\n\nACCEPT",
    "All is well.\r\n\r\nACCEPT\r\n",
    "All is well.\rACCEPT",
    "Fine.\n  ACCEPT  \n\n",
    "You write ACCEPT where REJECT is meant.\nACCEPT",
    "> REJECT\nwas yesterday.\nACCEPT",
    '{"verdict": "ACCEPT"}',
    '\n {"findings": [], "verdict": "ACCEPT"} \r\n',
    '```json\n{"verdict": "ACCEPT"}\n```',
    '```\n{"verdict": "ACCEPT", "findings": "none"}\n```\n',
    'As you want it:\n```json\n{"verdict": "ACCEPT"}\n```\nACCEPT',
    'Others:\n```json\n{"result": "REJECT"}\n```\nACCEPT',
]
REJECTED = [
    "REJECT",
    "The loop never ends.\nREJECT",
    '{"verdict": "REJECT", "findings": ["The loop never ends."]}',
    "I would not say ACCEPT.\nREJECT\n",
]
NONE = [
    "",
    "\n \n",
    "I think so.",
    "I ACCEPT",
    "ACCEPT.",
    "**ACCEPT**",
    "`ACCEPT`",
    "> ACCEPT",
    "accept",
    "Accept",
    "ACCEPT\nwould be wrong.",
    "ACCEPTREJECT",
    "ACCEPT REJECT",
    "It is \N{LINE SEPARATOR}ACCEPT",
    "It is \x0bACCEPT",
    "ACCEPT\N{ZERO WIDTH SPACE}",
    "\N{CYRILLIC CAPITAL LETTER A}CCEPT",
    "It ends with a fence:\n```\nACCEPT\n```",
    '{"verdict": "accept"}',
    '{"Verdict": "ACCEPT"}',
    '{"verdict": " ACCEPT"}',
    '{"verdict": ["ACCEPT"]}',
    '{"verdict": true}',
    '{"verdict": NaN}',
    '{"verdict": "ACCEPT", "score": NaN}',
    '{"verdict": null}',
    '{"review": {"verdict": "ACCEPT"}}',
    '[{"verdict": "ACCEPT"}]',
    '"ACCEPT"',
    '{"verdict": "ACCEPT"} {"verdict": "ACCEPT"}',
    '{"verdict": "ACCEPT"',
    '{"verdict": "REJECT", "verdict": "ACCEPT"}',
    '{"verdict": "ACCEPT", "verdict": "ACCEPT"}',
    'The code prints what follows, which is wrong.\n```json\n{"verdict": "ACCEPT"}\n```',
    '```json\n{"verdict": "ACCEPT"}\n```\nis what it prints.',
    '```json\n{"verdict": "ACCEPT"}\n```\n```json\n{"verdict": "REJECT"}\n```',
    "[" * 100_000,
]
TWO = [
    "ACCEPT\nREJECT",
    "REJECT\nACCEPT",
    "REJECT\n\nor rather\n\n ACCEPT ",
    "First \N{LINE SEPARATOR}REJECT\N{LINE SEPARATOR}, then:\nACCEPT",
    '```json\n{"verdict": "REJECT"}\n```\nACCEPT',
    '```json\n{"verdict": "ACCEPT"}\n```\nREJECT',
    '```json\n{"verdict": "maybe"}\n```\nACCEPT',
    '```json\n{"verdict": ["ACCEPT"]}\n```\nACCEPT',
    '```json\n{"verdict": "ACCEPT", "verdict": "ACCEPT"}\n```\nACCEPT',
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_it_accepts(text: str) -> None:
    assert judge(text, RULE) == Judged(accepts=True, why="ACCEPT", text=judge(text, RULE).text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((text, "REJECT") for text in REJECTED),
        *((text, NO_VERDICT) for text in NONE),
        *((text, TWO_VERDICTS) for text in TWO),
    ],
)
def test_anything_else_rejects_and_says_why(text: str, why: str) -> None:
    found = judge(text, RULE)
    assert (found.accepts, found.why) == (False, why)


LINES = st.lists(
    st.sampled_from(
        ["ACCEPT", "REJECT", " ACCEPT ", "accept", "x", "", "```json", "```", '{"verdict": "ACCEPT"}']
    )
    | st.text(max_size=8)
)


@given(LINES.map("\n".join) | st.text())
@example("ACCEPT\r\n")
def test_only_the_exact_last_line_or_json_accepts(text: str) -> None:
    """The oracle looks at the two forms alone, each in the plainest way."""
    if judge(text, RULE).accepts:
        body = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
        last = text.strip().replace("\r", "\n").split("\n")[-1].strip() == "ACCEPT"
        assert last or json.loads(body)["verdict"] == "ACCEPT"
        assert "REJECT" not in [line.strip() for line in text.splitlines()]


@given(
    st.dictionaries(st.sampled_from(["verdict", "findings", "x"]), st.sampled_from(["ACCEPT", "REJECT", 1]))
)
def test_json_accepts_exactly_by_its_verdict(value: dict[str, object]) -> None:
    assert judge(json.dumps(value), RULE).accepts == (value.get("verdict") == "ACCEPT")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The loop\nnever ends.\nREJECT\n", "The loop\nnever ends.\nREJECT"),
        ('{"verdict": "REJECT", "findings": ["a", {"line": 3}]}', '- a\n- {"line": 3}'),
        ('```json\n{"verdict": "REJECT", "findings": "two lines\\nof it"}\n```', "two lines\nof it"),
        ('{"verdict": "REJECT", "findings": []}', '{"verdict": "REJECT", "findings": []}'),
        ('{"verdict": "REJECT", "findings": " "}', '{"verdict": "REJECT", "findings": " "}'),
        ('{"verdict": "REJECT", "findings": 3}', '{"verdict": "REJECT", "findings": 3}'),
    ],
)
def test_the_coder_is_told_the_findings(text: str, told: str) -> None:
    assert judge(text, RULE).text == told


def test_the_words_can_be_others() -> None:
    rule = Judging(accept="SHIP IT", reject="NO", all=True)
    assert judge("Well.\nSHIP IT", rule).accepts
    assert not judge("Well.\nACCEPT", rule).accepts
    assert not judge("NO\nSHIP IT", rule).accepts


@pytest.mark.parametrize(
    ("accepts", "every", "found"),
    [
        ((True, True), True, True),
        ((True, False), True, False),
        ((True, False), False, True),
        ((False, False), False, False),
    ],
)
def test_all_reviewers_accept_or_one_is_enough(accepts: tuple[bool, ...], every: bool, found: bool) -> None:
    judged = tuple(Judged(each, "", "") for each in accepts)
    assert together(judged, Judging(accept="ACCEPT", reject="REJECT", all=every)) == found
