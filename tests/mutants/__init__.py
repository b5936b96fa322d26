"""Faults written by hand, each of which some test must notice. `python -m tests.mutants` tries them all."""
