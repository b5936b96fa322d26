"""A diff shows exactly what changes, and is drawn in bounded time."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.words.diff import diff

TEXT = st.lists(st.sampled_from("abc"), max_size=30).map("\n".join)


def applied(lines: list[str]) -> tuple[list[str], list[str]]:
    """What the diff takes out and what it puts in."""
    return [line[1:] for line in lines if line[0] == "-"], [line[1:] for line in lines if line[0] == "+"]


def test_two_places_are_two_hunks() -> None:
    before = [f"{number}" for number in range(40)]
    after = ["zero", *before[1:30], *before[31:]]
    lines = list(diff("\n".join(before), "\n".join(after)))
    assert [line for line in lines if line.startswith("@@")] == ["@@ -1,4 +1,4 @@", "@@ -28,7 +28,6 @@"]
    assert applied(lines) == (["0", "30"], ["zero"])


def test_equal_texts_have_no_diff() -> None:
    assert list(diff("a\nb", "a\nb")) == []


def test_a_new_text_is_all_in_and_an_emptied_one_all_out() -> None:
    assert list(diff("", "a\nb\n")) == ["@@ -0,0 +1,2 @@", "+a", "+b"]
    assert list(diff("a\n", "")) == ["@@ -1,1 +0,0 @@", "-a"]


def test_a_final_line_end_is_visible_where_it_changes() -> None:
    assert list(diff("a\n", "a")) == ["@@ -1,1 +1,1 @@", "-a", "+a\n(no newline at end of file)"]
    assert list(diff("a", "b")) == ["@@ -1,1 +1,1 @@", "-a", "+b"]


def test_line_ends_are_part_of_their_line() -> None:
    assert list(diff("a\r\n", "a\n")) == ["@@ -1,1 +1,1 @@", "-a\r", "+a"]


@given(TEXT, TEXT)
@settings(max_examples=100)
def test_what_goes_in_and_out_makes_the_one_text_of_the_other(before: str, after: str) -> None:
    lines = list(diff(before + "\n", after + "\n"))
    out, into = applied(lines)
    old, new = before.split("\n"), after.split("\n")
    assert len(old) - len(out) == len(new) - len(into)
    assert bool(lines) is (before != after)
    for line in out:
        old.remove(line)
    for line in into:
        new.remove(line)
    assert sorted(old) == sorted(new)


def test_a_large_change_is_not_compared_line_by_line() -> None:
    before = "\n".join("ab"[number % 2] for number in range(20_000))
    after = "\n".join("ba"[number % 3 % 2] for number in range(20_000))
    lines = list(diff(before, after))
    assert len(lines) > 30_000
    assert lines[0].startswith("@@ -")


def test_a_small_edit_of_a_large_text_is_small() -> None:
    before = "\n".join(map(str, range(50_000)))
    lines = list(diff(before, before.replace("\n25000\n", "\nhere\n")))
    assert lines[0] == "@@ -24998,7 +24998,7 @@"
    assert lines[4:6] == ["-25000", "+here"]
