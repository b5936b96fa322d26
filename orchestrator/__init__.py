"""Everything of mm that runs: facades, conversations, agents, tools, the protocol."""

__version__ = "0.1.0"
