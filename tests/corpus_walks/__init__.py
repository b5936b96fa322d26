"""The corpora of hostile requests through whole processes: a person at a terminal, and an editor."""
