"""The least that answers: each JSON line gets one result, which fits any request of an ACP client.

Started with `python -S`, so that it is Python alone.
"""

import json
import sys

RESULT = {"protocolVersion": 1, "sessionId": "echo", "stopReason": "end_turn"}

for line in sys.stdin.buffer:
    answer = {"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": RESULT}
    sys.stdout.buffer.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
    sys.stdout.buffer.flush()
