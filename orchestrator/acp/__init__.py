"""The Agent Client Protocol: frames, the connection, and what both sides say on it."""
