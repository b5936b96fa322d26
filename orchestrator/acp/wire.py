"""One JSON-RPC connection over a byte stream, both directions at once.

The reader never waits for a handler of a request, so an answer, a cancellation or a notification gets
through whatever else is going on. Knows JSON-RPC and nothing of sessions, consent or processes.
"""

import time
import traceback
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Literal, Protocol, assert_never

import anyio
from anyio.abc import ByteStream, TaskGroup, TaskStatus

from orchestrator.acp.frames import (
    Decoder,
    Failure,
    Id,
    Json,
    Junk,
    Message,
    Notification,
    Params,
    Refused,
    Request,
    Response,
    encode,
    is_id,
    sample,
)
from orchestrator.acp.schema import ErrorCode

Role = Literal["agent", "client"]

CANCEL_REQUEST = "$/cancel_request"
IN_FLIGHT = 1024
"""Requests of the other side that are handled at a time."""
QUEUE = 1024
"""Messages of ours that wait to be written, before senders wait too."""
BATCH = 65536
"""Bytes from which on a write takes no further message along."""
STUCK = 60.0
"""Seconds that the reader waits for room to write an error answer before it gives the connection up."""
CANCEL_WAIT = 1.0
"""Seconds that a cancelled request may take to tell the other side so."""
JUNK_PER_MINUTE = 100
DIAGNOSIS = 20
"""Unreadable lines kept."""

_GONE = (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError)


