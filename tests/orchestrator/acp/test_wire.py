"""One connection over real pipes: order, answers, cancellation, loss, and two sides that talk at once."""

import json
import sys
from itertools import count

import anyio
import pytest

from orchestrator.acp import wire
from orchestrator.acp.frames import FRAME_LIMIT
from orchestrator.acp.schema import ErrorCode
from orchestrator.acp.wire import IN_FLIGHT, ConnectionLost, RpcError
from tests.orchestrator.acp.peers import Raw, Side, connected, pipes, served
from tests.orchestrator.parts import DEADLINE, running


async def codes(raw: Raw, number: int) -> list[tuple[object, int]]:
    answers = [await raw.hear() for _ in range(number)]
    return [(answer["id"], answer["error"]["code"]) for answer in answers]


async def test_both_sides_ask_and_answer() -> None:
    async with connected() as (client, agent):
        assert await client.wire.request("echo", {"text": "é漢🔐"}) == {"text": "é漢🔐"}
        assert await agent.wire.request("echo", {"n": 0}) == {"n": 0}


async def test_an_error_answer_is_raised_with_its_data() -> None:
    async with connected() as (client, _):
        with pytest.raises(RpcError, match="not here") as caught:
            await client.wire.request("fail", {})
        assert (caught.value.code, caught.value.data) == (-32002, {"uri": "x"})


@pytest.mark.parametrize("method", ["break", "infinite"])
async def test_a_fault_of_the_handler_is_answered_and_reported(method: str) -> None:
    async with served() as (side, raw):
        await raw.ask(7, method)
        assert await codes(raw, 1) == [(7, ErrorCode.INTERNAL_ERROR)]
        assert "Error" in side.reports[0]
        await raw.ask(8, "echo")
        assert (await raw.hear())["result"] == {}


async def test_a_fault_at_a_notification_is_reported_and_reading_goes_on() -> None:
    async with served() as (side, raw):
        await raw.say({"jsonrpc": "2.0", "method": "break"})
        await raw.ask(8, "echo")
        assert (await raw.hear())["result"] == {}
        assert "ZeroDivisionError" in side.reports[0]


async def test_messages_are_begun_in_the_order_they_came_in() -> None:
    async with served() as (side, raw):
        note = {"jsonrpc": "2.0", "method": "before"}
        await raw.say(note, {"jsonrpc": "2.0", "id": 1, "method": "wait"}, note | {"method": "after"})
        await side.until("after")
        assert side.told.seen == ["before", "wait begins", "after"]


async def test_all_that_was_queued_is_written_in_order() -> None:
    async with served() as (side, raw):
        for number in range(20):
            await side.wire.notify("n", {"number": number})
        assert [(await raw.hear())["params"]["number"] for _ in range(20)] == list(range(20))


@pytest.mark.parametrize(("batch", "writes"), [(wire.BATCH, 1), (1, 10)])
async def test_what_waits_is_written_at_one_go_up_to_a_size(
    batch: int, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "BATCH", batch)
    here, there = pipes()
    written: list[bytes] = []
    send = here.send

    async def recorded(item: bytes) -> None:
        written.append(item)
        await send(item)

    monkeypatch.setattr(here, "send", recorded)
    async with there, running() as tasks:
        side, raw = Side(tasks, here, "client"), Raw(there)
        for number in range(10):
            await side.wire.notify("n", {"number": number})
        assert [(await raw.hear())["params"]["number"] for _ in range(10)] == list(range(10))
    assert len(written) == writes


async def test_O_j1_a_client_skips_and_keeps_what_is_no_message() -> None:
    async with served("client") as (side, raw):
        bad = [b"Welcome!", b"", b"123", b'"text"', b'{"a":', b"\x1b[?25l"]
        await raw.say(*bad)
        await raw.ask(7, "echo")
        assert await codes(raw, 2) == [(None, ErrorCode.INVALID_REQUEST)] * 2
        assert (await raw.hear())["id"] == 7
        assert side.wire.junk.count == 5
        assert "Welcome!" in side.wire.diagnosis
        assert "\x1b" not in side.wire.diagnosis


async def test_O_j1_an_agent_answers_what_is_no_message() -> None:
    async with served("agent") as (_, raw):
        await raw.say(b"Welcome!", b"42", b"[]", b"null")
        assert await codes(raw, 4) == [
            (None, ErrorCode.PARSE_ERROR),
            *[(None, ErrorCode.INVALID_REQUEST)] * 3,
        ]


async def test_O_j1_a_flood_of_bad_lines_ends_in_a_clear_error() -> None:
    async with served("client") as (side, raw):
        await raw.say(*[b"noise"] * 100)
        await raw.ask(7, "echo")
        assert (await raw.hear())["id"] == 7
        await raw.say(b"one more")
        assert await raw.heard_until_the_end() == []
        assert "100 lines a minute" in side.reports[0]
        assert "one more" in str(side.wire.lost)


