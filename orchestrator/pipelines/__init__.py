"""Pipelines: several agents on one task, each run in a worktree of its own."""