class RpcError(Exception):
    """The error answer to a request: raised by `Connection.request`, or by a handler to give one."""

    def __init__(self, code: int, message: str, data: Json = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class ConnectionLost(Exception):
    """The other side is gone, and no answer can come any more."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A result of `Handler.on_request` with something to do once its answer is on its way."""

    result: Json
    then: Callable[[], Awaitable[None]]


class Handler(Protocol):
    """The layer above: what to do with the other side's calls."""

    async def on_request(self, method: str, params: Params) -> Json | Reply:
        """The result; RpcError gives an error answer. Cancelled when the other side takes it back."""

    async def on_notification(self, method: str, params: Params) -> None:
        """Nothing more is read until it returns: it must not send on the same connection."""


class JunkLog:
    """The lines that could not be read: how many, the last of them, and whether they are a flood."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.count = 0
        self._clock = clock
        self._samples: deque[str] = deque(maxlen=DIAGNOSIS)
        self._times: deque[float] = deque(maxlen=JUNK_PER_MINUTE)

    def __str__(self) -> str:
        return "\n".join(self._samples)

    def add(self, text: str) -> None:
        """Keep one more; ConnectionLost for more than 100 within a minute."""
        now = self._clock()
        self.count += 1
        self._samples.append(text)
        if len(self._times) == JUNK_PER_MINUTE and now - self._times[0] < 60:
            raise ConnectionLost(f"over {JUNK_PER_MINUTE} lines a minute are no messages, the last: {text}")
        self._times.append(now)


@dataclass(slots=True)
class _Waiter:
    done: anyio.Event = field(default_factory=anyio.Event)
    answer: Response | Failure | None = None


@dataclass(slots=True)
class _Job:
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    verdict: Failure | None = None

    def stop(self, verdict: Failure) -> None:
        self.verdict = verdict
        self.scope.cancel()


class _Serving:
    """The requests of the other side that are being handled: each gets exactly one answer."""

    def __init__(
        self, handler: Handler, post: Callable[[bytes], Awaitable[None]], report: Callable[[str], None]
    ) -> None:
        self._handler, self._post, self._report = handler, post, report
        self._jobs: dict[Id, _Job] = {}

    async def accept(self, request: Request, tasks: TaskGroup) -> Failure | None:
        """Start handling it, or say why not."""
        if job := self._jobs.get(request.id):
            # An answer to this id could be taken for either, so neither gets a result.
            twin = Failure(request.id, ErrorCode.INVALID_REQUEST, "two requests with this id at once")
            job.stop(twin)
            return twin
        if len(self._jobs) >= IN_FLIGHT:
            return Failure(request.id, ErrorCode.TOO_MANY, f"over {IN_FLIGHT} requests at once")
        # The handler runs up to its first wait before the next message, which may be about it, is read.
        await tasks.start(self._handle, request)
        return None

    def cancel(self, id_: object) -> None:
        """Answer the request as cancelled, if it is still being handled."""
        if is_id(id_) and (job := self._jobs.get(id_)):
            job.stop(_cancelled(id_))

    def end_within(self, seconds: float) -> None:
        """What is still running then is cancelled."""
        for job in self._jobs.values():
            job.scope.deadline = anyio.current_time() + seconds

    async def _handle(self, request: Request, *, task_status: TaskStatus[None]) -> None:
        job = self._jobs[request.id] = _Job()
        task_status.started()
        frame, then = encode(_cancelled(request.id)), None
        with job.scope:
            frame, then = await self._answer(request)
        if job.verdict:
            frame, then = encode(job.verdict), None
        with suppress(ConnectionLost):  # then there is nobody to answer
            await self._post(frame)
            del self._jobs[request.id]
            if then is not None:
                await self._follow(then)

    async def _answer(self, request: Request) -> tuple[bytes, Callable[[], Awaitable[None]] | None]:
        """The answer's frame, and what follows a good one."""
        try:
            result = await self._handler.on_request(request.method, request.params)
            if isinstance(result, Reply):
                return encode(Response(request.id, result.result)), result.then
            return encode(Response(request.id, result)), None
        except RpcError as error:
            return encode(Failure(request.id, error.code, error.message, error.data)), None
        except ConnectionLost as lost:
            return encode(Failure(request.id, ErrorCode.INTERNAL_ERROR, str(lost))), None
        except Exception:  # noqa: BLE001 - an ACP handler is one of the four boundaries
            self._report(traceback.format_exc())
            return encode(Failure(request.id, ErrorCode.INTERNAL_ERROR, "internal error")), None

    async def _follow(self, then: Callable[[], Awaitable[None]]) -> None:
        try:
            await then()
        except Exception:  # noqa: BLE001 - part of the handler, and so of its boundary
            self._report(traceback.format_exc())


class Connection:
    """Both directions of one stream, which it owns. Made inside the event loop; `run` must be awaited.

    As "agent" it answers what is not JSON; as "client" it skips such lines and closes at a flood of them.
    `report` takes what somebody should read. `grace` is how long, in seconds, running requests may take
    to end once the other side has closed. `lost` says why the connection ended, once it has.
    """

    def __init__(
        self,
        stream: ByteStream,
        handler: Handler,
        role: Role,
        report: Callable[[str], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        grace: float = 1.0,
    ) -> None:
        self.lost: str | None = None
        self.junk = JunkLog(clock)
        self._stream, self._handler, self._role = stream, handler, role
        self._report, self._grace = report, grace
        self._outbox, self._queue = anyio.create_memory_object_stream[bytes](QUEUE)
        self._serving = _Serving(handler, self._post, report)
        self._reading = anyio.CancelScope()
        self._waiters: dict[Id, _Waiter] = {}
        self._ids = count(1)

    @property
    def diagnosis(self) -> str:
        """The last unreadable lines, escaped, one a line."""
        return str(self.junk)

    async def run(self) -> None:
        """Serve until either side closes; what the other side does wrong never raises."""
        try:
            async with anyio.create_task_group() as writing, self._outbox:
                writing.start_soon(self._write)
                async with anyio.create_task_group() as handling:
                    await self._read(handling)
                    self._wind_down(handling, writing)
        finally:
            self._lose("the connection was closed here")
            with anyio.CancelScope(shield=True):
                await self._stream.aclose()

    async def request(self, method: str, params: Params) -> Json:
        """The result of the other side. RpcError for an error answer, ConnectionLost when none can come.

        Cancelled, it takes the request back with `$/cancel_request`; a late answer is ignored.
        """
        if self.lost is not None:
            raise ConnectionLost(self.lost)
        id_, waiter = next(self._ids), _Waiter()
        self._waiters[id_] = waiter
        try:
            await self._post(encode(Request(id_, method, params)))
            await waiter.done.wait()
        except anyio.get_cancelled_exc_class():
            with anyio.move_on_after(CANCEL_WAIT, shield=True), suppress(ConnectionLost):
                await self.notify(CANCEL_REQUEST, {"requestId": id_})
            raise
        finally:
            self._waiters.pop(id_, None)
        match waiter.answer:
            case Response(_, result):
                return result
            case Failure(_, code, message, data):
                raise RpcError(code, message, data)
            case None:
                raise ConnectionLost(self.lost)

    async def notify(self, method: str, params: Params) -> None:
        """Queue a notification behind all that was queued before. ConnectionLost if nothing is written."""
        await self._post(encode(Notification(method, params)))

    async def _post(self, frame: bytes) -> None:
        try:
            with suppress(anyio.WouldBlock):
                self._outbox.send_nowait(frame)  # while there is room, no turn of the loop for each message
                return
            await self._outbox.send(frame)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise ConnectionLost(self.lost) from None

    async def _write(self) -> None:
        with self._queue:
            try:
                async for frame in self._queue:
                    await self._stream.send(self._with_queued(frame))
            except _GONE:
                self.lost = self.lost or "the other side takes no more messages"
                # Answers that it gave before it went may still lie in the pipe.
                self._reading.deadline = anyio.current_time() + self._grace

    def _with_queued(self, frame: bytes) -> bytes:
        """The frame and those that wait behind it, written at one go: a write costs more than a message."""
        frames, size = [frame], len(frame)
        with suppress(anyio.WouldBlock, anyio.EndOfStream):
            while size < BATCH:
                frames.append(self._queue.receive_nowait())
                size += len(frames[-1])
        return b"".join(frames)

    async def _read(self, handling: TaskGroup) -> None:
        reason = "the other side closed the connection"
        try:
            with self._reading:
                await self._read_all(handling)
        except ConnectionLost as lost:
            reason = str(lost)
            self._report(reason)
        except _GONE as error:
            reason = f"the other side cannot be read: {error}"
        self._lose(reason)

    async def _read_all(self, handling: TaskGroup) -> None:
        decoder, ended = Decoder(), False
        while not ended:
            try:
                messages = decoder.feed(await self._stream.receive())
            except anyio.EndOfStream:
                messages, ended = decoder.end(), True
            for message in messages:
                await self._take(message, handling)

    def _wind_down(self, handling: TaskGroup, writing: TaskGroup) -> None:
        """Each step gets the grace: running requests to end, their answers to be queued, then written."""
        now = anyio.current_time()
        self._serving.end_within(self._grace)
        handling.cancel_scope.deadline = now + 2 * self._grace
        writing.cancel_scope.deadline = now + 3 * self._grace

    def _lose(self, reason: str) -> None:
        self.lost = self.lost or reason
        for waiter in self._waiters.values():
            waiter.done.set()

    async def _take(self, message: Message, handling: TaskGroup) -> None:
        match message:
            case Request():
                if refusal := await self._serving.accept(message, handling):
                    await self._owe(refusal)
            case Notification(method, params) if method == CANCEL_REQUEST:
                self._serving.cancel(params.get("requestId"))
            case Notification():
                await self._notice(message)
            case Response() | Failure():
                self._settle(message)
            case Refused(id_, code, reason):
                await self._bad_line(reason, Failure(id_, code, reason))
            case Junk(text):
                wrong = Failure(None, ErrorCode.PARSE_ERROR, "the line is not JSON")
                await self._bad_line(text, wrong if self._role == "agent" else None)
            case _:
                assert_never(message)

    async def _notice(self, notification: Notification) -> None:
        try:
            await self._handler.on_notification(notification.method, notification.params)
        except Exception:  # noqa: BLE001 - an ACP handler is one of the four boundaries
            self._report(traceback.format_exc())

    def _settle(self, answer: Response | Failure) -> None:
        if answer.id is None:
            text = f"the other side could not read a message: {sample(encode(answer))}"
            if not self.junk.count:
                self._report(text)
            self.junk.add(text)
        elif waiter := self._waiters.pop(answer.id, None):  # a request is answered once: the first counts
            waiter.answer = answer
            waiter.done.set()

    async def _bad_line(self, text: str, answer: Failure | None) -> None:
        if self._role == "client":
            self.junk.add(text)
        if answer is not None:
            await self._owe(answer)

    async def _owe(self, answer: Failure) -> None:
        """Answer from the reader, which must not wait for ever: the other side may be waiting for it."""
        try:
            with anyio.fail_after(STUCK):
                await self._post(encode(answer))
        except TimeoutError:
            raise ConnectionLost("the other side does not read its answers") from None


def _cancelled(id_: Id) -> Failure:
    return Failure(id_, ErrorCode.REQUEST_CANCELLED, "the request was cancelled")
