"""When a typed line answers: every order and time of keys."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.facades import guard
from orchestrator.facades.guard import QUIET, SETTLE, Accepted, Confirming, Inviting, Settling, State
from orchestrator.facades.keys import Decoder, Key, Pasted, Press, Typed

OFFERED = ("1", "2", "3", "4", "s", "d")
ALLOWING = ("1", "2")

Timed = tuple[float, Key]


def play(keys: Iterable[Timed], until: float = 1e6) -> tuple[State, float | None]:
    """The state after these keys (ascending times; drawn at 0), and when answers were first invited."""
    state: State = guard.drawn(0)
    invited: float | None = None
    for time, key in [*keys, (until, None)]:
        while (left := guard.wait(state, 0)) is not None and left <= time:
            state = guard.rest(state, left)
            if isinstance(state, Inviting) and invited is None:
                invited = left
        if key is not None:
            state = guard.press(state, key, time, OFFERED)
    return state, invited


def typed(line: str, at: float, pause: float = 0.2) -> list[Timed]:
    keys: list[Key] = [*map(Typed, line), Press.ENTER]
    return [(at + number * pause, key) for number, key in enumerate(keys)]


def test_the_invitation_comes_half_a_second_after_drawing() -> None:
    assert play([], until=SETTLE - 0.001)[0] == Settling(0, SETTLE)
    assert isinstance(play([], until=SETTLE)[0], Inviting)


@pytest.mark.parametrize("gap", [0.0, 0.09, 0.2, 0.49])
def test_the_invitation_waits_until_the_typing_has_stopped(gap: float) -> None:
    """Also that of a slow typist, whose `1` and Enter may stand apart from the rest of the line."""
    keys: list[Timed] = [(number * gap, Typed("x")) for number in range(20)]
    assert play(keys)[1] == pytest.approx(19 * gap + SETTLE)


@pytest.mark.parametrize("line", OFFERED)
@pytest.mark.parametrize("pause", [0, 0.001, 5])
def test_a_lone_answer_is_accepted_however_fast(line: str, pause: float) -> None:
    assert play(typed(line, SETTLE, pause))[0] == Accepted(line)


def test_an_answer_counts_only_after_a_silence() -> None:
    keys = typed("1", 1, 0)
    assert isinstance(play(keys, until=1 + QUIET - 0.001)[0], Confirming)
    assert play(keys, until=1 + QUIET)[0] == Accepted("1")


@pytest.mark.parametrize("step", range(50))
def test_arrival_times_around_the_invitation(step: int) -> None:
    """From before it to after it: the answer counts exactly when it was invited."""
    at = SETTLE - 0.05 + step * 0.002
    state, _ = play(typed("1", at, 0))
    assert (state == Accepted("1")) == (at >= SETTLE)


@pytest.mark.parametrize("step", range(50))
def test_other_input_near_an_answer_spoils_it(step: int) -> None:
    gap = step * 0.004
    before: list[Timed] = [(2, Typed("x")), (2, Press.BACKSPACE), *typed("1", 2 + gap, 0)]
    after: list[Timed] = [*typed("1", 2, 0), (2 + gap, Press.OTHER)]
    assert (play(before)[0] == Accepted("1")) == (gap >= QUIET)
    assert (play(after)[0] == Accepted("1")) == (gap >= QUIET)


@pytest.mark.parametrize(
    "line",
    ["", " ", "1 ", " 1", "11", "12", "5", "0", "y", "yes", "S", "1 yes please", "１", "1\u200b", "x" * 500],
)
def test_other_lines_answer_nothing(line: str) -> None:
    assert isinstance(play(typed(line, 1))[0], Inviting)


@pytest.mark.parametrize(
    "line", ["1\x7f1\r", "12\x7f\r", "x\x7f1\r", "\x1b1\r", "1\x1b\r", "\x1b[1\r", "1\x00\r"]
)
def test_a_line_that_was_mended_in_one_go_answers_nothing(line: str) -> None:
    assert isinstance(play([(1, key) for key in Decoder().feed(line.encode())])[0], Inviting)


def test_a_line_mended_to_an_answer_after_more_was_typed_answers_nothing() -> None:
    keys: list[Timed] = [(1, Typed("1")), (2, Typed("x")), (3, Press.BACKSPACE), (4, Press.ENTER)]
    assert isinstance(play(keys)[0], Inviting)


@pytest.mark.parametrize(
    "key", [Press.ENTER, Press.OTHER, Press.END, Press.BACKSPACE, Typed(" "), Pasted("1\r")]
)
def test_no_other_key_answers(key: Key) -> None:
    assert isinstance(play([(1 + number, key) for number in range(20)])[0], Inviting)


def test_pasted_answers_allow_nothing() -> None:
    assert isinstance(play([(1, Pasted("1")), (2, Press.ENTER)])[0], Inviting)
    unmarked = Decoder().feed(b"1\r" * 5000)
    assert isinstance(play([(1, key) for key in unmarked])[0], Inviting)
    assert isinstance(play([(1 + number / 20, key) for number, key in enumerate(unmarked)])[0], Inviting)


@pytest.mark.parametrize("chunk", [2, 3, 7, 64, 1000])
@pytest.mark.parametrize("pause", [0.05, 0.15, 0.45])
@pytest.mark.parametrize("begins", [0.0, 0.3, 2.0])
def test_a_paste_that_dribbles_in_allows_nothing(chunk: int, pause: float, begins: float) -> None:
    """Unless its first piece is a lone answer after the invitation: then it is as typed by a person."""
    unmarked = Decoder().feed(b"1\r" * 5000 if begins < SETTLE else b"x" + b"1\r" * 5000)
    keys = [(begins + number // chunk * pause, key) for number, key in enumerate(unmarked)]
    assert isinstance(play(keys)[0], Inviting)


_KEYS = st.one_of(
    st.sampled_from([*map(Typed, "1234sdx "), Press.ENTER, Press.BACKSPACE, Press.OTHER, Press.END]),
    st.sampled_from([Typed("1"), Press.ENTER]),
    st.sampled_from(["1", "1\r", ""]).map(Pasted),
)
_GAPS = st.sampled_from([0.0, 0.01, 0.05, 0.099, 0.1, 0.11, 0.3, 0.6])


@settings(max_examples=200)
@given(st.lists(st.tuples(_GAPS, _KEYS), max_size=30))
def test_only_a_lone_line_after_the_invitation_is_ever_accepted(steps: list[tuple[float, Key]]) -> None:
    now, keys = 0.0, []
    for gap, key in steps:
        now += gap
        keys.append((now, key))
    state, invited = play(keys)
    if isinstance(state, Accepted):
        ends = [number for number in range(1, len(keys)) if _is_lone_line(keys, number, state.line)]
        assert any(invited is not None and keys[number - 1][0] >= invited for number in ends)


def _is_lone_line(keys: list[Timed], end: int, line: str) -> bool:
    (began, first), (entered, last) = keys[end - 1], keys[end]
    before = keys[end - 2][0] if end >= 2 else -1.0
    after = keys[end + 1][0] if end + 1 < len(keys) else entered + 1
    alone = began - before >= QUIET - 1e-9 and after - entered >= QUIET - 1e-9
    return first == Typed(line) and last is Press.ENTER and alone


def _cannot_allow(key: object) -> bool:
    return key not in [Typed(line) for line in ALLOWING]


@settings(max_examples=200)
@given(st.lists(st.tuples(_GAPS, _KEYS.filter(_cannot_allow)), max_size=30))
def test_without_a_digit_that_allows_nothing_is_allowed(steps: list[tuple[float, Key]]) -> None:
    now, keys = 0.0, []
    for gap, key in steps:
        now += gap
        keys.append((now, key))
    state, _ = play(keys)
    assert not isinstance(state, Accepted) or state.line not in ALLOWING