async def test_O_j1_bad_lines_that_come_slowly_are_no_flood() -> None:
    async with served("client", clock=map(float, count()).__next__) as (side, raw):
        await raw.say(*[b"noise"] * 500)
        await raw.ask(7, "echo")
        assert (await raw.hear())["id"] == 7
        assert side.wire.junk.count == 500


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537, 1 << 20])
async def test_O_j2_long_lines_pass_in_both_directions(size: int) -> None:
    async with connected() as (client, agent):
        sent = {"text": "A" * size}
        assert await client.wire.request("echo", sent) == sent
        assert await agent.wire.request("echo", sent) == sent


async def test_O_j2_a_message_over_the_limit_is_refused_and_pending_requests_survive() -> None:
    async with connected() as (client, agent):
        pending = client.ask("open")
        await agent.until("open begins")
        with pytest.raises(RpcError, match="16 MiB"):
            await client.wire.request("echo", {"text": "A" * FRAME_LIMIT})
        agent.told.note("opened")
        assert await pending.result() == "done"


async def test_two_sides_that_write_16_MiB_at_once_do_not_block_each_other() -> None:
    async with connected() as (client, agent), anyio.create_task_group() as tasks:
        sent = {"text": "A" * (FRAME_LIMIT - 100)}

        async def echo(side: Side) -> None:
            assert await side.wire.request("echo", sent) == sent

        tasks.start_soon(echo, client)
        tasks.start_soon(echo, agent)


async def test_answers_are_read_while_the_other_side_reads_nothing() -> None:
    async with served() as (side, raw):
        pending = side.ask("m")
        assert (await raw.hear())["id"] == 1
        await side.wire.notify("big", {"text": "A" * 1_000_000})
        await raw.say({"jsonrpc": "2.0", "id": 1, "result": "yes"})
        assert await pending.result() == "yes"


async def test_a_side_that_never_reads_its_error_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "STUCK", 0.1)
    async with served(grace=0.1) as (side, raw):
        with pytest.raises(anyio.BrokenResourceError):
            await raw.say_for_ever(b"1\n" * 1000)
        assert "does not read" in str(side.wire.lost)


async def test_a_request_that_is_cancelled_here_is_taken_back() -> None:
    async with served() as (side, raw):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(side.wire.request, "m", {})
            assert (await raw.hear())["id"] == 1
            tasks.cancel_scope.cancel()
        cancelled = await raw.hear()
        assert (cancelled["method"], cancelled["params"]) == ("$/cancel_request", {"requestId": 1})
        assert "id" not in cancelled
        await raw.say({"jsonrpc": "2.0", "id": 1, "result": "late"})
        await raw.ask(8, "echo")
        assert (await raw.hear())["id"] == 8
        assert side.reports == []


async def test_taking_back_waits_for_a_stuck_side_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "QUEUE", 0)
    monkeypatch.setattr(wire, "CANCEL_WAIT", 0.1)
    async with served() as (side, _):
        await side.wire.notify("big", {"text": "A" * 1_000_000})
        start = anyio.current_time()
        with anyio.move_on_after(0.1) as scope:
            await side.wire.request("m", {})
        assert scope.cancelled_caught
        assert anyio.current_time() - start < 10


async def test_a_request_that_is_cancelled_there_gets_one_answer() -> None:
    async with served() as (side, raw):
        await raw.ask(7, "wait")
        cancel = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 7}}
        await raw.say(cancel, cancel)
        assert await codes(raw, 1) == [(7, ErrorCode.REQUEST_CANCELLED)]
        assert side.told.seen == ["wait begins", "wait ends"]
        await raw.ask(8, "echo")
        assert (await raw.hear())["id"] == 8


