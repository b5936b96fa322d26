"""A program in jan's place: started as if it were mm itself, it sends rows of the corpus byte for byte.

A prompt `ROW NUMBER` makes it send the row, wait for so many answers, and look whether one too many came.
What it was answered stands in the file `heard` beside the rows.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

Frame = dict[str, Any]
ROWS = Path(__file__).parents[1] / "rows"


def write(data: bytes) -> None:
    """Send bytes as they are."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(frame: Frame) -> None:
    """Send a frame."""
    write(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n")


def read() -> Frame:
    """The next frame; the process ends with its input."""
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit()
    frame: Frame = json.loads(line)
    return frame


def answers_until(fence: str) -> list[Frame]:
    """The answers that come before that to a request which is known to be refused."""
    send({"id": fence, "method": "no/such/method"})
    heard = []
    while (frame := read()).get("id") != fence:
        heard.append(frame)
    return heard


def turn(row: str, number: int) -> None:
    """Send a row, and keep what it was answered."""
    write((ROWS / row).read_bytes())
    heard = [read() for _ in range(number)]
    heard += answers_until("fence")
    (ROWS / "heard").write_text(json.dumps(heard))


def main() -> None:
    """Serve until the end of input."""
    results = {"initialize": {"protocolVersion": 1}, "session/new": {"sessionId": "sess_jan"}}
    while True:
        request = read()
        match request.get("method"):
            case "session/prompt":
                row, number = request["params"]["prompt"][0]["text"].split()
                turn(row, int(number))
                send({"id": request["id"], "result": {"stopReason": "end_turn"}})
            case str(method) if method in results:
                send({"id": request["id"], "result": results[method]})


if __name__ == "__main__":
    main()
