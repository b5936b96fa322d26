"""What a person sees of a text that another process wrote, and that nothing of it is lost."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from consent.show import BAR, LOCK, MOST_BLANKS, cut, safe, show, show_block, unescape

ANY_TEXT = st.text(st.characters())  # surrogates included
ODD = "\\ntru{}*0123\x1b\u202e\u0336\u200b \t\r\n" + LOCK
ODD_TEXT = st.lists(st.tuples(st.sampled_from(ODD), st.integers(1, 60))).map(
    lambda runs: "".join(char * count for char, count in runs)
)
IGNORABLE = [
    *(0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0),
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
]


@given(ANY_TEXT | ODD_TEXT)
@example(r"\u{1b}")
@example(r"\u{20*50}")
@example("\\" * 7 + "u{1b}")
@settings(max_examples=200)
def test_what_is_shown_can_be_read_back(text: str) -> None:
    assert unescape(show(text)) == text
    assert unescape(show(text, ascii_only=True)) == text


@given(ANY_TEXT | ODD_TEXT)
@settings(max_examples=200)
def test_a_block_can_be_read_back(text: str) -> None:
    lines = show_block(text)
    assert all(line.startswith(BAR) for line in lines)
    assert "\n".join(unescape(line.removeprefix(BAR)) for line in lines) == text


@given(ANY_TEXT | ODD_TEXT)
@settings(max_examples=200)
def test_nothing_unseen_is_left(text: str) -> None:
    shown = show(text)
    assert all(unicodedata.category(char)[0] not in "CZ" or char == " " for char in shown)
    assert not {chr(code) for code in IGNORABLE} & set(shown)
    assert LOCK not in shown
    assert show(text, ascii_only=True).isascii()


@pytest.mark.parametrize("code", IGNORABLE)
def test_what_is_drawn_as_nothing_is_escaped(code: int) -> None:
    assert show(f"l{chr(code)}s") == f"l\\u{{{code:x}}}s"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b[H", r"\u{1b}[2J\u{1b}[H"),
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("C:\\new", r"C:\\new"),
        (r"printf '\u{41}'", r"printf '\\u{41}'"),
        ("\\\x1b", r"\\\u{1b}"),
        ("\\" * 9, r"\u{5c*9}"),
        ("\x9b2J\x7f\x00", r"\u{9b}2J\u{7f}\u{0}"),
        ("cat \u202egnp.sh", r"cat \u{202e}gnp.sh"),
        ("\u2066x\u2069", r"\u{2066}x\u{2069}"),
        ("r\u200bm", r"r\u{200b}m"),
        ("git\u2060 push\ufeff\u00ad", r"git\u{2060} push\u{feff}\u{ad}"),
        ("\U000e0041\U000e007f", r"\u{e0041}\u{e007f}"),
        ("a\u2028b\u2029c\x85d", r"a\u{2028}b\u{2029}c\u{85}d"),
        ("rm\u00a0-rf\u3000~", r"rm\u{a0}-rf\u{3000}~"),
        ("\ud800 \ue000 \uffff \u0378", r"\u{d800} \u{e000} \u{ffff} \u{378}"),
        (f"{LOCK} jan wants", r"\u{1f510} jan wants"),
    ],
)
def test_what_misleads_is_visible(text: str, shown: str) -> None:
    assert show(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        r"grep -E '\d+\.\w' a\ b \(x\)",
        "ls -la | grep 'x' && echo \"é\"",
        "rm 漢字.txt",
        "مرحبا",
        "שלום",
        "🚀 café",
        "नमस्ते",
        "[bold]",
    ],
)
def test_ordinary_text_stays_readable(text: str) -> None:
    assert show(text) == text


def test_combining_marks_are_drawn_up_to_four_on_a_base() -> None:
    assert show("l" + "\u0336" * 4 + "s") == "l" + "\u0336" * 4 + "s"
    assert show("l" + "\u0336" * 2000) == "l" + "\u0336" * 4 + r"\u{336*1996}"
    assert show("l" + "\u0336\u0337" * 3) == "l" + "\u0336\u0337" * 2 + r"\u{336}\u{337}"


def test_a_mark_never_sits_on_something_of_ours() -> None:
    assert show("\u0336a") == r"\u{336}a"
    assert show("\x1b\u0336") == r"\u{1b}\u{336}"
    assert show_block("a\n\u0336b")[1] == BAR + r"\u{336}b"


def test_blanks_that_push_text_off_the_screen_are_counted() -> None:
    assert show("ls" + " " * 2000 + "; rm -rf ~") == r"ls\u{20*2000}; rm -rf ~"
    assert show(" " * MOST_BLANKS + "x") == " " * MOST_BLANKS + "x"
    assert show(" " * (MOST_BLANKS + 1) + "x") == r"\u{20*41}x"


def test_a_run_of_one_escape_is_counted_from_eight_on() -> None:
    assert show("\x1b" * 7) == r"\u{1b}" * 7
    assert show("\x1b" * 8) == r"\u{1b*8}"


def test_text_of_a_model_keeps_its_lines_and_backslashes_and_hides_nothing() -> None:
    assert safe("a\r\nb\n\tc") == "a\nb\n    c"
    assert safe("C:\\new \\\\host") == "C:\\new \\\\host"
    assert safe(f"\x1b[2J{LOCK}\u202e") == r"\u{1b}[2J\u{1f510}\u{202e}"


def test_no_letter_of_a_name_passes_for_another() -> None:
    assert show("b\u0430sh", ascii_only=True) == r"b\u{430}sh"


def test_a_block_keeps_its_lines_and_no_line_looks_like_ours() -> None:
    assert show_block(f"ls\n{LOCK} jan\r") == (BAR + "ls", BAR + r"\u{1f510} jan\r")


def test_a_text_within_its_limits_is_whole() -> None:
    excerpt = cut("one\ntwo", 7, 2)
    assert (excerpt.head, excerpt.tail, excerpt.characters, excerpt.lines) == ("one\ntwo", "", 0, 0)


def test_a_long_line_is_cut_in_its_middle() -> None:
    excerpt = cut("a" * 60 + "b" * 40, 20, 10)
    assert (excerpt.head, excerpt.tail) == ("a" * 10, "b" * 10)
    assert (excerpt.characters, excerpt.lines) == (80, 0)


def test_many_lines_are_cut_in_the_middle() -> None:
    excerpt = cut("\n".join(map(str, range(10))), 1000, 4)
    assert (excerpt.head, excerpt.tail, excerpt.lines) == ("0\n1", "8\n9", 6)


@given(st.text("ab\n", max_size=300), st.integers(2, 60), st.integers(2, 12))
@settings(max_examples=200)
def test_a_cut_keeps_both_ends_and_counts_the_rest(text: str, characters: int, lines: int) -> None:
    excerpt = cut(text, characters, lines)
    assert text.startswith(excerpt.head)
    assert text.endswith(excerpt.tail)
    assert len(excerpt.head) + excerpt.characters + len(excerpt.tail) == len(text)
    assert len(excerpt.head) + len(excerpt.tail) <= characters
    assert excerpt.head.count("\n") + excerpt.tail.count("\n") < lines


@given(st.text("ab\u200b\u200c\u00e9\u6f22\n", max_size=300), st.integers(2, 60), st.integers(2, 12))
@settings(max_examples=200)
def test_a_cut_is_measured_as_it_is_shown(text: str, characters: int, lines: int) -> None:
    excerpt = cut(text, characters, lines)
    width = max(characters // lines, 1)
    shown = [show(line) for end in (excerpt.head, excerpt.tail) if end for line in end.split("\n")]
    columns = [len(line) + line.count("\u6f22") for line in shown]
    assert sum(max(-(-each // width), 1) for each in columns) <= lines
    assert sum(map(len, (excerpt.head, excerpt.tail))) + excerpt.characters == len(text)


def test_escapes_leave_no_more_of_a_text_than_its_limits() -> None:
    excerpt = cut("rm -rf ~/x; : " + "\u200b\u200c" * 580, 750, 10)
    assert excerpt.head.startswith("rm -rf ~/x")
    assert len(show(excerpt.head)) + len(show(excerpt.tail)) <= 750
    assert cut("a\u6f22" * 100, 20).characters == 187


def test_what_joins_the_letter_before_it_is_escaped_and_whole_syllables_stay() -> None:
    for joins in ("\u1161", "\u11ff", "\ud7b0", "\ud7c6", "\ud7cb", "\ud7fb"):
        assert show("a" + joins) == f"a\\u{{{ord(joins):x}}}"
    assert show("\ud55c\uad6d\uc5b4 \u1100") == "\ud55c\uad6d\uc5b4 \u1100"
