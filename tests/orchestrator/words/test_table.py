"""The table of a run in words."""

from __future__ import annotations

import pytest

from mmconfigs.language import Words, saying
from orchestrator.events import Phase, Row
from orchestrator.pipelines.outcome import Ended
from orchestrator.pipelines.sentences import ENDS
from orchestrator.words.table import change, entry, lasting, news, table

ENGLISH, FRENCH = Words(), Words("fr")
DONE, WORKS = Row("homer", 1, Phase.DONE, "", 12.4, 4812), Row("jan", 1, Phase.WORKING)


def test_where_the_columns_do_not_fit_each_row_is_a_sentence() -> None:
    wide = table((DONE, WORKS), ENGLISH, 80)
    assert wide == (
        "   who    round  state    time  tokens",
        "✓  homer  1      done     12 s  4,812",
        "▸  jan    1      working  –     –",
    )
    assert table((DONE, WORKS), ENGLISH, 38) == wide
    assert table((DONE, WORKS), ENGLISH, 37) == (
        "✓ homer: done, round 1, 12 s, 4,812 tokens",
        "▸ jan: working, round 1",
    )


def test_a_row_says_why_it_is_not_done_in_the_language_of_the_reader() -> None:
    row = Row("jan", 2, Phase.FAILED, saying(ENDS[Ended.REFUSED]))
    assert entry(row, ENGLISH) == "jan: not finished, refused, round 2"
    assert change(row, FRENCH) == "✗ jan: pas fini, refusé, tour 2"


def test_what_agents_say_and_are_called_is_escaped() -> None:
    row = Row("j\u0430n", 1, Phase.DONE, "A\n\x1b[2J")
    assert entry(row, ENGLISH) == "j\\u{430}n: done, A\\n\\u{1b}[2J, round 1"
    assert all("\x1b" not in line for line in table((row,), ENGLISH, 200))


@pytest.mark.parametrize(("seconds", "said"), [(0.4, "0 s"), (59.6, "1 min 0 s"), (3725, "62 min 5 s")])
def test_how_long_something_took(seconds: float, said: str) -> None:
    assert lasting(seconds) == said


def test_only_what_changed_and_does_not_wait_is_news() -> None:
    waits = Row("lisa", 1, Phase.WAITING)
    assert news((), (DONE, WORKS, waits)) == (DONE, WORKS)
    assert news((DONE, WORKS), (DONE, WORKS, waits)) == ()
    assert news((DONE, WORKS, waits), (WORKS,)) == (WORKS,)