@pytest.mark.parametrize("id_", ["1", True, 1.0, None, [1], {}])
async def test_ids_are_compared_with_their_type(id_: object) -> None:
    async with served() as (side, raw):
        await raw.ask(1, "open")
        await raw.say({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": id_}})
        await raw.ask("1", "echo")
        assert (await raw.hear())["id"] == "1"
        side.told.note("opened")
        assert await raw.hear() == {"jsonrpc": "2.0", "id": 1, "result": "done"}


async def test_an_answer_under_an_id_of_another_type_answers_nothing() -> None:
    async with served() as (side, raw):
        pending = side.ask("m")
        await raw.hear()
        for id_ in ("1", True, 1.0, 1):
            await raw.say({"jsonrpc": "2.0", "id": id_, "result": repr(id_)})
        assert await pending.result() == "1"


@pytest.mark.parametrize("second", ["another", {"code": -1, "message": "an error"}])
async def test_a_request_is_answered_once_and_the_first_answer_counts(second: object) -> None:
    async with served() as (side, raw):
        pending = side.ask("m")
        id_ = (await raw.hear())["id"]
        sort = "result" if isinstance(second, str) else "error"
        answers = ({"id": id_, "result": "first"}, {"id": id_, sort: second})
        frames = (json.dumps({"jsonrpc": "2.0", **answer}).encode() + b"\n" for answer in answers)
        await raw.stream.send(b"".join(frames))
        assert await pending.result() == "first"


async def test_two_requests_with_one_id_both_end_in_an_error() -> None:
    async with served() as (side, raw):
        await raw.ask(7, "wait")
        await raw.ask(7, "wait")
        assert await codes(raw, 2) == [(7, ErrorCode.INVALID_REQUEST)] * 2
        assert side.told.seen == ["wait begins", "wait ends"]
        await raw.ask(7, "echo")
        assert (await raw.hear())["result"] == {}


async def test_a_request_beyond_the_limit_is_refused_and_cancelling_still_works() -> None:
    async with served() as (_, raw):
        for id_ in range(IN_FLIGHT):
            await raw.ask(id_, "wait")
        await raw.ask("one more", "wait")
        assert await codes(raw, 1) == [("one more", ErrorCode.TOO_MANY)]
        await raw.say({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 5}})
        assert await codes(raw, 1) == [(5, ErrorCode.REQUEST_CANCELLED)]


async def test_a_complaint_about_nothing_in_particular_is_reported() -> None:
    async with served() as (side, raw):
        await raw.say({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "what\x1b\ud800?"}})
        await raw.ask(8, "echo")
        assert (await raw.hear())["id"] == 8
        assert "what" in side.reports[0]
        assert side.reports[0].isprintable()


async def test_O_j5_a_pending_request_fails_at_once_when_the_other_side_goes() -> None:
    async with served() as (side, raw):
        pending = side.ask("m")
        await raw.hear()
        await raw.stream.send(b'{"jsonrpc":"2.0","id":1,"resu')
        await raw.stream.aclose()
        assert isinstance(await pending.result(), ConnectionLost)
        with pytest.raises(ConnectionLost, match="closed the connection"):
            await side.wire.request("m", {})


async def test_writing_to_a_closed_pipe_is_a_lost_connection() -> None:
    async with served(grace=0.1) as (side, raw):
        raw.stream._close(raw.stream._reading)
        with pytest.raises(ConnectionLost, match="no more messages"):
            await side.wire.request("m", {})
        with pytest.raises(ConnectionLost, match="no more messages"):
            await side.notify_for_ever()


async def test_what_the_other_side_said_before_it_stopped_reading_still_counts() -> None:
    async with served(grace=30) as (side, raw):
        pending = side.ask("m")
        await raw.hear()
        raw.stream._close(raw.stream._reading)
        with pytest.raises(ConnectionLost):
            await side.notify_for_ever()
        await raw.say({"jsonrpc": "2.0", "id": 1, "result": "yes"})
        assert await pending.result() == "yes"


async def test_requests_read_before_the_end_are_answered_and_long_ones_cancelled() -> None:
    async with served(grace=0.2) as (_, raw):
        await raw.ask(1, "wait")
        await raw.stream.send(b'{"jsonrpc":"2.0","id":2,"method":"echo"}')  # no newline
        await raw.stream.send_eof()
        echoed, cancelled = await raw.heard_until_the_end()
        assert echoed["result"] == {}
        assert (cancelled["id"], cancelled["error"]["code"]) == (1, ErrorCode.REQUEST_CANCELLED)


async def test_nothing_can_be_asked_while_the_last_requests_end() -> None:
    async with served(grace=DEADLINE) as (side, raw):
        await raw.ask(1, "wait")
        pending = side.ask("m")
        await raw.hear()
        await raw.stream.send_eof()
        assert isinstance(await pending.result(), ConnectionLost)
        with pytest.raises(ConnectionLost):
            await side.wire.request("m", {})
        assert "wait ends" not in side.told.seen


async def test_stopping_here_closes_the_stream_and_fails_what_waits() -> None:
    here, there = pipes()
    async with there, running() as tasks:
        async with anyio.create_task_group() as connection:
            side, raw = Side(connection, here, "agent"), Raw(there)
            side.tasks = tasks
            pending = side.ask("m")
            await raw.hear()
            await raw.ask(7, "wait")
            await side.until("wait begins")
            connection.cancel_scope.cancel()
        assert await raw.heard_until_the_end() == []
        assert "closed here" in str(await pending.result())
        with pytest.raises(ConnectionLost, match="closed here"):
            await side.wire.notify("m", {})


async def test_importing_the_transport_stays_light() -> None:
    code = "import orchestrator.acp.streams, orchestrator.acp.wire, sys; print(*sys.modules)"
    result = await anyio.run_process([sys.executable, "-c", code])
    loaded = set(result.stdout.decode().split())
    assert not loaded & {"pydantic", "httpx", "rich", "asyncio", "yaml", "prompt_toolkit"}
