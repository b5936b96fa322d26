"""The methods that agents of ours add to ACP, between themselves. Names begin with `_`, as ACP has it."""

AGENT_STARTS = "_mm/agent_starts"
"""A request up: may the agent at `path` be started? The answer holds `refused`, empty for yes."""
AGENT_ENDED = "_mm/agent_ended"
"""A notification up: the agent at `path` ended, and with it all below."""
ACTED = "_mm/acted"
"""A notification up: an agent below ran `toolCall` past the answers; `finding` says how."""
