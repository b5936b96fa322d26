"""Who reads the keys, and what reading gives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from orchestrator.facades.keyboard import Keyboard, read_bytes
from orchestrator.facades.keys import Press, Typed
from orchestrator.facades.prompt import Reader

pytestmark = pytest.mark.anyio


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


async def test_what_has_arrived_when_the_time_is_over_is_input(pipe: tuple[int, int]) -> None:
    keyboard = Keyboard(pipe[0], anyio.current_time)
    assert await keyboard.read(0) is None
    os.write(pipe[1], b"1\r")
    assert await keyboard.read(0) == (Typed("1"), Press.ENTER)


async def test_half_a_sequence_is_input_without_a_key(pipe: tuple[int, int]) -> None:
    keyboard = Keyboard(pipe[0], anyio.current_time)
    os.write(pipe[1], b"\x1b")
    assert await keyboard.read(0) == ()


async def test_an_escape_belongs_to_what_follows_at_once_and_to_nothing_later(pipe: tuple[int, int]) -> None:
    now = 0.0
    keyboard = Keyboard(pipe[0], lambda: now)
    os.write(pipe[1], b"\x1b")
    await keyboard.read(0)
    now += 0.05
    os.write(pipe[1], b"[A\x1b")
    assert await keyboard.read(0) == (Press.OTHER,)
    now += 0.15
    os.write(pipe[1], b"1")
    assert await keyboard.read(0) == (Typed("1"),)


async def test_bytes_given_back_are_read_first(pipe: tuple[int, int]) -> None:
    keyboard = Keyboard(pipe[0], anyio.current_time)
    os.write(pipe[1], b"b")
    keyboard.give_back(b"a")
    assert await keyboard.read(0) == (Typed("a"),)
    assert await keyboard.read(0) == (Typed("b"),)


async def test_an_input_that_cannot_be_read_has_ended(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(anyio.EndOfStream):
        await read_bytes(folder)
    reader = Reader(folder)
    assert reader.read() == ""
    assert reader.closed
    os.close(folder)


async def test_half_a_character_and_nothing_at_all_are_not_the_end(pipe: tuple[int, int]) -> None:
    reader = Reader(pipe[0])
    os.write(pipe[1], "é".encode()[:1])
    assert (reader.read(), reader.read()) == ("", "")
    os.write(pipe[1], "é".encode()[1:] + b"\xff")
    assert reader.read() == "é\ufffd"
    assert not reader.closed


async def test_an_idler_between_two_borrowers_makes_way(pipe: tuple[int, int]) -> None:
    keyboard = Keyboard(pipe[0], anyio.current_time)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            async with keyboard.borrowed():
                tasks.start_soon(keyboard.idle, anyio.sleep_forever)
                await anyio.wait_all_tasks_blocked()
            async with keyboard.borrowed():
                tasks.cancel_scope.cancel()


async def test_borrowers_are_served_in_order(pipe: tuple[int, int]) -> None:
    keyboard = Keyboard(pipe[0], anyio.current_time)
    served: list[int] = []

    async def borrow(number: int) -> None:
        async with keyboard.borrowed():
            await anyio.wait_all_tasks_blocked()
            served.append(number)

    async with anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(borrow, number)
    assert served == [0, 1, 2, 3, 4]
