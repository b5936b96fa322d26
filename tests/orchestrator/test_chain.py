"""The chain of asking agents: it travels whole, it finds cycles, and no file below can lengthen it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.chain import DEPTH, VARIABLE, Chain, read_chain

NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,63}", fullmatch=True)
TEXTS = st.text(st.characters(blacklist_characters="\0", blacklist_categories=()), max_size=80)


def down(*askers: str, depth: int = DEPTH) -> Chain:
    """The chain below these askers, each in a file of its own name."""
    chain = Chain(depth=depth)
    for name in askers:
        chain = chain.through(name, f"/{name}.yaml", depth)
    return chain


def test_without_a_variable_nobody_asks() -> None:
    chain = read_chain({}, 3)
    assert (chain.asked, chain.readable, chain.depth) == (False, True, 3)


@given(st.lists(st.tuples(NAMES, st.text(max_size=80)), min_size=1, max_size=5), st.integers(1, 999))
def test_a_chain_arrives_as_it_was_sent(askers: list[tuple[str, str]], depth: int) -> None:
    chain = Chain(depth=depth)
    for name, identity in askers:
        chain = chain.through(name, identity, depth)
    assert read_chain({VARIABLE: str(chain)}, depth) == chain
    assert read_chain({VARIABLE: str(chain)}, depth).asked


@given(TEXTS)
def test_any_other_text_stops_here(text: str) -> None:
    chain = read_chain({VARIABLE: text}, 4)
    if str(chain) != text:
        assert not chain.readable
        assert chain.asked
        assert VARIABLE in chain.through("jan", "/jan.yaml", 4).refuses("homer", "/homer.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "4;",
        "riker:0123456789abcdef",
        "-1;riker:0123456789abcdef",
        "²;riker:0123456789abcdef",
        "٤;riker:0123456789abcdef",
        "1000;riker:0123456789abcdef",
        "4;Riker:0123456789abcdef",
        "4;riker:0123456789ABCDEF",
        "4;riker:0123",
        "4;riker:0123456789abcdef;",
        "4; riker:0123456789abcdef",
        "4;riker:0123456789abcdef\n",
    ],
)
def test_garbage_is_unreadable(text: str) -> None:
    chain = read_chain({VARIABLE: text}, 4)
    assert not chain.readable
    below = read_chain({VARIABLE: str(chain.through("jan", "/jan.yaml", 9))}, 9)
    assert below.through("homer", "/homer.yaml", 9).refuses("marge", "") != ""


def test_an_agent_that_waits_further_up_is_a_cycle() -> None:
    """O-m3"""
    chain = down("riker", "jan")
    assert chain.refuses("boss", "/riker.yaml") == (
        "riker > jan > boss is a cycle: boss is already waiting further up in this chain"
    )
    assert chain.refuses("jan", "/jan.yaml") != ""
    assert chain.refuses("riker", "/another.yaml") == ""


def test_an_agent_without_a_file_makes_no_cycle() -> None:
    assert down("riker").refuses("gem", "") == ""


def test_the_longest_path_is_the_depth() -> None:
    """O-m3"""
    assert down("a", "b", depth=2).refuses("c", "") == ""
    assert down("a", "b", "c", depth=2).refuses("d", "") == "a > b > c > d is deeper than limits.depth: 2"


def test_the_launched_files_depth_cannot_be_raised_below() -> None:
    """O-m3"""
    launched = Chain(depth=1).through("riker", "/riker.yaml", 1)
    jan = read_chain({VARIABLE: str(launched)}, 999)
    assert jan.depth == 1
    assert "limits.depth: 1" in jan.through("jan", "/jan.yaml", 999).refuses("homer", "/homer.yaml")


def test_a_file_below_may_lower_the_depth() -> None:
    jan = read_chain({VARIABLE: str(down("riker", depth=9))}, 1)
    assert "limits.depth: 1" in jan.through("jan", "/jan.yaml", 1).refuses("homer", "/homer.yaml")
